// Where the name or figure under a finger changes, the second of two quick taps falls on nothing: for
// so long the new one is dim. Whoever taps again has seen it, and no tap of theirs is lost.
const BLINK = 250; // milliseconds

export const steady = (element) => {
  dim(element, true);
  clearTimeout(element.steadying);
  element.steadying = setTimeout(() => dim(element, false), BLINK);
};

function dim(element, on) {
  element.classList.toggle("steady", on);
  const buttons = element.matches("button") ? [element] : element.querySelectorAll("button, a");
  for (const button of buttons) button.ariaDisabled = on ? "true" : null;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.(".steady")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A finger that comes down elsewhere has moved on: Next, 3, Next is no double tap.
document.addEventListener("pointerdown", ({ target }) => {
  if (target.closest(".steady")) return;
  for (const one of document.querySelectorAll(".steady")) dim(one, false);
}, true);

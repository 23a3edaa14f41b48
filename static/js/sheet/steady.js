// When the name or figure under a finger changes, it is dim for a moment and takes no tap, so that a
// double tap does nothing to the new one. Whoever taps after that has seen it.
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

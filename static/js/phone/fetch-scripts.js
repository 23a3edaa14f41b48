// What only some pages need comes when there is something for it to do: whatever is to be served by
// a script of its own names it. What a closed drawer needs comes with the first touch of the page,
// so that a phone that only looks on is spared it.

const fetched = new Map(); // by address: when the script has come; what could not is asked for again
const come = new Set();
let touched = false;

function fetchScript(src) {
  const script = Object.assign(document.createElement("script"), { src, async: false }); // in their order
  document.head.append(script);
  return new Promise((done) => {
    script.onload = () => {
      come.add(src);
      done();
    };
    script.onerror = () => {
      fetched.delete(src);
      script.remove();
      done();
    };
  });
}

const there = (src) => fetched.has(src) || document.querySelector(`script[src="${src}"]`);

// A form's own script shows its keys, so it comes behind those that serve them.
const inTurn = () => [...document.querySelectorAll("[data-script]")].sort((one, other) => one.matches("form") - other.matches("form"));

globalThis.fetchScripts = () => {
  for (const element of inTurn()) {
    const { script } = element.dataset;
    if (!there(script) && (touched || !element.closest("dialog:not([open])"))) fetched.set(script, fetchScript(script));
  }
  return Promise.all(fetched.values());
};

globalThis.fetchAllScripts = () => {
  touched = true;
  return fetchScripts();
};
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, fetchAllScripts);
// A button that a script of its own serves is pressed once more when that has come.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-script]");
  if (!button || come.has(button.dataset.script)) return;
  event.preventDefault();
  fetchAllScripts().then(() => come.has(button.dataset.script) && button.click());
});
window.addEventListener("online", fetchScripts);
document.addEventListener("htmx:after:swap", fetchScripts);
fetchScripts();

// What only some pages need comes when there is something for it to do: an element that a script of
// its own serves names it. What a closed drawer needs comes with the first touch of the page, so
// that a phone that only looks on is spared it.

const VERSION = new URL(import.meta.url).search; // that of all scripts

const fetched = new Map(); // by path: when the script has come; what could not is asked for again
const come = new Set();
let touched = false;

const pathOf = (src) => src.split("?")[0];

function fetchScript(src) {
  const script = Object.assign(document.createElement("script"), { type: "module", src });
  document.body.append(script); // those in the head are what every page needs: see scripted.js
  return new Promise((done) => {
    script.onload = () => {
      come.add(pathOf(src));
      done();
    };
    script.onerror = () => {
      fetched.delete(pathOf(src));
      script.remove();
      done();
    };
  });
}

function fetchScripts() {
  for (const element of document.querySelectorAll("[data-script]")) {
    const { script } = element.dataset;
    if (fetched.has(pathOf(script)) || (!touched && element.closest("dialog:not([open])"))) continue;
    // This page is older than what came for it: its scripts and the new one do not go together.
    if (!script.endsWith(VERSION)) location.reload();
    else fetched.set(pathOf(script), fetchScript(script));
  }
  return Promise.all(fetched.values());
}

export const fetchAllScripts = () => {
  touched = true;
  return fetchScripts();
};
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, fetchAllScripts);
// A button that a script of its own serves is pressed once more when that has come.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-script]");
  const isHere = () => come.has(pathOf(button.dataset.script));
  if (!button || isHere()) return;
  event.preventDefault();
  fetchAllScripts().then(() => isHere() && button.click());
});
window.addEventListener("online", fetchScripts);
document.addEventListener("htmx:after:swap", fetchScripts);
fetchScripts();

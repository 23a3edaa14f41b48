// Fetch the scripts that only some pages need: an element names its script in `data-script`. Those
// for a closed drawer come with the first touch of the page, so that viewers' phones don't load
// them.

const VERSION = new URL(import.meta.url).search; // that of all scripts

const fetched = new Map(); // by path: a promise that the script is loaded; one that failed is fetched again
const loaded = new Set(); // paths
let touched = false;

const pathOf = (src) => src.split("?")[0];

function fetchScript(src) {
  const script = Object.assign(document.createElement("script"), { type: "module", src });
  document.body.append(script); // those in the head are what every page needs: see scripted.js
  return new Promise((done) => {
    script.onload = () => {
      loaded.add(pathOf(src));
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
    // The program was updated after this page was loaded: its scripts don't go with the new ones.
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
// A tap on a button whose script is still loading is repeated afterwards.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-script]");
  const isHere = () => loaded.has(pathOf(button.dataset.script));
  if (!button || isHere()) return;
  event.preventDefault();
  fetchAllScripts().then(() => isHere() && button.click());
});
window.addEventListener("online", fetchScripts);
document.addEventListener("htmx:after:swap", fetchScripts);
fetchScripts();

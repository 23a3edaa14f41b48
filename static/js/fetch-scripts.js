// What only some pages need comes when there is something for it to do: whatever is to be served by
// a script of its own names it.
"use strict";

function fetchScripts() {
  for (const { dataset } of document.querySelectorAll("[data-script]")) {
    if (document.querySelector(`script[src="${dataset.script}"]`)) continue;
    document.head.append(Object.assign(document.createElement("script"), { src: dataset.script }));
  }
}
document.addEventListener("htmx:after:swap", fetchScripts);
fetchScripts();

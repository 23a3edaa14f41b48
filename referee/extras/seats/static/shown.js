// Fill hands shown on phones into the scorekeeper's drawer, unless cards were typed there. This does
// not count as having begun the form.

import { cardsOf, writeCards } from "../js/forms/cards.js";
import { steady } from "../js/sheet/steady.js";

function fillIn() {
  for (const { dataset } of document.querySelectorAll("[data-fills]")) {
    const line = document.querySelector(`dialog.drawer:not([data-correct]) [name="${dataset.fills}"]`);
    if (!line || line.dataset.filled === dataset.with) continue;
    line.dataset.filled = dataset.with;
    const field = line.closest(".cards-field");
    const isTyped = cardsOf(field).length && line.value !== line.dataset.shown;
    if (isTyped) continue;
    if (line.value !== dataset.with) {
      writeCards(field, dataset.with.split(" "));
      tell(line.form);
    }
    line.dataset.shown = line.value;
  }
}

function tell(form) {
  const { dataset } = form.closest("#record");
  const begun = "begun" in dataset;
  form.dispatchEvent(new Event("input", { bubbles: true }));
  if (!begun) delete dataset.begun;
  steady(form.querySelector(".foot"));
}

document.addEventListener("htmx:after:swap", fillIn);
document.addEventListener("shown", fillIn);
fillIn();

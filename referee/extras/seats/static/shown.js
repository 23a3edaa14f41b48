// What is shown on phones is filled in for whoever keeps score, while their drawer is open, too: once,
// where nothing was typed or the hand was put down unseen. That alone begins no form, and is no draft.

import { cardsOf, writeCards } from "../js/forms/cards.js";
import { steady } from "../js/sheet/steady.js";

function fillIn() {
  for (const { dataset } of document.querySelectorAll("[data-fills]")) {
    const line = document.querySelector(`dialog.drawer:not([data-correct]) [name="${dataset.fills}"]`);
    if (!line || line.dataset.filled === dataset.with) continue;
    line.dataset.filled = dataset.with;
    const field = line.closest(".cards-field");
    if (cardsOf(field).length || line.value === dataset.with) continue;
    writeCards(field, dataset.with.split(" "));
    tell(line.form);
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

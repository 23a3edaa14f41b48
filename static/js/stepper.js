// Numbers with a button on either side, and rows of numbers that make up a fixed sum: once all but
// one are known, the last fills itself in (and follows, until it is typed over).
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-by]");
  if (!button) return;
  const { least, most, start, step } = button.closest("[data-stepper]").dataset;
  const input = button.parentElement.querySelector("input");
  const from = input.value === "" ? Number(start) : Number(input.value) || 0;
  const wanted = from + Number(button.dataset.by) * Number(step);
  input.value = Math.min(Number(most), Math.max(Number(least), wanted));
  delete input.dataset.filled;
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

document.addEventListener("input", (event) => {
  const rows = event.target.closest("[data-fills-up]");
  if (!rows) return;
  delete event.target.dataset.filled;
  const inputs = [...rows.querySelectorAll("input.number")];
  const open = inputs.filter((input) => input.value === "" || input.dataset.filled);
  if (open.length !== 1) return;
  const known = inputs.filter((input) => input !== open[0]);
  const rest = Number(rows.dataset.fillsUp) - known.reduce((sum, input) => sum + Number(input.value), 0);
  open[0].value = rest >= 0 ? rest : "";
  open[0].dataset.filled = "yes";
}, true);

// Numbers with a button on either side, or with buttons for the usual ones.

function set(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-by]");
  if (!button) return;
  const { least, most, start, step } = button.closest("[data-stepper]").dataset;
  const input = button.parentElement.querySelector("input");
  const from = input.value === "" ? Number(start) : Number(input.value) || 0;
  const wanted = from + Number(button.dataset.by) * Number(step);
  set(input, Math.min(Number(most), Math.max(Number(least), wanted)));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sets]");
  if (button) set(button.closest(".raise").querySelector("[data-stepper] input"), button.dataset.sets);
});

// The button that sends the number says which it is.
function say(form) {
  const input = form.querySelector("[data-stepper] input");
  const amount = document.querySelector(`button[form="${form.id}"] [data-amount]`);
  if (input && amount) amount.textContent = input.value;
}

document.addEventListener("input", ({ target }) => {
  if (target.form?.id && target.closest("[data-stepper]")) say(target.form);
});

const sayAll = () => document.querySelectorAll("form.entry[id]").forEach(say);
document.addEventListener("htmx:after:swap", sayAll);
sayAll();

// “That's mine” without a network: the form stays as it is, and is sent again until the server
// answers, or until something else is filled in; also after this page is left (unsent.js). Its key
// makes it count once, even if only the answer was lost.

import { drop, keep, sheetOf } from "./unsent.js";

const AGAIN = 3000; // milliseconds between two tries

let waits = 0; // the next try
let tapped = null; // the button that was tapped last

const isOwn = (form) => Boolean(form?.matches?.(".own-pad form[data-entry]"));

// What is tapped later takes the place of what waits, in this form or another.
document.addEventListener("submit", ({ target: form, submitter }) => {
  if (!isOwn(form) || form.matches(".htmx-request")) return;
  clearTimeout(waits);
  if (submitter === tapped) return;
  tapped = submitter;
  form.elements.key.value = "";
  for (const note of document.querySelectorAll(".own-pad .unsent")) note.remove();
}, true);

document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  const form = ctx?.sourceElement;
  if (!isOwn(form) || ctx.text !== undefined || ctx.request.submitter !== tapped) return;
  keep(form, ctx.request.body);
  form.querySelector(".unsent").textContent = form.closest("[data-waits]").dataset.waits;
  waits = setTimeout(() => form.isConnected && form.requestSubmit(ctx.request.submitter), AGAIN);
});

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => isOwn(ctx.sourceElement) && ctx.response?.status < 500 && drop(ctx.sourceElement));

document.addEventListener("input", ({ target: { form } }) => {
  if (!isOwn(form)) return;
  clearTimeout(waits);
  drop(form);
  form.toggleAttribute("data-touched", true);
  form.elements.key.value = ""; // another figure
  form.querySelector(".unsent")?.remove();
});

// A pad that nobody has touched fetches what is left for it; a touched one keeps its content.
for (const step of ["request", "swap"]) {
  document.addEventListener(`htmx:before:${step}`, (event) => {
    const looks = event.target.matches?.(".will > [hx-get]");
    if (looks && document.querySelector(".own-pad form[data-touched]")) event.preventDefault();
  });
}

// What somebody else has called changes what a hand costs. Once the deal is recorded, the page says so
// if anything has been filled in, and gives way to the deal otherwise.
document.addEventListener("htmx:after:swap", ({ target }) => {
  if (!target.matches?.("[hx-select-oob^='#known']")) return;
  document.querySelector(".own-pad form[data-touched]")?.dispatchEvent(new Event("input"));
  const isTold = target.textContent.trim();
  if (isTold && !target.closest("[data-begun]")) location.assign(sheetOf(location.pathname));
});

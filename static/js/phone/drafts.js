// Keep half-filled forms on this phone, by sheet and deal, until they are recorded: they survive a
// question to the referee, a reload, and other entries in the same deal.

import { asFilledIn, inOurLetters } from "../forms/decks.js";
import { local } from "./storage.js";

const SENT_ANEW = ["action", "after", "key", "tap"];
const LETTERS = ":letters"; // behind the name of a field for cards: in which letters it is filled in

const recordOf = (form) => form.closest("#record[data-deal]");
const placeOf = (form) => `draft ${recordOf(form).dataset.form} ${form.dataset.draft}`;
const kept = () => document.querySelectorAll("#record[data-deal] form[data-draft]");

function store(form) {
  const fields = [...new FormData(form)].filter(([name]) => !SENT_ANEW.includes(name));
  local.keep(placeOf(form), JSON.stringify({ deal: recordOf(form).dataset.deal, fields }));
}

const drop = (form) => local.keep(placeOf(form), null);

function stored(form) {
  const draft = local.data(placeOf(form));
  if (draft?.deal === recordOf(form).dataset.deal) return draft.fields;
  if (draft) drop(form);
  return null;
}

function fill(form, fields) {
  const drafted = (of) => fields.filter(([name]) => name === of).map(([, value]) => value);
  for (const control of form.elements) {
    if (!control.name || SENT_ANEW.includes(control.name) || control.type === "hidden") continue;
    const values = drafted(control.name);
    if (control.type === "radio" && !values.length) continue; // what was drafted didn't ask that
    if (["radio", "checkbox"].includes(control.type)) control.checked = values.includes(control.value);
    else if (control.matches("input, select")) {
      const [before = ""] = drafted(control.name + LETTERS);
      const now = form.elements.namedItem(control.name + LETTERS)?.value ?? "";
      const [value = ""] = values;
      control.value = before === now ? value : asFilledIn(inOurLetters(value, before), now); // another deck is on the table
    }
  }
  form.closest("details.way")?.setAttribute("open", "");
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

function restore() {
  for (const form of kept()) {
    if (form.dataset.restored !== undefined) continue;
    form.dataset.restored = "";
    if (recordOf(form).dataset.returned === form.dataset.draft) store(form); // for the deal it is now
    const fields = recordOf(form).dataset.begun ? null : stored(form);
    if (fields) fill(form, fields);
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form[data-draft]");
  if (form && target !== form && recordOf(form)) store(form);
});

document.addEventListener("htmx:after:request", (event) => {
  const { sourceElement: form, response } = event.detail.ctx;
  if (form.matches("form[data-draft]") && recordOf(form) && response && response.status < 400) drop(form);
});

document.addEventListener("cleared", ({ target }) => {
  if (target.matches("form[data-draft]") && recordOf(target)) drop(target);
});

document.addEventListener("htmx:after:swap", restore);
document.addEventListener("DOMContentLoaded", restore);

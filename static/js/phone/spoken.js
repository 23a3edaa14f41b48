// Reload the page, once, if a part of it arrives in another language or with other letters on cards:
// they were changed in another tab. Drafts and questions survive that; if anything else is filled in,
// the page stays as it is.

import { session } from "./storage.js";

const LOADED_FOR = "spoken"; // the language and letters that the page was last reloaded for
const STAYS = "[data-draft], [data-question]";
const { lang, dataset } = document.documentElement;
const filledIn = new WeakSet();

document.addEventListener("input", ({ target }) => {
  if (target.form && !target.form.matches(STAYS)) filledIn.add(target.form);
});

document.addEventListener("htmx:after:request", (event) => {
  const { sourceElement, response } = event.detail.ctx;
  const { raw, status, headers } = response ?? {};
  const spoken = headers?.get("Spoken");
  if (spoken === `${lang} ${dataset.letters}`) session.keep(LOADED_FOR, null);
  else if (spoken && status < 400 && spoken !== session.text(LOADED_FOR)) { // what is wrong is read first
    const question = document.querySelector("form[data-question]");
    const cameBack = sourceElement.matches("form:not([data-question])") && !raw.redirected;
    if (cameBack || [...document.forms].some((form) => filledIn.has(form))) return;
    event.preventDefault();
    session.keep(LOADED_FOR, spoken);
    if (question) question.submit();
    else if (raw.redirected) location.assign(raw.url);
    else location.reload();
  }
});

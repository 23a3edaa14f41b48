// A part of a page that comes in another language than the page has, or with other letters on cards, as
// these were chosen in another tab: the page is loaded anew, once. Drafts and questions stay; what
// else is filled in keeps the page as it is.

import { session } from "./storage.js";

const LOADED_FOR = "spoken"; // what the page was last loaded anew for
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

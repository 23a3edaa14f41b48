// A part of a page that comes in another language than the page has, or with other letters on cards, as
// these were chosen in another tab: the page is loaded anew. Drafts and questions stay.

const { lang, dataset } = document.documentElement;

document.addEventListener("htmx:after:request", (event) => {
  const { raw, status, headers } = event.detail.ctx?.response ?? {};
  const spoken = headers?.get("Spoken");
  if (!spoken || spoken === `${lang} ${dataset.letters}` || status >= 400) return; // what is wrong is read first
  event.preventDefault();
  const question = document.querySelector("form[data-question]");
  if (question) question.submit();
  else if (raw.redirected) location.assign(raw.url);
  else location.reload();
});

// The language of this phone, as of the page it opened last: a page of before, to which the browser goes
// back without loading it, is loaded in the new one.

const { lang } = document.documentElement;

// Whether this page is in another language than the one before it.
export const inNewLanguage = remembered() !== lang;
remember();

window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && remembered() !== lang) location.reload();
});

function remembered() {
  try {
    return localStorage.getItem("language") ?? lang;
  } catch {
    return lang; // nothing can be remembered
  }
}

function remember() {
  try {
    localStorage.setItem("language", lang);
  } catch {
    // As above.
  }
}

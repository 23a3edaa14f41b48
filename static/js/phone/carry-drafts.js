// A browser keeps what is half typed by address. Where this phone goes on by the house's name it
// comes along behind the #, which no server sees, and is put down when the games are taken.

const DRAFT = "draft ";

function allDrafts() {
  try {
    return Object.entries(localStorage).filter(([place]) => place.startsWith(DRAFT));
  } catch {
    return []; // no storage
  }
}

function putDown(carried) {
  try {
    for (const [place, draft] of JSON.parse(decodeURIComponent(carried))) {
      const known = localStorage.getItem(place) !== null;
      if (place.startsWith(DRAFT) && !known) localStorage.setItem(place, String(draft));
    }
  } catch {
    // No storage, or nothing that was written here.
  }
}

document.addEventListener("click", ({ target }) => {
  const link = target.closest("a[data-carries-drafts]");
  const drafts = link ? allDrafts() : [];
  if (drafts.length) link.hash = encodeURIComponent(JSON.stringify(drafts));
});

document.addEventListener("submit", ({ target }) => {
  if (target.matches("form[data-takes-drafts]") && location.hash) putDown(location.hash.slice(1));
});

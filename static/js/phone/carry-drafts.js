// Drafts are stored per origin. When a phone moves to the house name they travel in the URL
// fragment, which no server sees, and are stored when the games are taken over.

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

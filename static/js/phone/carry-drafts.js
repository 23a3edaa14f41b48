// Drafts are stored per origin. When a phone moves to the house name they travel in the URL
// fragment, which no server sees, and are stored when the games are taken over.

import { local } from "./storage.js";

const isDraft = (place) => place.startsWith("draft ");
const allDrafts = () => local.places().filter(isDraft).map((place) => [place, local.text(place)]);

function putDown(carried) {
  try {
    for (const [place, draft] of JSON.parse(decodeURIComponent(carried))) {
      if (isDraft(place) && local.text(place) === null) local.keep(place, String(draft));
    }
  } catch {
    // Nothing that was written here.
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

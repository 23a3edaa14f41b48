// Whoever takes a seat next on this phone gets nothing that its last player filled in.

import { local, session } from "../js/phone/storage.js";

document.addEventListener("submit", ({ target: form }) => {
  if (!form.matches("[data-forgets]")) return;
  const pad = form.getAttribute("action").replace(/leave$/, "hand ");
  for (const store of [local, session]) {
    for (const place of store.places()) if (place.includes(` ${pad}`)) store.keep(place, null);
  }
});

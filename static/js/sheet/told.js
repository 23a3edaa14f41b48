// Show how a deal ended in place of the pad, until this phone goes on to the next deal.

import { session } from "../phone/storage.js";
import { steady } from "./steady.js";

const SEEN = "told";
let seen = session.text(SEEN);

function showToldOrPad() {
  const told = document.querySelector("[data-told]");
  const key = told && `${location.pathname} ${told.dataset.told}`;
  const now = Boolean(told) && seen !== key;
  if (told) told.hidden = !now;
  for (const part of document.querySelectorAll(".dock .record")) part.hidden = now;
  for (const part of document.querySelectorAll("[data-next-deal]")) part.hidden = !now;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-next-deal]")) return;
  event.preventDefault();
  seen = `${location.pathname} ${document.querySelector("[data-told]").dataset.told}`;
  session.keep(SEEN, seen);
  showToldOrPad();
  steady(document.getElementById("dock"));
  window.scrollTo(0, 0);
});

document.addEventListener("htmx:after:swap", showToldOrPad);
showToldOrPad();
steady(document.getElementById("dock")); // its key may have changed under a finger as this script came

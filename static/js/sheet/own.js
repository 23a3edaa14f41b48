// Highlight the column of the player whose phone it is. On a viewer's phone the choice is kept on
// the phone and sent to nobody; it applies to other sheets with that name, too, until changed
// there. An extra may know whose phone it is, and name several players: [data-own-is].

import { local } from "../phone/storage.js";

const LATEST = "own";
const asks = () => document.querySelector("[data-own-of]");
const place = () => `own ${asks().dataset.ownOf}`;
const names = () => [...asks().querySelectorAll("[data-own]")].map((one) => one.dataset.own);
let unstored = {}; // where there is no storage: lasts as long as this page

const read = (key) => local.text(key) ?? unstored[key];

function keep(key, name) {
  unstored = { ...unstored, [key]: name };
  local.keep(key, name);
}

function highlight() {
  const known = document.querySelectorAll("[data-own-is]");
  if (known.length) return light(...[...known].map((one) => one.dataset.color));
  if (!asks()) return;
  const own = [read(place()), read(LATEST)].find((name) => name !== undefined && names().includes(name));
  for (const button of asks().querySelectorAll("[data-own]")) button.setAttribute("aria-pressed", String(button.dataset.own === own));
  if (own === undefined) return;
  asks().open = false;
  const heading = asks().querySelector("[data-own-says]");
  heading.dataset.asked ??= heading.textContent;
  heading.textContent = own ? heading.dataset.ownSays.replace("{name}", own) : heading.dataset.asked;
  light(...(own ? [asks().querySelector(`[data-own="${CSS.escape(own)}"]`).dataset.color] : []));
}

// Several players may share a phone.
function light(...colors) {
  const pad = document.querySelector(".score-pad");
  for (const cell of pad.querySelectorAll(".own")) cell.classList.remove("own");
  for (const color of colors) {
    const head = pad.querySelector(`[data-color="${color}"]`);
    if (pad.matches(".turned")) {
      head.classList.add("own");
      continue;
    }
    for (const row of pad.querySelectorAll("thead tr, tbody tr")) {
      const cell = row.cells[head.cellIndex];
      if (row.cells.length !== head.parentElement.cells.length) continue; // a sentence, or a row opened
      cell.classList.add("own");
      cell.dataset.color = color;
    }
  }
}

document.addEventListener("click", ({ target }) => {
  const { own } = target.closest("[data-own]")?.dataset ?? {};
  if (own === undefined) return;
  keep(place(), own);
  keep(LATEST, own);
  highlight();
  asks().querySelector("summary").focus();
});

document.addEventListener("htmx:after:swap", highlight);
highlight();

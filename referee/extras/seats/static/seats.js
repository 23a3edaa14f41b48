// On the phone of a seated player: when the deal ends, open their own pad, once a deal, and once
// more to count again, unless something is being filled in. Highlight their row in the last deal.

import { session } from "../js/phone/storage.js";
import "./unsent.js";

function openPad() {
  const gathers = document.querySelector("[data-gathers]");
  const mine = [...document.querySelectorAll("[data-own-is]")].map((one) => one.dataset.ownIs); // several may share a phone
  for (const row of document.querySelectorAll(".told [data-player]")) row.classList.toggle("own-row", mine.includes(row.dataset.player));
  if (!gathers) return session.keep("pad", null); // when the deal ends (again), the pad opens (again)
  if (document.querySelector("dialog[open]")) return;
  const due = [...gathers.querySelectorAll("[data-player]")].find(({ dataset: { player, is } }) => mine.includes(player)
    && ["counting", "away", "asked"].includes(is));
  const { gathers: deal, enter } = gathers.dataset;
  if (!due || opened(`${enter} ${deal} ${due.dataset.is}`)) return;
  location.assign(enter);
}

// Whether it was opened automatically before; without storage it never is.
function opened(deal) {
  const before = session.text("pad");
  return !session.keep("pad", deal) || before === deal;
}

document.addEventListener("htmx:after:swap", openPad);
openPad();

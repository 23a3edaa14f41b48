// On the phone of a seated player: when the deal ends, open their own pad, once a deal, and once
// more to count again, unless something is being filled in. Highlight their row in the last deal.

import { session } from "../js/phone/storage.js";
import "./unsent.js";

function openPad() {
  const gathers = document.querySelector("[data-gathers]");
  const { ownIs: player } = document.querySelector("[data-own-is]")?.dataset ?? {};
  for (const row of document.querySelectorAll(".told [data-player]")) row.classList.toggle("own-row", row.dataset.player === player);
  if (!gathers) return session.keep("pad", null); // when the deal ends (again), the pad opens (again)
  if (!player || document.querySelector("dialog[open]")) return;
  const { is } = gathers.querySelector(`[data-player="${CSS.escape(player)}"]`)?.dataset ?? {};
  const { gathers: deal, enter } = gathers.dataset;
  if (!["counting", "away", "asked"].includes(is) || opened(`${enter} ${deal} ${is}`)) return;
  location.assign(enter);
}

// Whether it was opened automatically before; without storage it never is.
function opened(deal) {
  const before = session.text("pad");
  return !session.keep("pad", deal) || before === deal;
}

document.addEventListener("htmx:after:swap", openPad);
openPad();

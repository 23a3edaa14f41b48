// On the phone of somebody who has a seat: once the deal is over, open their own pad by itself, once a
// deal, and once more to count again, unless something is being filled in. Their row is lit in the deal
// that is told.

function openPad() {
  const gathers = document.querySelector("[data-gathers]");
  const { ownIs: player } = document.querySelector("[data-own-is]")?.dataset ?? {};
  for (const row of document.querySelectorAll(".told [data-player]")) row.classList.toggle("own-row", row.dataset.player === player);
  if (!gathers) return forget();
  if (!player || document.querySelector("dialog[open]")) return;
  const { is } = gathers.querySelector(`[data-player="${CSS.escape(player)}"]`)?.dataset ?? {};
  const { gathers: deal, enter } = gathers.dataset;
  if (!["counting", "away", "asked"].includes(is) || opened(`${enter} ${deal} ${is}`)) return;
  location.assign(enter);
}

// The deal goes on, or is told: when it is over (again), the pad opens (again).
function forget() {
  try {
    sessionStorage.removeItem("pad");
  } catch {
    // Nothing was remembered.
  }
}

// Whether it was opened by itself before; where nothing can be remembered it is left to a tap.
function opened(deal) {
  try {
    const before = sessionStorage.getItem("pad");
    sessionStorage.setItem("pad", deal);
    return before === deal;
  } catch {
    return true;
  }
}

document.addEventListener("htmx:after:swap", openPad);
openPad();

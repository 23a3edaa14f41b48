// On the phone of a seated player: when the deal ends, open their own pad, once a deal, and once
// more to count again, unless something is being filled in. Highlight their row in the last deal.

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

// The deal goes on, or has been recorded: when it ends (again), the pad opens (again).
function forget() {
  try {
    sessionStorage.removeItem("pad");
  } catch {
    // Nothing was remembered.
  }
}

// Whether it was opened automatically before; without storage it never is.
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

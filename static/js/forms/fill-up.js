// Numbers that make up a fixed sum, with losses counted as negative: once all but one are known, the
// last is filled in, and kept up to date until somebody types over it.

import { numberIn } from "./sums.js";

const signOf = (share) => Number(share.dataset.sign || 1);
const fieldOf = (share) => share.querySelector("input");

// Of a player who may win or lose, only one of the two is asked: were they named as a winner?
function isAsked(share) {
  const place = share.closest(".place");
  return !place.matches(".result") || (signOf(share) === 1) === place.matches(".named");
}

document.addEventListener("input", ({ target }) => {
  const all = target.closest("[data-fills-up]");
  if (!all || !target.matches("input.number")) return;
  delete target.dataset.filled;
  const shares = [...all.querySelectorAll(".figure")].filter(isAsked);
  const open = shares.filter((share) => {
    const { value, dataset } = fieldOf(share);
    return value === "" || value === dataset.posted || dataset.filled;
  });
  if (open.length !== 1 || fieldOf(open[0]) === target) return;
  const known = shares.filter((share) => share !== open[0]);
  const sum = known.reduce((total, share) => total + signOf(share) * numberIn(fieldOf(share)), 0);
  const rest = (Number(all.dataset.fillsUp) - sum) * signOf(open[0]);
  fieldOf(open[0]).value = rest >= 0 ? rest : "";
  fieldOf(open[0]).dataset.filled = "yes";
}, true);

// Once the winner is known, the others have lost what they posted, if no more than that.
document.addEventListener("input", ({ target }) => {
  const all = target.closest("[data-fills-up]");
  if (!all || !target.matches(".by-name input")) return;
  for (const share of all.querySelectorAll(".result [data-sign]")) {
    const field = fieldOf(share);
    if (!isAsked(share)) field.value = "";
    else if (field.value === "") field.value = field.dataset.posted || "";
  }
  all.dispatchEvent(new Event("input", { bubbles: true }));
});

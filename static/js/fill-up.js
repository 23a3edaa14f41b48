// Numbers that make up a fixed sum: once all but one are known, the last fills itself in (and
// follows, until it is typed over). What is lost counts against what is won.
"use strict";

{
  document.addEventListener("input", ({ target, isTrusted }) => {
    const all = target.closest("[data-fills-up]");
    if (!all || !target.matches("input.number")) return;
    delete target.dataset.filled;
    const shares = [...all.querySelectorAll("[data-sign]")].filter((share) => {
      const place = share.closest(".place");
      return !place.matches(".result") || (share.dataset.sign === "1") === place.matches(".named");
    });
    const inputs = shares.map((share) => share.querySelector("input"));
    const open = inputs.filter((input) => input.value === "" || input.dataset.filled);
    if (open.length !== 1 || open[0] === target) return;
    const signOf = (input) => Number(input.closest("[data-sign]").dataset.sign);
    const known = inputs.filter((input) => input !== open[0]);
    const sum = known.reduce((total, input) => total + signOf(input) * Number(input.value), 0);
    const rest = (Number(all.dataset.fillsUp) - sum) * signOf(open[0]);
    open[0].value = rest >= 0 ? rest : "";
    open[0].dataset.filled = "yes";
  }, true);
}

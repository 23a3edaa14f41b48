// The game ends while somebody looks on: the page goes to its top, where it says who won, and moves
// once. Whoever opens a game that is over sees it at rest.
"use strict";

const shownNow = () => {
  const live = document.getElementById("live");
  return live && { sheet: live.getAttribute("hx-get"), over: live.querySelector(".over") };
};
let shownBefore = shownNow();

document.addEventListener("htmx:after:swap", () => {
  const now = shownNow();
  if (now?.over && shownBefore && !shownBefore.over && shownBefore.sheet === now.sheet) {
    now.over.classList.add("just-now");
    window.scrollTo(0, 0);
  }
  shownBefore = now ?? shownBefore;
});

// Your own cards: face down on the felt once entered, except while held.

import { whileHeld } from "./hold.js";

let label = "";

whileHeld(".peek", (looks) => {
  const cards = document.querySelector(".peek");
  if (!cards) return;
  label = cards.ariaLabel ?? label;
  cards.ariaLabel = looks ? null : label; // else a screen reader says only what to do
  cards.toggleAttribute("data-open", looks);
});

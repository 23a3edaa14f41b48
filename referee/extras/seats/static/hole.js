// Hole cards: kept on this phone alone until they are shown, and for this hand only. They are face
// down except while held.

import { drawCard } from "../js/forms/cards.js";
import { session } from "../js/phone/storage.js";
import { whileHeld } from "./hold.js";

let looks = false;
let unstored = {}; // without storage: lasts as long as this page

const hole = () => document.querySelector("[data-hole]");
const place = () => `hole ${hole().dataset.hole} ${hole().dataset.of}`;

const held = () => session.data(place()) ?? unstored[place()] ?? [];

function keep(cards) {
  unstored = { [place()]: cards };
  for (const old of session.places()) {
    if (old.startsWith("hole ") && !old.startsWith(`hole ${hole().dataset.hole} `)) session.keep(old, null);
  }
  session.keep(place(), JSON.stringify(cards));
}

// What they make with the board: the page brings the sentence for every two cards.
function makes([one, other]) {
  const pairs = document.querySelector("[data-makes]")?.content;
  return pairs?.querySelector(`[data-pair="${one} ${other}"], [data-pair="${other} ${one}"]`)?.cloneNode(true) ?? "";
}

function draw() {
  if (!hole()) return;
  const cards = held();
  const faces = [...hole().querySelectorAll(".k")];
  const whole = cards.length === faces.length;
  const open = looks || !whole;
  faces.forEach((face, at) => {
    face.className = cards[at] ? `k ${open ? "" : "back"}` : "k ghost";
    drawCard(face, open ? cards[at] ?? "" : "");
  });
  hole().querySelector(".makes").replaceChildren(looks && whole ? makes(cards) : "");
  document.getElementById("main").toggleAttribute("data-holds-all", whole);
  for (const show of document.querySelectorAll("[data-shows] button")) show.disabled = !whole;
}

const look = whileHeld(".look", (whether) => {
  looks = whether;
  draw();
});

document.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-holds]");
  if (!key) return;
  keep(key.dataset.holds ? [...held(), key.dataset.holds] : []);
  look(false);
});

document.addEventListener("submit", ({ target }) => {
  if (target.matches("[data-shows]") && hole()) target.querySelector("input[autocapitalize]").value = held().join(" ");
}, true);

document.addEventListener("htmx:after:swap", draw);
draw();

// A question to the referee: a tapped card is laid on the felt at once, and a tap on it takes it back.
// The ruling, when it comes, lays them all out in groups.

import { asPrinted } from "../forms/decks.js";
import { cardsOf, drawCard, layCards, lineOf, withoutCard } from "../forms/cards.js";
import { sentence } from "../phone/dictionary.js";

const felt = () => document.getElementById("felt");
const question = () => document.querySelector("form[data-question]");
const lineFor = (name) => question().elements[name];
const laidFor = (name) => [...felt().querySelectorAll(`[data-of="${CSS.escape(name)}"]`)];

let laid = {}; // of each field, the cards that lie on the felt

function remember() {
  laid = {};
  for (const field of question().querySelectorAll(".cards-field")) laid[lineOf(field).name] = cardsOf(field);
}

function cardOnFelt(card, field) {
  const button = Object.assign(document.createElement("button"), { className: "back-card", type: "submit", name: "tap" });
  const face = Object.assign(document.createElement("span"), { className: "k" });
  drawCard(face, card, "nineSuits" in field.dataset);
  button.dataset.card = card;
  button.ariaLabel = sentence("takeBack", { card: asPrinted(card) });
  button.append(face);
  return button;
}

// Add a card at the end of its row, or in the next empty place.
function lay(card, field) {
  const { name } = lineOf(field);
  let group = laidFor(name).at(-1);
  if (!group) {
    group = Object.assign(document.createElement("div"), { className: "group" });
    group.dataset.of = name;
    group.append(Object.assign(document.createElement("div"), { className: "hand" }));
    const groups = felt().querySelector(".groups");
    groups.insertBefore(group, groups.querySelector(":scope > :not([data-of])"));
  }
  const free = group.querySelector(".ghost.here") || group.querySelector(".ghost");
  const drawn = cardOnFelt(card, field);
  drawn.value = `${name}:`;
  if (free) free.replaceWith(drawn);
  else group.querySelector(".hand").append(drawn);
}

function follow(field) {
  const { name } = lineOf(field);
  const before = laid[name] || [];
  const now = cardsOf(field);
  const count = (cards, card) => cards.filter((one) => one === card).length;
  for (const card of new Set(now.filter(Boolean))) {
    for (let more = count(now, card) - count(before, card); more > 0; more -= 1) lay(card, field);
  }
  for (const card of new Set(before.filter(Boolean))) {
    const faces = laidFor(name).flatMap((group) => [...group.querySelectorAll(".back-card")]).filter((face) => face.dataset.card === card);
    for (let less = count(before, card) - count(now, card); less > 0; less -= 1) faces.pop()?.remove();
  }
  laid[name] = now;
}

document.addEventListener("input", ({ target }) => {
  const field = target.closest("form[data-question] .cards-field");
  if (field) follow(field);
  const place = target.matches(".named") && target.closest(".place");
  if (place) place.querySelector(".tab span").textContent = target.value.trim() || target.placeholder;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("#felt .back-card");
  if (!button) return;
  event.preventDefault();
  const [name, place] = button.value.split(":out.");
  const field = lineFor(name.replace(/:$/, "")).closest(".cards-field");
  const cards = cardsOf(field);
  const at = cards[place] === button.dataset.card ? Number(place) : cards.lastIndexOf(button.dataset.card);
  if (at < 0) return;
  button.remove();
  layCards(field, withoutCard(field, cards, at));
});

// The keys of cards that would be legal glow until one is tapped.
function glow() {
  const would = document.getElementById("would")?.value.split(" ") || [];
  for (const key of document.querySelectorAll(".judge .key")) key.classList.toggle("would", would.includes(key.value.slice(2)));
}

function begin() {
  if (!question()) return;
  remember();
  glow();
}

document.addEventListener("htmx:after:swap", begin);
begin();

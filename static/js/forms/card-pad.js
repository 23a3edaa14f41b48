// The card keys: a tap writes the card into its field at once; the page does the rest. Without this
// script each key is a button that sends the form and gets it back with the card.

import { acrossOf, cardsOf, drawCard, layCards, lineOf } from "./cards.js";
import { goOn, wayBack } from "./going-on.js";
import { afterKey } from "./grid.js";
import { openField } from "./places.js";
import { restOf } from "./tabs.js";

const REST_MUCK = "rest"; // the key for all who put their cards down unseen
const NO_SUIT = ["back", "=", "=9", "-"]; // keys that are no card

const keysFor = (field) => ("docked" in field.dataset ? field.closest("form").querySelector("[data-pad-of=cards]") : field);

function show(field) {
  const cards = cardsOf(field);
  const hand = field.querySelector("[data-hand]");
  const form = field.closest("form.asks");
  if (!form || field.contains(openField(form))) count(field, cards);
  if (!hand) return; // the cards are on the felt
  const chosen = Number(hand.dataset.chosen ?? -1);
  const places = Math.max(cards.length, Number(field.dataset.places || 0));
  if (hand.querySelector(":scope > :not([data-card])")) hand.replaceChildren(); // as the page came
  while (hand.children.length > places) hand.lastElementChild.remove();
  while (hand.children.length < places) hand.append(document.createElement("span"));
  const gap = cards.indexOf("");
  const here = !field.dataset.places || chosen >= 0 ? -1 : gap < 0 ? cards.length : gap;
  [...hand.children].forEach((face, place) => {
    drawCard(face, cards[place] ?? "", "nineSuits" in field.dataset);
    if (cards[place]) face.className = place === chosen ? "k chosen" : "k";
    else face.className = place === here ? "k ghost here" : "k ghost";
  });
}

// How many of each rank there are, on the keys.
function count(field, cards) {
  for (const key of keysFor(field)?.querySelectorAll(".key") || []) {
    const rank = key.value.slice(key.value.lastIndexOf(":") + 1);
    const held = cards.filter((card) => card.toUpperCase() === rank).length;
    if (held) key.dataset.count = held;
    else delete key.dataset.count;
  }
}

// The field that a docked key writes in: the open one; or if several are in one row, to take a card
// back, the last that has any. An entry that made the form jump is taken back where it was tapped.
function openCards({ form }, key) {
  const open = openField(form);
  const field = (open && key === "back" ? wayBack(open, { jumped: true }) : open)?.closest(".cards-field");
  const row = field && key === "back" ? [...field.parentElement.querySelectorAll(":scope > [data-places]")] : [];
  return row.findLast((one) => cardsOf(one).length) || field;
}

// A full grid stays in sight with its points: the next card is the first of the next grid.
function afterFullGrid(field, key, { form }) {
  const { dataset } = field.querySelector("[data-hand]") || field;
  const full = acrossOf(field) && cardsOf(field).filter(Boolean).length === Number(field.dataset.places);
  if (!full || key === "back" || "chosen" in dataset || !form.matches(".asks") || !restOf(form).length) return field;
  goOn(form);
  return openField(form).closest(".cards-field");
}

const announceComplete = (field) => lineOf(field).dispatchEvent(new Event("complete", { bubbles: true }));

// Whoever has no cards on the form has mucked.
function muckTheRest(form) {
  const hands = [...form.querySelectorAll("[data-docked]")];
  for (const hand of hands) if (!cardsOf(hand).length) layCards(hand, ["-"]);
  announceComplete(hands[0]);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=tap]");
  if (!button || !button.matches(".key:not([data-script])")) return;
  event.preventDefault();
  const key = button.value.slice(button.value.lastIndexOf(":") + 1);
  if (key === REST_MUCK) return muckTheRest(button.form);
  const open = button.closest(".cards-field") || openCards(button, key);
  if (!open) return;
  const field = afterFullGrid(open, key, button);
  const { dataset } = field.querySelector("[data-hand]") || field;
  const suit = (button.closest(".keys") || field).querySelector(".suits input:checked");
  const isPlain = NO_SUIT.includes(key) || (key.endsWith("R") && !("nineSuits" in field.dataset));
  const places = Number(field.dataset.places || Infinity);
  const named = isPlain ? key : key + (suit ? suit.value : "");
  const cards = afterKey(cardsOf(field), named, acrossOf(field), { chosen: Number(dataset.chosen ?? -1), places });
  delete dataset.chosen;
  layCards(field, cards);
  const full = key !== "back" && cards.filter(Boolean).length === places;
  if (key === "-" || (full && !acrossOf(field))) announceComplete(field);
});

// A tap on a card on the felt selects it: the next key replaces it, or takes it back.
document.addEventListener("click", (event) => {
  const card = event.target.closest(":is([data-docked], [data-mends]) [data-hand] > .k:not(.ghost)");
  if (!card) return;
  const hand = card.parentElement;
  const place = [...hand.children].indexOf(card);
  if (hand.dataset.chosen === String(place)) delete hand.dataset.chosen;
  else hand.dataset.chosen = place;
  show(hand.closest(".cards-field"));
});

const showAll = (root) => root.querySelectorAll(".cards-field[data-docked]").forEach(show);
document.addEventListener("opened", ({ target }) => showAll(target));
document.addEventListener("htmx:after:swap", () => showAll(document));

document.addEventListener("input", (event) => {
  const field = event.target.closest(".cards-field");
  if (field && event.target.matches("input[autocapitalize]")) show(field);
  if (event.target.matches("form")) showAll(event.target);
});
showAll(document);

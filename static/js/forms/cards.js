// A field for cards: what is written in it, and how its cards are drawn.

import { sentence } from "../phone/dictionary.js";
import { inColumns, inRows, without } from "./grid.js";
import { asPrinted, inOurLetters } from "./decks.js";

const SIGNS = { S: "♠\ufe0e", H: "♥\ufe0e", D: "♦\ufe0e", C: "♣\ufe0e" };
const LETTERS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const JANKEN = "RPXWL";

function sign(suit, nineSuits) {
  if (!nineSuits || !JANKEN.includes(suit)) {
    const mark = document.createElement("i");
    mark.textContent = SIGNS[suit] || suit;
    return mark;
  }
  // The page has drawn these signs on the pad already.
  return document.querySelector(`.suits [data-suit="${suit}"] svg`).cloneNode(true);
}

// Draw a card on a face in the page. Elements are reused, as adding and removing them is slow on old
// phones.
export function drawCard(face, card, nineSuits) {
  if (face.dataset.card === card) return;
  face.dataset.card = card;
  face.replaceChildren();
  face.dataset.suit = "";
  if (!card) return;
  const text = card.split("=")[0].toUpperCase();
  const rank = text.startsWith("10") ? "10" : text[0] || "";
  const written = text.slice(rank.length);
  const suit = LETTERS[written[0]] || written;
  face.dataset.rank = { "*": "★", 1: "A" }[rank] || asPrinted(rank);
  face.dataset.suit = rank === "9" && suit === "R" && !nineSuits ? "red" : suit;
  if (rank === "*") face.dataset.suit = "joker";
  face.append(face.dataset.rank);
  if (suit && face.dataset.suit === suit) face.append(sign(suit, nineSuits));
  if (card.includes("=")) {
    const as = document.createElement("small");
    as.textContent = sentence("cardAs", { card: asPrinted(card.split("=")[1]) });
    face.append(as);
  }
}

export const acrossOf = (field) => Number(field.dataset.column || 0);
export const lineOf = (field) => field.querySelector("input[autocapitalize]");

// The letters that a field is filled in with, from its letters field.
const lettersOf = (field) => field.querySelector("input[name$=':letters']")?.value || "";

// Whether numbers are asked for just now, where cards could be.
export const countsNow = (within) => Boolean(within.closest("form")?.querySelector("[name=how][value=count]:checked"));

// The cards in a field: none while points are asked for in their place, none of a mucked hand.
export const cardsOf = (field) =>
  countsNow(field)
    ? []
    : inRows(lineOf(field).value, acrossOf(field))
        .filter((card) => card !== "-")
        .map((card) => inOurLetters(card, lettersOf(field)));

// What is written in a field, in our letters.
export const textOf = (field) => inOurLetters(lineOf(field).value, lettersOf(field));

export const withoutCard = (field, cards, place) => without(cards, place, acrossOf(field));

// Write these cards into a field.
export function writeCards(field, cards) {
  const letters = lettersOf(field).split(":")[0];
  lineOf(field).value = inColumns(
    cards.map((card) => asPrinted(card, letters)),
    acrossOf(field),
  );
}

// Write these cards into a field, and notify the page.
export function layCards(field, cards) {
  writeCards(field, cards);
  lineOf(field).dispatchEvent(new Event("input", { bubbles: true }));
}

// The card pad: a tap writes the card into its field at once; the page does the rest.
// Without this script each key is a button that sends the form and gets it back with the card.
"use strict";
document.documentElement.classList.add("scripted");

const SIGNS = { S: "♠\ufe0e", H: "♥\ufe0e", D: "♦\ufe0e", C: "♣\ufe0e" };

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

function drawn(card, nineSuits) {
  const text = card.split("=")[0].toUpperCase();
  const rank = text.startsWith("10") ? "10" : text[0] || "";
  const suit = text.slice(rank.length);
  const face = document.createElement("span");
  face.className = "k";
  face.dataset.suit = rank === "9" && suit === "R" && !nineSuits ? "red" : suit;
  if (rank === "*") face.dataset.suit = "joker";
  face.append(rank === "*" ? "★" : rank);
  if (suit && face.dataset.suit === suit) face.append(sign(suit, nineSuits));
  if (card.includes("=")) {
    const as = document.createElement("small");
    as.textContent = sentence("cardAs", { card: card.split("=")[1] });
    face.append(as);
  }
  return face;
}

function show(field) {
  const input = field.querySelector("input[autocapitalize]");
  const cards = input.value.split(/[\s,+|]+/).filter(Boolean);
  field.querySelector("[data-hand]").replaceChildren(
    ...cards.map((card) => drawn(card, "nineSuits" in field.dataset))
  );
  for (const key of field.querySelectorAll(".key")) {
    const rank = key.value.slice(key.value.lastIndexOf(":") + 1);
    const held = cards.filter((card) => card.toUpperCase() === rank).length;
    if (held) key.dataset.count = held;
    else delete key.dataset.count;
  }
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("button[name=tap]");
  if (!key) return;
  event.preventDefault();
  const field = key.closest(".cards-field");
  const input = field.querySelector("input[autocapitalize]");
  const card = key.value.slice(key.value.lastIndexOf(":") + 1);
  const cards = input.value.split(/[\s|]+/).filter(Boolean);
  const suit = field.querySelector(".suits input:checked");
  const named = card + (suit && !card.endsWith("R") ? suit.value : "");
  if (card === "back") cards.pop();
  else if (card === "=") cards.push((cards.pop() || "") + "=");
  else if (cards.length && cards[cards.length - 1].endsWith("=")) cards.push(cards.pop() + named);
  else cards.push(named);
  const column = Number(field.dataset.column) || Infinity;
  input.value = cards.reduce((text, next, place) =>
    text + (place === 0 ? "" : place % column ? " " : " | ") + next, "");
  show(field);
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

// Where a pad is folded away, a tap on the line unfolds it, and folds the others; the phone's own
// keyboard comes with a second tap. Where there is a mouse there are keys as well: they just type.
const touched = matchMedia("(pointer: coarse)").matches;

document.addEventListener("click", (event) => {
  if (!touched || !event.target.matches(".cards-field > input[autocapitalize]")) return;
  const fold = event.target.parentElement.querySelector(".pad-fold");
  if (!fold) return;
  event.target.inputMode = fold.open ? "text" : "none";
  for (const other of document.querySelectorAll(".pad-fold[open]")) if (other !== fold) other.open = false;
  fold.open = true;
});

document.addEventListener("pointerdown", (event) => {
  const input = event.target;
  if (!touched || !input.matches?.(".cards-field > input[autocapitalize]")) return;
  const fold = input.parentElement.querySelector(".pad-fold");
  if (fold && !fold.open) input.inputMode = "none";
});

document.addEventListener("input", (event) => {
  const field = event.target.closest(".cards-field");
  if (field && event.target.matches("input[autocapitalize]")) show(field);
});

// A ruling that needs more or less room than the one before must not move the keys: the page is
// scrolled by as much. The verdict's own word sticks to the top of the screen (rulings.css).
let pressed = null; // { key, top }: what was tapped last, and where it was before the ruling came

document.addEventListener("click", (event) => {
  const key = event.target.closest(".pad .key");
  pressed = key && { key };
});

document.addEventListener("htmx:before:swap", (event) => {
  const { target } = event.detail.ctx || {};
  if (pressed && target && target.id === "ruling") pressed.top = pressed.key.getBoundingClientRect().top;
});

document.addEventListener("htmx:after:swap", () => {
  if (!pressed || !pressed.top) return;
  const moved = pressed.key.getBoundingClientRect().top - pressed.top;
  if (moved) window.scrollBy(0, moved);
  delete pressed.top;
});

// The card pad: a tap writes the card into its field at once; the page does the rest.
// Without this script each key is a button that sends the form and gets it back with the card.

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

// Draw a card on the face that lies there. Nothing is put into the page or taken out of it that can
// stay: that is what costs a slow phone its time.
globalThis.drawCard = (face, card, nineSuits) => {
  if (face.dataset.card === card) return;
  face.dataset.card = card;
  face.replaceChildren();
  face.dataset.suit = "";
  if (!card) return;
  const text = card.split("=")[0].toUpperCase();
  const rank = text.startsWith("10") ? "10" : text[0] || "";
  const suit = text.slice(rank.length);
  face.dataset.rank = { "*": "★", 1: "A" }[rank] || rank;
  face.dataset.suit = rank === "9" && suit === "R" && !nineSuits ? "red" : suit;
  if (rank === "*") face.dataset.suit = "joker";
  face.append(face.dataset.rank);
  if (suit && face.dataset.suit === suit) face.append(sign(suit, nineSuits));
  if (card.includes("=")) {
    const as = document.createElement("small");
    as.textContent = sentence("cardAs", { card: card.split("=")[1] });
    face.append(as);
  }
};

// Where cards lie in columns, people read them in rows, and so they are tapped; what is written are
// the columns, parted by bars. A place where none lies is "", at the foot of its column.
function cardsIn(field, text) {
  const across = Number(field.dataset.column || 0);
  const columns = text.split("|").map((part) => part.split(/[\s,+]+/).filter(Boolean));
  if (!across || columns.length === 1 && columns[0].length > across) return columns.flat();
  while (columns.length < across) columns.push([]);
  const rows = Math.max(...columns.map((column) => column.length));
  return untilLast(Array.from({ length: rows }, (_, row) => columns.map((column) => column[row] || "")).flat());
}

const untilLast = (cards) => cards.slice(0, cards.findLastIndex(Boolean) + 1);

function written(field, cards) {
  const across = Number(field.dataset.column || 0);
  if (!across) return cards.join(" ");
  const columns = Array.from({ length: across }, (_, at) => cards.filter((card, place) => card && place % across === at));
  const begun = columns.slice(0, columns.findLastIndex((column) => column.length) + 1);
  const text = begun.map((column) => column.join(" ")).join(" | ");
  return begun.length === 1 ? `${text} |` : text; // alone, a 3 would be three points
}

// The cards but for one: in a grid those below it in its column move up; where more lie there than
// it has places, or in no grid, all that follow.
globalThis.withoutCard = (field, cards, place) => {
  const across = Number(field.dataset.column || 0);
  if (!across || cards.length > across * across) return cards.toSpliced(place, 1);
  return untilLast(cards.map((card, at) => (at >= place && (at - place) % across === 0 ? cards[at + across] || "" : card)));
};

// Whether numbers are asked for just now, where cards could be.
globalThis.countsNow = (within) => Boolean(within.closest("form")?.querySelector("[name=how][value=count]:checked"));

globalThis.lineOf = (field) => field.querySelector("input[autocapitalize]");
const keysFor = (field) => ("docked" in field.dataset ? field.closest("form").querySelector("[data-pad-of=cards]") : field);

// Where the points may stand in place of the cards, no cards lie there while points are asked for.
// Nor does one lie where a hand was mucked.
const read = (field) => (countsNow(field) ? [] : cardsIn(field, lineOf(field).value).filter((card) => card !== "-"));

function show(field) {
  const cards = read(field);
  const hand = field.querySelector("[data-hand]");
  const form = field.closest("form.asks");
  if (!form || field.contains(globalThis.openField?.(form))) count(field, cards);
  if (!hand) return; // they lie on the felt
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

// A red nine that is said to be a nine, where it could stand for another card.
const asItself = (card) => (/^9/.test(card) ? card.replace(/^(9)(\w?).*/, (_, nine, suit) => `9${suit}=9${suit === "R" ? "" : suit}`) : card);

// The field for a docked key: what made the form jump is taken back where it was tapped.
function docked(key) {
  const field = globalThis.openField?.(key.form); // asks.js comes with the first form of many questions
  return field && key.value.endsWith(":back") ? wayBack(field, { jumped: true }) : field;
}

// Where all places are taken, another card takes the last one.
function withCard(field, card, chosen) {
  if (card === "-") return ["-"];
  const places = field.dataset.places || Infinity;
  const held = read(field);
  if (card === "back") return withoutCard(field, held, chosen >= 0 ? chosen : held.length - 1);
  if (held.includes("") && !(chosen >= 0)) return held.with(held.indexOf(""), card);
  if (chosen >= 0 && chosen < held.length) return held.with(chosen, card);
  const last = held.at(-1) || "";
  if (card === "=9") return [...held.slice(0, -1), asItself(last)];
  if (card === "=") return [...held.slice(0, -1), last + "="];
  return last.endsWith("=") ? [...held.slice(0, -1), last + card] : [...held.slice(0, places - 1), card];
}

// Lay these cards into a field, and tell the page.
globalThis.layCards = (field, cards) => {
  const input = lineOf(field);
  input.value = written(field, cards);
  input.dispatchEvent(new Event("input", { bubbles: true }));
};
globalThis.cardsOf = read;

// Where cards lie: in the open field, or of several in one row the last that has any to take back.
function openCards(key, card) {
  const field = docked(key)?.closest(".cards-field");
  const row = field && card === "back" ? [...field.parentElement.querySelectorAll(":scope > [data-places]")] : [];
  return row.findLast((one) => read(one).length) || field;
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("button[name=tap]");
  if (!key || !key.matches(".key:not([data-script])")) return;
  event.preventDefault();
  const card = key.value.slice(key.value.lastIndexOf(":") + 1);
  const field = key.closest(".cards-field") || openCards(key, card);
  if (!field) return;
  const input = lineOf(field);
  const { dataset } = field.querySelector("[data-hand]") || field;
  const suit = (key.closest(".keys") || field).querySelector(".suits input:checked");
  const plain = ["back", "=", "=9", "-"].includes(card) || card.endsWith("R") && !("nineSuits" in field.dataset);
  const named = plain ? card : card + (suit ? suit.value : "");
  const cards = withCard(field, named, Number(dataset.chosen ?? -1));
  delete dataset.chosen;
  layCards(field, cards);
  const full = card !== "back" && (card === "-" || cards.filter(Boolean).length === Number(field.dataset.places));
  if (full) input.dispatchEvent(new Event("complete", { bubbles: true }));
});

// A card that lies there is tapped to be mended: the next key replaces it, or takes it back.
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
document.addEventListener("DOMContentLoaded", () => showAll(document));

document.addEventListener("input", (event) => {
  const field = event.target.closest(".cards-field");
  if (field && event.target.matches("input[autocapitalize]")) show(field);
  if (event.target.matches("form")) showAll(event.target);
});

// One hand that was read from a photo: each card can be replaced, removed or confirmed, those in
// doubt first, before the hand goes into its place.

import { cardsOf, layCards, lineOf, withoutCard } from "../js/forms/cards.js";
import { sayMany } from "../js/phone/dictionary.js";

let use = null; // what gets the cards once they are right
let marks = []; // of each card, in order: its outline in the photo, and the doubt about it; "" for an empty place
let chosen = -1; // the card that a key is about to replace

const mend = () => document.querySelector(".camera-dialog .mend");
const cardsField = () => mend().querySelector("[data-mends]");
const hand = () => cardsField().querySelector("[data-hand]");

// Correct the cards of the form `.mend`; then `uses` gets them.
export function begin(form, uses) {
  use = uses;
  const picture = form.querySelector("svg.photo");
  const doubts = [...form.querySelectorAll(".doubt")];
  const outlines = [...picture.querySelectorAll(".outline")];
  const at = (parts, place) => parts.find((part) => Number(part.dataset.place) === place);
  marks = cardsOf(cardsField()).map((card, place) => card && { outline: at(outlines, place), doubt: at(doubts, place) });
  choose(firstInDoubt());
  decorate();
  focusNext();
}

// The next thing to do gets the focus: for keyboards, and for screen readers.
function focusNext() {
  if ("keys" in mend().dataset || document.activeElement === lineOf(cardsField())) return;
  mend().querySelector(".doubt:not([hidden]) button, [data-uses]").focus({ preventScroll: true });
}

function choose(place) {
  if (place >= 0) hand().dataset.chosen = place;
  else delete hand().dataset.chosen;
  delete mend().dataset.keys;
}

// The keys to replace a card, or to add one; they start with the suit of the replaced card.
function showKeys() {
  const card = cardsOf(cardsField())[chosenNow()];
  const suit = card && mend().querySelector(`.suits input[value="${card.slice(-1)}"]`);
  if (suit) suit.checked = true;
  mend().dataset.keys = "";
}

const firstInDoubt = () => marks.findIndex((mark) => mark.doubt);
const chosenNow = () => Number(hand().dataset.chosen ?? -1);

function decorate() {
  const at = chosenNow();
  [...hand().children].slice(marks.length).forEach((more) => more.remove());
  const across = Number(cardsField().dataset.column || 0);
  if (!across || marks.length < across * across) {
    hand().append(Object.assign(document.createElement("span"), { className: "k ghost" }));
  }
  [...hand().children].forEach((card, place) => {
    const mark = marks[place];
    card.classList.toggle("doubtful", Boolean(mark?.doubt));
    card.classList.toggle("sure", Boolean(mark && !mark.doubt));
    card.classList.toggle("chosen", place === at);
    card.classList.toggle("more", !mark);
    if (!mark) card.textContent = "+";
  });
  count();
  marks.forEach(({ outline, doubt }, place) => {
    outline?.classList.toggle("now", place === at);
    outline?.classList.toggle("doubtful", Boolean(doubt));
    outline?.classList.toggle("sure", !doubt);
    if (doubt) doubt.hidden = place !== at;
  });
}

// The button accepts cards in doubt as they are: it says how many.
function count() {
  const open = marks.filter((mark) => mark?.doubt).length;
  const said = mend().querySelector("[data-open-doubts]");
  said.hidden = !open;
  if (open) said.textContent = sayMany("doubts", open, said);
}

// Accept the card at this place, and go to the next one in doubt.
function settle(place) {
  const mark = marks[place];
  if (!mark) return;
  mark.doubt?.remove();
  delete mark.doubt;
  const label = mark.outline?.querySelector("text");
  if (label) label.textContent = hand().children[place].textContent.trim();
  choose(firstInDoubt());
}

function remove(place) {
  const mark = marks[place];
  mark?.outline?.remove();
  mark?.doubt?.remove();
  marks = withoutCard(cardsField(), marks, place);
  choose(firstInDoubt());
}

function changed({ target }) {
  if (target.name !== "photo.cards") return;
  const cards = cardsOf(cardsField());
  const more = cards.filter(Boolean).length - marks.filter(Boolean).length;
  if (more === 0 && chosen >= 0) settle(chosen);
  else if (more === -1) remove(chosen >= 0 ? chosen : marks.length - 1);
  while (marks.length > cards.length) remove(marks.length - 1);
  marks = cards.map((card, place) => card && (marks[place] || {}));
  chosen = -1;
}

function clicked(event) {
  const { target } = event;
  const decision = target.closest(".doubt [name]");
  const outline = target.closest(".outline");
  if (target.closest("[data-uses][name=tap]")) {
    event.preventDefault();
    use(cardsOf(cardsField()));
  } else if (decision) {
    event.preventDefault();
    const card = decision.value.slice(decision.value.indexOf(":") + 1);
    const cards = cardsOf(cardsField());
    chosen = marks.findIndex((mark) => mark.doubt === decision.closest(".doubt"));
    layCards(cardsField(), card ? cards.with(chosen, card) : withoutCard(cardsField(), cards, chosen));
  } else if (target.closest("[data-other]")) showKeys();
  else if (target.closest(".more")) {
    choose([...hand().children].indexOf(target.closest(".more")));
    showKeys();
  } else if (outline || event.composedPath().includes(hand())) {
    // A card in the hand has been chosen by the card pad, or let go.
    choose(outline ? marks.findIndex((mark) => mark.outline === outline) : chosenNow());
    if (chosenNow() >= 0 && !marks[chosenNow()]?.doubt) showKeys();
  }
}

// Which card a key is about to replace: when the cards have changed, it is chosen no more.
document.addEventListener("click", ({ target }) => {
  if (mend()?.contains(target) && target.closest(".key, .doubt [name]")) chosen = chosenNow();
}, true);

// At the document, so that the card pad has drawn the hand by then.
for (const [kind, handle] of [["click", clicked], ["input", changed]]) {
  document.addEventListener(kind, (event) => {
    if (!mend() || !event.composedPath().includes(mend())) return;
    handle(event);
    if (!mend()) return;
    decorate();
    if (kind === "input") focusNext();
  });
}

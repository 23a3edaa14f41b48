// Moving between the questions of a form.

import { steady } from "../sheet/steady.js";
import { askedOf, isAnswered, isShown, openField, openPlace, tabOf } from "./places.js";
import { isCardOrNumber, isNumber } from "./sums.js";
import { nextToCorrect, restOf, update } from "./tabs.js";

let left = null; // the field that was left last, the empty one it led to, and whether by itself

export function open(place, { focus = true, asIs = false } = {}) {
  const form = place.closest("form");
  left = null;
  stay(form);
  if (openPlace(form)?.matches(".first") && place !== openPlace(form)) steady(form.querySelector(".docked"));
  tabOf(place).checked = true;
  const ways = form.querySelectorAll("[name=how]");
  const cards = place.querySelector(".cards-field > input:not([type])");
  if (!asIs && ways.length && cards && isAnswered(place)) {
    const { value } = cards;
    const way = value === "" || isNumber(value) ? "count" : "cards";
    if (!isCardOrNumber(value)) for (const one of ways) one.checked = one.value === way; // else the question now shown
  }
  update(form);
  const field = openField(form);
  if (focus && field && isShown(field)) {
    field.focus({ preventScroll: true });
    field.select();
  }
  place.dispatchEvent(new Event("opened", { bubbles: true }));
}

// In a correction the name is rarely what is wrong: open a hand.
export function handToCorrect(form) {
  if (!form.closest("[data-correct]") || !openPlace(form)?.matches(".first")) return undefined;
  return askedOf(form).find((place) => place.matches("[data-seat]"));
}

// The empty one of two numbers asked together, once the other is filled in.
function secondNumber(form) {
  const numbers = [...(openPlace(form)?.querySelectorAll(".panel .number") || [])].filter(isShown);
  return numbers.some(({ value }) => value !== "") && numbers.find(({ value }) => value === "");
}

// Open the next question; once all are answered, go to the button. `jumped`: a key triggered this;
// `walks`: a correction visits every tab.
export function goOn(form, { jumped = true, walks = !jumped } = {}) {
  const from = openField(form);
  const second = secondNumber(form);
  const next = restOf(form)[0] || (walks && nextToCorrect(form)) || handToCorrect(form);
  if (second) second.focus({ preventScroll: true });
  else if (next) {
    open(next);
    left = from && { from, to: openField(form), jumped };
    // A tap on Next may have meant this very step, even a second later: the first one, before anything
    // is answered, leads no further. The button is dim until then.
    if (jumped) form.dataset.arrived = "";
  } else {
    update(form);
    form.querySelector("[data-record]:not([hidden])")?.focus({ preventScroll: true });
  }
}

// Stay at the question that the form opened by itself.
export function stay({ dataset }) {
  delete dataset.arrived;
}

export function forgetWayBack(field) {
  if (field === left?.to) left = null;
}

// The field that a key applies to: the one just left, if the next is still empty; with `jumped`,
// only if a key made the form go on.
export function wayBack(field, { jumped = false } = {}) {
  if (!left || left.to !== field || field.value !== "" || (jumped && !left.jumped)) return field;
  const { from } = left;
  open(from.closest(".place"));
  from.focus({ preventScroll: true });
  from.setSelectionRange(from.value.length, from.value.length);
  return from;
}

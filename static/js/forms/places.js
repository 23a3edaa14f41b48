// The questions of a form: each is a place, a radio button (its tab) with its panel. One is open.

import { cardsOf } from "./cards.js";

export const placesOf = (form) => [...form.querySelectorAll(".place")];
export const tabOf = (place) => place.querySelector(":scope > .tab input");
export const openPlace = (form) => placesOf(form).find((place) => tabOf(place).checked);
export const namesIn = (place) => [...place.querySelectorAll(".by-name label:not(.switch) input")];
export const isShown = (element) => element.offsetParent !== null;

// Places to be answered: whoever went out has no hand to enter, unless the form says so.
export const askedOf = (form) => placesOf(form).filter((place) => !tabOf(place).disabled);

// The field that a docked key writes into: the one with the caret, or the first of the open place.
export function openField(form) {
  const place = openPlace(form);
  if (!place) return null;
  const fields = [...place.querySelectorAll(".panel input:not([type])")].filter(isShown);
  const inARow = fields.filter((field) => field.closest("[data-places]"));
  if (inARow.length > 1) return inARow.find((field) => cardsOf(field.parentElement).length < field.parentElement.dataset.places) || inARow.at(-1);
  if (fields.includes(document.activeElement)) return document.activeElement;
  return fields.find((field) => field.value === "") || fields[0] || null;
}

// How it ended can leave those who are named with a hand, and ask them for one number more.
export const keepsHand = (form) => Boolean(form.querySelector(".first .by-name[data-keeps], .first [data-keeps]:checked"));

export function isAnswered(place) {
  const names = namesIn(place);
  if (names.length) return names.some((name) => name.checked);
  const more = place.matches(".named") && keepsHand(place.closest("form")) && place.querySelector(".if-named .number");
  if (more && place.querySelector(".figure:has(~ .if-named) .number").value !== "") return more.value !== "";
  // What was posted may be all that was lost, and may not.
  return [...place.querySelectorAll(".panel input:not([type])")].some(({ value, dataset }) => value.trim() !== "" && value !== dataset.posted);
}

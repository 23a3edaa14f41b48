// What a form shows while it is filled in: on each tab what its place has so far, on the button what is
// next.

import { sayMany, sentence } from "../phone/dictionary.js";
import { countsNow } from "./cards.js";
import { askedOf, isAnswered, keepsHand, namesIn, openField, openPlace, placesOf, tabOf } from "./places.js";
import { isCardOrNumber, isNumber, numberIn, withRedNines } from "./sums.js";

function held(place) {
  if (place.dataset.mark) return place.dataset.mark;
  const cards = place.querySelector(".cards-field > input:not([type])");
  if (cards && cards.value.trim() !== "") {
    const counted = place.querySelector(".counted [data-points]");
    if (counted && !(countsNow(place) && isNumber(cards.value))) return counted.dataset.points;
    if (isNumber(cards.value) && (countsNow(place) || !isCardOrNumber(cards.value))) return String(numberIn(cards));
    if (cards.value.trim() === "-") return sentence("mucked");
    if (cards.value === place.dataset.toldOf) return place.dataset.told;
    return sayMany("cards", cards.value.split(/[\s,|]+/).filter(Boolean).length);
  }
  const figures = [...place.querySelectorAll(".figure:not(.if-named) .number")];
  const said = figures.filter(({ value }) => value !== "").flatMap((field) => {
    if ("redNines" in field.dataset) return withRedNines(field.value);
    const sign = field.closest("[data-sign='-1']") ? -1 : 1;
    return String(sign * numberIn(field)).replace("-", "−");
  });
  return said.length ? said.join(" + ") : "–";
}

// Equal text is not written again, as that would cost a slow phone a layout.
export function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

export function sayHeld(place, words = held(place)) {
  say(place.querySelector("[data-held]"), words);
}

// Whoever went out has no hand to enter, unless the form says so.
function mark(form) {
  const first = form.querySelector(".place.first");
  if (!first) return;
  const named = namesIn(first).filter((name) => name.checked);
  const { mark: word } = first.querySelector(".by-name").dataset;
  const keeps = keepsHand(form);
  for (const place of placesOf(form)) {
    if (place === first || place.dataset.seat === undefined) continue;
    const is = named.some((name) => name.dataset.seat === place.dataset.seat);
    place.classList.toggle("named", is);
    const out = is && !keeps;
    if (out) place.dataset.mark = word;
    else delete place.dataset.mark;
    if (tabOf(place).disabled === out) continue;
    for (const field of place.querySelectorAll("input, select")) field.disabled = out; // nor is it sent
  }
  const also = form.querySelector(".by-name [type=checkbox][value=true]");
  const { saidAlso } = first.querySelector(".by-name").dataset;
  const { said } = (first.querySelector("[data-said]:checked") || first.querySelector(".by-name")).dataset;
  const names = new Intl.ListFormat(document.documentElement.lang).format(named.map(({ value }) => value));
  const label = first.querySelector(".tab span");
  first.dataset.asks ??= label.textContent;
  say(label, names ? (also && also.checked ? saidAlso : said).replace("{name}", () => names) : first.dataset.asks);
  for (const button of first.querySelectorAll("[data-also]")) {
    const name = button.parentElement.querySelector("input");
    button.setAttribute("aria-pressed", String(Boolean(name.checked && also && also.checked)));
  }
}

// Whether wins and losses balance, not counting those who have not been asked.
function isSettled(form) {
  const shares = [...form.querySelectorAll("[data-fills-up='0'] [data-sign]")].map((share) => {
    const wins = share.closest(".place").matches(".named");
    return wins === (share.dataset.sign === "1") ? Number(share.dataset.sign) * numberIn(share.querySelector("input")) : 0;
  });
  return shares.some(Boolean) && shares.reduce((sum, share) => sum + share, 0) === 0;
}

// The places that are still to be answered, in the order in which they are asked.
export function restOf(form) {
  if (isSettled(form)) return [];
  const places = askedOf(form);
  const at = places.indexOf(openPlace(form));
  const open = [...places.slice(at + 1), ...places.slice(0, Math.max(at, 0))].filter((place) => !isAnswered(place));
  return open.sort((one, other) => other.matches(".named") - one.matches(".named")); // the winner comes first
}

// Where all is answered a correction goes on to the next tab, from the first to the last.
export function nextToCorrect(form) {
  if (!form.closest("[data-correct]")) return undefined;
  const places = askedOf(form);
  return places[places.indexOf(openPlace(form)) + 1];
}

// The player whose hand is the last one asked for, and still empty. One that may be put down unseen
// need not be entered.
function lastMissing(form) {
  const place = openPlace(form);
  const needed = place?.matches("[data-seat]") && !form.querySelector("[name=tap][value='@:-']") && !isSettled(form);
  const empty = needed && [...place.querySelectorAll(".panel input:not([type])")].every(({ value }) => value.trim() === "");
  return empty ? place : undefined;
}

// Recording without a card can mean something, which the button then says.
function sayRecord(form, record) {
  const { ifEmpty } = record.dataset;
  if (!ifEmpty) return;
  record.dataset.records ??= record.textContent;
  const [first, ...others] = placesOf(form);
  const named = namesIn(first).find((name) => name.checked);
  const empty = named && !others.some(isAnswered);
  say(record, empty ? ifEmpty.replace("{name}", () => named.value) : record.dataset.records);
}

// Show on the tabs and the button what has been filled in so far.
export function showState(form) {
  mark(form);
  for (const place of placesOf(form)) {
    sayHeld(place, place.matches("[data-seat]") ? held(place) : "");
    place.classList.toggle("answered", isAnswered(place));
  }
  const button = form.querySelector("[data-next]");
  if (!button) return; // a question to the referee is not sent
  const [asked] = restOf(form);
  const next = asked || nextToCorrect(form);
  const record = [...form.querySelectorAll("[data-record]")].pop();
  const missing = next ? undefined : lastMissing(form);
  if (next || missing) {
    const name = (next || missing).matches("[data-seat]") ? (next || missing).querySelector(".tab span").textContent : "";
    say(button, name ? sentence(next ? "nextName" : "missingName", { name }) : sentence("next"));
  }
  button.hidden = !next && !missing;
  button.disabled = Boolean(missing);
  record.hidden = Boolean(asked || missing);
  sayRecord(form, record);
}

// Which keys are docked: those that the open field needs. Which of its fields are in sight takes a
// layout to say, so it is asked only when that can have changed.
export function update(form) {
  showState(form);
  const field = openField(form);
  form.dataset.pad = !field ? "none" : field.closest(".cards-field") ? (countsNow(field) ? "digits" : "cards") : field.dataset.keysOf || "digits";
}

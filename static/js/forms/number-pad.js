// The docked keys for numbers. A digit is typed at the caret or replaces the selection; a plus or a red
// nine is added to the number. A full number does not jump to the next hand, as a sum may go on: the
// digit after it does. Keys of a real keyboard mean the same.

import { wayBack } from "./going-on.js";
import { openField } from "./places.js";
import { RED_NINE, numberIn } from "./sums.js";

const DIGIT = /^\d$/;
const ENDS_IN_RED_NINE = new RegExp(`${RED_NINE}$`, "i");
const ENDS_IN_ZERO = /(^|\D)0$/; // the next digit replaces it
const ENDS_IN_SIGN = /[+−-]\s*$/;
const WHAT_WAS_TYPED_LAST = new RegExp(`(?:(?:\\s*\\+\\s*)?${RED_NINE}|\\s*[+−-]\\s*|.)$`, "i");

const redNinesIn = (text) => (text.match(new RegExp(RED_NINE, "gi")) || []).length;
const isWhole = (field) => field.dataset.keysOf === "whole";
const isSelected = ({ value, selectionStart, selectionEnd }) => value !== "" && selectionEnd - selectionStart === value.length;

function write(field, text) {
  field.value = text;
  field.setSelectionRange(text.length, text.length);
}

// Add to the end; a sum begins with a number and has one sign between two.
function goOnWith(field, sign, part = "") {
  const { value } = field;
  const between = field.matches(".number") ? ` ${sign} ` : sign;
  write(field, value === "" || ENDS_IN_SIGN.test(value) ? value + part : value + between + part);
}

function typeDigit(field, digit) {
  const { value, selectionStart: from, selectionEnd: to } = field;
  if (from === value.length && ENDS_IN_RED_NINE.test(value)) goOnWith(field, "+", digit);
  else field.setRangeText(digit, from - ENDS_IN_ZERO.test(value.slice(0, from)), to, "end");
}

// A whole number replaces the present one, but not its red nines.
function put(field, number) {
  const parts = isSelected(field) || !field.value ? [] : field.value.split(" + ");
  const place = parts.findIndex((part) => !ENDS_IN_RED_NINE.test(part));
  write(field, (place < 0 ? [...parts, number] : parts.with(place, number)).join(" + "));
}

function takeBack(field) {
  const { value, selectionStart: from, selectionEnd: to } = field;
  if (from !== to) field.setRangeText("", from, to, "end");
  else if (isWhole(field)) write(field, value.split(" + ").slice(0, -1).join(" + "));
  else field.setRangeText("", value.slice(0, from).replace(WHAT_WAS_TYPED_LAST, "").length, from, "end");
}

function isFull({ value, dataset, selectionStart: from, selectionEnd: to }) {
  return dataset.digits && from === to && /^\d+$/.test(value) && value.length >= Number(dataset.digits);
}

// The field that a full number leads to; the same one, where nothing else is asked for.
function following(field) {
  field.dispatchEvent(new Event("complete", { bubbles: true }));
  return openField(field.form) || field;
}

function press(field, key) {
  if (key === "+") goOnWith((field = wayBack(field)), "+");
  else if (key === "back") takeBack((field = wayBack(field, { jumped: true })));
  else if (key === "9♦") {
    if (redNinesIn(field.value) < Number(field.dataset.redNines)) goOnWith(field, "+", key);
  } else if (key === "-") {
    if (field.value === "" || isSelected(field)) write(field, "−");
    else goOnWith(field, "−");
  } else {
    const to = isFull(field) ? following(field) : field;
    if (to === field && isFull(field)) return; // no field is left for this digit
    typeDigit((field = to), key);
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-puts], [data-types]");
  const form = key && key.closest("form.asks");
  const field = form && openField(form);
  if (!field) return;
  if (document.activeElement !== field) {
    field.focus({ preventScroll: true });
    write(field, field.value); // without a visible selection nothing is replaced
  }
  if (!("puts" in key.dataset)) return press(field, key.dataset.types);
  put(field, key.dataset.puts);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (!("redNines" in field.dataset)) following(field);
});

document.addEventListener("beforeinput", (event) => {
  const { target: field, data } = event;
  if (event.inputType !== "insertText" || !field.matches("form.asks .panel input:not([type])")) return;
  if (field.form.dataset.pad === "cards" || !(DIGIT.test(data) || data === "+")) return;
  event.preventDefault();
  press(field, data);
});

document.addEventListener("input", ({ target }) => {
  const sum = target.closest(".figure")?.querySelector(".sum");
  if (!sum) return;
  // Hands with red nines may be doubled: the preview has their sums.
  const adds = !isWhole(target) && !redNinesIn(target.value) && /\d\s*[+−-]/.test(target.value);
  sum.textContent = adds ? `= ${numberIn(target)}`.replace("-", "−") : "";
});

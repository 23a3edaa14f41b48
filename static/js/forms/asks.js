// The questions of a form, one at a time. Each is a place, a radio button with its panel; this goes
// on by itself once a place is answered, says on each tab what it has so far, and names the next one
// on the button. Without this script the tabs are tapped.

const placesOf = (form) => [...form.querySelectorAll(".place")];
const tabOf = (place) => place.querySelector(":scope > .tab input");
const openPlace = (form) => placesOf(form).find((place) => tabOf(place).checked);
const namesIn = (place) => [...place.querySelectorAll(".by-name label:not(.switch) input")];
const shown = (element) => element.offsetParent !== null;

// The field that a docked key writes into: the one with the caret, or the first of the open place.
globalThis.openField = (form) => {
  const place = openPlace(form);
  if (!place) return null;
  const fields = [...place.querySelectorAll(".panel input:not([type])")].filter(shown);
  const placed = fields.filter((field) => field.closest("[data-places]"));
  if (placed.length > 1) return placed.find((field) => cardsOf(field.parentElement).length < field.parentElement.dataset.places) || placed.at(-1);
  if (fields.includes(document.activeElement)) return document.activeElement;
  return fields.find((field) => field.value === "") || fields[0] || null;
};

const A_NUMBER = /^\s*[-−]?\d+(\s*\+\s*\d*)*$/; // or a sum that is not at its end
const ONE_CARD = /^\s*([1-9]|10)\s*$/; // which may be a number as well
const A_RED_NINE = /^\s*9([♥♦]\ufe0e?|[HDR])\s*$/i; // in a number, as in “25 + 9♦”

function answered(place) {
  const names = namesIn(place);
  if (names.length) return names.some((name) => name.checked);
  const [points, matching] = place.querySelectorAll(".named .figure:has(~ .chicken-only) .number, .named .chicken-only .number");
  if (matching && points.value !== "" && chickenCalled(place.closest("form"))) return matching.value !== "";
  // What was posted may be all that was lost, and may not.
  return [...place.querySelectorAll(".panel input:not([type])")].some(({ value, dataset }) => value.trim() !== "" && value !== dataset.posted);
}

const chickenCalled = (form) => Boolean(form.querySelector("[value=chicken]:checked"));

const sumOf = (text) =>
  (text.replace(/[−–]/g, "-").replace(/\s/g, "").match(/[+-]?\d+/g) || []).reduce((sum, part) => sum + Number(part), 0);
globalThis.numberIn = (field) => sumOf(field.value);

// A number with its red nines behind it, which stand in it in the order in which they were tapped.
function withRedNines(field) {
  const parts = field.value.split("+");
  const plain = parts.filter((part) => !A_RED_NINE.test(part));
  const red = parts.length - plain.length;
  return [...(plain.length ? [sumOf(plain.join("+"))] : []), ...(red ? [red > 1 ? `${red}×9♦` : "9♦"] : [])];
}

function held(place) {
  if (place.dataset.mark) return place.dataset.mark;
  const cards = place.querySelector(".cards-field > input:not([type])");
  if (cards && cards.value.trim() !== "") {
    const counted = place.querySelector(".counted [data-points]");
    if (counted && !countsNow(place)) return counted.dataset.points;
    if (A_NUMBER.test(cards.value) && (countsNow(place) || !ONE_CARD.test(cards.value))) return String(numberIn(cards));
    if (cards.value.trim() === "-") return sentence("mucked");
    if (cards.value === place.dataset.toldOf) return place.dataset.told;
    const count = cards.value.split(/[\s,|]+/).filter(Boolean).length;
    return sentence(count === 1 ? "oneCard" : "manyCards", { count });
  }
  const figures = [...place.querySelectorAll(".figure:not(.chicken-only) .number")];
  const said = figures.filter(({ value }) => value !== "").flatMap((field) => {
    if ("redNines" in field.dataset) return withRedNines(field);
    const sign = field.closest("[data-sign='-1']") ? -1 : 1;
    return String(sign * numberIn(field)).replace("-", "−");
  });
  return said.length ? said.join(" + ") : "–";
}

// What an element says already is not written anew: each time, a slow phone would lay out the page.
function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// Whoever went out has no hand to enter, unless the form says so.
function mark(form) {
  const first = form.querySelector(".place.first");
  if (!first) return;
  const named = namesIn(first).filter((name) => name.checked);
  const { mark: word, keeps } = first.querySelector(".by-name").dataset;
  const chicken = chickenCalled(form);
  for (const place of placesOf(form)) {
    if (place === first || place.dataset.seat === undefined) continue;
    const is = named.some((name) => name.dataset.seat === place.dataset.seat);
    place.classList.toggle("named", is);
    const out = is && keeps === undefined && !chicken;
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

// Whether what was won is what was lost: whoever was not asked has neither.
function settled(form) {
  const shares = [...form.querySelectorAll("[data-fills-up='0'] [data-sign]")].map((share) => {
    const wins = share.closest(".place").matches(".named");
    return wins === (share.dataset.sign === "1") ? Number(share.dataset.sign) * numberIn(share.querySelector("input")) : 0;
  });
  return shares.some(Boolean) && shares.reduce((sum, share) => sum + share, 0) === 0;
}

function restOf(form) {
  if (settled(form)) return [];
  const places = placesOf(form).filter((place) => !tabOf(place).disabled);
  const at = places.indexOf(openPlace(form));
  const open = [...places.slice(at + 1), ...places.slice(0, Math.max(at, 0))].filter((place) => !answered(place));
  return open.sort((one, other) => other.matches(".named") - one.matches(".named")); // who won comes first
}

function tell(form) {
  mark(form);
  for (const place of placesOf(form)) {
    say(place.querySelector("[data-held]"), place.matches("[data-seat]") ? held(place) : "");
    place.classList.toggle("answered", answered(place));
  }
  const button = form.querySelector("[data-next]");
  if (!button) return; // a question to the referee is not sent
  const [asked] = restOf(form);
  const next = asked || nextToCorrect(form);
  const record = [...form.querySelectorAll("[data-record]")].pop();
  if (next) {
    const name = next.matches("[data-seat]") ? next.querySelector(".tab span").textContent : "";
    say(button, name ? sentence("nextName", { name }) : sentence("next"));
  }
  button.hidden = !next;
  record.hidden = Boolean(asked);
}

// Dock the keys that the open field needs. Which of its fields are in sight takes a layout to say, so
// it is asked only when that can have changed.
function dock(form) {
  const field = openField(form);
  form.dataset.pad = !field ? "none" : field.closest(".cards-field") ? (countsNow(field) ? "digits" : "cards") : field.dataset.keysOf || "digits";
}

function update(form) {
  tell(form);
  dock(form);
}

let left = null; // the field that was left last, the empty one it led to, and whether by itself

function open(place, { focus = true, asIs = false } = {}) {
  const form = place.closest("form");
  left = null;
  if (openPlace(form)?.matches(".first") && place !== openPlace(form)) steady(form.querySelector(".docked"));
  tabOf(place).checked = true;
  const ways = form.querySelectorAll("[name=how]");
  const cards = place.querySelector(".cards-field > input:not([type])");
  if (!asIs && ways.length && cards && answered(place)) {
    const { value } = cards;
    const known = value === "" || !ONE_CARD.test(value); // else it is what is asked for now
    const way = value !== "" && !A_NUMBER.test(value) ? "cards" : "count";
    if (known) for (const one of ways) one.checked = one.value === way;
  }
  update(form);
  const field = openField(form);
  if (focus && field && shown(field)) {
    field.focus({ preventScroll: true });
    field.select();
  }
  place.dispatchEvent(new Event("opened", { bubbles: true }));
}

// Where all is answered a correction goes on to the next tab, from the first to the last.
function nextToCorrect(form) {
  if (!form.closest("[data-correct]")) return undefined;
  const places = placesOf(form).filter((place) => !tabOf(place).disabled);
  return places[places.indexOf(openPlace(form)) + 1];
}

// What is wrong is rarely who was named: a hand lies open.
function handToCorrect(form) {
  if (!form.closest("[data-correct]") || !openPlace(form)?.matches(".first")) return undefined;
  return placesOf(form).find((place) => place.matches("[data-seat]") && !tabOf(place).disabled);
}

// What is still asked for where one of two numbers is there.
function secondNumber(form) {
  const numbers = [...(openPlace(form)?.querySelectorAll(".panel .number") || [])].filter(shown);
  return numbers.some(({ value }) => value !== "") && numbers.find(({ value }) => value === "");
}

function goOn(form, { jumped = true, walks = !jumped } = {}) {
  const from = openField(form);
  const second = secondNumber(form);
  const next = restOf(form)[0] || (walks && nextToCorrect(form)) || handToCorrect(form);
  if (second) second.focus({ preventScroll: true });
  else if (next) {
    open(next);
    left = from && { from, to: openField(form), jumped };
  } else {
    update(form);
    form.querySelector("[data-record]:not([hidden])")?.focus({ preventScroll: true });
  }
}

// Somebody who goes on with a sum where none has begun means the number just left; so does somebody
// who takes back what made the form jump.
globalThis.wayBack = (field, { jumped = false } = {}) => {
  if (!left || left.to !== field || field.value !== "" || (jumped && !left.jumped)) return field;
  const { from } = left;
  open(from.closest(".place"));
  from.focus({ preventScroll: true });
  from.setSelectionRange(from.value.length, from.value.length);
  return from;
};

// How hands are told is remembered on this phone, a kind of form each.
const memory = (form) => `told ${form.dataset.draft}`;

function remember(choice) {
  try {
    localStorage.setItem(memory(choice.form), choice.value);
  } catch {
    // No storage: then it is chosen anew each time.
  }
}

function asBefore(form) {
  try {
    const told = localStorage.getItem(memory(form));
    for (const one of told ? form.querySelectorAll("[name=how]") : []) one.checked = one.value === told;
  } catch {
    // No storage: it is as usual.
  }
}

// Hands that are there already are counted too; on a page that has only just come, htmx begins later.
function count(form) {
  const there = placesOf(form).filter((place) => place.querySelector(".counted") && answered(place));
  if (there.length) setTimeout(() => there.forEach((place) => htmx.trigger(place.querySelector(".counted"), "look")));
}

const touched = matchMedia("(pointer: coarse)").matches;

function begin() {
  for (const form of document.querySelectorAll("form.asks:not([data-asked])")) {
    form.dataset.asked = "";
    // The docked keys are the keyboard here.
    if (touched) for (const field of form.querySelectorAll(".panel input:not([type])")) field.inputMode = "none";
    const drafted = placesOf(form).some(answered);
    if (!drafted && !form.closest("[data-correct], [data-returned]")) asBefore(form);
    update(form);
    count(form);
    const first = openPlace(form);
    const next = restOf(form)[0] || handToCorrect(form);
    if (first && first.matches(".first") && answered(first) && next) open(next, { focus: false });
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form.asks");
  if (!form) return;
  if (target === left?.to) left = null;
  target.closest(".panel")?.querySelector(".counted [data-points]")?.removeAttribute("data-points");
  if (target.closest(".place.first:has(.paired) > .panel")) { // who went out, and how: hands may double
    for (const line of form.querySelectorAll(".counted")) say(line, "");
  }
  if (target.checked && target.closest(".by-name") && chickenCalled(form)) { // which only one can call
    for (const name of namesIn(target.closest(".place"))) name.checked = name === target;
  }
  if (target === form) count(form); // a draft
  if (target.name === "how") {
    remember(target);
    open(openPlace(form), { asIs: true }); // what was tapped just now
  }
  else if (target.type === "text") tell(form);
  else update(form);
});

// A tap on the tab that is open has the same meaning as on any other: what is there is selected.
document.addEventListener("click", ({ target }) => {
  if (target.matches("form.asks .tab input")) open(target.closest(".place"));
});

document.addEventListener("pointerdown", (event) => {
  if (event.target.closest(".docked button")) event.preventDefault(); // the caret stays where it is
});

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches("form.asks .panel input:not([type])")) return;
  update(target.form);
  target.select(); // typing replaces what is there
});

document.addEventListener("click", (event) => {
  const { target } = event;
  const form = target.closest("form.asks");
  if (!form) return;
  const also = target.closest("[data-also]");
  const named = target.closest(".by-name label:not(.switch)");
  if (target.closest("[data-next]")) {
    goOn(form, { jumped: false });
    if (event.detail && target.hidden) steady(form.querySelector(".foot")); // Record is under the finger
  }
  else if (also || (named && event.detail)) {
    const name = (also || named).parentElement.querySelector("input");
    const more = name.type === "checkbox" && form.querySelectorAll(".by-name input[type=checkbox]:checked").length > 1;
    const second = form.querySelector(".by-name [type=checkbox][value=true]");
    if (also) name.checked = true;
    if (second && target !== second) second.checked = Boolean(also);
    if (target.matches("input") || also) {
      name.dispatchEvent(new Event("input", { bubbles: true }));
      if (name.checked && !more) goOn(form);
    }
  }
});

document.addEventListener("cleared", ({ target }) => {
  const first = target.matches("form.asks") && placesOf(target)[0];
  if (first) open(first, { focus: false });
});

// It has come into sight, with what it holds by now. A draft says what it would do; on a page that
// has only just come, htmx begins after this.
document.addEventListener("shown", ({ target: form }) => {
  open(openPlace(form) || placesOf(form)[0]);
  const drafted = form.matches("[data-deal] form:not(:has(.faults))") && placesOf(form).some(answered);
  if (drafted) setTimeout(() => htmx.trigger(form.querySelector(".will"), "look"));
});

// What is said of a hand in one way replaces what was said of it in the other.
document.addEventListener("input", ({ target }) => {
  const way = target.closest("form.asks :is(.by-cards, .by-count)");
  if (!way || target.value === "") return;
  for (const field of way.parentElement.querySelectorAll(":is(.by-cards, .by-count) :is(input:not([type]), select)")) {
    if (!way.contains(field)) field.value = "";
  }
}, true);

document.addEventListener("complete", ({ target }) => {
  const form = target.closest("form.asks"); // a question to the referee has cards too, and no next hand
  if (form) goOn(form, { walks: target.dataset.keysOf === "whole" }); // one key is a whole answer
});

// What the hands make so far comes with what the entry would do.
function hear() {
  for (const line of document.querySelectorAll(".place .makes")) {
    const place = line.closest(".place");
    if (place.querySelector(".cards-field > input:not([type])").value !== place.dataset.toldOf) line.replaceChildren();
  }
  for (const { dataset, content } of document.querySelectorAll(".will [data-tells]")) {
    const field = document.getElementsByName(dataset.tells)[0];
    const place = field.closest(".place");
    Object.assign(place.dataset, { toldOf: field.value, told: dataset.short });
    place.querySelector(".makes").replaceChildren(content.cloneNode(true));
    say(place.querySelector("[data-held]"), dataset.short);
  }
}
document.addEventListener("htmx:after:swap", begin);
document.addEventListener("htmx:after:swap", hear);
document.addEventListener("htmx:after:swap", ({ detail }) => {
  const form = detail.ctx?.target?.closest?.(".counted")?.closest("form.asks");
  if (form) tell(form); // a tab says what its grid counts
  const question = document.querySelector("form[data-question]"); // it has one row more
  if (question && detail.ctx?.target?.id === "places") update(question);
});
begin();

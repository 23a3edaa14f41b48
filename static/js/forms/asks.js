// The questions of a form, one at a time: after an answer it goes to the next question, shows the
// answer on its tab, and names the next question on the button. Without this script the tabs are
// tapped. This file imports the keys and everything else that such a form needs.

import { local } from "../phone/storage.js";
import { steady } from "../sheet/steady.js";
import "./card-pad.js";
import { textOf } from "./cards.js";
import "./fill-up.js";
import { forgetWayBack, goOn, handToCorrect, open, stay } from "./going-on.js";
import "./number-pad.js";
import { isAnswered, namesIn, openPlace, placesOf } from "./places.js";
import { restOf, say, sayHeld, showState, update } from "./tabs.js";

// Whether hands are counted or tapped is remembered on this phone, by kind of form; on somebody's own
// pad for that person.
const memory = ({ dataset, elements }) => ["told", dataset.draft, elements.seat_of?.value ?? ""].join(" ").trim();

function asBefore(form) {
  const told = local.text(memory(form));
  for (const one of told ? form.querySelectorAll("[name=how]") : []) one.checked = one.value === told;
}

// Count hands that were filled in before, later where htmx hasn't started yet.
function count(form) {
  const there = placesOf(form).filter((place) => place.querySelector(".counted") && isAnswered(place));
  if (there.length) setTimeout(() => there.forEach((place) => htmx.trigger(place.querySelector(".counted"), "look")));
}

const touched = matchMedia("(pointer: coarse)").matches;

function begin() {
  for (const form of document.querySelectorAll("form.asks:not([data-asked])")) {
    form.dataset.asked = "";
    leaveOutHand(form);
    // The docked keys are the keyboard here.
    if (touched) for (const field of form.querySelectorAll(".panel input:not([type])")) field.inputMode = "none";
    const drafted = placesOf(form).some(isAnswered);
    if (!drafted && !form.closest("[data-correct], [data-returned]")) asBefore(form);
    update(form);
    count(form);
    const first = openPlace(form);
    const next = restOf(form)[0] || handToCorrect(form);
    if (first && first.matches(".first") && isAnswered(first) && next) open(next, { focus: false });
    // A player's own hand is changed as behind a tab of the drawer: typing replaces the number.
    const returned = form.closest("[data-returned]")?.dataset.returned === form.dataset.draft;
    if (first && returned && "pad" in form.dataset) {
      asBefore(form);
      open(first, { focus: !form.querySelector(".faults") });
    }
  }
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form.asks");
  if (!form) return;
  leaveOutHand(form);
  forgetWayBack(target);
  if (target.closest(".place") === openPlace(form)) stay(form);
  target.closest(".panel")?.querySelector(".counted [data-points]")?.removeAttribute("data-points");
  if (target.closest(".place.first:has(.paired) > .panel")) { // who went out, and how: hands may double
    for (const line of form.querySelectorAll(".counted")) say(line, "");
  }
  if (target.checked && target.closest(".by-name") && form.querySelector(".first [data-names-one]:checked")) {
    for (const name of namesIn(target.closest(".place"))) name.checked = name === target;
  }
  if (target === form) count(form); // a draft
  if (target.name === "how") {
    local.keep(memory(form), target.value);
    open(openPlace(form), { asIs: true }); // what was tapped just now
  } else if (target.type === "text") showState(form);
  else update(form);
});

// A tap on the open tab selects its text, as on any other.
document.addEventListener("click", ({ target }) => {
  if (target.matches("form.asks .tab input")) open(target.closest(".place"));
});

document.addEventListener("pointerdown", (event) => {
  if (event.target.closest(".docked button")) event.preventDefault(); // the caret stays where it is
});

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches("form.asks .panel input:not([type])")) return;
  update(target.form);
  target.select(); // typing replaces its text
});

document.addEventListener("click", (event) => {
  const { target } = event;
  const form = target.closest("form.asks");
  if (!form) return;
  const also = target.closest("[data-also]");
  const named = target.closest(".by-name label:not(.switch)");
  if (target.closest("[data-next]")) {
    // Whoever moved to the button by keyboard has seen which question this is.
    if ("arrived" in form.dataset && !target.matches(":focus-visible")) return stay(form);
    goOn(form, { jumped: false });
    if (event.detail && target.hidden) steady(form.querySelector(".foot")); // Record is under the finger
  } else if (also || (named && event.detail)) {
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

// The form has come into sight: the preview of a draft is requested, later where htmx hasn't started
// yet.
document.addEventListener("shown", ({ target: form }) => {
  open(openPlace(form) || placesOf(form)[0]);
  const drafted = form.matches("[data-deal] form:not(:has(.faults))") && placesOf(form).some(isAnswered);
  if (drafted) setTimeout(() => htmx.trigger(form.querySelector(".will"), "look"));
});

// A hand is a count or cards: choosing one clears the other.
document.addEventListener("input", ({ target }) => {
  const way = target.closest("form.asks :is(.by-cards, .by-count)");
  if (!way || target.value === "") return;
  for (const field of way.parentElement.querySelectorAll(":is(.by-cards, .by-count) :is(input:not([type]), [type=radio], select)")) {
    if (way.contains(field)) continue;
    if (field.type === "radio") field.checked = false;
    else field.value = "";
  }
}, true);

// On a player's own pad, whoever called has a hand only if the call leaves them one; otherwise what was
// filled in before is not sent.
function leaveOutHand(form) {
  if (!("pad" in form.dataset) || !form.querySelector("[data-keeps]")) return;
  const gone = !form.querySelector("[data-keeps]:checked");
  for (const field of form.querySelectorAll(".place.named :is(input, select)")) field.disabled = gone;
}

document.addEventListener("complete", ({ target }) => {
  const form = target.closest("form.asks"); // a question to the referee has cards too, and no next hand
  if (form) goOn(form, { walks: target.dataset.keysOf === "whole" }); // one key is a whole answer
});

// The preview includes what each hand makes so far: show it on the hand, unless its cards have
// changed since the request.
function showWhatHandsMake() {
  for (const line of document.querySelectorAll(".place .makes")) {
    const place = line.closest(".place");
    if (place.querySelector(".cards-field > input:not([type])").value !== place.dataset.toldOf) line.replaceChildren();
  }
  for (const { dataset, content } of document.querySelectorAll(".will [data-tells]")) {
    const field = document.getElementsByName(dataset.tells)[0];
    const place = field.closest(".place");
    if (textOf(field.closest(".cards-field")) !== dataset.of) continue;
    Object.assign(place.dataset, { toldOf: field.value, told: dataset.short });
    place.querySelector(".makes").replaceChildren(content.cloneNode(true));
    sayHeld(place, dataset.short);
  }
}

document.addEventListener("htmx:after:swap", begin);
document.addEventListener("htmx:after:swap", showWhatHandsMake);
document.addEventListener("htmx:after:swap", ({ detail }) => {
  const form = detail.ctx?.target?.closest?.(".counted")?.closest("form.asks");
  if (form) showState(form); // a tab says what its grid counts
  const question = document.querySelector("form[data-question]"); // it has one row more
  if (question && detail.ctx?.target?.id === "places") update(question);
});
begin();

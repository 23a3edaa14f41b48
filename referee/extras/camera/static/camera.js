// Cards from a photo: the phone makes it smaller and sends it, shows it with every card outlined,
// and lets each be corrected (mending.js); only then do the cards go into their field. The photo on
// the screen is the phone's own: the server keeps none, and sends none back.

import "../js/forms/card-pad.js";
import { acrossOf, layCards, lineOf } from "../js/forms/cards.js";
import { inRows } from "../js/forms/grid.js";
import { askedOf, isAnswered, openField } from "../js/forms/places.js";
import { sentence } from "../js/phone/dictionary.js";
import { local } from "../js/phone/storage.js";
import { begin } from "./mending.js";

const LONGEST = 2048; // pixels: enough for the index of a card on a full table
const QUALITY = 0.85;
const SVG = "http://www.w3.org/2000/svg";
const STYLE = import.meta.url.replace(/js(\?.*)?$/, "css");

let field = null; // the place that the cards are for; none if they are all hands of the table
let opener = null; // the button that was tapped
let dialog = null;
let photo = ""; // the address of the picture on this phone
let sending = null;
let chooser = null; // kept: a phone forgets one that nobody holds before the photo is taken

const make = (tag, traits, ...parts) => {
  const made = Object.assign(document.createElement(tag), traits);
  made.append(...parts);
  return made;
};

// --- the photo

async function smaller(file) {
  try {
    const picture = await createImageBitmap(file);
    const share = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    const canvas = make("canvas", { width: Math.round(picture.width * share), height: Math.round(picture.height * share) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return (await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY))) || file;
  } catch {
    return file; // this phone cannot open it; the server will say what is wrong
  }
}

document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: STYLE }));

// The photo is taken at once, before anything is asked or sent.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button.camera, button.all-hands");
  if (!button) return;
  event.preventDefault();
  chooser = make("input", { type: "file", accept: "image/*" });
  chooser.setAttribute("capture", "environment");
  chooser.addEventListener("change", () => takeCards(button, chooser.files[0]));
  chooser.click();
});

async function takeCards(button, file) {
  if (!file) return;
  const form = button.form;
  opener = button;
  field = isAll() ? null : button.closest(".cards-field") || openCards(form);
  if (!field && !isAll()) return;
  // The form has been begun: what others record in the meantime must not replace it.
  (field ? lineOf(field) : form).dispatchEvent(new Event("input", { bubbles: true }));
  open();
  await send(file, form);
}

const isAll = () => opener.matches(".all-hands");

// While hands are entered as numbers, the button is beside the switch to cards.
function openCards(form) {
  const cards = form.querySelector("[name=how][value=cards]");
  if (cards) {
    cards.checked = true;
    cards.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return openField(form)?.closest(".cards-field") || null;
}

async function send(file, form) {
  forget();
  sending = new AbortController();
  const { signal } = sending;
  const picture = await smaller(file);
  if (signal.aborted) return;
  photo = URL.createObjectURL(picture);
  say(make("img", { className: "photo", src: photo, alt: "" }), make("p", { className: "reading", role: "status" }, sentence("readingCards")));
  const body = isAll() ? new FormData(form) : new FormData();
  body.set("photo.for", isAll() ? opener.value.replace(/:photo$/, "") : lineOf(field).name);
  body.set("action", form.elements.action?.value || "");
  if (isAll()) body.set("photo.holder", holder());
  body.set("photo", picture, "cards");
  await ask(body, form, signal);
}

async function ask(body, form, signal) {
  try {
    const answer = await fetch(`${form.getAttribute("action")}/photo`, { method: "POST", body, signal, headers: { "HX-Request": "true", "HX-Request-Type": "partial" } });
    showPage(await answer.text(), form);
  } catch {
    if (!signal.aborted) say(make("p", { className: "faults", role: "alert" }, sentence("unsent")));
  }
}

// Which way the columns of a grid run, whose a hand is, which hand is to be corrected: the server
// applies it to the cards that were read.
function answer(event) {
  event.preventDefault();
  const { target, submitter } = event;
  if (submitter?.name.startsWith("photo.")) ask(new URLSearchParams(new FormData(target, submitter)), dialog.form, sending.signal);
}

// The player at the lower edge of a photo of the table: as last time, or else the owner of the
// phone.
const HOLDER = "holder";

const holder = () => local.text(HOLDER) ?? local.text("own") ?? "";

// --- the dialog

function open() {
  const close = make("button", { className: "close", type: "button", ariaLabel: sentence("close") }, "✕");
  const named = field?.closest(".place")?.querySelector("[name^='who.']")?.value.trim();
  const label = field ? lineOf(field).getAttribute("aria-label") || field.querySelector("label")?.textContent : opener.querySelector("span").firstChild.data;
  const whose = named || label || "";
  dialog = make("dialog", { className: "camera-dialog" }, make("header", {}, make("h2", { tabIndex: -1 }, whose), close), make("div", { className: "from-photo" }));
  dialog.addEventListener("close", shut);
  close.addEventListener("click", shut);
  dialog.addEventListener("click", pressed, true);
  dialog.addEventListener("change", again);
  dialog.addEventListener("submit", answer);
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("h2").focus({ preventScroll: true });
}

function shut() {
  if (!dialog) return;
  forget();
  dialog.remove();
  dialog = null;
  (field?.querySelector(".camera") || opener).focus({ preventScroll: true });
}

addEventListener("popstate", shut); // back: the form below is left as well

const say = (...parts) => dialog.querySelector(".from-photo").replaceChildren(...parts);

function forget() {
  sending?.abort();
  if (photo) URL.revokeObjectURL(photo);
  photo = "";
}

// Shows the server's page: the cards, or why there are none, with a way to take another photo.
function showPage(text, form) {
  const answered = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  const mend = answered.querySelector(".mend");
  if (!mend && !answered.querySelector("[type=file]")) answered.querySelectorAll("a, .code").forEach((part) => part.remove());
  answered.querySelectorAll("svg.photo").forEach(showPhoto);
  say(...answered.childNodes);
  dialog.form = form;
  if (mend) begin(mend, useCards);
  else if (dialog.querySelector("[data-hands]")) beginTable();
  else dialog.querySelector("[name='photo.swap']")?.focus({ preventScroll: true });
}

function showPhoto(picture) {
  const [width, height] = (picture.dataset.size || picture.getAttribute("viewBox").replace(/^\S+ \S+ /, "")).split(" ");
  const image = document.createElementNS(SVG, "image");
  for (const [name, value] of Object.entries({ href: photo, width, height })) image.setAttribute(name, value);
  picture.prepend(image);
}

function again({ target }) {
  if (target.type === "file" && target.files[0]) send(target.files[0], dialog.form);
  if (target.name === "photo.holder") local.keep(HOLDER, target.value);
  if (target.matches(".table-read select")) target.form.requestSubmit(target.form.querySelector(".enter"));
}

// --- one hand

function useCards(cards) {
  shut();
  // A number that was entered before would contradict the cards.
  for (const count of field.closest(".place")?.querySelectorAll(".by-count input") || []) count.value = "";
  layCards(field, cards);
  lineOf(field).dispatchEvent(new Event("complete", { bubbles: true })); // the next hand has its turn
}

// --- all hands of the table

// What the drawer would send with these hands, by the names of its fields.
function hands() {
  const table = dialog.querySelector(".table-read");
  const prefix = table.querySelector("[data-hands]").dataset.hands;
  const laid = {};
  for (const hand of table.querySelectorAll(".hands-read li")) {
    const [cards, seat] = ["[name='photo.laid']", "select"].map((part) => hand.querySelector(part).value);
    if (seat !== "-1") laid[prefix + seat] = cards.includes("|") ? cards : `${laid[prefix + seat] || ""} ${cards}`.trim();
  }
  return laid;
}

// Whether they answer all that the form still asks.
const areAll = (form, laid) => askedOf(form).every((place) => isAnswered(place) || lineOf(place)?.name in laid);

// Previews what the hands would do; the button records them at once if nothing else is asked.
async function beginTable() {
  const { form } = dialog;
  const use = dialog.querySelector("[data-hands]");
  const laid = hands();
  const record = [...form.querySelectorAll("[data-record]")].pop();
  if (record && areAll(form, laid)) use.querySelector("span").textContent = record.textContent;
  (dialog.querySelector(".doubt button") || use).focus({ preventScroll: true });
  const body = new URLSearchParams(new FormData(form));
  for (const [name, cards] of Object.entries(laid)) {
    for (const count of [...body.keys()].filter((one) => one.startsWith(`${name}.`))) body.delete(count);
    body.set(name, cards);
  }
  const says = dialog.querySelector(".will");
  const { signal } = sending;
  try {
    const preview = await fetch(form.querySelector(".will").getAttribute("hx-post"), { method: "POST", body, signal, headers: { "HX-Request": "true" } });
    if (preview.ok) says.innerHTML = await preview.text();
  } catch {
    // The hands can be used without it.
  }
}

function useHands() {
  const { form } = dialog;
  const laid = hands();
  const complete = areAll(form, laid);
  const byCards = form.querySelector("[name=how][value=cards]");
  if (byCards) byCards.checked = true;
  shut();
  for (const [name, cards] of Object.entries(laid)) {
    const place = form.elements[name].closest(".place");
    for (const count of place.querySelectorAll(".by-count input")) count.value = "";
    const hand = place.querySelector(".cards-field");
    layCards(hand, inRows(cards, acrossOf(hand)));
  }
  if (complete) [...form.querySelectorAll("[data-record]")].pop()?.click();
  else form.elements[Object.keys(laid).pop()].dispatchEvent(new Event("complete", { bubbles: true }));
}

function pressed(event) {
  const { target } = event;
  const outline = target.closest(".hand-of");
  if (target.closest("[data-hands]")) {
    event.preventDefault();
    useHands();
  } else if (outline) {
    const whose = dialog.querySelectorAll(".hands-read select")[outline.dataset.hand];
    whose.focus();
    whose.showPicker?.();
  }
}

// Entries that could not be sent yet, in this phone's storage, by sheet, whichever link leads there.
// The sheet shows those that wait to be sent, and those that were refused and need a person. An entry
// leaves the storage only when the sheet has it or a person discards it.

import { sentence } from "./dictionary.js";
import { local } from "./storage.js";

let unstored = null; // if the storage is full: lasts as long as this page
let discarding = null; // the key of the entry whose Discard was pressed once
let closed = ""; // why the sheet takes nothing at all, in the server's words
let unopened = ""; // the key of the entry that could not be opened: no connection

const box = () => document.getElementById("waiting");
const place = () => "waiting " + box().dataset.of;

function all() {
  if (!box()) return [];
  if (unstored?.place === place()) return unstored.entries;
  const entries = local.data(place());
  return Array.isArray(entries) ? entries : [];
}

// Returns whether they are in the storage; if not, they last as long as this page.
function keep(entries) {
  const kept = local.keep(place(), entries.length ? JSON.stringify(entries) : null);
  unstored = kept ? null : { place: place(), entries };
  show();
  return !unstored;
}

// Add an entry behind the others, or replace its earlier version.
function add(entry) {
  const before = all();
  const at = before.findIndex((one) => one.key === entry.key);
  const kept = keep(at < 0 ? [...before, entry] : before.with(at, entry));
  if (!kept) keep(before);
  return kept;
}

const change = (key, traits) => keep(all().map((one) => (one.key === key ? { ...one, ...traits } : one)));

// Entries behind a refused one in its deal depend on it, and so do later deals in games whose deals
// build on one another: sent now, they would mean something else.
const restsOn = (one, other) => one.deal && other.deal && (one.deal === other.deal || one.builds);

function refuse(key, refused) {
  const entries = all();
  const at = entries.findIndex((one) => one.key === key);
  if (at < 0) return; // another tab has settled it
  const follows = { words: sentence("followsOn"), follows: true };
  keep(entries.map((one, place) => {
    if (place === at) return { ...one, refused };
    return place > at && !one.refused && restsOn(one, entries[at]) ? { ...one, refused: follows } : one;
  }));
}

const toSend = () => (closed ? [] : all().filter((one) => !one.refused));

const inItsForm = (key, root = document) =>
  root.querySelector(`form[data-entry] input[name=key][value="${CSS.escape(key)}"]`);

// --- on the page

// Once the game is over its sheet takes no deal, however often it is tried.
const over = () => Boolean(document.querySelector("#live > .over"));

function paragraph(text, kind) {
  const made = document.createElement("p");
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function button(words, does, key, kind) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = words;
  made.dataset[does] = key;
  return made;
}

function entered(at) {
  const then = new Date(at);
  const day = then.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "long" };
  const time = then.toLocaleString(document.documentElement.lang, { ...day, hour: "numeric", minute: "2-digit" });
  return sentence("enteredAt", { time });
}

function item(entry) {
  const row = document.createElement("li");
  row.append(paragraph(entry.line), paragraph(entered(entry.at), "soft"));
  const { refused, key } = entry;
  if (refused) row.append(paragraph(over() ? sentence("gameOver") : refused.words, "warn"));
  const buttons = document.createElement("div");
  if (inItsForm(key)) row.append(paragraph(sentence("inItsForm")));
  else if (refused && !closed && !over()) {
    if (unopened === key) row.append(paragraph(sentence("notOpened"), "warn"));
    buttons.append(button(sentence(refused.formless ? "tryAgain" : "openIt"), "opens", key, "plain"));
  }
  const sure = discarding === key;
  buttons.append(button(sentence(sure ? "reallyDiscard" : "discard"), "discards", key, "plain danger"));
  row.append(buttons);
  return row;
}

function part(kind, title, entries, why) {
  if (!entries.length) return [];
  const heading = document.createElement("h2");
  heading.textContent = sentence(title, { count: entries.length });
  const list = document.createElement("ul");
  list.append(...entries.map(item));
  const made = document.createElement("div");
  made.className = kind;
  made.append(heading, ...why, list);
  return [made];
}

function show() {
  const here = box();
  if (!here) return;
  const queue = toSend();
  const others = all().filter((one) => closed || one.refused);
  document.dispatchEvent(new CustomEvent("waiting", { detail: queue.filter((one) => one.ends).length }));
  const held = [...queue, ...others].map((one) => Boolean(inItsForm(one.key)));
  const state = JSON.stringify([queue, others, held, discarding, closed, unopened, over()]);
  if (here.shown === state) return; // nothing has changed
  here.shown = state;
  here.hidden = !queue.length && !others.length;
  const why = closed ? [paragraph(closed, "warn"), paragraph(sentence("keptUntil"), "soft")] : [];
  here.replaceChildren(
    ...part("needs", "needsYou", others, why),
    ...part("queue", "waiting", queue, [paragraph(sentence("keptHere"), "soft")]),
  );
}

document.addEventListener("click", ({ target }) => {
  const { discards: key } = target.dataset || {};
  if (!key) return;
  const sure = discarding === key;
  discarding = sure ? null : key;
  if (sure) keep(all().filter((one) => one.key !== key));
  show();
});

document.addEventListener("htmx:after:swap", show);
document.addEventListener("DOMContentLoaded", show);
window.addEventListener("storage", show);

export const waiting = {
  add, all, box, change, inItsForm, keep, refuse, show, toSend,
  close: (words) => { closed = words; show(); },
  notOpened: (key) => { unopened = key; show(); },
};

// Entries that cannot be sent wait on this phone (waiting.js) and are sent in order once the server
// answers, even after the page was closed and opened again. By its key an entry counts once, however
// often it is sent. Refused entries wait for a person; independent ones go ahead.

import { sentence } from "./dictionary.js";
import { local } from "./storage.js";
import { waiting } from "./waiting.js";

const AGAIN = 3000; // milliseconds between two tries
const PATIENCE = 10000; // milliseconds without an answer that count as none
const MOST_TRIES = 10; // of an entry that the server fails on, before the next one is sent

const RULINGS = [409, 422]; // the sheet has moved on; against the rules
const CLOSED = [403, 404, 410]; // the link is for viewing, or was withdrawn; the sheet is in the trash
const FAILURES = [400, 413, 500];
const LATE = "[data-late]:not(#record)"; // what another phone had written
const ERROR = ".verdict.no p:not(.code)"; // what a page of the server's says is wrong

const CLAIM = "sends"; // in the storage: the tab that sends, and until when
const CLAIM_LASTS = 2 * PATIENCE; // in case the tab is closed meanwhile
const TO_SETTLE = 100; // milliseconds after which all tabs read the same value in the storage
const THIS_TAB = newKey();

let sending = false;
let shut = false; // whether the sheet takes no entries, until the page is looked at again

// The entry that named the row `after` was accepted, and this is the page in answer. Entries queued
// behind it name the same row. If nobody else has written since, move them to the new row: the one
// that the last change, of one row or several, was based on is `after` (or a row before a note). If
// somebody else wrote as well, leave them: the server will say that the sheet has moved on.
function accepted(key, after, page) {
  const rest = waiting.all().filter((one) => one.key !== key);
  const [, mark, written, rests] = page.match(/ id="live" data-seq="([\w-]+)" data-written="(\d+)" data-rests="(\d+)"/) || [];
  const row = parseInt(after, 10);
  if (!(rests <= row && row < written)) return waiting.keep(rest);
  for (const one of rest) if (one.after === after && !one.refused) one.after = mark;
  const record = document.getElementById("record");
  if (record?.dataset.after === after) Object.assign(record.dataset, { after: mark, written });
  for (const seen of document.querySelectorAll("form[data-entry] input[name=after]")) {
    if (seen.value === after && recordsHere(seen.form)) seen.value = mark;
  }
  return waiting.keep(rest);
}

// --- forms

const recordsHere = (form) =>
  Boolean(waiting.box()) && form.matches("form[data-entry]") && form.getAttribute("action") === waiting.box().dataset.sendsTo;

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const typing = () => document.querySelector("#record[data-begun], form[data-begun]");

const firstText = (element) => (element && element.firstChild ? element.firstChild.textContent.trim() : "");

function keepForm(form, { body, submitter }) {
  const all = [...body].map(([name, value]) => [name, String(value)]);
  const { key, after } = Object.fromEntries(all);
  const fields = all.filter(([name]) => name !== "key" && name !== "after");
  const { shown, deal, builds } = form.closest("#record")?.dataset || {};
  const ends = "endsDeal" in form.dataset;
  const line = inWords(form, submitter);
  return waiting.add({ key, after, fields, ends, line, at: Date.now(), deal: shown || deal, builds: builds !== undefined });
}

function inWords(form, button) {
  const said = [];
  for (const control of form.elements) {
    if (!control.name || control.name.includes(":") || !control.value) continue;
    if (["at", "how"].includes(control.name)) continue; // the open place and the way to answer are no answers
    if (control.closest("[data-said-also] .switch")) continue; // said with the name
    if (["hidden", "submit", "fieldset"].includes(control.type)) continue;
    const chosen = ["radio", "checkbox"].includes(control.type);
    if (chosen && !control.checked) continue;
    const label = control.labels && control.labels[0];
    const place = control.closest(".place[data-seat]");
    const tab = place?.querySelector(".tab span")?.textContent;
    const alone = place && [...place.querySelectorAll(".panel :is(input:not([type=hidden]), select)")].every((one) => one === control || !one.value);
    const asked = alone ? "" : `${firstText(label)} `; // the one number, or the cards, of somebody
    const words = chosen ? sentenceFor(control, firstText(label && label.querySelector("span"))) : asked + control.value;
    said.push(tab ? `${tab} ${words}` : words);
  }
  const pressed = button || form.querySelector("button.go, button");
  const part = form.closest("details, section");
  const deal = form.closest("#record")?.querySelector("h2").textContent;
  const about = deal ? `${deal}:` : part && firstText(part.querySelector("summary, h2"));
  const heading = pressed.name && about ? `${about} ` : "";
  const what = deal && !pressed.name && "endsDeal" in form.dataset ? deal : heading + sentenceFor(pressed, firstText(pressed));
  return said.length ? `${what}: ${said.join(", ")}` : what;
}

// The sentence for the tapped name, in the words of the question: “Ann won”.
function sentenceFor(control, name) {
  const { said, saidAlso } = control.closest("fieldset[data-said]")?.dataset || {};
  const also = saidAlso && control.closest(".by-name").querySelector(".switch [value=true]")?.checked;
  return ((also ? saidAlso : control.dataset.said || said) || "{name}").replace("{name}", () => name);
}

// Make the form ready for another entry, as a page fresh from the server would be.
function clear(form, wasAsked) {
  form.reset();
  for (const control of form.elements) {
    delete control.dataset.filled;
    if (!wasAsked || control.type === "hidden") continue;
    if (["radio", "checkbox"].includes(control.type)) control.checked = false;
    else if (control.matches("input")) control.value = "";
  }
  form.querySelectorAll("[data-hand], .will, .counted").forEach((part) => part.replaceChildren());
  form.querySelectorAll("[data-count]").forEach((key) => delete key.dataset.count);
  form.querySelectorAll(".faults").forEach((note) => note.remove());
  form.elements.key.value = "";
  delete form.dataset.begun;
  form.dispatchEvent(new Event("cleared", { bubbles: true }));
  waiting.show(); // the entry is not in this form anymore
  const record = form.closest("#record");
  if (record && !record.querySelector("form[data-begun]")) delete record.dataset.begun;
}

function notSent(form) {
  if (form.querySelector(".unsent")) return;
  const note = document.createElement("p");
  note.textContent = sentence("unsent");
  note.className = "faults unsent";
  note.setAttribute("role", "alert");
  form.append(note);
}

// --- sending

async function send() {
  if (sending || shut || !waiting.toSend().length) return;
  sending = true;
  try {
    await alone(sendAll);
  } finally {
    sending = false;
  }
}

async function sendAll() {
  let sent = false;
  for (let outcome; outcome !== "later"; sent ||= outcome === "sent") {
    const [next] = waiting.toSend();
    if (!next || waiting.inItsForm(next.key)) break;
    outcome = await sendOne(next);
  }
  waiting.show();
  if (sent) refresh();
}

// Two tabs of a phone have the same entries, so one at a time sends. Over plain http, where browsers
// have no locks, a tab writes in the storage that it is the one, and is if that holds for a moment.
async function alone(work) {
  if (navigator.locks) return navigator.locks.request("outbox", { ifAvailable: true }, (lock) => lock && work());
  if (!mayBegin()) return undefined;
  stakeClaim();
  await new Promise((done) => setTimeout(done, TO_SETTLE));
  if (!mayBegin()) return undefined;
  await work();
  return dropClaim();
}

function mayBegin() {
  const [tab, until] = (local.text(CLAIM) ?? "").split(" "); // without storage no other tab has these entries
  return tab === THIS_TAB || !(Date.now() < Number(until));
}

const stakeClaim = () => local.keep(CLAIM, `${THIS_TAB} ${Date.now() + CLAIM_LASTS}`);
const dropClaim = () => local.keep(CLAIM, null);

// The server's answer to an entry, with its page parsed; null if there was no answer, or one from
// something else: some networks answer every request themselves.
async function post(entry, more = []) {
  const { sendsTo } = waiting.box().dataset;
  const fields = [...entry.fields, ["after", entry.after], ["key", entry.key], ...more];
  try {
    const answer = await fetch(sendsTo, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { "HX-Request": "true", "HX-Request-Type": "partial" },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const stays = waiting.box()?.dataset.sendsTo === sendsTo; // else another page has been loaded
    return stays && page.querySelector("main#main") ? { answer, text, page } : null;
  } catch {
    return null;
  }
}

const isSheet = ({ answer, page }) =>
  answer.ok && new URL(answer.url).pathname === waiting.box().dataset.sheet && page.getElementById("live");

// Send it; returns what became of it: "sent", "refused", or "later".
async function sendOne(entry) {
  if (!navigator.locks) stakeClaim(); // the one before may have taken long
  const found = await post(entry);
  if (!found) return "later";
  const { status } = found.answer;
  if (isSheet(found)) {
    accepted(entry.key, entry.after, found.text);
    return "sent";
  }
  if (CLOSED.includes(status)) {
    shut = true;
    waiting.close(said(found.page, ERROR));
    return "later";
  }
  const tries = FAILURES.includes(status) ? (entry.tries || 0) + 1 : 0;
  if (RULINGS.includes(status) || tries >= MOST_TRIES) {
    refused(entry.key, found.page);
    return "refused";
  }
  if (tries) waiting.change(entry.key, { tries });
  return "later";
}

function refused(key, page) {
  const form = waiting.inItsForm(key, page)?.form;
  const part = page.querySelector(LATE) ? page : form || page;
  waiting.refuse(key, { words: said(part, `${LATE}, .faults li, ${ERROR}`), formless: !form });
}

function said(part, where) {
  const found = [...part.querySelectorAll(where)].map((one) => one.firstChild.textContent.trim());
  return found.join(" ").replace(/\s+/g, " ") || sentence("notTaken");
}

// When its button is pressed, show a refused entry in its form, as it was, with its faults. Entries
// that depend on it have not been ruled on yet: they are shown before they are sent.
async function open(key) {
  const entry = waiting.all().find((one) => one.key === key);
  if (!entry) return;
  const found = await post(entry, entry.refused.follows ? [["tap", ""]] : []);
  waiting.notOpened(found ? "" : key);
  if (!found) return;
  const page = document.getElementById("page");
  if (waiting.inItsForm(key, found.page)) {
    document.querySelectorAll("[data-begun]").forEach((begun) => delete begun.dataset.begun);
    await htmx.swap({ text: found.text, target: page, swap: "innerHTML", sourceElement: page });
  } else if (isSheet(found)) {
    accepted(key, entry.after, found.text);
    refresh();
  } else refused(key, found.page);
}

function refresh() {
  const live = document.getElementById("live");
  if (live && typing()) htmx.trigger(live, "look");
  else if (live) htmx.ajax("GET", waiting.box().dataset.sheet, { target: "#page", swap: "innerHTML" });
}

function retry() {
  if (document.hidden) return;
  shut = false;
  if (waiting.box()) waiting.close("");
  send();
}

// --- when

// The second tap of a double tap, while the first is being sent.
document.addEventListener("htmx:config:request", (event) => {
  if (event.target.matches?.("form[data-entry].htmx-request")) event.preventDefault();
});

document.addEventListener("htmx:before:request", (event) => {
  const { sourceElement: form, request } = event.detail.ctx;
  if (!form.matches("form[data-entry]")) return;
  if (!request.body.get("key")) {
    form.elements.key.value = newKey();
    request.body.set("key", form.elements.key.value);
  }
  if (!recordsHere(form)) return;
  if (waiting.all().some((one) => one.key === request.body.get("key"))) return; // it was queued, and opened again
  if (waiting.toSend().length && keepForm(form, request)) {
    event.preventDefault(); // it is queued behind the others
    clear(form, false);
    send();
  }
});

document.addEventListener("htmx:after:request", (event) => {
  const { sourceElement: form, request, response, text } = event.detail.ctx;
  if (!recordsHere(form) || !response) return;
  const key = request.body.get("key");
  if (response.status < 400) accepted(key, request.body.get("after"), text || "");
  else if (RULINGS.includes(response.status) && waiting.all().some((one) => one.key === key)) {
    keepForm(form, request); // with what was changed since
    refused(key, new DOMParser().parseFromString(text || "", "text/html"));
  }
});

document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  const form = ctx && ctx.sourceElement;
  if (!form || !form.matches("form[method=post]") || ctx.text !== undefined) return;
  const wasAsked = recordsHere(form) && waiting.all().some((one) => one.key === ctx.request.body.get("key"));
  if (recordsHere(form) && keepForm(form, ctx.request)) clear(form, wasAsked);
  else notSent(form);
});

document.addEventListener("input", (event) => {
  const form = event.target.closest("form");
  if (form) form.dataset.begun = "yes";
});

document.addEventListener("click", ({ target }) => {
  if (target.dataset?.opens) open(target.dataset.opens);
});

document.addEventListener("htmx:after:swap", send);
document.addEventListener("visibilitychange", retry);
window.addEventListener("online", retry);
window.addEventListener("pageshow", retry);
window.addEventListener("pagehide", () => mayBegin() && dropClaim()); // this page sends nothing more
setInterval(() => {
  if (!document.hidden) send();
}, AGAIN);

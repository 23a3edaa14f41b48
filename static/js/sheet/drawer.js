// The drawer over the lower part of the sheet, in which a deal is recorded. Record opens it; the back
// button, Esc, a tap beside it and its own button close it. It has an address of its own, so it is
// open again after a reload or a visit to another page. Without this script Record leads to a page
// with the same form.

import { sentence } from "../phone/dictionary.js";
import { fetchAllScripts } from "../phone/fetch-scripts.js";
import { steady } from "./steady.js";

const OPEN = /^#(?:record|correct-(\d+))$/; // the address of the open drawer

// Milliseconds. The drawer waits for the scripts of its keys, but not for a network that hangs.
const PATIENCE = 1000;
const NO_ANSWER = 10000; // milliseconds that count as no connection

const drawer = () => document.querySelector("dialog.drawer");
const live = () => document.getElementById("live");
const main = () => document.getElementById("main");

let pushed = false; // whether the address of the open drawer was pushed by this page
let leaving = false; // whether the browser is on its way back from that address
let tapped = ""; // the address of what was tapped on that way
let stays = ""; // the deal whose form is being sent, if that leaves the drawer open

async function show(after = false) {
  await Promise.race([fetchAllScripts(), new Promise((done) => setTimeout(done, PATIENCE))]);
  const dialog = drawer();
  if (!dialog || dialog.open || !OPEN.test(location.hash)) return;
  if (after || dialog.querySelector(".way[open] form[data-stays]:not(.asks)")) dialog.show(); // Undo is above it
  else {
    dialog.showModal();
    main().classList.add("behind");
  }
  main().classList.add("with-drawer");
  window.scrollTo(0, 0); // the totals stay in sight above it
  dialog.querySelectorAll(".way[open] :is(.taps-record, .taps, .bets, .street .foot)").forEach((part) => steady(part));
  dialog.querySelector("h2").focus({ preventScroll: true });
  tellShown(dialog.querySelector(".way[open] form.asks"));
}

function hide() {
  const dialog = drawer();
  if (dialog?.open) dialog.close();
  main().classList.remove("behind", "with-drawer");
  if (dialog?.dataset.correct) fetchInto(`${location.pathname}/record`); // its earlier content
  else follow();
}

const fetchInto = (address) => htmx.ajax("GET", address, { target: "#drawer", swap: "innerHTML" });

// Open what the address of the page says: the next deal, or one that is corrected.
function showWhatIsAsked() {
  const [, corrected = ""] = OPEN.exec(location.hash) || [];
  if (corrected === (drawer()?.dataset.correct || "")) show();
  else fetchInto(`${location.pathname}/${corrected ? `entries/${corrected}` : "record"}`);
}

function close() {
  if (leaving) return; // another step back would leave the sheet
  leaving = pushed;
  if (pushed) return history.back();
  history.replaceState(history.state, "", location.pathname + location.search);
  hide();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.record, main a[href*='/entries/'], dialog.drawer .close");
  if (!link || !document.getElementById("drawer") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.matches(".record") && !drawer()) return; // it leads to a page of its own
  event.preventDefault();
  if (link.matches(".close")) return close();
  const [corrected] = /\d+$/.exec(link.pathname.split("/entries/")[1] || "") || [];
  const hash = corrected ? `#correct-${corrected}` : "#record";
  if (leaving) tapped = hash;
  else openAt(hash);
});

function openAt(hash) {
  moveTo(hash);
  showWhatIsAsked();
}

function moveTo(hash) {
  if (OPEN.test(location.hash)) history.replaceState(history.state, "", hash);
  else {
    history.scrollRestoration = "manual"; // what was recorded is looked at from the top
    history.pushState(history.state, "", hash);
    pushed = true;
  }
}

document.addEventListener("click", (event) => {
  const dialog = event.target;
  if (!dialog.matches?.("dialog.drawer") || !event.detail) return;
  const { top, left, right } = dialog.getBoundingClientRect();
  if (event.clientY < top || event.clientX < left || event.clientX > right) close();
});

document.addEventListener("cancel", (event) => {
  if (!event.target.matches("dialog.drawer")) return;
  event.preventDefault();
  close();
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drawer()?.open && !drawer().matches(":modal")) close();
});

for (const moved of ["popstate", "hashchange"]) {
  window.addEventListener(moved, () => {
    leaving = false;
    if (OPEN.test(location.hash)) return showWhatIsAsked();
    pushed = false;
    hide();
    if (tapped) openAt(tapped);
    tapped = "";
  });
}

// --- recording

document.addEventListener("htmx:before:request", (event) => {
  const { sourceElement } = event.detail.ctx;
  if (!sourceElement.matches("form[data-entry]")) return;
  stays = "stays" in sourceElement.dataset ? drawer()?.dataset.deal || "" : "";
});

// What the keys under the thumb say and do: a new board may have the same.
const thumb = () => document.getElementById("thumb");
const keysUnderThumb = () =>
  [...(thumb()?.querySelectorAll("a, button, input:not([name=key])") ?? [])]
    .map(({ textContent, href, value }) => `${textContent} ${href ?? value}`)
    .join();
let keys = "";
document.addEventListener("htmx:before:swap", () => (keys = keysUnderThumb()));

document.addEventListener("htmx:after:swap", (event) => {
  const { target, response } = event.detail.ctx || {};
  if (response?.status === 304) return; // nothing new, so no key blinks
  const swapped = target?.id ?? String(target).slice(1); // the server may have named another one
  if (swapped === "page" && drawer()?.dataset.returned !== undefined) {
    moveTo("#record"); // a form came back with faults
    show();
  } else if (swapped === "page" && OPEN.test(location.hash)) {
    if (goesOn() || drawer()?.open) show(true); // somebody was quick, and has opened the next one
    else close();
  } else if (swapped === "record" && drawer()?.open) {
    steady(document.getElementById("record")); // it has changed under the finger
    tellShown(drawer().querySelector(".way[open] form.asks"));
  } else if (["record", "drawer"].includes(swapped) && OPEN.test(location.hash)) show();
  if (swapped === "page") stays = "";
  if (["page", "live"].includes(swapped) && live() && keysUnderThumb() !== keys) steady(thumb());
  follow();
});

document.addEventListener("htmx:after:request", () => setTimeout(follow)); // the change it waited for has ended
document.addEventListener("htmx:error", () => {
  delete document.getElementById("record")?.dataset.follows;
  followed = null;
});

// While bets and tricks follow one another the drawer stays open. The last one of a deal closes it,
// unless the next deal begins with the same keys and there is nothing to show of the last.
function goesOn() {
  const dialog = drawer();
  if (!stays || !dialog) return false;
  return dialog.dataset.deal === stays || (!document.querySelector(".told") && dialog.querySelector(".way[open] form[data-stays]"));
}

// Once an entry waits to be sent, the form is for the deal after it.
document.addEventListener("cleared", ({ target }) => {
  if (drawer()?.contains(target)) close();
});

document.addEventListener("waiting", ({ detail: ahead }) => {
  const record = document.getElementById("record");
  if (!record?.dataset.deal) return;
  const shown = record.dataset.shown || record.dataset.deal;
  const { deal: first, last = Infinity } = record.dataset;
  const deal = String(Math.min(Number(first) + ahead, Number(last)));
  if (shown === deal) return;
  record.dataset.shown = deal;
  const named = record.querySelectorAll("h2, .way > summary, [data-record], .taps-record legend");
  for (const part of [...named, ...document.querySelectorAll("a.record, .next th > span")]) {
    for (const text of part.childNodes) {
      if (text.nodeType === Node.TEXT_NODE) text.data = text.data.replace(new RegExp(`\\b${shown}\\b`), deal);
    }
  }
});

// --- what another phone writes

// When another phone has written, a form that nobody has opened or begun is fetched again; so is an
// open one of the same deal that nobody has begun, if it says that it `renews`. Any other that is in
// use is disabled, with the new rows above it and a button to go on. The answer to an entry
// from here brings its own form. It is also fetched again when a player has taken a seat
// (`data-apart`). A form in use stays then, as nothing was written; the server refuses that player's
// turns in it. What was fetched may be newer than #live, so it isn't fetched again before the next one.
let followed = null; // the #live for which it was fetched

function follow() {
  const record = document.getElementById("record");
  if (!record || !live() || "follows" in record.dataset) return;
  if (record.querySelector("form.htmx-request")) return; // it will be answered
  const late = "late" in record.dataset && !("shut" in record.dataset);
  const wrote = late || live().dataset.written !== record.dataset.written;
  const sat = "apart" in record.dataset && live().dataset.apart !== record.dataset.apart;
  if (!wrote && !sat) return;
  const renews = record.querySelector(".way[open] [data-renews]") && isOfThisDeal(record);
  if (late || record.dataset.begun || (drawer()?.open && !renews)) return wrote && shut(record, late);
  if (live() === followed) return;
  followed = live();
  record.dataset.follows = "";
  htmx.ajax("GET", record.dataset.form, { target: "#record", swap: "outerHTML" });
}

const isOfThisDeal = ({ dataset }) => live().querySelector(".now")?.dataset.deal === dataset.deal;

function shut(record, late) {
  const { written } = live().dataset;
  if (record.dataset.shut === written) return;
  record.dataset.shut = written;
  record.querySelector(".ways").inert = true;
  const box = late ? record.querySelector(".wrote") : document.getElementById("wrote").content.cloneNode(true);
  record.querySelectorAll(".came, .wrote").forEach((before) => before.remove());
  const came = document.createElement("div");
  came.className = "came";
  came.append(box);
  const { begun, correct } = record.dataset;
  const next = document.querySelector("#dock a.record");
  if (next) came.append(button(correct ? sentence("goOn") : next.textContent, "goesOn", "go"));
  if (begun && !correct) came.querySelector(".links")?.append(button(sentence("discardMine"), "discardsMine", "plain"));
  record.querySelector("header").after(came);
  const toast = document.getElementById("toast");
  if (toast && (late || drawer()?.open)) toast.hidden = true; // it says the same
  htmx.process(came);
  steady(came);
}

function button(words, does, kind) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.dataset[does] = "";
  made.textContent = words;
  return made;
}

document.addEventListener("click", ({ target }) => {
  if (target.matches("[data-goes-on]")) goOnWith(target);
  if (!target.matches("[data-discards-mine]")) return;
  const record = target.closest("#record");
  delete record.dataset.begun;
  for (const form of record.querySelectorAll("form")) form.dispatchEvent(new Event("cleared", { bubbles: true }));
});

// Ask the server for the begun form, for the present rows and seats.
async function goOnWith(button) {
  const record = button.closest("#record");
  const { begun, correct, form: at, late, shut: written } = record.dataset;
  if (late !== undefined && written === record.dataset.written) { // that has been done
    delete record.dataset.late;
    delete record.dataset.shut;
    button.remove();
    const ways = record.querySelector(".ways");
    ways.inert = false;
    return steady(ways);
  }
  const form = begun && record.querySelector(".way[open] form[data-begun]") || record.querySelector("form[data-begun]") || record.querySelector(".way[open] form");
  const fields = new URLSearchParams(new FormData(form));
  fields.set("tap", "");
  button.disabled = true;
  try {
    const answer = await fetch(begun ? form.getAttribute("action") : at, {
      ...(begun && { method: "POST", body: fields }),
      headers: { "HX-Request": "true", "HX-Request-Type": "partial" },
      signal: AbortSignal.timeout(NO_ANSWER),
    });
    if (!answer.ok) throw new Error(answer.statusText);
    const elsewhere = answer.headers.get("HX-Redirect");
    if (elsewhere) return location.assign(elsewhere);
    const text = await answer.text();
    if (!button.isConnected || !drawer()?.open) return; // the user has gone another way since
    const into = document.getElementById(begun && !correct ? "page" : "drawer");
    await htmx.swap({ text, target: into, swap: "innerHTML", sourceElement: into });
  } catch {
    button.textContent = sentence("notOpened");
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("input", (event) => {
  const record = event.target.closest("#record");
  if (record) record.dataset.begun = "yes";
});

// A form that somebody has begun meanwhile is not replaced. Both forms are in the page for a moment,
// and of several `details` with one name a browser leaves one open: so the old ones lose theirs.
document.addEventListener("htmx:before:swap", (event) => {
  const { target } = event.detail.ctx || {};
  if (target?.id !== "record") return;
  delete target.dataset.follows;
  if (target.dataset.begun) {
    followed = null;
    event.preventDefault();
    setTimeout(follow);
  } else target.querySelectorAll(".way").forEach((way) => { way.name = ""; });
});

document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.("details.way[open]")) return;
  const asks = target.querySelector("form.asks");
  tellShown(asks);
  main().classList.toggle("behind", Boolean(asks && drawer()?.open)); // a tall one would hide the totals
}, true);

const tellShown = (form) => form?.dispatchEvent(new Event("shown", { bubbles: true }));

document.addEventListener("DOMContentLoaded", () => {
  if (OPEN.test(location.hash) && document.getElementById("drawer")) showWhatIsAsked();
});

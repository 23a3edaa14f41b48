// On the phone of a seated player: when the deal ends, or at their turn, open their own pad, once a
// deal or turn, and once more to count again, or if the deal is taken back, unless something is being
// filled in. Highlight their row in the last deal.

import { session } from "../js/phone/storage.js";
import { steady } from "../js/sheet/steady.js";
import "./unsent.js";

const UNDONE = "undone";
const { dataset: here } = document.documentElement;

function look() {
  const mine = [...document.querySelectorAll("[data-own-is]")].map((one) => one.dataset.ownIs); // several may share a phone
  for (const row of document.querySelectorAll(".told [data-player]")) row.classList.toggle("own-row", mine.includes(row.dataset.player));
  if (document.querySelector("#me > .you-are")) seat(mine); // a page that is new does not say it yet
  const undo = document.querySelector(".you-are.undo");
  if (undo) undo.hidden = ![null, undo.dataset.row].includes(session.text(`undone ${undo.dataset.undoes}`));
  const turn = document.querySelector("[data-turn-of]");
  if (mine.includes(turn?.dataset.turnOf)) openTurn(turn, mine);
  const gathers = document.querySelector("[data-gathers]");
  if (gathers) openPad(gathers, mine);
  else session.keep("pad", null); // when the deal ends (again), the pad opens (again)
}

// A seat takes a deal back once: when it is told again, only others are offered that.
document.addEventListener("submit", ({ target: form }) => {
  if (!form.matches(".you-are.undo")) return;
  session.keep(`undone ${form.dataset.undoes}`, form.dataset.row);
  session.keep("pad", UNDONE); // this leads to their own page: Back then stays on the sheet
});

// A phone with a seat has a key for its own cards, in the place of another one.
function seat(mine) {
  if ("seated" in here === mine.length > 0) return;
  if (mine.length) here.seated = "";
  else delete here.seated;
  steady(document.getElementById("thumb"));
}

function openTurn(key, mine) {
  if (mine.length === 1) {
    const words = document.querySelector("template[data-turn]");
    key.textContent = key.dataset.yourTurn;
    if (words?.content.firstElementChild) document.querySelector(".now h2").replaceChildren(words.content.cloneNode(true));
  }
  if (key.dataset.opens && !key.closest("[hidden]")) open("turn", key.href, key.dataset.opens);
}

function openPad(gathers, mine) {
  const asked = ["counting", "away", "asked", ..."back" in gathers.dataset ? ["in", "out"] : []];
  const due = [...gathers.querySelectorAll("[data-player]")].find(({ dataset: { player, is } }) => mine.includes(player)
    && asked.includes(is));
  const { gathers: deal, enter } = gathers.dataset;
  if (due) open("pad", enter, `${deal} ${due.dataset.is}`);
}

function open(why, pad, when) {
  if (document.querySelector("dialog[open]") || opened(why, `${pad} ${when}`)) return;
  location.assign(pad);
}

// Whether it was opened automatically before; without storage it never is.
function opened(why, when) {
  const before = session.text(why);
  return !session.keep(why, when) || [when, UNDONE].includes(before);
}

// Whoever keeps score goes on to their own cards once they have recorded something, if it is then for
// the phones to go on.
let records = false;

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.matches("form[data-entry]")) records = ctx.sourceElement.matches("dialog.drawer [data-stays]");
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  look();
  if (!records || ctx?.target?.id !== "page") return;
  records = false;
  const own = document.querySelector(".own-cards a");
  if (!own || !("seated" in here) || !document.querySelector("#record .elsewhere, [data-gathers]")) return;
  history.replaceState(history.state, "", location.pathname); // Back leads to the sheet without its drawer
  location.assign(own.href);
});
look();

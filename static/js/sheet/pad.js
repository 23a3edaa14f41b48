// The score pad: a tap on a row opens it in place, and closes it again; a new row lights up once;
// the steps ticked in this deal stay ticked when the board is replaced. When a game ends, a viewer's
// page scrolls to its top, where it says who won. Without this script a row is a link to a page
// that says the same.

import { sentence } from "../phone/dictionary.js";

const rowOf = (link) => link.closest("table").querySelector(`[data-unfolds="${link.getAttribute("href")}"]`);

document.addEventListener("click", (event) => {
  const link = event.target.closest(".opens");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const open = rowOf(link);
  if (open) fold(link, open);
  else unfold(link);
});

function fold(link, row) {
  row.remove();
  link.removeAttribute("aria-expanded");
}

async function unfold(link) {
  const address = link.getAttribute("href");
  let page;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    location.assign(address); // that page says why, or comes from the cache
    return;
  }
  const what = page.querySelector(".unfolded");
  if (!what || !link.isConnected || rowOf(link)) return;
  const row = document.createElement("tr");
  row.className = "unfolds";
  row.dataset.unfolds = address;
  row.insertCell().append(document.adoptNode(what));
  row.cells[0].colSpan = link.closest("table").rows[0].cells.length;
  const { top } = link.getBoundingClientRect();
  const head = link.closest("thead");
  if (head) head.parentElement.tBodies[0].prepend(row);
  else link.closest("tr").after(row);
  // A long pad is scrolled to its end: a row that opens would push the tapped one up, out of sight.
  const scores = link.closest(".scores");
  scores.scrollTop += link.getBoundingClientRect().top - top;
  const thumb = document.getElementById("thumb")?.getBoundingClientRect().top ?? innerHeight;
  const isCovered = row.getBoundingClientRect().bottom > Math.min(thumb, scores.getBoundingClientRect().bottom);
  if (isCovered) row.scrollIntoView({ block: "nearest" });
  link.setAttribute("aria-expanded", "true");
  htmx.process(row);
  link.scrollIntoView({ block: "nearest" }); // a long pad scrolls inside the page, and starts at its end
}

// --- the steps of the deal

// The number of steps done is in the corner of the felt; a tap on it shows them.
function countSteps() {
  const done = document.querySelector(".now .did");
  if (!done) return;
  const boxes = [...document.querySelectorAll(".steps input")];
  const ticked = boxes.filter((box) => box.checked).length;
  done.hidden = !ticked;
  done.lastElementChild.textContent = sentence("stepsDone", { done: ticked, count: boxes.length });
  if (!ticked) done.setAttribute("aria-expanded", "false");
}

document.addEventListener("change", (event) => {
  if (event.target.matches(".steps input")) countSteps();
});

document.addEventListener("click", (event) => {
  const done = event.target.closest(".did");
  done?.setAttribute("aria-expanded", String(done.getAttribute("aria-expanded") !== "true"));
});

// --- when the board is replaced

const addressOf = (row) => row.querySelector(".opens").getAttribute("href");
const words = (cell) => cell.textContent.trim();

let before = shownOnBoard();

function shownOnBoard() {
  const live = document.getElementById("live");
  if (!live) return null;
  const texts = (selector, parent) => [...live.querySelectorAll(selector)].map((one) => one.closest(parent).textContent);
  return {
    seq: live.dataset.seq,
    sheet: live.getAttribute("hx-get"),
    deal: live.querySelector(".now")?.dataset.deal,
    ticked: texts(".steps :checked", "label"),
    over: live.querySelector(".over"),
    open: [...live.querySelectorAll("[data-unfolds]")].map((row) => row.dataset.unfolds),
    rows: Object.fromEntries([...live.querySelectorAll("tr:has(.opens)")].map((row) => [addressOf(row), [...row.cells].map(words)])),
  };
}

document.addEventListener("htmx:before:swap", () => {
  before = shownOnBoard() || before;
});

document.addEventListener("htmx:after:swap", () => {
  const now = shownOnBoard();
  if (!now || !before || now.sheet !== before.sheet) return;
  const live = document.getElementById("live");
  if (now.deal === before.deal) {
    for (const box of live.querySelectorAll(".steps input")) {
      box.checked ||= before.ticked.includes(box.closest("label").textContent);
    }
    countSteps();
  }
  // A new entry closes open rows, so that the new row is in sight.
  for (const address of now.seq === before.seq ? before.open : []) {
    const link = live.querySelector(`.opens[href="${address}"]`);
    if (link && !rowOf(link)) unfold(link);
  }
  if (now.over && !before.over) {
    now.over.classList.add("just-now");
    window.scrollTo(0, 0);
  }
  if (now.seq !== before.seq) light(live.querySelector("[data-changed]"), now.deal !== before.deal);
  before = { ...now, open: [] };
});

// The row or column of a deal that is over, or the cells of a row that anything else changed.
function light(row, isOver) {
  const was = !isOver && row?.cells && before.rows[addressOf(row)];
  const changed = was ? [...row.cells].filter((cell, place) => words(cell) !== was[place]) : [];
  for (const one of changed.length ? changed : [row]) one?.classList.add("lit");
}

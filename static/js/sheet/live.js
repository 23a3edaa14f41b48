// Live elements poll every two seconds with the tag of what they show: a sheet, or the page in its
// place while a deal is being gathered. They stop while the tab is hidden, and poll at once when it
// is shown again.

import { sentence } from "../phone/dictionary.js";

const isLive = (element) => element?.hasAttribute?.("hx-ptag");

document.addEventListener("htmx:before:request", (event) => {
  if (isLive(event.target) && document.hidden) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  document.querySelectorAll("[hx-ptag]").forEach((live) => htmx.trigger(live, "look"));
});

// An error page must not replace part of the sheet.
document.addEventListener("htmx:before:swap", (event) => {
  const { sourceElement, target, response } = event.detail.ctx || {};
  const background = isLive(sourceElement) || target?.id === "record";
  if (background && response && response.status >= 400) event.preventDefault();
});

document.addEventListener("htmx:after:swap", announce);

// After a form is sent the page is shown from its top, or from the first fault in the form.
document.addEventListener("htmx:after:swap", (event) => {
  const { target } = event.detail.ctx || {};
  const found = document.querySelector("[data-focus]");
  if (found && !found.dataset.seen) {
    found.dataset.seen = "yes";
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "center" });
  } else if (target && target.id === "page") {
    window.scrollTo(0, 0);
  }
});

// Screen readers announce the last change; after a form is sent the focus is on the answer.
let newest = lastChange();

function lastChange() {
  const toast = document.querySelector("#toast p");
  const live = document.getElementById("live");
  return toast && live ? { row: live.dataset.seq, words: inWords(toast) } : null;
}

// Name the cards of a hand one after the other: letters alone would run together.
function inWords(text) {
  const copy = text.cloneNode(true);
  copy.querySelectorAll(".hand").forEach((hand) => {
    hand.replaceWith([...hand.children].map((card) => card.getAttribute("aria-label")).join(", "));
  });
  return copy.textContent;
}

function announce() {
  const now = lastChange();
  if (now && newest && now.row === newest.row) return;
  newest = now;
  if (!now) return;
  document.getElementById("said").textContent = now.words.replace(/\s+/g, " ").trim();
  const toast = document.getElementById("toast");
  if (document.activeElement === document.body) {
    toast.tabIndex = -1;
    toast.focus({ preventScroll: true });
  }
}

// When a link was withdrawn or its sheet moved to the trash, say so above the sheet, in the server's
// words, until the link works again.
document.addEventListener("htmx:after:request", (event) => {
  const { response, text, sourceElement } = event.detail.ctx || {};
  if (!response || !isLive(sourceElement)) return;
  const note = document.getElementById("withdrawn");
  if (response.status !== 404) {
    if (note) note.remove();
  } else if (!note) {
    const page = new DOMParser().parseFromString(text || "", "text/html");
    const said = page.querySelector(".verdict p");
    const words = document.createElement("p");
    words.id = "withdrawn";
    words.className = "faults";
    words.setAttribute("role", "alert");
    words.textContent = `${said ? said.textContent : sentence("withdrawn")} ${sentence("standsStill")}`;
    sourceElement.before(words);
  }
});

// A live sheet: stop asking while the tab is hidden, and ask at once when it is looked at again.
"use strict";

document.addEventListener("htmx:before:request", (event) => {
  if (event.target.id === "live" && document.hidden) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  const live = document.getElementById("live");
  if (live && !document.hidden) htmx.trigger(live, "look");
});

// What is fetched in the background must not put an error page into the sheet.
document.addEventListener("htmx:before:swap", (event) => {
  const { target, response } = event.detail.ctx || {};
  const background = target && ["live", "record"].includes(target.id);
  if (background && response && response.status >= 400) event.preventDefault();
});

document.addEventListener("htmx:after:swap", () => {
  announce();
  const found = document.querySelector("[data-focus]");
  if (found && !found.dataset.seen) {
    found.dataset.seen = "yes";
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "center" });
  }
});

// A new entry is said to those who do not see it.
let newest = newestEntry();

function newestEntry() {
  const entry = document.querySelector(".entries > li[id]");
  const live = document.getElementById("live");
  return entry && live ? { row: live.dataset.seq, words: entry.querySelector("summary").textContent } : null;
}

function announce() {
  const now = newestEntry();
  if (now && newest && now.row === newest.row) return;
  newest = now;
  if (!now) return;
  document.getElementById("said").textContent = now.words.replace(/\s+/g, " ").trim();
}

// A sheet whose link was withdrawn, or that was moved to the trash, must not just stand still: it says
// what the server said, until the link leads somewhere again.
document.addEventListener("htmx:after:request", (event) => {
  const { response, text, sourceElement } = event.detail.ctx || {};
  if (!response || !sourceElement || sourceElement.id !== "live") return;
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

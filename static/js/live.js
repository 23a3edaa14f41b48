// A live sheet: stop asking while the tab is hidden, ask at once when it is looked at again, and
// bring an entry form that nobody has begun to fill in up to date with the board.
"use strict";

document.addEventListener("htmx:before:request", (event) => {
  if (event.target.id === "live" && document.hidden) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  const live = document.getElementById("live");
  if (live && !document.hidden) htmx.trigger(live, "look");
});

document.addEventListener("input", (event) => {
  const record = event.target.closest("#record");
  if (record) record.dataset.begun = "yes";
});

document.addEventListener("htmx:after:swap", () => {
  const live = document.getElementById("live");
  const record = document.getElementById("record");
  if (live && record && !record.dataset.begun && live.dataset.seq !== record.dataset.after) {
    htmx.ajax("GET", record.dataset.form, { target: "#record", swap: "outerHTML" });
  }
  const found = document.querySelector("[data-focus]");
  if (found && !found.dataset.seen) {
    found.dataset.seen = "yes";
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "center" });
  }
});

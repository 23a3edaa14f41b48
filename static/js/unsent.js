// An entry that could not be sent is never met with silence: the form stays as it is and says so.
// And once somebody mends a form, what was wrong with it before is no longer held against it.
"use strict";

document.addEventListener("htmx:error", (event) => {
  const form = event.target.closest && event.target.closest("form[data-entry], form.undo, form.new");
  if (!form || form.querySelector(".unsent")) return;
  const note = document.createElement("p");
  note.className = "faults unsent";
  note.setAttribute("role", "alert");
  note.textContent = "Not sent: no connection. What you entered is still here; try again in a moment.";
  form.append(note);
});

for (const begun of ["input", "submit"]) {
  document.addEventListener(begun, (event) => {
    const form = event.target.closest("form");
    if (form) form.querySelectorAll(".unsent, .faults").forEach((note) => note.remove());
  }, true);
}

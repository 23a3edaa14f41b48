// Remove a form's faults once it is changed.

for (const begun of ["input", "submit"]) {
  document.addEventListener(begun, (event) => {
    const form = event.target.closest("form");
    if (form) form.querySelectorAll(".unsent, .faults").forEach((note) => note.remove());
  }, true);
}

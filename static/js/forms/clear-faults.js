// Once somebody changes a form, what was wrong with it before no longer stands beside it.

for (const begun of ["input", "submit"]) {
  document.addEventListener(begun, (event) => {
    const form = event.target.closest("form");
    if (form) form.querySelectorAll(".unsent, .faults").forEach((note) => note.remove());
  }, true);
}

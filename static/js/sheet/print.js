// The page to print: its button opens the browser's own printing.

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
});

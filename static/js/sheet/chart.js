// A tap on a name singles that player's line out of the chart; another tap brings all back.

let single = null;

function show() {
  for (const line of document.querySelectorAll("[data-line]")) {
    line.classList.toggle("faded", single !== null && line.dataset.line !== single);
  }
  for (const button of document.querySelectorAll("[data-single]")) {
    button.setAttribute("aria-pressed", String(button.dataset.single === single));
  }
}

document.addEventListener("click", (event) => {
  const tapped = event.target.closest("[data-single], .names [data-line]");
  if (!tapped) return;
  const player = tapped.dataset.single ?? tapped.dataset.line;
  single = single === player ? null : player;
  show();
});

document.addEventListener("htmx:after:swap", () => {
  if (!document.querySelector(`[data-line="${CSS.escape(single ?? "")}"]`)) single = null;
  show();
});

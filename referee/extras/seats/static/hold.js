// Cards that are seen only while a button is held: by a finger, or by Enter or the space bar. A screen
// reader clicks: once to look, and once more to stop.

export function whileHeld(button, show) {
  let looks = false;

  function look(whether) {
    looks = whether;
    show(whether);
  }

  const isButton = ({ target }) => target.closest?.(button);
  const isKey = ({ key }) => key === "Enter" || key === " ";
  document.addEventListener("click", (event) => isButton(event) && !event.detail && look(!looks)); // by a screen reader
  document.addEventListener("pointerdown", (event) => isButton(event) && look(true));
  document.addEventListener("contextmenu", (event) => isButton(event) && event.preventDefault()); // held for long
  document.addEventListener("keydown", (event) => {
    if (!isButton(event) || !isKey(event)) return;
    event.preventDefault();
    look(true);
  });
  document.addEventListener("keyup", (event) => isButton(event) && event.preventDefault()); // else it is a click
  // Don't replace elements under the finger that holds them.
  document.addEventListener("htmx:before:request", (event) => looks && event.target.matches("[hx-get]") && event.preventDefault());
  for (const ends of ["pointerup", "pointercancel", "keyup", "focusout", "visibilitychange"]) document.addEventListener(ends, () => look(false));
  for (const ends of ["blur", "pagehide"]) window.addEventListener(ends, () => look(false));
  return look;
}

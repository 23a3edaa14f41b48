// Runs before anything is drawn, so that nothing moves once the other scripts have come. If they
// can't be loaded, the page is shown as one without script.

document.documentElement.classList.add("scripted");

document.addEventListener("error", ({ target }) => {
  if (target.matches?.("head > script")) document.documentElement.classList.remove("scripted");
}, true);

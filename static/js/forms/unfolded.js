// A form that unfolds on a page comes into sight with its button, above the bar.

document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("main details:is(.cell, .section)[open]:has(> form)")) target.scrollIntoView({ block: "nearest" });
}, true);

// Enter goes on to the next field, and never records by surprise: after the last one it moves to the
// button, and only a second Enter presses that.

document.addEventListener("keydown", (event) => {
  const { target, key, isComposing } = event;
  const form = target.closest?.("form.entry");
  if (key !== "Enter" || isComposing || !form || !target.matches("input")) return;
  event.preventDefault();
  const next = form.querySelector("[data-next]:not([hidden])");
  if (next) return next.click();
  const all = [...form.querySelectorAll("input:not([type=hidden]), select")].filter((one) => one.offsetParent);
  const following = all.slice(all.indexOf(target) + 1).find((one) => !form.matches(".asks") && one.matches("input:not([type])"));
  const button = [...form.querySelectorAll("button.go:not([hidden])")].pop();
  (following || button)?.focus();
});

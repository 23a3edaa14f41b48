// Numbers that are typed one after the other: a field that has all its digits, or Enter, leads to
// the next one, so that a hand of fields is filled in without taking the thumb off the keys.
"use strict";

function next(input) {
  const all = [...input.form.querySelectorAll("[data-digits]")].filter((one) => one.offsetParent);
  return all[all.indexOf(input) + 1];
}

document.addEventListener("input", (event) => {
  const { dataset, value } = event.target;
  const typed = event.inputType === "insertText" && /^\d+$/.test(value || "");
  if (dataset.digits && typed && value.length === Number(dataset.digits)) {
    const following = next(event.target);
    if (following && following.value === "") following.focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.dataset.digits) return;
  const following = next(event.target);
  if (!following) return;
  event.preventDefault();
  following.focus();
});

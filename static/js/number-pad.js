// The docked keys for numbers: a whole number in one tap, or digits that are typed where the caret
// is. What is selected is replaced, and a sum says what it comes to.
"use strict";

{
  const DIGITS = /^\d+$/;

  function type(field, text) {
    const { value, selectionStart: from, selectionEnd: to } = field;
    if (text === "back") {
      field.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
    } else if (text === "-") {
      field.value = /^[-−]/.test(value) ? value.slice(1) : `−${value}`;
    } else if (text === "+") {
      field.setRangeText("+", value.length, value.length, "end"); // goes on with what stands there
    } else {
      field.setRangeText(text, from, to, "end");
    }
  }

  function changed(field) {
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function full(field) {
    const { digits } = field.dataset;
    return digits && DIGITS.test(field.value) && field.value.length >= Number(digits);
  }

  function complete(field) {
    const fields = [...field.closest(".panel").querySelectorAll("input.number")].filter((one) => one.offsetParent);
    const next = fields[fields.indexOf(field) + 1];
    if (next && !("adds" in next.dataset)) next.focus();
    else field.dispatchEvent(new Event("complete", { bubbles: true }));
  }

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-puts], [data-types], [data-adds-one]");
    const form = key && key.closest("form.asks");
    if (!form) return;
    const field = openField(form);
    if (!field) return;
    if ("addsOne" in key.dataset) {
      const counted = field.closest(".panel").querySelector("[data-adds]");
      const more = (Number(counted.value) + 1) % (Number(counted.dataset.most) + 1);
      counted.value = more || "";
      changed(counted);
      return;
    }
    if (document.activeElement !== field) {
      field.focus({ preventScroll: true });
      field.select();
    }
    if ("puts" in key.dataset) {
      field.value = key.dataset.puts;
      field.select();
      changed(field);
      const alone = !field.closest(".panel").querySelector("[data-adds]");
      if (alone && field.value !== "") complete(field);
    } else {
      type(field, key.dataset.types);
      changed(field);
      if (DIGITS.test(key.dataset.types) && full(field)) complete(field);
    }
  });

  document.addEventListener("input", (event) => {
    const { target } = event;
    const sum = target.closest(".figure")?.querySelector(".sum");
    if (sum) {
      const parts = target.value.replace(/[−–]/g, "-").replace(/\s/g, "");
      const adds = /^[+-]?\d+(\+\d+)+$/.test(parts);
      sum.textContent = adds ? `= ${parts.match(/[+-]?\d+/g).reduce((all, part) => all + Number(part), 0)}` : "";
    }
    if (event.inputType === "insertText" && target.matches("form.asks input.number") && full(target)) complete(target);
  });
}

// The screen stays on while a sheet is open, unless this phone was told otherwise under More.
// Browsers that cannot do that (and all of them over plain http) do not show the switch.
"use strict";

const PLACE = "screen";
let held = null; // the lock, or the promise of one

function wanted() {
  try {
    return localStorage.getItem(PLACE) !== "off";
  } catch {
    return true;
  }
}

async function hold() {
  const atSheet = document.querySelector("[data-keeps-awake]");
  if (held || !("wakeLock" in navigator) || !atSheet || document.hidden || !wanted()) return;
  held = navigator.wakeLock.request("screen");
  try {
    held = await held;
    held.addEventListener("release", () => { held = null; }); // whenever the page is hidden
    if (!wanted()) letGo();
  } catch {
    held = null; // the phone saves its battery
  }
}

async function letGo() {
  (await held)?.release();
}

function offer() {
  const choice = document.querySelector("[data-awake-choice]");
  if (!choice || !("wakeLock" in navigator)) return;
  choice.querySelector("input").checked = wanted();
  choice.hidden = false;
}

document.addEventListener("change", (event) => {
  if (!event.target.closest("[data-awake-choice]")) return;
  try {
    localStorage.setItem(PLACE, event.target.checked ? "on" : "off");
  } catch {
    return; // the phone lends no room to remember it in
  }
  if (event.target.checked) hold();
  else letGo();
});
document.addEventListener("htmx:after:swap", () => {
  offer();
  hold();
});
document.addEventListener("visibilitychange", hold);
offer();
hold();

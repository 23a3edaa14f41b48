// Keep the screen on while a sheet is open, unless that is switched off under More. Over https the
// browser has a lock for it. Over plain http, as in most houses, a black and silent video plays
// instead, from the first touch on, as browsers demand. It must have a sound track and must not loop,
// or phones take it for decoration and go dark.

import { local } from "./storage.js";

const PLACE = "screen";
const BACK_AT = 2; // seconds into the video, which lasts four
const hasLock = "wakeLock" in navigator;
let touched = hasLock; // a lock needs no touch
let held = null; // the lock or the video that plays, or the promise of it
let video = null;

const sheet = () => document.querySelector("[data-keeps-awake]");

// A video may stop the music on the phone, so it is for those who keep score, or who ask for it.
function wanted() {
  const chosen = local.text(PLACE);
  return chosen ? chosen === "on" : hasLock || sheet()?.dataset.keepsAwake === "score";
}

const mayHold = () => touched && sheet() && !document.hidden && wanted();

async function hold() {
  if (held || !mayHold()) return;
  held = hasLock ? navigator.wakeLock.request("screen") : played(sheet().dataset.video);
  try {
    held = await held;
    held.addEventListener(hasLock ? "release" : "pause", () => { held = null; }, { once: true });
    if (!mayHold()) letGo();
  } catch {
    held = null; // the phone saves its battery, or needs another touch first
  }
}

async function played(source) {
  if (!video) {
    video = document.createElement("video");
    Object.assign(video, { src: source, playsInline: true, disableRemotePlayback: true });
    video.addEventListener("timeupdate", () => {
      if (video.currentTime > BACK_AT) video.currentTime = 0;
    });
  }
  await video.play();
  return video;
}

async function letGo() {
  try {
    const was = await held;
    if (was) await (hasLock ? was.release() : was.pause());
  } catch {
    // It was never held.
  }
}

const holdOrNot = () => (mayHold() ? hold() : letGo());

function offer() {
  const choice = document.querySelector("[data-awake-choice]");
  if (!choice) return;
  choice.querySelector("input").checked = wanted();
  choice.querySelector("[data-by-video]").hidden = hasLock;
  choice.hidden = false;
}

document.addEventListener("change", (event) => {
  const chosen = event.target.closest("[data-awake-choice]");
  if (chosen && local.keep(PLACE, event.target.checked ? "on" : "off")) holdOrNot();
});
for (const touch of hasLock ? [] : ["touchend", "click", "keydown"]) {
  document.addEventListener(touch, () => {
    touched = true;
    hold();
  }, { capture: true, passive: true });
}
document.addEventListener("htmx:after:swap", () => {
  offer();
  holdOrNot();
});
document.addEventListener("visibilitychange", holdOrNot);
offer();
hold();

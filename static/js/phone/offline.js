// Where the browser has service workers (over https, and on localhost), the last sheets open
// without a network, too, view only and as last seen, until the connection is back: see sw.js.

import { sentence } from "./dictionary.js";

const worker = navigator.serviceWorker;
const cachedAt = document.documentElement.dataset.cachedAt;
const LOOK_AGAIN = 4000; // milliseconds

const toWorker = (message) => worker.ready.then((there) => there.active.postMessage(message)).catch(() => {});
const seqShown = () => document.getElementById("live")?.dataset.seq;

if (worker) {
  // Once the page is loaded; a browser may refuse, and all else works.
  window.addEventListener("load", () => worker.register("/sw.js").catch(() => {}));
  if (!cachedAt) keepUp();
}
if (cachedAt !== undefined) readOnly();

function keepUp() {
  let seq = seqShown();
  // The worker caches the pages that it brings, but the first page was loaded without it.
  const [loading] = performance.getEntriesByType("navigation"); // none where the page is just being left
  if (!loading?.workerStart) {
    const text = `<!doctype html>\n${document.documentElement.outerHTML}`;
    window.addEventListener("load", () => toWorker({ keep: location.pathname, text, files: files() }));
  }
  document.addEventListener("htmx:after:swap", () => {
    const now = seqShown();
    if (now === undefined || now === seq) return;
    seq = now;
    toWorker({ keep: location.pathname });
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { response, sourceElement } = event.detail.ctx || {};
    if (sourceElement?.id === "live" && response?.status === 404) toWorker({ forget: location.pathname });
  });
}

function files() {
  const asked = performance.getEntriesByType("resource").map((one) => one.name);
  return asked.filter((one) => one.startsWith(`${location.origin}/static/`) && one.includes("?v="));
}

// The forms of a cached page are out of date.
function readOnly() {
  document.querySelectorAll("main form, #record, .correct-it").forEach((part) => part.remove());
  const when = new Date(Number(cachedAt));
  const today = when.toDateString() === new Date().toDateString();
  const { lang } = document.documentElement;
  const time = when.toLocaleTimeString(lang, { timeStyle: "short" });
  const day = today ? "" : when.toLocaleDateString(lang, { day: "numeric", month: "long" }) + ", ";
  const what = document.getElementById("live") ? "offlineSheet" : "offlinePage";
  const note = document.createElement("p");
  note.className = "offline";
  note.setAttribute("role", "status");
  note.textContent = `${sentence(what, { time: day + time })} ${sentence("onlineAgain")}`;
  document.querySelector("main").prepend(note);
  setInterval(lookAgain, LOOK_AGAIN);
  window.addEventListener("online", lookAgain);
}

async function lookAgain() {
  if (document.hidden) return;
  try {
    await fetch(location.href, { method: "HEAD", signal: AbortSignal.timeout(LOOK_AGAIN) });
    location.reload();
  } catch {
    // Still no connection.
  }
}

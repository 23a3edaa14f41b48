// Pages without a network: this worker keeps the last sheets as they came, and shows them, marked with
// their time, while the server can't be reached. An answer of the server always goes first.
// Workers run over https and on localhost only.
"use strict";

const PAGES = "pages"; // the sheets and the first page, by address, the last seen at the end
const FILES = "files"; // styles, scripts and pictures, by address and fingerprint
const MAX_SHEETS = 12;
const PATIENCE = 8000; // milliseconds without an answer, after which a cached page is shown
const LANGUAGE = "/language"; // where the language and the letters on cards are chosen
const SHEET = /^\/s\/[\w-]+$/;

const cacheable = (path) => path === "/" || SHEET.test(path);
const sheetOf = (path) => path.split("/").slice(0, 3).join("/"); // "/s/token/more" → "/s/token"

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === LANGUAGE) return event.respondWith(changeLanguage(event, request));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/static/") && url.searchParams.has("v") && request.destination !== "video") {
    event.respondWith(file(request, url));
  } else if (request.mode === "navigate" && !/\.\w+$/.test(url.pathname)) { // no downloads
    event.respondWith(page(event, request, url.pathname));
  }
});

// A page asks to be cached when it has changed, with the files it uses. One that was loaded before this
// worker hands over its own text, so that it need not be sent twice.
self.addEventListener("message", (event) => {
  const { keep, text, forget, files } = event.data;
  event.waitUntil(inTurn(async () => {
    if (forget) await drop(forget);
    if (keep && cacheable(keep)) await refresh(keep, text);
    if (files) await Promise.all(files.map((one) => file(new Request(one), new URL(one))));
  }));
});

// The cache changes one step after another, so that an older copy never replaces a newer one.
// Without a network it stays as it is.
let turn = Promise.resolve();
function inTurn(work) {
  turn = turn.then(work).catch((error) => console.error(error));
  return turn;
}

// --- pages

async function page(event, request, path) {
  const copy = await copyFor(path);
  try {
    const answer = await (copy ? Promise.race([fetch(request), tooLate()]) : fetch(request));
    const seen = answer.clone();
    event.waitUntil(inTurn(() => store(path, seen)));
    return answer;
  } catch (error) {
    if (copy) return marked(copy);
    throw error;
  }
}

const tooLate = () =>
  new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), PATIENCE));

// Another page of a sheet shows the sheet instead; any other page the first one.
async function copyFor(path) {
  const pages = await caches.open(PAGES);
  return pages.match(cacheable(sheetOf(path)) ? sheetOf(path) : "/");
}

async function refresh(path, text) {
  const method = text ? "HEAD" : "GET";
  const headers = { Purpose: "prefetch" }; // the server doesn't count this as opening the page
  const answer = await fetch(path, { method, headers, signal: AbortSignal.timeout(PATIENCE) });
  const same = text && answer.ok && !answer.redirected;
  await store(path, same ? new Response(text, { headers: answer.headers }) : answer);
}

// If the phone chooses another language or other letters on cards, its copies are fetched again;
// one that can't be fetched stays.
async function changeLanguage(event, request) {
  const answer = await fetch(request);
  event.waitUntil(inTurn(async () => {
    const kept = await (await caches.open(PAGES)).keys();
    for (const { url } of kept) await refresh(new URL(url).pathname).catch(() => {});
  }));
  return answer;
}

// Keep a sheet's page, or drop it if the server no longer serves the sheet.
async function store(path, answer) {
  if (answer.status === 404) return drop(sheetOf(path));
  if (!cacheable(path) || answer.status >= 500) return;
  if (!answer.ok || answer.redirected) return drop(path);
  const { status, headers } = answer;
  const whole = new Response(await answer.blob(), { status, headers }); // or nothing changes
  const pages = await caches.open(PAGES);
  await pages.put(path, whole);
  const sheets = (await pages.keys()).filter((one) => SHEET.test(new URL(one.url).pathname));
  await Promise.all(sheets.slice(0, -MAX_SHEETS).map((one) => pages.delete(one)));
}

async function drop(path) {
  await (await caches.open(PAGES)).delete(path);
}

async function marked(copy) {
  const text = await copy.text();
  const headers = new Headers(copy.headers);
  headers.delete("Content-Encoding"); // it has been unpacked
  headers.delete("Content-Length");
  const at = Date.parse(headers.get("Date"));
  return new Response(text.replace("<html ", `<html data-cached-at="${at}" `), { headers });
}

// --- files

async function file(request, url) {
  const files = await caches.open(FILES);
  const address = url.origin + url.pathname + url.search;
  const found = await files.match(address);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && answer.headers.get("Cache-Control")?.includes("immutable")) { // else not that version
    await files.delete(address, { ignoreSearch: true }); // the version before
    await files.put(address, answer.clone());
  }
  return answer;
}

// An entry that cannot be sent waits in this phone's own storage, is shown on its sheet as waiting,
// and is sent, in order, once the server answers; also after the page was closed and opened again.
// The key it carries makes sure that it counts once, however often it is sent. An entry leaves the
// storage when the sheet has it, or when somebody discards it, and for no other reason.
"use strict";

(() => {
  const AGAIN = 3000; // milliseconds between two tries
  const PATIENCE = 10000; // milliseconds without an answer that count as none

  let sending = false;
  let discarding = null; // the key of the entry whose Discard was pressed once
  let stuck = null; // what the server said against the first entry: {key, words, seq, look}

  // --- what waits, by the address it is sent to

  const box = () => document.getElementById("waiting");
  const place = () => "waiting " + box().dataset.sendsTo;

  function waiting() {
    if (!box()) return [];
    try {
      const entries = JSON.parse(localStorage.getItem(place()));
      return Array.isArray(entries) ? entries : [];
    } catch {
      return [];
    }
  }

  function keep(entries) {
    try {
      if (entries.length) localStorage.setItem(place(), JSON.stringify(entries));
      else localStorage.removeItem(place());
    } catch {
      return false; // the phone has no room, or lends none: the form says so instead
    }
    show();
    return true;
  }

  function keepForm(form, { body, submitter }) {
    const all = [...body].map(([name, value]) => [name, String(value)]);
    const { key, after } = Object.fromEntries(all);
    const fields = all.filter(([name]) => name !== "key" && name !== "after");
    const ends = "endsDeal" in form.dataset;
    const entry = { key, after, fields, ends, line: inWords(form, submitter), at: Date.now() };
    const entries = waiting();
    const before = entries.findIndex((one) => one.key === key);
    if (before >= 0) entries[before] = entry;
    else entries.push(entry);
    return keep(entries);
  }

  // The sheet has the entry that had seen the row `after`, and answered with its page. What this
  // phone entered next had seen the same row, and nothing but its own entry has come since: it is
  // the next row, whose mark the page has. Where somebody else wrote as well, the page has a later
  // one; then the marks stay as they are, and the server will say that the sheet has moved on.
  function accepted(key, after, page) {
    const rest = waiting().filter((one) => one.key !== key);
    const [, mark, row] = page.match(/ id="live" data-seq="((\d+)-\w+)"/) || [];
    if (Number(row) !== parseInt(after, 10) + 1) return keep(rest);
    for (const one of rest) if (one.after === after) one.after = mark;
    for (const seen of document.querySelectorAll("form[data-entry] input[name=after]")) {
      if (seen.value === after && recordsHere(seen.form)) seen.value = mark;
    }
    return keep(rest);
  }

  // --- forms

  const recordsHere = (form) =>
    Boolean(box()) && form.matches("form[data-entry]") && form.getAttribute("action") === box().dataset.sendsTo;

  const heldBy = (root, key) =>
    root.querySelector(`form[data-entry] input[name=key][value="${CSS.escape(key)}"]`);

  const typing = () => document.querySelector("#record[data-begun], form[data-begun]");

  const firstText = (element) => (element && element.firstChild ? element.firstChild.textContent.trim() : "");

  function inWords(form, button) {
    const said = [];
    for (const control of form.elements) {
      if (!control.name || control.name.includes(":") || !control.value) continue;
      if (["at", "how"].includes(control.name)) continue; // which place is open is no answer
      if (["hidden", "submit", "fieldset"].includes(control.type)) continue;
      const chosen = ["radio", "checkbox"].includes(control.type);
      if (chosen && !control.checked) continue;
      const label = control.labels && control.labels[0];
      const tab = control.closest(".place[data-seat]")?.querySelector(".tab span");
      const whose = tab ? tab.textContent + " " : "";
      said.push(whose + (chosen ? firstText(label && label.querySelector("span")) : `${firstText(label)} ${control.value}`));
    }
    const pressed = button || form.querySelector("button.go, button");
    const part = form.closest("details, section");
    const deal = form.closest("#record")?.querySelector("h2").textContent;
    const about = deal ? `${deal}:` : part && firstText(part.querySelector("summary, h2"));
    const heading = pressed.name && about ? `${about} ` : "";
    const what = heading + firstText(pressed);
    return said.length ? `${what}: ${said.join(", ")}` : what;
  }

  // Make the form ready for another entry, as a page fresh from the server would be.
  function clear(form, wasAsked) {
    form.reset();
    for (const control of form.elements) {
      delete control.dataset.filled;
      if (!wasAsked || control.type === "hidden") continue;
      if (["radio", "checkbox"].includes(control.type)) control.checked = false;
      else if (control.matches("input")) control.value = "";
    }
    form.querySelectorAll("[data-hand], .will, .counted").forEach((part) => part.replaceChildren());
    form.querySelectorAll("[data-count]").forEach((key) => delete key.dataset.count);
    form.querySelectorAll(".faults").forEach((note) => note.remove());
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    form.elements.key.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    delete form.dataset.begun;
    form.dispatchEvent(new Event("cleared", { bubbles: true }));
    const record = form.closest("#record");
    if (record && !record.querySelector("form[data-begun]")) delete record.dataset.begun;
  }

  function notSent(form) {
    if (form.querySelector(".unsent")) return;
    const note = paragraph(sentence("unsent"), "faults unsent");
    note.setAttribute("role", "alert");
    form.append(note);
  }

  // --- sending

  async function send() {
    if (sending) return;
    sending = true;
    let sent = 0;
    try {
      while (await sendFirst()) sent += 1;
    } finally {
      sending = false;
    }
    show();
    const [first] = waiting();
    if (sent && !(first && heldBy(document, first.key))) refresh();
  }

  const seq = () => (document.getElementById("live") || box()).dataset.seq;

  function mustWait(entry) {
    if (heldBy(document, entry.key)) return true; // somebody is looking at it
    if (!stuck || stuck.key !== entry.key) return false;
    return stuck.look ? Boolean(typing()) : stuck.seq === seq();
  }

  // Send the first that waits; says whether the sheet has it now.
  async function sendFirst() {
    const [first] = waiting();
    if (!first || mustWait(first)) return false;
    const { sendsTo, sheet } = box().dataset;
    const fields = [...first.fields, ["after", first.after], ["key", first.key]];
    let answer, text;
    try {
      answer = await fetch(sendsTo, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { "HX-Request": "true", "HX-Request-Type": "partial" },
        signal: AbortSignal.timeout(PATIENCE),
      });
      text = await answer.text();
    } catch {
      return false;
    }
    if (!box() || box().dataset.sendsTo !== sendsTo) return false; // another page by now
    stuck = null;
    // Some networks answer everything themselves: only the sheet's own page says that it is there.
    if (answer.ok && new URL(answer.url).pathname === sheet && text.includes('id="live"')) {
      accepted(first.key, first.after, text);
      return true;
    }
    if (answer.status === 409 || answer.status === 422) await ask(first, text);
    else if (answer.status >= 400 && answer.status < 500) refused(first, text, "main p");
    return false;
  }

  // The answer has the form as it was, and what came in between: put it before whoever is here.
  async function ask(entry, text) {
    const answered = new DOMParser().parseFromString(text, "text/html");
    if (!heldBy(answered, entry.key)) return refused(entry, text, ".faults li");
    if (typing()) {
      stuck = { key: entry.key, words: sentence("movedOn"), look: true };
      return;
    }
    await put(text);
  }

  const put = (text) => {
    const page = document.getElementById("page");
    return htmx.swap({ text, target: page, swap: "innerHTML", sourceElement: page });
  };

  function refused(entry, text, where) {
    const said = new DOMParser().parseFromString(text, "text/html").querySelector(where);
    const words = said ? said.textContent.trim().replace(/\s+/g, " ") : sentence("notTaken");
    stuck = { key: entry.key, words, seq: seq() };
  }

  function refresh() {
    const live = document.getElementById("live");
    if (live && typing()) htmx.trigger(live, "look");
    else if (live) htmx.ajax("GET", box().dataset.sheet, { target: "#page", swap: "innerHTML" });
  }

  function retry() {
    stuck = null;
    if (!document.hidden) send();
  }

  // --- showing

  function paragraph(text, kind) {
    const made = document.createElement("p");
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function button(words, does, kind) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = kind;
    made.textContent = words;
    made.addEventListener("click", does);
    return made;
  }

  function item(entry) {
    const row = document.createElement("li");
    const { lang } = document.documentElement;
    const time = new Date(entry.at).toLocaleTimeString(lang, { timeStyle: "short" });
    row.append(paragraph(entry.line), paragraph(sentence("enteredAt", { time }), "soft"));
    if (heldBy(document, entry.key)) {
      row.append(paragraph(sentence("inItsForm")));
    } else if (stuck && stuck.key === entry.key) {
      row.append(paragraph(stuck.words, "warn"));
      if (stuck.look) row.append(button(sentence("showNow"), showNow, "plain"));
    }
    const sure = discarding === entry.key;
    row.append(button(sentence(sure ? "reallyDiscard" : "discard"), () => discard(entry.key, sure), "plain danger"));
    return row;
  }

  function show() {
    const here = box();
    if (!here) return;
    const entries = waiting();
    const held = entries.map((entry) => Boolean(heldBy(document, entry.key)));
    document.dispatchEvent(new CustomEvent("waiting", { detail: entries.filter((entry) => entry.ends).length }));
    const state = JSON.stringify([entries, held, stuck, discarding]);
    if (here.shown === state) return; // said once is enough
    here.shown = state;
    here.hidden = !entries.length;
    const heading = document.createElement("h2");
    heading.textContent = sentence("waiting", { count: entries.length });
    const list = document.createElement("ul");
    list.append(...entries.map(item));
    here.replaceChildren(heading, paragraph(sentence("keptHere"), "soft"), list);
  }

  function discard(key, sure) {
    discarding = sure ? null : key;
    if (sure) keep(waiting().filter((one) => one.key !== key));
    show();
    if (sure) send();
  }

  function showNow() {
    document.querySelectorAll("[data-begun]").forEach((begun) => delete begun.dataset.begun);
    retry();
  }

  // --- when

  document.addEventListener("htmx:before:request", (event) => {
    const { sourceElement: form, request } = event.detail.ctx;
    if (!recordsHere(form)) return;
    const [first] = waiting();
    if (!first) return;
    if (request.body.get("key") === first.key) {
      keepForm(form, request); // as it reads by now
    } else if (keepForm(form, request)) {
      event.preventDefault(); // it takes its place behind the others
      clear(form, false);
      send();
    }
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement: form, request, response, text } = event.detail.ctx;
    if (!recordsHere(form) || response.status >= 400) return;
    accepted(request.body.get("key"), request.body.get("after"), text || "");
  });

  document.addEventListener("htmx:error", (event) => {
    const { ctx } = event.detail;
    const form = ctx && ctx.sourceElement;
    if (!form || !form.matches("form[method=post]") || ctx.text !== undefined) return;
    const wasAsked = recordsHere(form) && waiting().some((one) => one.key === ctx.request.body.get("key"));
    if (recordsHere(form) && keepForm(form, ctx.request)) {
      clear(form, wasAsked);
      show();
    } else notSent(form);
  });

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form");
    if (form) form.dataset.begun = "yes";
  });

  document.addEventListener("htmx:after:swap", () => {
    show();
    if (waiting().length) send();
  });
  document.addEventListener("visibilitychange", retry);
  window.addEventListener("online", retry);
  window.addEventListener("pageshow", retry);
  window.addEventListener("storage", show);
  setInterval(() => {
    if (!document.hidden && waiting().length) send();
  }, AGAIN);
  show();
})();

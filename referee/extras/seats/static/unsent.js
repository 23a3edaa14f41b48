// Figures that could not be sent stay on this phone, and are sent by the next page of their sheet that
// opens here: their own pages may have been left or closed. By its key each counts once.

import { local } from "../js/phone/storage.js";

const AGAIN = 3000; // milliseconds between two tries
const PLACE = "unsent ";

export const sheetOf = (path) => path.split("/", 3).join("/"); // "/s/token"

// Several players may have seats on one phone.
const placeOf = (form) => `${PLACE}${form.getAttribute("action")} ${form.elements.seat_of.value}`;

export const drop = (form) => local.keep(placeOf(form), null);

export function keep(form, body) {
  const fields = [...body].map(([name, value]) => [name, String(value)]);
  local.keep(placeOf(form), JSON.stringify({ at: form.getAttribute("action"), fields }));
}

// One after another, each until the server answers; a proxy without its server doesn't count. A page
// about what is wrong is the answer to a form only, so it is sent once more as one.
async function send() {
  const ours = local.places().filter((one) => one.startsWith(`${PLACE}${sheetOf(location.pathname)}/`));
  let leadsTo = "";
  for (const place of ours) {
    const { at, fields } = local.data(place) ?? {};
    if (!at) continue; // sent by another tab
    const answer = await fetch(at, { method: "POST", body: new URLSearchParams(fields) }).catch(() => null);
    if (!answer || answer.status >= 500) {
      setTimeout(send, AGAIN);
      return;
    }
    local.keep(place, null);
    if (!answer.redirected) {
      submit(at, fields);
      return;
    }
    leadsTo = answer.url;
  }
  if (leadsTo) location.assign(leadsTo);
}

function submit(at, fields) {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: at, hidden: true });
  for (const [name, value] of fields) form.append(Object.assign(document.createElement("input"), { name, value }));
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form); // not a field called “submit”
}

send();

// A figure that could not be sent stays on this phone, and is sent by the next page of its sheet that
// opens here: its own page may have been left or closed. By its key it counts once.

import { local } from "../js/phone/storage.js";

const AGAIN = 3000; // milliseconds between two tries
const PLACE = "unsent figure";

const sheetOf = (path) => path.split("/", 3).join("/"); // "/s/token"

export const drop = () => local.keep(PLACE, null);

export function keep(form, body) {
  const fields = [...body].map(([name, value]) => [name, String(value)]);
  local.keep(PLACE, JSON.stringify({ at: form.getAttribute("action"), fields }));
}

// Until the server answers; a proxy without its server doesn't count. A page about what is wrong is
// the answer to a form only, so it is sent once more as one.
async function send() {
  const { at, fields } = local.data(PLACE) ?? {};
  if (!at || sheetOf(at) !== sheetOf(location.pathname)) return;
  const answer = await fetch(at, { method: "POST", body: new URLSearchParams(fields) }).catch(() => null);
  if (!answer || answer.status >= 500) {
    setTimeout(send, AGAIN);
    return;
  }
  drop();
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: at, hidden: true });
  for (const [name, value] of fields) form.append(Object.assign(document.createElement("input"), { name, value }));
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form); // not a field called “submit”
}

send();

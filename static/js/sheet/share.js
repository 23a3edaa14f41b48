// The share page: copy the link, or hand it to the phone's own way of sending things.

import { sentence } from "../phone/dictionary.js";

const row = document.querySelector("[data-share]");
if (row) {
  const link = document.getElementById("link");
  row.hidden = false;
  row.querySelector("[data-copy]").addEventListener("click", async (event) => {
    link.select();
    let copied = true;
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      // It is closed to pages on plain http, and where the phone says no; the older way may work.
      copied = document.execCommand("copy");
    }
    event.target.textContent = sentence(copied ? "copied" : "cannot");
  });
  const send = row.querySelector("[data-send]");
  if (navigator.share) {
    send.hidden = false;
    send.addEventListener("click", () => navigator.share({ url: link.value }).catch(() => {}));
  }
}

// A picture of a game that is over, to send: drawn here from the content of the page, in its
// colors. If the phone can share files (over https) it offers that, otherwise the picture is
// saved.

import { sentence } from "../phone/dictionary.js";

const WIDTH = 390;
const SCALE = 2; // as fine as the screens of phones
const EDGE = 14;
const MOST_ROWS = 12; // deals with their scores written out; for more than that there is the chart
const FELT = "#0b6b4b";
const ON_FELT = "#f4fbf5";
const MIRRORED = document.documentElement.dir === "rtl"; // all but the cards and the chart
const from = (x) => (MIRRORED ? WIDTH - x : x);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-picture]");
  if (!button) return;
  const blob = await picture().catch(() => null);
  if (!blob) {
    button.lastChild.textContent = sentence("cannot");
    return;
  }
  const file = new File([blob], button.dataset.picture, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    navigator.share({ files: [file] }).catch(() => {}); // changing one's mind is no failure
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});

async function picture() {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const height = paint(pen);
  canvas.width = WIDTH * SCALE;
  canvas.height = Math.ceil(height) * SCALE;
  pen.scale(SCALE, SCALE);
  paint(pen, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const words = (found) => found?.textContent.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim() ?? "";
const all = (selector, parent = document) => [...parent.querySelectorAll(selector)];
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Paints from the top down and returns how high it all is; without a height it only measures.
function paint(pen, height = 0) {
  pen.fillStyle = color("--paper");
  pen.fillRect(0, 0, WIDTH, height);
  pen.textBaseline = "middle";
  let y = EDGE;
  write(pen, words(document.querySelector("#head h1")), from(EDGE + 2), y + 10, { size: 19, bold: true });
  write(pen, words(document.querySelector("#head p")), from(EDGE + 2), y + 31, { size: 13, ink: "--soft" });
  y = podium(pen, y + 48) + 10;
  y = facts(pen, y);
  const pad = document.querySelector("#live .score-pad:not(.turned)");
  const rows = pad ? all("tbody tr:not(.earlier, .unfolds)", pad) : [];
  if (rows.length && rows.length <= MOST_ROWS) y = table(pen, y, pad, rows);
  else if (document.querySelector("#live .chart")) y = chart(pen, y);
  return y + EDGE - 10;
}

function write(pen, text, x, y, { size = 15, bold = false, ink = "--ink", align = "start", room = from(WIDTH - x) - EDGE, least = size } = {}) {
  const font = getComputedStyle(document.body).fontFamily;
  let fits = size;
  do pen.font = `${bold ? 700 : 450} ${fits}px ${font}`;
  while (pen.measureText(text).width > room && (fits -= 1) >= least);
  const letters = [...text];
  let shown = text;
  while (pen.measureText(shown).width > room && letters.pop()) shown = `${letters.join("")}…`;
  pen.fillStyle = ink.startsWith("--") ? color(ink) : ink;
  pen.textAlign = align;
  pen.direction = MIRRORED ? "rtl" : "ltr";
  pen.fillText(shown, x, y);
}

function box(pen, x, y, width, height, fill, radius = 16) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  pen.fill();
}

// Two or three side by side, the others in pairs, as on the page.
function podium(pen, top) {
  const places = all(".over .podium li").map((one) => [words(one.querySelector("b")), words(one.querySelector("span")), one.matches(".winner")]);
  const first = places.length % 2 || places.length === 2 ? Math.min(places.length, 3) : 0;
  const room = WIDTH - 2 * EDGE - 28;
  const pairs = top + 166 + (first ? 62 : 0);
  const bottom = pairs + Math.ceil((places.length - first) / 2) * 34 + 6;
  box(pen, EDGE, top, WIDTH - 2 * EDGE, bottom - top, FELT, 20);
  fan(pen, top + 56);
  const middle = { align: "center", ink: ON_FELT, room };
  write(pen, words(document.querySelector(".over h2")), WIDTH / 2, top + 120, { ...middle, size: 32, least: 17, bold: true });
  write(pen, words(document.querySelector(".over p")), WIDTH / 2, top + 149, { ...middle, size: 15, least: 11 });
  places.forEach(([score, name, won], place) => {
    const across = place < first ? first : 2;
    const wide = (room + 8) / across - 8;
    const behind = place < first ? place : place - first;
    const begins = EDGE + 14 + (behind % across) * (wide + 8);
    const x = MIRRORED ? WIDTH - begins - wide : begins;
    const y = place < first ? top + 166 : pairs + Math.floor(behind / 2) * 34;
    const ink = won ? FELT : ON_FELT;
    box(pen, x, y, wide, place < first ? 54 : 30, won ? "#fff" : "#2a7d61", 10);
    if (place < first) {
      write(pen, score, x + wide / 2, y + 18, { ...middle, ink, size: 20, bold: true, room: wide - 12, least: 11 });
      write(pen, name, x + wide / 2, y + 40, { ...middle, ink, size: 14, room: wide - 12, least: 11 });
    } else {
      write(pen, name, from(begins + 8), y + 15, { size: 13, ink, room: wide - 62 });
      write(pen, score, from(begins + wide - 8), y + 15, { size: 14, bold: true, ink, align: "end", room: 48, least: 9 });
    }
  });
  return bottom;
}

function fan(pen, y) {
  const cards = all(".over .fan .k");
  cards.forEach((card, place) => {
    const off = place - (cards.length - 1) / 2;
    pen.save();
    pen.translate(WIDTH / 2 + off * 36, y + Math.abs(off) * 5);
    pen.rotate((off * 11 * Math.PI) / 180);
    box(pen, -26, -36, 52, 72, color("--face-edge"), 7);
    box(pen, -25, -35, 50, 70, color("--face"), 6);
    const ink = getComputedStyle(card).color;
    const suit = words(card.querySelector("i"));
    write(pen, words(card).replace(suit, ""), 0, suit ? -12 : 0, { size: 22, bold: true, ink, align: "center", room: 46 });
    write(pen, suit, 0, 14, { size: 19, ink, align: "center", room: 40 });
    pen.restore();
  });
}

function facts(pen, top) {
  const lines = all(".facts li:not([hidden])").map((one) => [...one.children].map(words));
  if (!lines.length) return top;
  box(pen, EDGE, top, WIDTH - 2 * EDGE, lines.length * 38 + 4, color("--pad"));
  lines.forEach(([about, says], place) => {
    const y = top + 21 + place * 38;
    write(pen, about, from(EDGE + 14), y, { size: 14, room: 135 });
    write(pen, says, from(WIDTH - EDGE - 14), y, { size: 14, bold: true, align: "end", room: 190, least: 10 });
    if (place) box(pen, EDGE + 14, y - 19, WIDTH - 2 * EDGE - 28, 1, color("--rule"), 0);
  });
  return top + lines.length * 38 + 14;
}

// The scores by deal, as on the pad.
function table(pen, top, pad, rows) {
  const heads = all("thead th", pad);
  const wide = (WIDTH - 2 * EDGE - 44) / heads.length;
  const at = (column) => from(EDGE + 40 + (column + 0.5) * wide);
  box(pen, EDGE, top, WIDTH - 2 * EDGE, 58 + rows.length * 30, color("--pad"));
  heads.forEach((head, column) => {
    const ink = getComputedStyle(head.querySelector(".dot")).backgroundColor;
    const middle = { align: "center", bold: true, room: wide - 4 };
    write(pen, head.querySelector(".name").childNodes[1].textContent.replaceAll("\u00ad", "").trim(), at(column), top + 16, { ...middle, size: 14, ink, least: 10 });
    write(pen, words(head.querySelector(".total")), at(column), top + 39, { ...middle, size: 22, least: 12 });
  });
  rows.forEach((row, place) => {
    const y = top + 58 + place * 30;
    const middle = { align: "center", size: 15, least: 10 };
    box(pen, EDGE, y, WIDTH - 2 * EDGE, 1, color("--rule"), 0);
    write(pen, words(row.querySelector("th [aria-hidden]") ?? row.querySelector("th")), from(EDGE + 22), y + 15, { ...middle, size: 13, ink: "--soft", room: 38 });
    all("td", row).forEach((cell, column) => {
      if (cell.colSpan > 1) write(pen, words(cell), from(EDGE + 48), y + 15, { size: 13, ink: "--soft" });
      const score = cell.querySelector("b");
      if (score) write(pen, words(score), at(column), y + 15, { ...middle, ink: getComputedStyle(score).color, room: wide - 4 });
    });
  });
  return top + 58 + rows.length * 30 + 10;
}

function chart(pen, top) {
  const drawn = document.querySelector("#live .chart");
  const inner = top + 36; // below the heading
  const frame = drawn.querySelector("svg[viewBox]");
  const high = frame.viewBox.baseVal.height;
  const names = all(".names > g", drawn);
  const left = EDGE + 44;
  const wide = WIDTH - left - EDGE - 14 - (drawn.dataset.room === "short" ? 56 : 100);
  box(pen, EDGE, top, WIDTH - 2 * EDGE, high + 68, color("--pad"));
  write(pen, words(document.querySelector("#live .charts h2")), from(EDGE + 14), top + 17, { size: 13, bold: true, ink: "--soft", room: WIDTH - 2 * EDGE - 28, least: 10 });
  const line = (path, ink, width) => {
    pen.save();
    pen.translate(left, inner);
    const shape = new Path2D();
    shape.addPath(new Path2D(path.getAttribute("d")), new DOMMatrix([wide / frame.viewBox.baseVal.width, 0, 0, 1, 0, 0]));
    pen.strokeStyle = ink;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.setLineDash((getComputedStyle(path).strokeDasharray.match(/[\d.]+/g) ?? []).map(Number));
    pen.stroke(shape);
    pen.restore();
  };
  all(".grid, .zero, path.target", frame).forEach((path) => line(path, getComputedStyle(path).color, 1));
  all(".lines > g", frame).forEach((player, place) => {
    const ink = getComputedStyle(player).color;
    line(player.querySelector("path"), ink, 2.2);
    for (const name of all("text", names[place])) {
      write(pen, words(name), left + wide + 10, inner + Number(name.getAttribute("y")), { size: 12, bold: true, ink, align: "left", room: WIDTH - EDGE - 6 - left - wide - 10 });
    }
  });
  for (const text of all("text.left", drawn)) {
    write(pen, words(text), left - 6, inner + Number(text.getAttribute("y")), { size: 12, ink: "--soft", align: "right", room: 40, least: 8 });
  }
  for (const text of all("text.below", drawn)) {
    const x = left + (parseFloat(text.getAttribute("x")) / 100) * wide;
    write(pen, words(text), x, inner + Number(text.getAttribute("y")), { size: 12, ink: "--soft", align: "center", room: 40 });
  }
  return top + high + 78;
}

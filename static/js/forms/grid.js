// Cards in rows and in columns, and what a key does to them. People read and tap a grid of cards in
// rows; it is written and scored in columns, separated by bars. An empty place is "". Without
// script referee/web/forms/taps.py does the same; tests/web/forms/keys.toml has the cases for both.

const TAKE_BACK = "back";
const STANDS_FOR = "=";
const AS_ITSELF = "=9"; // the last red nine stands for itself
const MUCKED = "-";

const POINTS = /^\s*\d+(\s*\+\s*\d+)*\s*$/; // of a whole grid

const untilLast = (cards) => cards.slice(0, cards.findLastIndex(Boolean) + 1);

// The cards of a text row by row, `across` a row; 0 is no grid. Several without a bar that are more
// than a column holds are in rows already.
export function inRows(text, across) {
  if (across && POINTS.test(text)) return [];
  const columns = text.split("|").map((part) => part.split(/[\s,+]+/).filter(Boolean));
  if (!across || (columns.length === 1 && columns[0].length > across)) return columns.flat();
  while (columns.length < across) columns.push([]);
  const rows = Math.max(...columns.map((column) => column.length));
  return untilLast(Array.from({ length: rows }, (_, row) => columns.map((column) => column[row] || "")).flat());
}

export function inColumns(cards, across) {
  if (!across) return cards.join(" ");
  const columns = Array.from({ length: across }, (_, at) => cards.filter((card, place) => card && place % across === at));
  const begun = columns.slice(0, columns.findLastIndex((column) => column.length) + 1);
  const text = begun.map((column) => column.join(" ")).join(" | ");
  return begun.length === 1 ? `${text} |` : text; // alone, a 3 would be three points
}

// The cards without one: in a grid those below it in its column move up; if there are more than its
// places, or in no grid, all that follow.
export function without(cards, place, across) {
  if (!across || cards.length > across * across) return cards.toSpliced(place, 1);
  return untilLast(cards.map((card, at) => (at >= place && (at - place) % across === 0 ? cards[at + across] || "" : card)));
}

// The cards after a key: one more, on the first empty place; or in place of the chosen one, and of
// the last one where all `places` are taken.
export function afterKey(cards, key, across = 0, { chosen = -1, places = Infinity } = {}) {
  if (key === MUCKED) return [MUCKED];
  const held = cards.filter((card) => card !== MUCKED);
  const isChosen = chosen >= 0 && chosen < held.length;
  if (key === TAKE_BACK) return without(held, chosen >= 0 ? chosen : held.length - 1, across);
  const last = held.at(-1) || "";
  if (key === AS_ITSELF) return held.length ? held.with(-1, asItself(last)) : [];
  if (key === STANDS_FOR) return held.length ? held.with(-1, last + STANDS_FOR) : [];
  if (isChosen) return held.with(chosen, key);
  if (held.includes("")) return held.with(held.indexOf(""), key);
  if (last.endsWith(STANDS_FOR)) return held.with(-1, last + key);
  return [...held.slice(0, places - 1), key];
}

// A red nine marked as a nine, if it could stand for another card.
function asItself(card) {
  return /^9/.test(card) ? card.replace(/^(9)(\w?).*/, (_, nine, suit) => `9${suit}=9${suit === "R" ? "" : suit}`) : card;
}

// Numbers as they are typed: sums, and red nines among them, as in “25 + 9♦”.

export const RED_NINE = "9(?:[♥♦]\ufe0e?|[HDR])";

const A_NUMBER = /^\s*[-−]?\d+(\s*\+\s*\d*)*$/; // or a sum that is not at its end
const ONE_CARD = /^\s*([1-9]|10)\s*$/;
const ONLY_A_RED_NINE = new RegExp(`^\\s*${RED_NINE}\\s*$`, "i");

export const isNumber = (text) => A_NUMBER.test(text);
export const isCardOrNumber = (text) => ONE_CARD.test(text);

const sumOf = (text) =>
  (text.replace(/[−–]/g, "-").replace(/\s/g, "").match(/[+-]?\d+/g) || []).reduce((sum, part) => sum + Number(part), 0);

export const numberIn = (field) => sumOf(field.value);

// A number with its red nines behind it, in the order in which they were tapped.
export function withRedNines(text) {
  const parts = text.split("+");
  const plain = parts.filter((part) => !ONLY_A_RED_NINE.test(part));
  const red = parts.length - plain.length;
  return [...(plain.length ? [sumOf(plain.join("+"))] : []), ...(red ? [red > 1 ? `${red}×9♦` : "9♦"] : [])];
}

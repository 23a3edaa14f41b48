// Cards with the letters of the deck on the table, which may have B, D, K for jack, queen, king, and with
// our own. Without script referee/web/forms/decks.py does the same; tests/web/forms/keys.toml has the
// cases for both.

const OURS = "JQK";
const SUIT = /([\dTJQKA])([SHDC])(?![^\s,+|=-])/gi;
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

// Cards with the letters of the deck at this phone, or other `letters`; none are our own.
export function asPrinted(cards, letters = document.documentElement.dataset.letters) {
  return letters ? cards.replace(/(^|[\s,+|=-])([JQK])/gi, (_, before, rank) => before + letters[OURS.indexOf(rank.toUpperCase())]) : cards;
}

// Cards in our letters, as written in a field; `lettersField` is the value of the field beside it.
export function asFilledIn(cards, lettersField) {
  const [letters, behindRank = ""] = lettersField.split(":");
  const clear = letters && !behindRank.includes("S") ? cards.replace(SUIT, (_, rank, suit) => rank + SIGNS[suit.toUpperCase()]) : cards;
  return asPrinted(clear, letters);
}

// Cards as written in a field, in our letters. Its letters field has those of jack, queen and king, and
// those that can follow a rank.
export function inOurLetters(cards, lettersField) {
  const [letters, behindRank = ""] = lettersField.split(":");
  return cards.replace(/(10|[^\s,+|=-])([^\s,+|=-]*)/g, (_, rank, suit) => {
    const last = suit.toUpperCase();
    const unclear = last && letters.includes(last) && !behindRank.includes(last);
    return (OURS[letters.indexOf(rank.toUpperCase())] ?? rank) + (unclear ? "/" : "") + suit;
  });
}

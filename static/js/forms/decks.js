// Cards with the letters of the deck on the table, which may have B, D, K for jack, queen, king, and with
// our own. Without script referee/web/forms/decks.py does the same; tests/web/forms/keys.toml has the
// cases for both.

const OURS = "JQK";

// A card with the letters of the deck at this phone, or other `letters`; none are our own.
export function asPrinted(card, letters = document.documentElement.dataset.letters) {
  return letters ? card.replace(/(^|=)([JQK])/gi, (_, before, rank) => before + letters[OURS.indexOf(rank.toUpperCase())]) : card;
}

// A card in our letters, by what its field says of its own: those of jack, queen and king, and which can
// follow a rank.
export function inOurLetters(card, said) {
  const [letters, behindRank = ""] = said.split(":");
  return card.replace(/(10|[^=])([^=]*)/g, (_, rank, suit) => {
    const last = suit.toUpperCase();
    const unclear = last && letters.includes(last) && !behindRank.includes(last);
    return (OURS[letters.indexOf(rank.toUpperCase())] ?? rank) + (unclear ? "/" : "") + suit;
  });
}

"""Cards in forms with the letters of the deck on the table: B, D, K for jack, queen, king.

Beside each field for cards a field of its name with `:letters` says which letters it uses:
"BDK:SHDCR" for those of jack, queen and king, and the letters that can follow a rank. So a form or
an address means the same on every phone. `sent.Fields` turns them into our own letters, which
everything behind it uses. With script `static/js/forms/decks.js` does the same:
`tests/web/forms/keys.toml` has the cases for both.

The first letter of a card is its rank, the next its suit. Our own letters are read as well, as no
deck uses one of them for another rank. Where no suit is asked for, "KD" could be two cards of a
German deck: it becomes "K/D", which is rejected. A king of diamonds from a sheet is written "K♦"
instead.
"""

import re

from referee.rules.cards.cards import SUIT_SIGNS
from referee.rules.core.asking import CardKeys
from referee.rules.language import COURT, spoken
from referee.rules.text import as_printed

#: By language, the letters of most decks where it is spoken; other languages have `COURT`.
DECKS = {"en": COURT, "de": "BDK", "fr": "VDR", "nl": "BVH", "pl": "WDK"}
_CARD = re.compile(r"(10|[^\s,+|=-])([^\s,+|=-]*)")
_SUIT = re.compile(r"(?<=[\dTJQKA])[SHDC](?![^\s,+|=-])", re.IGNORECASE)
_SIGNS = {letter: sign for sign, letter in SUIT_SIGNS.items()}


def letters_of(tag: str) -> str:
    """The letters of the decks that are usual in the language with this tag."""
    return DECKS.get(tag.partition("-")[0], COURT)


def letters_in(pad: CardKeys) -> str:
    """The value of the letters field beside a field with these keys, "" for our own letters."""
    letters = spoken().letters
    return "" if letters == COURT or "K" not in pad.ranks else f"{letters}:{pad.behind_rank}"


def as_filled_in(cards: str, pad: CardKeys) -> str:
    """The cards, in our letters, as a field with these keys has them on this phone."""
    if not letters_in(pad):
        return cards
    if not pad.suits:
        cards = _SUIT.sub(lambda found: _SIGNS[found[0].upper()], cards)
    return as_printed(cards)


def in_our_letters(text: str, letters_field: str) -> str:
    """The cards in `text` in our letters; `letters_field` is the value of the field beside it."""
    letters, _, behind_rank = letters_field.partition(":")
    if letters not in DECKS.values():
        return text

    def card(found: re.Match[str]) -> str:
        rank, suit = found.groups()
        place = letters.find(rank.upper())
        unclear = suit and suit.upper() in letters and suit.upper() not in behind_rank
        return (rank if place < 0 else COURT[place]) + ("/" if unclear else "") + suit

    return _CARD.sub(card, text)

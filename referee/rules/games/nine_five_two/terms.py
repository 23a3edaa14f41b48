"""Nine Five Two in numbers and names: what is dealt, who needs how many tricks (`rules.md` §7)."""

from typing import Annotated

from msgspec import Meta

from referee.rules.cards.cards import (
    FRENCH_SUITS,
    NOTATION_RULE,
    SUIT_NAMES,
    SUIT_SIGNS,
    CardReader,
)
from referee.rules.core.ruling import Fault

TITLE = "Nine Five Two"
SECTIONS = {
    "deal": "the deal",
    "exchange": "the exchange",
    "kitty": "trumps and the kitty",
    "tricks": "tricks",
    "scoring": "scoring",
    "end": "the end",
}

PLAYERS = 3
TRICKS = CARDS_EACH = 16
KITTY = 4
TARGETS = (9, 5, 2)  # the dealer, the player on the left, the player on the right
MOST_DOWN, MOST_UP = -max(TARGETS), TRICKS - min(TARGETS)

#: A suit letter, or nothing where trumps were not noted.
Trump = Annotated[
    str,
    Meta(
        title="Trumps",
        max_length=20,
        extra={"choices": {"": "not named", **{suit: SUIT_NAMES[suit] for suit in FRENCH_SUITS}}},
    ),
]


def targets_by_seat(dealer: int) -> tuple[int, ...]:
    """The tricks each seat needs when the player in seat `dealer` deals."""
    return tuple(TARGETS[(seat - dealer) % PLAYERS] for seat in range(PLAYERS))


def read_trump(text: str, reader: CardReader) -> str:
    """The letter of a suit written as a letter or sign, "" for none; what is no suit is noted."""
    written = text.strip("\ufe0e\ufe0f \t").upper()
    suit = SUIT_SIGNS.get(written, written)
    if len(suit) > 1 or suit not in FRENCH_SUITS:
        message = f"“{text}” is no suit to name as trumps. Write S, H, D or C."
        reader.faults.append(Fault("not-a-suit", message, NOTATION_RULE))
        return ""
    return suit


def fault(code: str, message: str, section: str) -> Fault:
    """A fault against the rule in `section` of this game."""
    return Fault(code, message, f"{TITLE}, {SECTIONS[section]}")


def number_of(number: int, what: str) -> str:
    """A number of things: "1 trick", "3 tricks"."""
    return f"{number} {what}{'' if number == 1 else 's'}"

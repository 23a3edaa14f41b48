"""Nine Five Two in numbers and names (`docs/rules.md` §7): what is dealt, who needs how many."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from referee.rules.cards.cards import (
    FRENCH_SUITS,
    RANKS,
    SUIT_NAMES,
    SUIT_SIGNS,
    Card,
    CardReader,
    card_name,
    repeated,
)
from referee.rules.core.asking import READ, asked
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.text import Text, say

SLUG = "nine-five-two"

PLAYERS = 3
DECK = 52
TRICKS = CARDS_EACH = 16
KITTY = 4
TARGETS = (9, 5, 2)  # the dealer, the player on the left, the player on the right
MAX_DOWN, MAX_UP = -max(TARGETS), TRICKS - min(TARGETS)

# By house rule one deal wins the game: so many tricks in it, or so many more than needed. Only one
# player can have them: two would have more than sixteen tricks between them.
TWELVE, FIVE_OVER = 12, 5
NO_TRUMPS = "N"

#: How high a rank counts: the two 0, the ace on top.
HEIGHT = {rank: height for height, rank in enumerate((*RANKS[1:], RANKS[0]))}


def no_suit_in(text: str, where: Text) -> list[Fault]:
    """A fault for a text that is not a suit, nor nothing."""
    reader = CardReader()
    read_trump(text, reader)
    return reader.faults


#: A suit letter, "N" where the dealer named no trumps, or nothing where trumps were not noted.
Trump = Annotated[
    str,
    Meta(max_length=20, extra={READ: no_suit_in}),
    asked(
        say("Trumps"),
        choices={
            "": say("not named"),
            **{suit: SUIT_NAMES[suit] for suit in FRENCH_SUITS},
            NO_TRUMPS: say("no trumps"),
        },
    ),
]


def targets_by_seat(dealer: int) -> tuple[int, ...]:
    """The tricks each seat needs when the player in seat `dealer` deals."""
    return tuple(TARGETS[(seat - dealer) % PLAYERS] for seat in range(PLAYERS))


def read_trump(text: str, reader: CardReader) -> str:
    """The letter of a suit written as a letter or sign, "" for none or no trumps.

    What is not a suit is added to the faults of `reader`, and read as none.
    """
    written = text.strip("\ufe0e\ufe0f \t").upper()
    if written == NO_TRUMPS:
        return ""
    suit = SUIT_SIGNS.get(written, written)
    if len(suit) > 1 or suit not in FRENCH_SUITS:
        says = say("“{text}” can’t be trumps. Use S, H, D, or C.", text=text)
        reader.faults.append(shared_fault("not-a-suit", says, "cards"))
        return ""
    return suit


def fault(code: str, says: Text, section: str) -> Fault:
    """A fault against the rule in `section` of this game."""
    return Fault(code, says, SLUG, section)


def twice_faults(cards: Iterable[Card]) -> Iterable[Fault]:
    """A fault for each card that is written more than once."""
    for card in repeated(cards):
        says = say("{card:C} appears more than once, but there’s only one.", card=card_name(card))
        yield fault("card-twice", says, "deal")

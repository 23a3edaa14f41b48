"""Types of fields that hold cards as text, each with the card keys that a page offers for it."""

from typing import Annotated

from msgspec import Meta

from referee.rules.cards.cards import (
    FRENCH_SUITS,
    JANKEN_SUITS,
    NINE_SUITS,
    RANKS,
    RANKS_AND_JOKERS,
    RANKS_AND_RED_NINES,
    RANKS_ONLY,
    SUITED,
    SUITED_RED_NINES,
    CardReader,
    Notation,
)
from referee.rules.core.asking import CARD_KEYS, PEOPLE, READ, CardKeys
from referee.rules.core.ruling import Fault
from referee.rules.text import Text

CARDS_LENGTH = 600  # characters: two packs written out, with room to spare
HANDS_LENGTH = 2000  # the hands of several people in one text

_WITHOUT_TWOS_AND_THREES = tuple(rank for rank in RANKS if rank not in ("2", "3"))

RANK_KEYS = CardKeys(RANKS)
RED_NINE_KEYS = CardKeys(RANKS, red_nine=True)
RED_NINE_RUN_KEYS = CardKeys(RANKS, red_nine=True, stands_for=True)
SUITED_KEYS = CardKeys(RANKS, FRENCH_SUITS)
SHORT_SUITED_KEYS = CardKeys(_WITHOUT_TWOS_AND_THREES, FRENCH_SUITS)
SHORT_SUITED_RUN_KEYS = CardKeys(_WITHOUT_TWOS_AND_THREES, FRENCH_SUITS, stands_for=True)
GRID_KEYS = CardKeys(RANKS, joker=True, column=3)
NINE_SUIT_KEYS = CardKeys(RANKS[:9], FRENCH_SUITS + JANKEN_SUITS)


def _cards(keys: CardKeys, notation: Notation) -> Meta:
    """Metadata for a text of cards: its length, its keys, and how to find what is no card."""

    def no_cards(text: str, where: Text) -> list[Fault]:
        reader = CardReader()
        reader.cards(text.replace("|", " ") if keys.column else text, notation, where)
        return reader.faults

    return Meta(max_length=CARDS_LENGTH, extra={CARD_KEYS: keys, READ: no_cards})


RankText = Annotated[str, _cards(RANK_KEYS, RANKS_ONLY)]
RedNineText = Annotated[str, _cards(RED_NINE_KEYS, RANKS_AND_RED_NINES)]
RedNineRunText = Annotated[str, Meta(max_length=CARDS_LENGTH, extra={CARD_KEYS: RED_NINE_RUN_KEYS})]
SuitedText = Annotated[str, _cards(SUITED_KEYS, SUITED)]
ShortSuitedText = Annotated[str, _cards(SHORT_SUITED_KEYS, SUITED_RED_NINES)]
ShortSuitedRunText = Annotated[
    str, Meta(max_length=CARDS_LENGTH, extra={CARD_KEYS: SHORT_SUITED_RUN_KEYS})
]
GridText = Annotated[str, _cards(GRID_KEYS, RANKS_AND_JOKERS)]
NineSuitText = Annotated[str, _cards(NINE_SUIT_KEYS, NINE_SUITS)]

#: Fields with a row for each person: their cards (`Ann:Q 5;Ben:K A`) or number (`Ann:2;Ben:-1`),
#: whether they are selected (`Ann,Ben`), who deals (`Ann`); or with a row for each turn: its player
#: and the cards laid (`Ann:7S 8S;Ben:9S;Ann:4H`).
NamedHands = Annotated[
    str, Meta(max_length=HANDS_LENGTH, extra={PEOPLE: "cards", CARD_KEYS: RANK_KEYS})
]
NamedNumbers = Annotated[str, Meta(max_length=HANDS_LENGTH, extra={PEOPLE: "number"})]
NamedRedNineRuns = Annotated[
    str, Meta(max_length=HANDS_LENGTH, extra={PEOPLE: "turn", CARD_KEYS: RED_NINE_RUN_KEYS})
]
NamedShortSuitedRuns = Annotated[
    str, Meta(max_length=HANDS_LENGTH, extra={PEOPLE: "turn", CARD_KEYS: SHORT_SUITED_RUN_KEYS})
]
Names = Annotated[str, Meta(max_length=HANDS_LENGTH, extra={PEOPLE: "tick"})]
NamedDealer = Annotated[str, Meta(max_length=100, extra={PEOPLE: "dealer"})]

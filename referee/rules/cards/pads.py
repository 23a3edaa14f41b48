"""The types of fields that hold cards as text, each with the card pad that a page offers for it."""

from typing import Annotated

from msgspec import Meta

from referee.rules.cards.cards import FRENCH_SUITS, JANKEN_SUITS, RANKS
from referee.rules.core.asking import PAD, PEOPLE, Pad

LONGEST = 600  # characters: two packs written out, with room to spare
LONGEST_OF_MANY = 2000  # the hands of several people in one text

_WITHOUT_TWOS_AND_THREES = tuple(rank for rank in RANKS if rank not in ("2", "3"))

RANK_PAD = Pad(RANKS)
RED_NINE_PAD = Pad(RANKS, red_nine=True)
RED_NINE_RUN_PAD = Pad(RANKS, red_nine=True, stands_for=True)
SUITED_PAD = Pad(RANKS, FRENCH_SUITS)
SHORT_SUITED_PAD = Pad(_WITHOUT_TWOS_AND_THREES, FRENCH_SUITS)
SHORT_SUITED_RUN_PAD = Pad(_WITHOUT_TWOS_AND_THREES, FRENCH_SUITS, stands_for=True)
GRID_PAD = Pad(RANKS, joker=True, column=3)
NINE_SUIT_PAD = Pad(RANKS[:9], FRENCH_SUITS + JANKEN_SUITS)

RankText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: RANK_PAD})]
RedNineText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: RED_NINE_PAD})]
RedNineRunText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: RED_NINE_RUN_PAD})]
SuitedText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: SUITED_PAD})]
ShortSuitedText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: SHORT_SUITED_PAD})]
ShortSuitedRunText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: SHORT_SUITED_RUN_PAD})]
GridText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: GRID_PAD})]
NineSuitText = Annotated[str, Meta(max_length=LONGEST, extra={PAD: NINE_SUIT_PAD})]

#: Fields about several people, which a page asks for in one row for each person: what they have,
#: as cards (`Ann:Q 5;Ben:K A`) or as numbers (`Ann:2;Ben:-1`), who is meant (`Ann,Ben`), who deals;
#: or in a row for each turn: who laid which cards (`Ann:7S 8S;Ben:9S;Ann:4H`).
NamedHands = Annotated[
    str, Meta(max_length=LONGEST_OF_MANY, extra={PEOPLE: "cards", PAD: RANK_PAD})
]
NamedNumbers = Annotated[str, Meta(max_length=LONGEST_OF_MANY, extra={PEOPLE: "number"})]
NamedRedNineRuns = Annotated[
    str, Meta(max_length=LONGEST_OF_MANY, extra={PEOPLE: "turn", PAD: RED_NINE_RUN_PAD})
]
NamedShortSuitedRuns = Annotated[
    str, Meta(max_length=LONGEST_OF_MANY, extra={PEOPLE: "turn", PAD: SHORT_SUITED_RUN_PAD})
]
Names = Annotated[str, Meta(max_length=LONGEST_OF_MANY, extra={PEOPLE: "tick"})]
NamedDealer = Annotated[str, Meta(max_length=100, extra={PEOPLE: "dealer"})]

"""What is written on a sheet of 9 of a Kind: false calls, and how each round ended."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.rules.cards.pads import NineSuitText
from referee.rules.core.asking import asked
from referee.rules.core.entries import Count, Entry, Player
from referee.rules.games.nine_of_a_kind.hands import (
    COLLECTIONS,
    Counted,
    collection_name,
    collection_named,
)
from referee.rules.text import say

#: A suit letter or a rank; empty for the best one.
Collecting = Annotated[
    str,
    Meta(max_length=20),
    asked(
        say("Collecting"),
        say("A suit or a rank; empty for whatever leaves the fewest points."),
        choices={
            "": say("whatever leaves the fewest points"),
            **{each: collection_name(each) for each in COLLECTIONS},
        },
    ),
]


def check_collecting(text: str) -> None:
    """Raise ValueError for what cannot be collected; nothing at all stands for the best."""
    if text.strip() and collection_named(text) is None:
        raise ValueError(
            say("“{text}” can’t be collected. Name a suit letter or a rank, A to 9.", text=text)
        )


class Hand(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hand at the end of a round: its `cards`, or what its holder counted.

    `deadwood` are the points left, `kept` the number of cards of the collection, which only
    matters in Chicken. A hand in both forms or in neither raises ValueError, and cannot be read.
    """

    cards: NineSuitText | None = None
    collecting: Collecting = ""
    deadwood: Count | None = None
    kept: Count | None = None

    def __post_init__(self) -> None:
        counted = self.deadwood is not None or self.kept is not None
        if counted == (self.cards is not None):
            raise ValueError(say("Give a hand as “cards”, or as “deadwood” and “kept”."))
        if counted and self.collecting.strip():
            raise ValueError(say("A counted hand doesn’t need “collecting”."))
        check_collecting(self.collecting)

    @property
    def counted(self) -> Counted | None:
        """What its holder counted, where the cards are not given."""
        if self.deadwood is None:
            return None
        return Counted(self.deadwood, self.kept)


class Forfeit(Entry, frozen=True, tag="forfeit"):
    """`player` called falsely and is out of this round; `cards`: what was shown, if known.

    `deadwood`: the points left in that hand, where they count and its cards are not given.
    """

    player: Player
    cards: NineSuitText = ""
    deadwood: Count | None = None


class End(Entry, frozen=True, tag="end"):
    """The round is over: how, who called, and the hands of all who have not forfeited."""

    by: Literal["nine", "blocker", "chicken"]
    callers: list[Player]
    hands: dict[Player, Hand] = {}

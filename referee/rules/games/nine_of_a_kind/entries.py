"""What is agreed, written down and asked in 9 of a Kind: house rules, entries, questions."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.rules.cards.cards import NineSuitText
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.core.table import Options, State
from referee.rules.games.nine_of_a_kind.hands import (
    COLLECTIONS,
    DECK,
    collection_name,
    collection_named,
)

#: A suit letter or a rank; empty for the best one.
Collecting = Annotated[
    str,
    Meta(
        max_length=20,
        title="Collecting",
        description="A suit letter or a rank; empty for the one that counts least.",
        extra={
            "choices": {"": "whatever counts least"}
            | {each: collection_name(each) for each in COLLECTIONS}
        },
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules of 9 of a Kind."""

    target: Annotated[
        Positive,
        Meta(title="Play to", description="Points. The source says 300, or what you agree on."),
    ] = 300
    chicken: Annotated[
        bool,
        Meta(
            title="Chicken",
            description="Optional in the source too: whoever has seven of a kind may end the round "
            "for half the points.",
        ),
    ] = False
    unison: Annotated[
        Literal["each", "share"],
        Meta(
            title="Two call at the same time",
            description="In the source all who called collect; whether each the whole, it does not "
            "say. Shares are rounded up.",
            extra={"choices": {"each": "each gains all the points", "share": "they share them"}},
        ),
    ] = "each"


def _check_collecting(text: str) -> None:
    if text.strip() and collection_named(text) is None:
        raise ValueError(f"“{text}” cannot be collected: a suit letter or a rank A to 9 can")


class Hand(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hand at the end of a round: its `cards`, or what its holder counted.

    `deadwood` is in pips, `kept` the number of cards of the collection; the other cards are
    the deadwood. Anything but one of the two forms raises ValueError, and cannot be read.
    """

    cards: NineSuitText | None = None
    collecting: Collecting = ""
    deadwood: Count | None = None
    kept: Count | None = None

    def __post_init__(self) -> None:
        counted = self.deadwood is not None and self.kept is not None
        half_counted = (self.deadwood is None) != (self.kept is None)
        if half_counted or counted == (self.cards is not None):
            raise ValueError("A hand is either “cards”, or “deadwood” and “kept”")
        if counted and self.collecting.strip():
            raise ValueError("A hand that was counted needs no “collecting”")
        _check_collecting(self.collecting)


class Forfeit(Entry, frozen=True, tag="forfeit"):
    """`player` called falsely and is out of this round; `cards`: what was shown, if you like."""

    player: Player
    cards: NineSuitText = ""


class End(Entry, frozen=True, tag="end"):
    """The round is over: how, who called, and the hands of all who have not forfeited."""

    by: Literal["nine", "blocker", "chicken"]
    callers: list[Player]
    hands: dict[Player, Hand] = {}


class Round(State, frozen=True, kw_only=True):
    """A round in progress: `forfeited` are the seats that called falsely."""

    forfeited: frozenset[int] = frozenset()


class ClaimQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Do these cards win?"""

    cards: Annotated[NineSuitText, Meta(title="The nine cards")] = ""


class CollectionQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand count?"""

    cards: Annotated[NineSuitText, Meta(title="The nine cards")] = ""
    collecting: Collecting = ""

    def __post_init__(self) -> None:
        _check_collecting(self.collecting)


class TradeQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be traded with another player?"""

    give: Annotated[NineSuitText, Meta(title="Cards given")] = ""
    take: Annotated[NineSuitText, Meta(title="Cards taken")] = ""


class CentreQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be traded with the centre? `pile`: cards there before they are put in."""

    pile: Annotated[int, Meta(ge=0, le=len(DECK), title="Cards in the centre")]
    cards: Annotated[NineSuitText, Meta(title="Cards put in")] = ""
    traded: Annotated[
        bool, Meta(title="Has traded with a player since the last time (or at all)")
    ] = False

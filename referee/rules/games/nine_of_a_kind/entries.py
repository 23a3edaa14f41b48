"""The house rules of 9 of a Kind, its entries, and the state of its sheet (`docs/rules.md` §3)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.rules.cards.card_keys import NineSuitText
from referee.rules.core.asking import READ, asked
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import Options, State
from referee.rules.games.nine_of_a_kind.hands import (
    COLLECTIONS,
    DECK,
    HAND,
    collection_name,
    collection_named,
)
from referee.rules.text import NOTHING, Text, say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules."""

    target: Annotated[
        Positive,
        asked(
            say("Play to"), say("The printed rules play to 300; fewer points make a shorter game.")
        ),
    ] = 300
    chicken: Annotated[
        bool,
        asked(
            say("Chicken"),
            say("Optional in the printed rules: a way out of a round that you can’t win."),
        ),
    ] = False
    unison: Annotated[
        Literal["each", "share"],
        asked(
            say("If two call together"),
            say("The printed rules let all of them collect; sharing keeps the scores closer."),
            hint=say("Shares are rounded up."),
            choices={
                "each": say("each scores all the points"),
                "share": say("they share the points"),
            },
        ),
    ] = "each"
    forfeited_counts: Annotated[
        bool,
        asked(
            say("A false caller’s hand counts, too"),
            say(
                "The printed rules don’t say; counting it makes a false call a gift to the winner."
            ),
        ),
    ] = False
    chicken_total: Annotated[
        Literal["everybody", "others"],
        asked(
            say("Chicken: which points are halved?"),
            say("The printed rules halve “the total points held,” and don’t say by whom."),
            choices={
                "everybody": say("everybody’s points, the caller’s included"),
                "others": say("the points of all but the caller"),
            },
        ),
    ] = "everybody"
    chicken_tie: Annotated[
        Literal["wins", "fails"],
        asked(
            say("Chicken: a caller who is level for the fewest points"),
            say("The printed rules want the fewest, and don’t say whether alone."),
            choices={"wins": say("wins"), "fails": say("has failed")},
        ),
    ] = "wins"
    chicken_failed: Annotated[
        Literal["others", "anybody"],
        asked(
            say("Chicken failed"),
            say(
                "The printed rules let “the player holding the fewest points” win then; that can "
                "be a caller with fewer than seven cards."
            ),
            choices={
                "others": say("whoever else has the fewest points wins"),
                "anybody": say("whoever has the fewest points wins, even the caller"),
            },
        ),
    ] = "others"
    chicken_level: Annotated[
        Literal["each", "share"],
        asked(
            say("Chicken failed, and several are level for the fewest"),
            say("The printed rules speak of a single winner."),
            hint=say("Shares are rounded up."),
            choices={"each": say("each scores the half"), "share": say("they share the half")},
        ),
    ] = "each"


def collecting_faults(text: str, where: Text = NOTHING) -> list[Fault]:
    """A fault unless `text` is empty or names a suit or rank to collect."""
    if not text.strip() or collection_named(text) is not None:
        return []
    says = say(
        "{where:C}: “{text}” can’t be collected. Name a suit letter or a rank, A to 9.",
        where=where,
        text=text,
    )
    return [shared_fault("not-a-collection", says, "cards")]


#: A suit letter or a rank; empty for the best one.
Collecting = Annotated[
    str,
    Meta(max_length=20, extra={READ: collecting_faults}),
    asked(
        say("Collecting"),
        say("A suit or a rank; empty for whatever leaves the fewest points."),
        choices={
            "": say("whatever leaves the fewest points"),
            **{each: collection_name(each) for each in COLLECTIONS},
        },
    ),
]


class Hand(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hand at the end of a round: its `cards`, or what its holder counted.

    `deadwood` are the points left, `kept` the number of cards of the collection, which only
    matters in Chicken. A hand in both forms or in neither raises ValueError, and cannot be read.
    """

    cards: Annotated[NineSuitText | None, asked(say("the cards"), of=say("{player}’s cards"))] = (
        None
    )
    collecting: Annotated[
        Collecting,
        asked(
            say("the collection"),
            of=say("{player}’s collection"),
            wanted=say("a suit letter or a rank"),
        ),
    ] = ""
    deadwood: Annotated[
        Count | None, asked(say("points left"), of=say("{player}’s points left"))
    ] = None
    kept: Annotated[
        Count | None, asked(say("matching cards"), of=say("{player}’s matching cards"))
    ] = None

    def __post_init__(self) -> None:
        counted = self.deadwood is not None or self.kept is not None
        if counted and self.cards is not None:
            raise ValueError(say("enter the cards or the points left, not both."))
        if not counted and self.cards is None:
            raise ValueError(say("enter the cards or the points left."))
        if counted and self.collecting.strip():
            raise ValueError(say("name what’s collected only with cards, not with points left."))
        if collecting_faults(self.collecting):
            raise ValueError


class Forfeit(Entry, frozen=True, tag="forfeit"):
    """`player` called falsely and is out of this round; `cards`: what was shown, if known.

    `deadwood`: the points left in that hand, where they count and its cards are not given.
    """

    player: Annotated[Player, asked(say("who called"))]
    cards: Annotated[NineSuitText, asked(say("the cards shown"))] = ""
    deadwood: Annotated[Count | None, asked(say("the points left"))] = None


class End(Entry, frozen=True, tag="end"):
    """The round is over: how, who called, and the hands of all who have not forfeited."""

    by: Annotated[Literal["nine", "blocker", "chicken"], asked(say("what was called"))]
    callers: Annotated[list[Player], asked(say("who called"), wanted=say("a list of players"))]
    hands: Annotated[
        dict[Player, Hand],
        asked(
            say("the hands"),
            of=say("{player}’s hand"),
            wanted=say("cards, or points left and matching cards"),
        ),
    ] = {}


class NineOfAKindState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet, with the false calls of this round.

    `forfeits` has the seats that made them, in order, each with the points left in the hand: 0
    unless the house rule `forfeited_counts` is on.
    """

    forfeits: tuple[tuple[int, int], ...] = ()

    @property
    def forfeited(self) -> frozenset[int]:
        """The seats that called falsely in this round."""
        return frozenset(seat for seat, _ in self.forfeits)

    @property
    def holding(self) -> list[str]:
        """The players who are still in the round, in seating order."""
        players = enumerate(self.table.players)
        return [player for seat, player in players if seat not in self.forfeited]

    @property
    def center(self) -> int:
        """The number of cards in the center, including the hands of false calls."""
        return len(DECK) - HAND * len(self.holding)

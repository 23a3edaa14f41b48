"""House rules and entries of Multiple 9 Hold'em, and faults that several modules report."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta

from referee.rules.cards.card_keys import RankText
from referee.rules.cards.cards import RANKS, count_of
from referee.rules.core.asking import asked
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.core.ruling import Fault, faults_of
from referee.rules.core.table import Options
from referee.rules.games.multiple_9_holdem.betting import MoveName, Structure
from referee.rules.text import Printed, Text, say, say_number

SLUG = "multiple-9-holdem"
fault = faults_of(SLUG)
COPIES = 4  # one pack
ROYAL_WINS = say("{cards} beats other hands of nine nines", cards=Printed("Q Q Q Q J J J"))
HOLE_CARDS = 2
FLOP_CARDS = 3
BOARD_CARDS = 5


def blind_faults(small: int, big: int) -> list[Fault]:
    """A fault if the big blind is below the small one."""
    if small <= big:
        return []
    says = say(
        "The big blind of {big} can’t be less than the small blind of {small}.",
        big=big,
        small=small,
    )
    return [fault("blinds", says, "blinds")]


def rank_faults(cards: Iterable[str]) -> list[Fault]:
    """A fault for each rank with more cards than one pack has."""
    ranks = list(cards)
    return [
        fault(
            "too-many-of-rank",
            say("{cards}? A pack has only {n}.", cards=count_of(ranks.count(rank), rank), n=COPIES),
            "deal",
        )
        for rank in RANKS
        if ranks.count(rank) > COPIES
    ]


def hole_faults(number: int, player: str | None = None) -> list[Fault]:
    """A fault if a hand is not two cards: that of `player`, or of whoever asks."""
    if number == HOLE_CARDS:
        return []
    entered = number_or_none(number)
    says = say("A hand is two cards; you entered {n}.", n=entered)
    if player is not None:
        says = say("{player}’s hand is two cards; you entered {n}.", player=player, n=entered)
    return [fault("hole-cards", says, "deal").lacking("more")]


def number_or_none(number: int) -> Text:
    """How many were entered: "3", or "none"."""
    return say_number(number) if number else say("none")


#: A number of chips that can be in one stack.
Chips = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `big_blind` left out: twice the small one."""

    stack: Annotated[
        Positive,
        asked(
            say("Chips each to start with"),
            say("Deeper stacks make a longer game; more can be bought between hands."),
        ),
    ] = 200
    small_blind: Annotated[
        Positive,
        asked(
            say("Small blind"),
            say("Higher blinds make a quicker game, and you can raise them along the way."),
        ),
    ] = 1
    big_blind: Annotated[
        Positive | None,
        asked(
            say("Big blind"),
            say("Usually twice the small one, though some tables make them equal."),
            usual=say("twice the small blind"),
        ),
    ] = None
    structure: Annotated[
        Structure,
        asked(
            say("Betting"),
            say("The published rules bet as in Texas hold’em, which is played with all three."),
            choices={
                "no-limit": say("no limit"),
                "pot-limit": say("pot limit"),
                "fixed-limit": say("fixed limit"),
            },
        ),
    ] = "no-limit"
    royal: Annotated[
        bool,
        asked(
            ROYAL_WINS,
            say(
                "It’s as rare as a royal flush, but with five cards shared nobody else can tie it."
            ),
            moot=True,
        ),
    ] = False

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """The big blind."""
        return {"big_blind": self.big}

    def faults(self) -> list[Fault]:
        """A big blind that is below the small one."""
        return blind_faults(self.small_blind, self.big)

    @property
    def big(self) -> int:
        """The big blind, in chips."""
        return 2 * self.small_blind if self.big_blind is None else self.big_blind


class Bet(Entry, frozen=True, tag="bet"):
    """`player` folds, checks, calls, or raises; `to` is the total on this street after a raise."""

    player: Annotated[Player, asked(say("who acts"))]
    move: Annotated[MoveName, asked(say("the move"))]
    to: Annotated[Chips | None, asked(say("the total on this street"))] = None


class BoardCards(Entry, frozen=True, tag="board"):
    """The flop, the turn or the river; all remaining cards at once if nobody can bet anymore."""

    cards: Annotated[RankText, asked(say("the cards for the board"))]


class Show(Entry, frozen=True, tag="show"):
    """The hole cards of those still in; a player with none here, or left out, has mucked."""

    hands: Annotated[dict[Player, RankText], asked(say("the hands"), of=say("{player}’s hand"))]


class RaiseBlinds(Entry, frozen=True, tag="blinds"):
    """The blinds and the ante from the next hand on; before a hand's first entry, from this one."""

    small: Annotated[Positive, asked(say("Small blind"))]
    big: Annotated[Positive, asked(say("Big blind"))]
    ante: Annotated[Count, asked(say("Ante"))] = 0


class PlayedHand(Entry, frozen=True, tag="hand"):
    """A hand whose betting was not recorded: what each player won or lost, blinds included."""

    won: Annotated[dict[Player, Chips], asked(say("what was won"), of=say("{player}’s winnings"))]
    lost: Annotated[dict[Player, Chips], asked(say("what was lost"), of=say("{player}’s losses"))]

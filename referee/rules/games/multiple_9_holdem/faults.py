"""Faults that several modules of this game report: blinds, ranks and hole cards."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS, count_of
from referee.rules.core.ruling import Fault, faults_of
from referee.rules.text import Text, say, say_number

SLUG = "multiple-9-holdem"
fault = faults_of(SLUG)
COPIES = 4  # one pack
HOLE_CARDS = 2
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
    """A fault if a hand is not two cards; without `player` it is the asker's own."""
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

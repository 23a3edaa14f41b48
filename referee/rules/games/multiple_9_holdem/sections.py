"""The game's name, the sections of its rules page, and faults against them."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS, Card, count_of
from referee.rules.core.ruling import Fault
from referee.rules.text import Text, say, say_number

SLUG = "multiple-9-holdem"
TITLE = say("Multiple 9 Hold’em")
SECTIONS = {
    "deal": say("the deal"),
    "blinds": say("button and blinds"),
    "betting": say("betting"),
    "board": say("the board"),
    "hands": say("what a hand is worth"),
    "showdown": say("the showdown"),
    "pots": say("pots and side pots"),
    "chips": say("chips"),
}

COPIES = 4  # one pack
HOLE_CARDS = 2
BOARD_CARDS = 5


def fault(code: str, says: Text, section: str) -> Fault:
    """A fault against the rule in `section`, a key of `SECTIONS`."""
    return Fault(code, says, SLUG, section)


def blind_faults(small: int, big: int) -> list[Fault]:
    """A big blind below the small one."""
    if small <= big:
        return []
    says = say(
        "The big blind of {big} can’t be less than the small blind of {small}.",
        big=big,
        small=small,
    )
    return [fault("blinds", says, "blinds")]


def rank_faults(cards: Iterable[Card]) -> list[Fault]:
    """Ranks of which there are more than one pack has."""
    ranks = [card.rank for card in cards]
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
    """A hand of other than two cards; without a `player` it is that of whoever asks."""
    if number == HOLE_CARDS:
        return []
    if player is None:
        says = say("A hand is two cards; you entered {n}.", n=number_or_none(number))
    else:
        says = say(
            "{player}’s hand is two cards; you entered {n}.",
            player=player,
            n=number_or_none(number),
        )
    return [fault("hole-cards", says, "deal").lacking("more")]


def number_or_none(number: int) -> Text:
    """How many were entered: "3", or "none"."""
    return say_number(number) if number else say("none")

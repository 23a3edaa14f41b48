"""The game's name, the sections of its rules page, and faults against them."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS, Card, count_of
from referee.rules.core.ruling import Fault

TITLE = "Multiple 9 Hold’em"
SECTIONS = {
    "deal": "the deal",
    "blinds": "button and blinds",
    "betting": "betting",
    "board": "the board",
    "hands": "what a hand is worth",
    "showdown": "the showdown",
    "pots": "pots and side pots",
    "chips": "chips",
}

COPIES = 4  # one pack
HOLE_CARDS = 2
BOARD_CARDS = 5


def fault(code: str, message: str, section: str) -> Fault:
    """A fault against the rule in `section`."""
    return Fault(code, message, f"{TITLE}, {SECTIONS[section]}")


def rank_faults(cards: Iterable[Card]) -> list[Fault]:
    """Ranks of which there are more than one pack has."""
    ranks = [card.rank for card in cards]
    return [
        fault(
            "too-many-of-rank",
            f"{count_of(ranks.count(rank), rank)}? One pack has {COPIES}.",
            "deal",
        )
        for rank in RANKS
        if ranks.count(rank) > COPIES
    ]


def hole_fault(number: int, whose: str) -> list[Fault]:
    """A hand of other than two cards; `whose` begins the sentence ("Ann's hand")."""
    if number == HOLE_CARDS:
        return []
    message = f"{whose} is two cards; {number or 'none'} {'is' if number == 1 else 'are'} entered."
    return [fault("hole-cards", message, "deal")]

"""What is written down in Red Nines (1881), and what a sheet of it remembers."""

from collections.abc import Collection
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.cards import SUITED_RED_NINES, Card, is_red_nine
from referee.rules.cards.hands import ShownHands, read_hands
from referee.rules.cards.pads import ShortSuitedText
from referee.rules.core.asking import called
from referee.rules.core.entries import Count, Entry, Player
from referee.rules.core.table import State
from referee.rules.games.red_nines_1881.house_rules import HouseRules
from referee.rules.text import say


class Counted(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers of cards: `plain` ones, and red nines."""

    plain: Annotated[
        Count,
        called(say("other cards"), lambda player: say("{player}’s other cards", player=player)),
    ]
    red_nines: Annotated[
        Count, called(say("red nines"), lambda player: say("{player}’s red nines", player=player))
    ]

    @property
    def cards(self) -> int:
        """How many cards the hand has."""
        return self.plain + self.red_nines


class Aces(Entry, frozen=True, tag="aces"):
    """`player` has played both red aces and sweeps the red-ace pool."""

    player: Annotated[Player, called(say("who played both red aces"))]


class Out(Entry, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held.

    `aces`: who swept the red-ace pool in this deal, where that was not entered before.
    """

    player: Annotated[Player, called(say("who went out"))]
    red_nine: Annotated[bool, called(say("whether it was on a red nine"))] = False
    aces: Annotated[Player | None, called(say("who played both red aces"))] = None
    hands: Annotated[
        dict[Player, ShortSuitedText | Counted],
        called(
            say("the hands"),
            lambda player: say("{player}’s hand", player=player),
            wanted=say("cards, or how many red nines and how many others"),
        ),
    ] = {}


class Red1881State(State[HouseRules], frozen=True, kw_only=True):
    """A sheet, with what the dealer paid for this deal and who won what.

    `paid` is what went into the red-nine and the red-ace pool; `swept` is the seat that swept the
    red-ace pool in this deal, and `swept_counters` what it took; `last_out` is the name of the
    player who won the last deal played, empty before there was one.
    """

    paid: tuple[int, int] = (0, 0)
    swept: int | None = None
    swept_counters: int = 0
    last_out: str = ""


def shown_hands(entry: Out) -> ShownHands[Counted]:
    """The hands of an entry; raises `NotationError`."""
    return read_hands(entry.hands, SUITED_RED_NINES, count)


def count(cards: Collection[Card]) -> Counted:
    """A hand of these cards as numbers."""
    red = sum(map(is_red_nine, cards))
    return Counted(len(cards) - red, red)

"""What is written down in Red Nines (1881), and what a sheet of it remembers."""

from typing import Annotated

from referee.rules.cards.card_keys import ShortSuitedText
from referee.rules.cards.cards import SUITED_RED_NINES
from referee.rules.cards.hands import CountedHand, ShownHands, count, read_hands
from referee.rules.core.asking import called
from referee.rules.core.entries import Entry, Player
from referee.rules.core.table import State
from referee.rules.games.red_nines_1881.house_rules import HouseRules
from referee.rules.text import say


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
        dict[Player, ShortSuitedText | CountedHand],
        called(
            say("the hands"),
            lambda player: say("{player}’s hand", player=player),
            wanted=say("cards, or how many red nines and how many others"),
        ),
    ] = {}


class Red1881State(State[HouseRules], frozen=True, kw_only=True):
    """A sheet, with what the dealer paid for this deal and who won what.

    `paid` is what went into the red-nine and the red-ace pool; `swept` is the seat that swept the
    red-ace pool in this deal, if any, and `swept_counters` what it took; `last_out` is the name of
    the player who won the last deal played, empty before there was one; `short` are those who
    could not pay in full when it was settled.
    """

    paid: tuple[int, int] = (0, 0)
    swept: int | None = None
    swept_counters: int = 0
    last_out: str = ""
    short: tuple[str, ...] = ()


def shown_hands(entry: Out) -> ShownHands[CountedHand]:
    """The hands of an entry; raises `NotationError`."""
    return read_hands(entry.hands, SUITED_RED_NINES, count)

"""What is written on a sheet of Nine Five Two, and what has to be remembered of it."""

from typing import Annotated

from referee.rules.core.asking import called
from referee.rules.core.entries import Amount, Entry, Player
from referee.rules.core.table import State
from referee.rules.games.nine_five_two.house_rules import HouseRules
from referee.rules.games.nine_five_two.terms import TRICKS, Trump, targets_by_seat
from referee.rules.text import say


class Tricks(Entry, frozen=True, tag="tricks"):
    """How many tricks each player won in a deal and, optionally, what was trumps ("N": none)."""

    tricks: Annotated[
        dict[Player, Amount],
        called(say("the tricks"), lambda player: say("{player}’s tricks", player=player)),
    ]
    trump: Annotated[Trump, called(say("trumps"), wanted=say("S, H, D, C, or N for none"))] = ""


class Trick(Entry, frozen=True, tag="trick"):
    """`winner` took the next trick; the sixteenth ends the deal."""

    winner: Annotated[Player, called(say("who won the trick"))]


class NineFiveTwoState(State[HouseRules], frozen=True, kw_only=True):
    """What the exchange goes by, and the tricks of a deal that are recorded one by one.

    `last`: the scores of the deal before, by seat, empty in the first; `won`: the seats that took
    the tricks of this deal so far, in order. `won_at_once` is the seat that has won the game by the
    tricks of one deal, where that is played.
    """

    last: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    won_at_once: int | None = None

    @property
    def targets(self) -> tuple[int, ...]:
        """The tricks each seat needs in this deal."""
        return targets_by_seat(self.dealer)

    @property
    def to_come(self) -> int:
        """How many tricks of this deal are still to be played."""
        return TRICKS - len(self.won)

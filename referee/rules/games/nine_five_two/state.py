"""What is written on a sheet of Nine Five Two, and what has to be remembered of it."""

from typing import Annotated, Literal

from referee.rules.core.asking import asked, called
from referee.rules.core.entries import Amount, Entry, Player, Positive
from referee.rules.core.table import Options, State
from referee.rules.games.nine_five_two.terms import TRICKS, Trump, targets_by_seat
from referee.rules.text import say


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules: the score that wins, and whether those who were up have to give cards."""

    target: Annotated[
        Positive, asked(say("Play to"), say("10 or 20 is usual. Agree before you start."))
    ] = 10
    exchange: Annotated[
        Literal["may", "must"],
        asked(
            say("A player who was up"),
            say("Giving cards is usually optional; some tables make you give every one."),
            choices={"may": say("may give cards"), "must": say("must give every card")},
        ),
    ] = "may"


class Tricks(Entry, frozen=True, tag="tricks"):
    """How many tricks each player won in a deal and, optionally, what was trumps."""

    tricks: Annotated[
        dict[Player, Amount],
        called(say("the tricks"), lambda player: say("{player}’s tricks", player=player)),
    ]
    trump: Annotated[Trump, called(say("trumps"), wanted=say("S, H, D, or C"))] = ""


class Trick(Entry, frozen=True, tag="trick"):
    """`winner` took the next trick; the sixteenth ends the deal."""

    winner: Annotated[Player, called(say("who won the trick"))]


class NineFiveTwoState(State[HouseRules], frozen=True, kw_only=True):
    """What the exchange goes by, and the tricks of a deal that are recorded one by one.

    `last`: the scores of the deal before, by seat, empty in the first; `won`: the seats that took
    the tricks of this deal so far, in order.
    """

    last: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    @property
    def targets(self) -> tuple[int, ...]:
        """The tricks each seat needs in this deal."""
        return targets_by_seat(self.dealer)

    @property
    def to_come(self) -> int:
        """How many tricks of this deal are still to be played."""
        return TRICKS - len(self.won)

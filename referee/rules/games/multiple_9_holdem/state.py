"""What a sheet of the gambling version remembers: a hand as far as it has been followed."""

from typing import Literal

from referee.rules.core.table import State
from referee.rules.games.multiple_9_holdem.betting import (
    BOARD_SIZES,
    STREETS,
    Action,
    Blinds,
    Spot,
    Stakes,
    Street,
)
from referee.rules.games.multiple_9_holdem.house_rules import HouseRules

Due = Literal["bet", "board", "show"]


class HoldemState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet in the middle of a hand: how it was set out, what was done, and where that led.

    `blinds` are those of the next hand to be set out; `stakes` has those of this one.
    """

    blinds: Blinds = Blinds(1, 2)
    stakes: Stakes = Stakes((), 0, 1, 2, "no-limit")
    actions: tuple[Action, ...] = ()
    board: tuple[str, ...] = ()
    spot: Spot = Spot((), (), (), (), (), None)

    @property
    def streets_dealt(self) -> int:
        """How many times cards have come onto the board."""
        return BOARD_SIZES.index(len(self.board))

    @property
    def street(self) -> Street:
        """The round of betting that the board has led to."""
        return STREETS[self.streets_dealt]

    @property
    def next_street(self) -> Street:
        """What comes onto the board next; raises `IndexError` after the river."""
        return STREETS[self.streets_dealt + 1]

    @property
    def cards_due(self) -> int:
        """How many cards come onto the board next; raises `IndexError` after the river."""
        return BOARD_SIZES[self.streets_dealt + 1] - len(self.board)

    @property
    def due(self) -> Due:
        """What comes next."""
        if self.spot.turn is not None:
            return "bet"
        return "board" if self.streets_dealt + 1 < len(STREETS) else "show"

    @property
    def pot(self) -> int:
        """The chips in the middle, bets of this street included."""
        return self.pools.get("pot", 0)

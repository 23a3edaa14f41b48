"""The betting of one hand, as values: how it is set out, what was done, and where it stands."""

from typing import Literal

from msgspec import Struct

from referee.rules.games.multiple_9_holdem.pots import Pot

MoveName = Literal["fold", "check", "call", "raise"]
Structure = Literal["no-limit", "pot-limit", "fixed-limit"]
#: What keeps a player from raising: all chips are needed to call; nobody is left to call a raise;
#: the limit of raises is reached; the last raise was an all-in for less, and the player has acted.
NoRaise = Literal["covered", "alone", "cap", "short"]
#: A round of betting, by the cards that came onto the board before it.
Street = Literal["preflop", "flop", "turn", "river"]

STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")
BOARD_SIZES = (0, 3, 4, 5)  # how many cards lie on the board on each street
FIXED_LIMIT_RAISES = 4  # a bet and three raises a street; before the flop the big blind is the bet


class Blinds(Struct, frozen=True):
    """What is posted in a hand: the small and the big blind, and what everybody antes."""

    small: int
    big: int
    ante: int = 0


class Stakes(Struct, frozen=True):
    """How a hand is set out: chips by seat before anything was paid, the button, what is due."""

    held: tuple[int, ...]
    button: int
    small: int
    big: int
    structure: Structure
    ante: int = 0

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats with chips, clockwise from the left of the button: the order of play."""
        number = len(self.held)
        around = (((self.button + step) % number) for step in range(1, number + 1))
        return tuple(seat for seat in around if self.held[seat])

    @property
    def blind_seats(self) -> tuple[int, int]:
        """Who posts the small and the big blind; of two the button the small, if it has chips."""
        first, second, *more = self.seats
        return (second, first) if second == self.button and not more else (first, second)


class Move(Struct, frozen=True):
    """What the player did whose turn it was; `to` is the total on this street of a raise."""

    name: MoveName
    to: int = 0


class Dealt(Struct, frozen=True):
    """The cards of the next street were put on the board."""


Action = Move | Dealt


class Turn(Struct, frozen=True):
    """What the player in `seat` can do. Chips: `call` is what a call costs, 0 for a check.

    `least` and `most` are what a raise may bring the total on this street to, None where raising
    is closed; `no_raise` says why. `stack` is what the player has left.
    """

    seat: int
    stack: int
    call: int
    least: int | None
    most: int | None
    no_raise: NoRaise | None


class Spot(Struct, frozen=True):
    """How a hand stands. Chips by seat: `stacks` behind, `bets` on this street, `paid` in all.

    `live` are the seats still in. `turn` is None where the betting of the street is over.
    """

    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    live: tuple[int, ...]
    pots: tuple[Pot[int], ...]
    turn: Turn | None

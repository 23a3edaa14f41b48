"""The values that pass between a game and those who ask it: table, state of a sheet, board."""

from collections.abc import Mapping
from typing import Generic, TypeVar

import msgspec

from referee.rules.core.lines import NO_POOLS, Pools
from referee.rules.text import Text

NAME_LENGTH = 24


class Source(msgspec.Struct, frozen=True):
    """Where a game's rules come from: its name, and what was taken from it, in a sentence."""

    name: Text
    took: Text


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The house rules of a table. Each game subclasses this; every field has a default."""

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """Fields whose value alone does not say what they come to at a table of so many."""
        return {}


O = TypeVar("O", bound=Options)  # noqa: E741 - O for options


class Table(msgspec.Struct, Generic[O], frozen=True):
    """Who sits at the table: names clockwise, the first dealer's seat (from 0), house rules."""

    players: tuple[str, ...]
    dealer: int
    options: O

    def left_of(self, seat: int, steps: int = 1) -> int:
        """The seat `steps` places clockwise from `seat`."""
        return (seat + steps) % len(self.players)

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """All seats in playing order, `seat` first."""
        return tuple(self.left_of(seat, step) for step in range(len(self.players)))


class State(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """A sheet after some entries. Games subclass it with what they must remember.

    `deal` counts from 1; `dealer` and `winners` are seats; `scores` are by seat.
    """

    table: Table[O]
    deal: int
    dealer: int
    scores: tuple[int, ...]
    pools: Pools = NO_POOLS
    finished: bool = False
    winners: tuple[int, ...] = ()

    def name(self, seat: int) -> str:
        """The name of the player in `seat`."""
        return self.table.players[seat]

    def seat(self, name: str) -> int:
        """The seat of the player called `name`, who is known to be on the sheet."""
        return self.table.players.index(name)


class Need(msgspec.Struct, frozen=True):
    """A number on the deal card that belongs to a player: tricks to win, cards in hand."""

    player: str
    number: int
    label: Text


class Deal(msgspec.Struct, frozen=True):
    """What to put on the table: `each` cards a player, `table` left over (`table_name`) of `deck`.

    A `deck` of 0 leaves the dealing to whatever is played. `says` is what the deal card says: who
    deals how many, and then step by step what to do, all without full stops.
    """

    number: int
    each: int
    table: int
    table_name: Text
    deck: int
    says: tuple[Text, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """A line of the standings: `rank` from 1, shared by equals; `to_go` to the target, if any."""

    rank: int
    player: str
    score: int
    to_go: int | None
    dealer: bool


class Board(msgspec.Struct, frozen=True):
    """What a screen shows of a sheet.

    `says`: a line on the deal in progress, then the steps still to be taken. `acts`: who plays
    next, where the game follows turns; `in_play`: who takes part in the deal.
    """

    deal: int
    dealer: str
    plan: Deal
    says: tuple[Text, ...]
    needs: tuple[Need, ...]
    acts: str | None
    in_play: tuple[str, ...]
    standings: tuple[Standing, ...]
    pools: tuple[tuple[Text, int], ...]
    finished: bool
    winners: tuple[str, ...]

"""Lines: what an entry does to the score, item by item; and the pools that counters lie in."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import msgspec

from referee.rules.text import Text

P = TypeVar("P", bound=Hashable)  # a player: a name or a seat

Pools = Mapping[str, int]
NO_POOLS: Pools = MappingProxyType({})


class Line(msgspec.Struct, frozen=True, gc=False):
    """One item of an entry's breakdown: `points` is what `player` gains (negative: gives up).

    They are points, counters or chips: whatever the game is played for. A line that `opens` is a
    stake or a blind of the deal that is in progress after the entry; any other line belongs to
    the deal in which the entry was made.
    """

    player: str
    points: int
    reason: Text
    opens: bool = False


def change_by_player(lines: Iterable[Line], players: Iterable[str]) -> dict[str, int]:
    """The sum of the `lines` of each of `players`, 0 included, in the order of `players`.

    The lines are about nobody else.
    """
    change = dict.fromkeys(players, 0)
    for line in lines:
        change[line.player] += line.points
    return change


def equal_shares(amount: int, order: Sequence[P]) -> dict[P, int]:
    """`amount` divided equally; what does not divide goes one each to the first of `order`.

    Nobody stands in `order` twice, and it is not empty. At the table it is clockwise from the
    left of the dealer or the button.
    """
    share, odd = divmod(amount, len(order))
    return {player: share + (place < odd) for place, player in enumerate(order)}

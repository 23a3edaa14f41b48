"""Lines: what an entry does to the score, item by item; and the pools that counters lie in."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec

Pools = Mapping[str, int]
NO_POOLS: Pools = MappingProxyType({})


class Line(msgspec.Struct, frozen=True):
    """One item of an entry's breakdown: `points` is what `player` gains (negative: gives up)."""

    player: str
    points: int
    reason: str


def change_by_player(lines: Iterable[Line], players: Iterable[str]) -> dict[str, int]:
    """The sum of the `lines` of each of `players`, 0 included, in the order of `players`."""
    change = dict.fromkeys(players, 0)
    for line in lines:
        change[line.player] += line.points
    return change

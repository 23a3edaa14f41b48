"""Tables, entries and states of the tiny games."""

from typing import Any

import pytest

from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import IllegalEntry
from referee.rules.core.table import State, Table
from tests.support.tiny_games import (
    FewestPoints,
    HouseRules,
    LastOneIn,
    LittlePot,
    MostPoints,
    PotRules,
)

MOST, FEWEST, LAST, POT = MostPoints(), FewestPoints(), LastOneIn(), LittlePot()
NAMES = ("Ann", "Ben", "Cat")


def points_table(players: tuple[str, ...] = NAMES, **options: int) -> Table[HouseRules]:
    """A table of a game for points; the first player deals."""
    return Table(players, 0, HouseRules(**options))


def pot_table(**options: int) -> Table[PotRules]:
    """A table of three for counters; the first player deals."""
    return Table(NAMES, 0, PotRules(**options))


def played(game: AnyGame, table: Table[Any], *entries: dict[str, Any]) -> Any:
    """The state after these entries; raises `RefereeError` where one is refused."""
    state = game.start(table)
    for entry in entries:
        state, _ = game.apply(state, game.read_entry(entry))
    return state


def lines_of(game: AnyGame, state: State[Any], entry: dict[str, Any]) -> list[tuple[str, int, str]]:
    """The lines of an entry as (player, points, reason)."""
    _, lines = game.apply(state, game.read_entry(entry))
    return [(line.player, line.points, str(line.reason)) for line in lines]


def refused(game: AnyGame, state: State[Any], entry: dict[str, Any]) -> list[str]:
    """The codes of the faults of a legible but illegal entry."""
    with pytest.raises(IllegalEntry) as found:
        game.apply(state, game.read_entry(entry))
    return [fault.code for fault in found.value.faults]


def win(player: str, points: int = 1, **more: Any) -> dict[str, Any]:
    """A deal won by this player."""
    return {"action": "win", "player": player, "points": points, **more}


def adjust(player: str, points: int, **more: Any) -> dict[str, Any]:
    """A penalty or bonus for this player, with a reason."""
    return {"action": "adjust", "player": player, "points": points, "reason": "late", **more}

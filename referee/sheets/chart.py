"""What the chart of a game shows: how everybody stood after each deal."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from referee.rules.core.entries import Replace
from referee.rules.core.game import AnyGame
from referee.rules.core.table import Aim, State
from referee.sheets.files import Course


class Row(Struct, frozen=True):
    """How it stood when deal `deal` was over, by column; deal 0 is before the first.

    A score is None for whoever was not at the table then. `aims`: what each seat reached in this
    deal and had needed, where the deal asked for a number.
    """

    deal: int
    scores: tuple[int | None, ...]
    aims: tuple[Aim, ...] = ()


class ChartData(Struct, frozen=True):
    """The rows in order, from deal 0 without a gap; `target`: the score that ends the game.

    `players` are the columns: those seated, then those who have left. `so_far`: the last deal is
    still in progress, and something has scored in it already.
    """

    players: tuple[str, ...]
    rows: tuple[Row, ...]
    target: int | None
    so_far: bool

    @property
    def aimed(self) -> tuple[Row, ...]:
        """The rows of the deals that asked for a number and are over."""
        return tuple(row for row in self.rows if row.aims)


def chart_data(course: Course) -> ChartData | None:
    """The data of a sheet played through; None while there is nothing to draw."""
    game, state, before = course.game, course.state, course.start
    found = {0: (_charted(game, course.start), tuple[Aim, ...]())}
    for step in course.steps:
        if isinstance(step.entry, Replace):  # who takes a place goes on with its line
            _rename((scores for scores, _ in found.values()), step.entry)
        aims = game.aims(before, step.entry, step.after)
        found[before.deal] = (_charted(game, step.after), aims)
        before = step.after
    players = state.everybody
    rows = [
        Row(deal, tuple(scores.get(name) for name in players), aims)
        for deal, (scores, aims) in found.items()
    ]
    so_far = not state.finished and rows[-1].deal == state.deal
    if so_far and rows[-1].scores == rows[-2].scores:
        rows.pop()
        so_far = False
    if len(rows) < 2:
        return None
    return ChartData(players, tuple(rows), game.target(state.table), so_far)


def _charted(game: AnyGame, state: State[Any]) -> dict[str, int]:
    return dict(zip(state.table.players, game.charted(state), strict=True))


def _rename(rows: Iterable[dict[str, int]], entry: Replace) -> None:
    for scores in rows:
        if entry.player in scores:
            scores[entry.by] = scores.pop(entry.player)

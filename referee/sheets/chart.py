"""What the chart of a game shows: how everybody stood after each deal."""

from msgspec import Struct

from referee.rules.core.table import Aim
from referee.sheets.files import Course


class Row(Struct, frozen=True):
    """How it stood when deal `deal` was over, by seat; deal 0 is before the first.

    `aims`: what each seat reached in this deal and had needed, where the deal asked for a number.
    """

    deal: int
    scores: tuple[int, ...]
    aims: tuple[Aim, ...] = ()


class ChartData(Struct, frozen=True):
    """The rows in order, from deal 0 without a gap; `target`: the score that ends the game.

    `so_far`: the last deal is still in progress, and something has scored in it already.
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
    found = {0: Row(0, game.charted(course.start))}
    for step in course.steps:
        aims = game.aims(before, step.entry, step.after)
        found[before.deal] = Row(before.deal, game.charted(step.after), aims)
        before = step.after
    rows = list(found.values())
    so_far = not state.finished and rows[-1].deal == state.deal
    if so_far and rows[-1].scores == rows[-2].scores:
        rows.pop()
        so_far = False
    if len(rows) < 2:
        return None
    return ChartData(state.table.players, tuple(rows), game.target(state.table), so_far)

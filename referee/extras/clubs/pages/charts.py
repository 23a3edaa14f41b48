"""The charts of a club: a season, somebody’s rating, and their form."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from referee.extras.clubs.figures import Figures, Period
from referee.extras.clubs.player import Player
from referee.extras.clubs.ratings import RATED_FROM, shown
from referee.extras.clubs.season_table import TABLE_SORTS, TableRow
from referee.rules.text import decimal
from referee.web.view.chart import Chart, ChartData, brief, chart

LINES = 8  # people on the chart of a season
LOW = 90  # pixels: the height of a chart with a single line


class Banded(Struct, frozen=True):
    """A chart of one line, and the path of the band `around` it."""

    chart: Chart
    around: str


def season_chart(figures: Figures, people: Sequence[str], by: str, period: Period) -> Chart | None:
    """The chart of a season in the figure that sorts its table; None without anything to draw.

    With a line for the first `LINES` of these `people` (best first) who have a figure.
    """
    best, figure = people[:LINES], TABLE_SORTS[by].figure
    course: dict[int, list[TableRow | None]] = {0: [None] * len(best)}
    course |= figures.course(best, period)
    scores = {games: [figure(row) for row in rows] for games, rows in course.items()}
    if figure(None) is None:
        del scores[0]  # nobody has one before the first game
    if len(scores) < 2:
        return None
    drawn = [seat for seat, last in enumerate(scores[max(scores)]) if last is not None]
    if not drawn:
        return None
    lines = {games: [line[seat] for seat in drawn] for games, line in scores.items()}
    names = [figures.name(best[seat]) for seat in drawn]
    return chart(ChartData(names, lines, written=_place if by == "average" else brief))


def rating_chart(one: Player) -> Banded | None:
    """The course of a rating with its uncertainty, from the first game after which it is shown.

    None while there is nothing to draw.
    """
    shows = (played for played in one.every if played.games >= RATED_FROM)
    rated = {played.games: shown(played.rating) for played in shows}
    if len(rated) < 2:
        return None
    lines = {games: (points, points + off, points - off) for games, (points, off) in rated.items()}
    drawn = chart(ChartData((one.name, "above", "below"), lines), LOW)
    line, above, below = drawn.curves
    back = "L".join(below.path[1:].split("L")[::-1])
    return Banded(replace(drawn, curves=(line,)), f"{above.path}L{back}Z")


def form_chart(one: Player) -> Chart | None:
    """A person's average place over five games, after each game, with first place at the top.

    None while there is nothing to draw.
    """
    form = {games: (-round(100 * place),) for games, place in enumerate(one.form, start=1)}
    return chart(ChartData((one.name,), form, written=_place), LOW) if len(form) > 1 else None


def _place(drawn: int) -> str:
    """The label for a height, which is an average place in negative hundredths."""
    return decimal(-drawn / 100)

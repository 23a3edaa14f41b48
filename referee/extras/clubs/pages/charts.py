"""The charts of a club: a season, somebody’s rating, and their form."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from referee.extras.clubs.figures import Figures, Order, Period, TableRow
from referee.extras.clubs.player import Player
from referee.extras.clubs.ratings import RATED_FROM, shown
from referee.rules.text import decimal
from referee.web.view.chart import Chart, ChartData, brief, chart

LINES = 8  # people on the chart of a season
LOW = 90  # pixels: the height of a chart with a single line


class Banded(Struct, frozen=True):
    """A chart of one line, and the path of the band `around` it."""

    chart: Chart
    around: str


def season_chart(
    figures: Figures, people: Sequence[str], by: Order, period: Period
) -> Chart | None:
    """The chart of a season by what its table is sorted by; None while there is nothing to draw.

    It is of the first `LINES` of these `people`, the best first, who have a figure.
    """
    best = people[:LINES]
    course: dict[int, list[TableRow | None]] = {0: [None] * len(best)}
    course |= figures.course(best, period)
    scores = {games: [_figure(row, by) for row in rows] for games, rows in course.items()}
    if by in ("average", "rating"):
        del scores[0]  # nobody has either before the first game
    if len(scores) < 2:
        return None
    drawn = [seat for seat, figure in enumerate(scores[max(scores)]) if figure is not None]
    if not drawn:
        return None
    lines = {games: [line[seat] for seat in drawn] for games, line in scores.items()}
    names = [figures.name(best[seat]) for seat in drawn]
    return chart(ChartData(names, lines, written=_place if by == "average" else brief))


def _figure(row: TableRow | None, by: Order) -> int | None:
    """What the line of somebody shows after a game: more is better."""
    if by == "wins":
        return row.wins if row else 0
    if by == "points":
        return row.points if row else 0
    if by == "average":
        return _drawn(row.average) if row else None
    return shown(row.rating)[0] if row and row.rating else None


def rating_chart(one: Player) -> Banded | None:
    """The course of a rating and its range, from the first game after which it is shown.

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
    """The average place of somebody over five games, after each; the first place is at the top.

    None while there is nothing to draw.
    """
    form = {games: (_drawn(place),) for games, place in enumerate(one.form, start=1)}
    return chart(ChartData((one.name,), form, written=_place), LOW) if len(form) > 1 else None


def _drawn(place: float) -> int:
    """An average place in hundredths, the best the highest."""
    return -round(100 * place)


def _place(drawn: int) -> str:
    return decimal(-drawn / 100)

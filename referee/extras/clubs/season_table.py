"""The season table of a club: its rows, and by what they can be sorted."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from referee.extras.clubs.ratings import Rating, shown
from referee.rules.text import Text, say

LATEST = 5  # games whose places are shown beside a person's figures


class TableRow(Struct, frozen=True):
    """A row of a season table; `last` are the person's `LATEST` places, each with its sheet.

    `person` is their name in lower case, as `person_of` gives it.
    `rating` is the one at the end of the period, None below `RATED_FROM` games of the club.
    """

    person: str
    games: int
    wins: int
    average: float
    points: int
    rating: Rating | None
    last: tuple[tuple[int, int], ...]


class TableSort(Struct, frozen=True):
    """How a season table is sorted: by the `key` of its rows, lowest first.

    Its `column` has that heading, and is marked as `ascending` or not. The rows are numbered, so
    each sort is a ranking. Its chart draws a `figure` of each row, more being better; None for
    somebody who has none yet.
    """

    title: Text
    column: Text
    key: Callable[[TableRow], Any]
    figure: Callable[[TableRow | None], int | None]
    ascending: bool = False


#: The ways to sort the season table of a club, in the order of its columns. One more, such
#: as by name, needs a cell in `club.html`, and is drawn in the club’s chart, too. The rows of
#: people who are equal are in the order of `ranked`.
TABLE_SORTS = {
    "wins": TableSort(
        say("Wins"), say("Wins"), lambda row: -row.wins, lambda row: row.wins if row else 0
    ),
    "average": TableSort(
        say("Average place"),
        say("Place"),
        lambda row: row.average,
        lambda row: -round(100 * row.average) if row else None,
        ascending=True,
    ),
    "points": TableSort(
        say("Points for places"),
        say("Points"),
        lambda row: -row.points,
        lambda row: row.points if row else 0,
    ),
    "rating": TableSort(
        say("Rating"),
        say("Rating"),
        lambda row: (row.rating is None, -round(row.rating[0], 4) if row.rating else 0),
        lambda row: shown(row.rating)[0] if row and row.rating else None,
    ),
}
#: The default sort of a club’s table: one of `TABLE_SORTS`. Who leads is up to `ranked`.
DEFAULT_SORT = "wins"


def ranked(rows: Iterable[TableRow]) -> list[TableRow]:
    """The rows of a season table by who leads: by wins, average place, and games played."""
    return sorted(rows, key=lambda row: (-row.wins, row.average, -row.games))

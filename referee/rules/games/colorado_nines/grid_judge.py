"""What a grid of Colorado Nines counts, also while it is still growing."""

from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import GridText
from referee.rules.cards.cards import reading_cards
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Spread
from referee.rules.core.ruling import Ruling
from referee.rules.games.colorado_nines.grids import Grid, column_points, grid_faults, read_grid
from referee.rules.games.colorado_nines.house_rules import Ace, Jokers, TwoJokers
from referee.rules.games.colorado_nines.terms import COLUMN_CARDS
from referee.rules.text import Text, say, say_many, say_number


class GridQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this grid count?"""

    columns: Annotated[GridText, asked(say("The grid, column by column"))] = ""
    ace: Ace = 1
    jokers: Jokers = True
    two_jokers: TwoJokers = "count"


def rule_on_grid(asked: GridQuestion) -> Ruling:
    """The points of a grid, column by column; it is legal once it is whole."""
    grid = _read(asked)
    points = [column_points(column, asked.ace, asked.two_jokers) for column in grid]
    faults = tuple(grid_faults(grid, jokers=asked.jokers))
    detail = {"points": sum(points), "columns": points}
    return Ruling(faults, detail, (_counts(grid, sum(points)),))


def _counts(grid: Grid, points: int) -> Text:
    if not any(grid):
        return say("No cards yet.")
    if all(len(column) == COLUMN_CARDS for column in grid):
        return say_many("{n} point.", "{n} points.", n=points)
    return say_many("{n} point so far.", "{n} points so far.", n=points)


def spread_grid(asked: GridQuestion) -> tuple[Spread, ...]:
    """The columns that are begun, each with its points."""
    return tuple(
        Spread(
            tuple(map(str, column)),
            say_number(column_points(column, asked.ace, asked.two_jokers)),
            upright=True,
        )
        for column in _read(asked)
        if column
    )


def _read(asked: GridQuestion) -> Grid:
    with reading_cards() as reader:
        return read_grid(asked.columns, reader, say("the grid"))


GRID_JUDGE: Judge[GridQuestion] = Judge(
    "grid",
    say("What does this grid count?"),
    GridQuestion,
    rule_on_grid,
    cards=spread_grid,
    yes_or_no=False,
    section="score",
)

"""The score pad: a sheet as people rule one on paper, a row a deal and a column a player.

A deal is one row, however many entries it took to write it down. What opens a deal (stakes, blinds)
stands in its row and not in that of the deal before, so a row says what was typed. Penalties,
purchases, and whatever else is written between two deals have rows of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import SHARED, Abandon, Entry, Replace
from referee.rules.core.table import Line, note
from referee.sheets.account import Cell, cells_of
from referee.sheets.files import Course, Step

#: What a row is: a deal that is over, is still open, or was called off; an entry between two deals.
RowKind = Literal["deal", "open", "void", "between"]


class PadRow(Struct, frozen=True, eq=False, dict=True):
    """A row of the pad: the number of its deal, and the totals after it, by name.

    `steps` are the entries it was written down in, the oldest first; only a deal that has just
    begun has none. `lines` are what they scored, `opening` is what was staked for it beforehand.
    Those `seated` have a cell, be it a 0. What stands in its cells is told once somebody looks: of
    a thousand rows a page shows the last few.
    """

    deal: int
    kind: RowKind
    totals: Mapping[str, int]
    steps: tuple[Step, ...]
    lines: tuple[Line, ...]
    opening: tuple[Line, ...]
    seated: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> Mapping[str, Cell]:
        """The cells by name, of those whom the row is about."""
        return cells_of((*self.lines, *self.opening), self.seated)

    @property
    def is_told(self) -> bool:
        """Whether its cells say anything; else it takes a sentence."""
        return any(cell.parts or cell.notes for cell in self.cells.values())

    @property
    def seq(self) -> int:
        """The first entry of the row, by which its breakdown is found; 0 while it has none."""
        return self.steps[0].seq if self.steps else 0

    def cell(self, player: str) -> Cell:
        """The cell of this player; empty for one whom the row is not about."""
        return self.cells.get(player, _EMPTY)


class ScorePad(Struct, frozen=True):
    """A sheet as a table: a column for each of `players`, a row a deal, the oldest first.

    Players stand clockwise as they sit, those who left at their old places (`State.everybody`).

    `current` is the deal in progress, with what was staked for it and written down of it; None once
    the game is over. `start` is what everybody began with, before any stake.
    """

    players: tuple[str, ...]
    start: Mapping[str, int]
    rows: tuple[PadRow, ...]
    current: PadRow | None

    def row(self, seq: int) -> PadRow | None:
        """The row whose breakdown is found under `seq`, the deal in progress among them."""
        rows = self.rows if self.current is None else (*self.rows, self.current)
        return next((row for row in rows if row.steps and row.seq == seq), None)

    def cells_with(self, lines: Sequence[Line], *, over: bool) -> dict[str, Cell]:
        """The cells of what an entry with these lines would bring, if it were made now, by seat.

        Where the deal is `over` with it they are those of the whole deal.
        """
        told = [line for line in lines if not line.opens]
        if self.current is not None and over:
            told = [*self.current.lines, *told, *self.current.opening]
        cells = cells_of(told)
        return {player: cells[player] for player in self.players if player in cells}


T = TypeVar("T")

_EMPTY = Cell()


class _Draft:
    """A row while it is being written: its entries, its lines, and those that opened it."""

    def __init__(self, deal: int, opening: Sequence[Line]) -> None:
        self.deal = deal
        self.opening = list(opening)
        self.lines: list[Line] = []
        self.steps: list[Step] = []
        self.seated: tuple[str, ...] = ()  # once it is over

    def add(self, step: Step) -> None:
        """One more entry."""
        self.steps.append(step)
        self.lines += (line for line in step.lines if not line.opens)

    def take_in(self, other: "_Draft") -> None:
        """Put what stands in another draft in front of what stands here."""
        self.opening[:0] = other.opening
        self.lines[:0] = other.lines
        self.steps[:0] = other.steps

    def rename(self, was: str, by: str) -> None:
        """Who takes a place takes the column over."""
        self.opening, self.lines = _renamed(self.opening, was, by), _renamed(self.lines, was, by)


class _Writer:
    """Writes the rows of a pad, one below the other, and adds them up."""

    def __init__(self, start: Mapping[str, int]) -> None:
        self.rows: list[PadRow] = []
        self._totals = dict(start)

    def write(self, draft: _Draft, kind: RowKind) -> None:
        """Put the draft down as the next row."""
        self.rows.append(self.row(draft, kind))
        self._totals = dict(self.rows[-1].totals)

    def rename(self, was: str, by: str) -> None:
        """Who takes a place takes the column over."""
        self._totals = _by_another_name(self._totals, was, by)
        self.rows = [
            replace(
                row,
                totals=_by_another_name(row.totals, was, by),
                lines=tuple(_renamed(row.lines, was, by)),
                opening=tuple(_renamed(row.opening, was, by)),
                seated=tuple(by if name == was else name for name in row.seated),
            )
            for row in self.rows
        ]

    def row(self, draft: _Draft, kind: RowKind) -> PadRow:
        """The draft as a row that follows those already written."""
        opening = () if kind == "void" else tuple(draft.opening)
        totals = dict(self._totals)
        for line in (*draft.lines, *opening):
            for player, points in line.gains:
                totals[player] = totals.get(player, 0) + points
        steps, lines = tuple(draft.steps), tuple(draft.lines)
        return PadRow(draft.deal, kind, totals, steps, lines, opening, draft.seated)


def score_pad_of(course: Course) -> ScorePad:
    """The pad of a sheet that has been played through."""
    game, before = course.game, course.start
    first = game.first(before.table)
    start = dict(zip(first.table.players, first.scores, strict=True))
    writer = _Writer(start)
    draft = _Draft(before.deal, game.deals.begin(first)[1])
    for step in course.steps:
        opening = [line for line in step.lines if line.opens]
        over = step.after.deal != before.deal or step.after.finished
        if isinstance(step.entry, Replace):
            start = _by_another_name(start, step.entry.player, step.entry.by)
            for part in (writer, draft):
                part.rename(step.entry.player, step.entry.by)
        if stands_alone(step.entry):
            alone = _Draft(before.deal, [])
            alone.add(step)
            draft.opening += opening
            if step.after.finished:  # what was staked and written down of the deal ends here
                alone.take_in(draft)
            writer.write(alone, "between")
        else:
            draft.add(step)
            if isinstance(step.entry, Abandon):
                writer.write(draft, "void")
                draft = _Draft(draft.deal, [*draft.opening, *opening])
            elif over:
                draft.seated = before.table.players
                writer.write(draft, "deal")
                draft = _Draft(step.after.deal, opening)
            else:
                draft.opening += opening
        before = step.after
    draft.lines += (note(player, words) for player, words in game.pad.so_far(before).items())
    current = None if before.finished else writer.row(draft, "open")
    return ScorePad(course.state.everybody, start, tuple(writer.rows), current)


def stands_alone(entry: Entry) -> bool:
    """Whether an entry has a row for itself: those that are no game's own, but for a void deal."""
    return isinstance(entry, SHARED) and not isinstance(entry, Abandon)


def _renamed(lines: Iterable[Line], was: str, by: str) -> list[Line]:
    return [line.called({was: by}) if was in (line.player, line.to) else line for line in lines]


def _by_another_name(by_name: Mapping[str, T], was: str, by: str) -> dict[str, T]:
    return {by if name == was else name: value for name, value in by_name.items()}


# --- the chart: how everybody stood after each deal


class ChartRow(Struct, frozen=True):
    """How it stood when deal `deal` was over, a score a player; deal 0 is before the first.

    None stands for somebody who had not sat down yet.
    """

    deal: int
    scores: tuple[int | None, ...]


class ChartData(Struct, frozen=True):
    """The rows in order, from deal 0 without a gap; `target`: the score that ends the game.

    `so_far`: the last deal is still in progress, and something was gained or lost beside it.
    """

    players: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    target: int | None
    so_far: bool


def chart_data(pad: ScorePad, target: int | None) -> ChartData | None:
    """The data of a sheet with this pad; None while there is nothing to draw.

    What is staked, bet or won in a deal that is not over still counts as its owner's.
    """
    found = {0: pad.start}
    played = max((row.deal for row in pad.rows if row.kind == "deal"), default=0)
    for row in pad.rows:
        if row.kind != "void":
            # Once the game is over, what came after the last deal counts with that one.
            found[min(row.deal, played) if pad.current is None else row.deal] = row.totals
    *before, last = found
    so_far = pad.current is not None and bool(before) and last == pad.current.deal
    if so_far and found[last] == found[before[-1]]:
        del found[last]
        so_far = False
    if len(found) < 2:
        return None
    rows = (ChartRow(deal, tuple(map(held.get, pad.players))) for deal, held in found.items())
    return ChartData(pad.players, tuple(rows), target, so_far)

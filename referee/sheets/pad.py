"""The score pad: a sheet as people rule one on paper, a row a deal and a column a player.

A deal is one row, however many entries it took to write it down. What opens a deal (stakes, blinds)
stands in its row and not in that of the deal before, so a row says what was typed. Penalties,
purchases, and whatever else is written between two deals have rows of their own.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import (
    Abandon,
    Adjust,
    Buy,
    Dealer,
    Entry,
    Join,
    Leave,
    Replace,
)
from referee.rules.core.lines import Line
from referee.rules.text import NOTHING, Text, say, typed
from referee.sheets.files import Course, Step
from referee.sheets.work import go_on

#: What a row is: a deal that is over, is still open, or was called off; an entry between two deals.
RowKind = Literal["deal", "open", "void", "between"]


class Cell(Struct, frozen=True):
    """What a row brought a player (points, counters or chips), and in small what it was made of."""

    points: int = 0
    small: Text = NOTHING


class PadRow(Struct, frozen=True):
    """A row of the pad: the number of its deal, its cells and the totals after it, by name.

    `steps` are the entries it was written down in, the oldest first; only a deal that has just
    begun has none.
    """

    deal: int
    kind: RowKind
    cells: Mapping[str, Cell]
    totals: Mapping[str, int]
    steps: tuple[Step, ...]

    @property
    def is_told(self) -> bool:
        """Whether its cells say anything; else it takes a sentence."""
        return any(cell.points or cell.small for cell in self.cells.values())

    @property
    def seq(self) -> int:
        """The first entry of the row, by which its breakdown is found."""
        return self.steps[0].seq

    def cell(self, player: str) -> Cell:
        """The cell of this player; empty for one whom the row is not about."""
        return self.cells.get(player, _EMPTY)


class Pad(Struct, frozen=True):
    """A sheet as a table: `players` are its columns, `rows` are in order.

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


T = TypeVar("T")

_EMPTY = Cell()


class _Draft:
    """A row while it is being written: its entries, its lines, and those that opened it."""

    def __init__(self, deal: int, opening: list[Line]) -> None:
        self.deal = deal
        self.opening = opening
        self.lines: list[Line] = []
        self.smalls: dict[str, Text] = {}
        self.steps: list[Step] = []
        self.seated: tuple[str, ...] = ()  # once it is over: each has a cell, be it a 0

    def add(self, step: Step, smalls: Mapping[str, Text]) -> None:
        """One more entry; what it says in small goes behind what stands there."""
        self.steps.append(step)
        self.lines += (line for line in step.lines if not line.opens)
        for player, small in smalls.items():
            told = self.smalls.get(player)
            both = say("{first}, {second}", first=told, second=small) if told else small
            self.smalls[player] = both

    def take_in(self, other: "_Draft") -> None:
        """Put what stands in another draft in front of what stands here."""
        self.opening[:0] = other.opening
        self.lines[:0] = other.lines
        self.steps[:0] = other.steps

    def rename(self, was: str, by: str) -> None:
        """Who takes a place takes the column over."""
        for lines in (self.opening, self.lines):
            lines[:] = (replace(x, player=by) if x.player == was else x for x in lines)
        self.smalls = _by_another_name(self.smalls, was, by)

    def cells(self, *, opened: bool = True) -> dict[str, Cell]:
        """What it came to so far, with or without what opened it."""
        points = dict.fromkeys((*self.seated, *self.smalls), 0)
        for line in (*self.opening, *self.lines) if opened else self.lines:
            points[line.player] = points.get(line.player, 0) + line.points
        # Whoever left before the deal began took the stake back, and has no part in it.
        concerned = {*self.seated, *self.smalls} if self.seated else set(points)
        return {
            player: Cell(sum_, self.smalls.get(player, NOTHING))
            for player, sum_ in points.items()
            if sum_ or player in concerned
        }


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
                cells=_by_another_name(row.cells, was, by),
                totals=_by_another_name(row.totals, was, by),
            )
            for row in self.rows
        ]

    def row(self, draft: _Draft, kind: RowKind) -> PadRow:
        """The draft as a row that follows those already written."""
        cells = draft.cells(opened=kind != "void")
        totals = dict(self._totals)
        for player, cell in cells.items():
            totals[player] = totals.get(player, 0) + cell.points
        return PadRow(draft.deal, kind, cells, totals, tuple(draft.steps))


def pad_of(course: Course) -> Pad:
    """The pad of a sheet that has been played through."""
    game, before = course.game, course.start
    first = game.first(before.table)
    start = dict(zip(first.table.players, first.scores, strict=True))
    writer = _Writer(start)
    draft = _Draft(before.deal, game.begin_deal(first)[1])
    for step in course.steps:
        go_on()
        opening = [line for line in step.lines if line.opens]
        over = step.after.deal != before.deal or step.after.finished
        if isinstance(step.entry, Replace):
            start = _by_another_name(start, step.entry.player, step.entry.by)
            for part in (writer, draft):
                part.rename(step.entry.player, step.entry.by)
        if stands_alone(step.entry):
            alone = _Draft(before.deal, [])
            alone.add(step, dict(_why(step.entry)))
            draft.opening += opening
            if step.after.finished:  # what was staked and written down of the deal ends here
                alone.take_in(draft)
            writer.write(alone, "between")
        else:
            draft.add(step, game.made_of(before, step.entry, step.after))
            if isinstance(step.entry, Abandon):
                writer.write(draft, "void")
                draft = _Draft(draft.deal, draft.opening + opening)
            elif over:
                draft.seated = before.table.players
                writer.write(draft, "deal")
                draft = _Draft(step.after.deal, opening)
            else:
                draft.opening += opening
        before = step.after
    draft.smalls |= game.so_far(before)
    current = None if before.finished else writer.row(draft, "open")
    return Pad(course.state.everybody, start, tuple(writer.rows), current)


def stands_alone(entry: Entry) -> bool:
    """Whether an entry has a row for itself: those of every game have, save for a void deal."""
    return type(entry).__module__ == Entry.__module__ and not isinstance(entry, Abandon)


def _by_another_name(by_name: Mapping[str, T], was: str, by: str) -> dict[str, T]:
    return {by if name == was else name: value for name, value in by_name.items()}


def _why(entry: Entry) -> Iterator[tuple[str, Text]]:
    if isinstance(entry, Adjust):
        yield entry.player, typed(entry.reason)
    elif isinstance(entry, Buy):
        yield entry.player, say("bought")
    elif isinstance(entry, Join):
        yield entry.player, say("joins")
    elif isinstance(entry, Leave):
        yield entry.player, say("leaves")
    elif isinstance(entry, Replace):
        yield entry.by, say("for {player}", player=entry.player)
    elif isinstance(entry, Dealer):
        yield entry.player, say("deals")

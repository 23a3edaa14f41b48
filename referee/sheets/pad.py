"""The score pad: a sheet as people rule one on paper, a row a deal and a column a player.

A deal is one row, however many entries it took to write it down. What opens a deal (stakes, blinds)
stands in its row and not in that of the deal before, so a row says what was typed. Penalties,
purchases, and whatever else is written between two deals have rows of their own.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import (
    SHARED,
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


class Cell(Struct, frozen=True, gc=False):
    """What a row brought a player (points, counters or chips), and in small what it was made of."""

    points: int = 0
    small: Text = NOTHING


class PadRow(Struct, frozen=True, eq=False, dict=True):
    """A row of the pad: the number of its deal, and the totals after it, by name.

    `steps` are the entries it was written down in, the oldest first; only a deal that has just
    begun has none. `opening` is what was staked for it beforehand. What stands in its cells is
    `told` once somebody looks: of a thousand rows a page shows the last few.
    """

    deal: int
    kind: RowKind
    totals: Mapping[str, int]
    steps: tuple[Step, ...]
    opening: tuple[Line, ...]
    told: Callable[[], dict[str, Cell]]

    @cached_property
    def cells(self) -> Mapping[str, Cell]:
        """The cells by name, of those whom the row is about."""
        return self.told()

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

#: Says what an entry was made of, in small, by name.
MadeOf = Callable[[], Mapping[str, Text]]

_EMPTY = Cell()


class _Draft:
    """A row while it is being written: its entries, its lines, and those that opened it."""

    def __init__(self, deal: int, opening: list[Line]) -> None:
        self.deal = deal
        self.opening = opening
        self.lines: list[Line] = []
        self._made_of: list[MadeOf] = []
        self.steps: list[Step] = []
        self.seated: tuple[str, ...] = ()  # once it is over: each has a cell, be it a 0

    def add(self, step: Step, made_of: MadeOf) -> None:
        """One more entry; what it says in small goes behind what stands there."""
        self.steps.append(step)
        self.lines += (line for line in step.lines if not line.opens)
        self._made_of.append(made_of)

    def end_with(self, smalls: Mapping[str, Text]) -> None:
        """Let this stand in small, whatever the entries say."""
        before = self._smalls
        self._made_of = [lambda: {**before(), **smalls}]

    def take_in(self, other: "_Draft") -> None:
        """Put what stands in another draft in front of what stands here."""
        self.opening[:0] = other.opening
        self.lines[:0] = other.lines
        self.steps[:0] = other.steps

    def rename(self, was: str, by: str) -> None:
        """Who takes a place takes the column over."""
        for lines in (self.opening, self.lines):
            lines[:] = _renamed(lines, was, by)
        before = self._smalls
        self._made_of = [lambda: _by_another_name(before(), was, by)]

    def points(self, *, opened: bool = True) -> dict[str, int]:
        """What it came to so far, with or without what opened it."""
        points: dict[str, int] = {}
        for line in (*self.opening, *self.lines) if opened else self.lines:
            points[line.player] = points.get(line.player, 0) + line.points
        return points

    def cells(self, *, opened: bool = True) -> dict[str, Cell]:
        """What it came to so far, and of what."""
        smalls = self._smalls()
        points = dict.fromkeys((*self.seated, *smalls), 0) | self.points(opened=opened)
        # Whoever left before the deal began took the stake back, and has no part in it.
        concerned = {*self.seated, *smalls} if self.seated else set(points)
        return {
            player: Cell(sum_, smalls.get(player, NOTHING))
            for player, sum_ in points.items()
            if sum_ or player in concerned
        }

    @property
    def _smalls(self) -> Callable[[], dict[str, Text]]:
        """What stands in small so far; called later, it is still that."""
        return partial(_one_behind_another, tuple(self._made_of))


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
                opening=tuple(_renamed(row.opening, was, by)),
                told=partial(_told_by_another_name, row, was, by),
            )
            for row in self.rows
        ]

    def row(self, draft: _Draft, kind: RowKind) -> PadRow:
        """The draft as a row that follows those already written."""
        opened = kind != "void"
        totals = dict(self._totals)
        for player, points in draft.points(opened=opened).items():
            totals[player] = totals.get(player, 0) + points
        told = partial(draft.cells, opened=opened)
        opening = tuple(draft.opening) if opened else ()
        return PadRow(draft.deal, kind, totals, tuple(draft.steps), opening, told)


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
            alone.add(step, partial(_why, step.entry))
            draft.opening += opening
            if step.after.finished:  # what was staked and written down of the deal ends here
                alone.take_in(draft)
            writer.write(alone, "between")
        else:
            draft.add(step, partial(game.made_of, before, step.entry, step.after))
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
    draft.end_with(game.so_far(before))
    current = None if before.finished else writer.row(draft, "open")
    return Pad(course.state.everybody, start, tuple(writer.rows), current)


def stands_alone(entry: Entry) -> bool:
    """Whether an entry has a row for itself: those that are no game's own, but for a void deal."""
    return isinstance(entry, SHARED) and not isinstance(entry, Abandon)


def _one_behind_another(parts: Iterable[MadeOf]) -> dict[str, Text]:
    smalls: dict[str, Text] = {}
    for part in parts:
        for player, small in part().items():
            told = smalls.get(player)
            smalls[player] = say("{first}, {second}", first=told, second=small) if told else small
    return smalls


def _renamed(lines: Iterable[Line], was: str, by: str) -> list[Line]:
    return [replace(line, player=by) if line.player == was else line for line in lines]


def _told_by_another_name(row: PadRow, was: str, by: str) -> dict[str, Cell]:
    return _by_another_name(row.cells, was, by)


def _by_another_name(by_name: Mapping[str, T], was: str, by: str) -> dict[str, T]:
    return {by if name == was else name: value for name, value in by_name.items()}


def _why(entry: Entry) -> Mapping[str, Text]:
    told: dict[str, Text] = {}
    match entry:
        case Adjust(player=player, reason=reason):
            told[player] = typed(reason)
        case Buy(player=player):
            told[player] = say("bought")
        case Join(player=player):
            told[player] = say("joins")
        case Leave(player=player):
            told[player] = say("leaves")
        case Replace(player=player, by=by):
            told[by] = say("for {player}", player=player)
        case Dealer(player=player):
            told[player] = say("deals")
    return told

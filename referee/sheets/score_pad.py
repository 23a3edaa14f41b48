"""The score pad: a sheet as ruled on paper, with a row for each deal and a column for each player.

A deal is one row, however many entries it has. Its stakes and blinds are in its own row and not in
that of the deal before, so a row says what was typed. Penalties, purchases, and other entries
between two deals have rows of their own.

Every figure on a screen, on paper or in a spreadsheet comes from a `Cell`.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import SHARED, Abandon, Replace, Stop
from referee.rules.core.table import Line, note
from referee.rules.core.terms import of_deal
from referee.rules.text import NOTHING, Sum, Text, say
from referee.sheets.files import Course, Step

#: A deal that is over, is still open, or was called off; or an entry between two deals.
RowKind = Literal["deal", "open", "void", "between"]


class Part(Struct, frozen=True, gc=False):
    """One of the amounts in a figure: its arithmetic, if any, and its name."""

    points: int
    worked: Text | Sum = NOTHING
    called: Text = NOTHING

    def written(self, *, taken_off: bool = False) -> Text:
        """The amount without its sign, and its name: "(2 + 2) × 2", "9 staked"."""
        amount: Text | Sum | str | int = self.worked or abs(self.points)
        if taken_off and isinstance(self.worked, Sum):
            amount = self.worked.as_factor
        if not self.called:
            return say("{amount}", amount=amount)
        return say("{amount} {what}", amount=amount, what=self.called)

    @property
    def is_worked(self) -> bool:
        """Whether it says more than a bare number."""
        return self.worked.is_worked if isinstance(self.worked, Sum) else bool(self.worked)


class Cell(Struct, frozen=True, gc=False):
    """A player's score in a row: the `parts` that add up to it, and `notes` beside it.

    `points` is the score, in points, counters or chips; `word` is all that a column of the pad has
    room for: "out", "×2", "11 for 9".
    """

    points: int = 0
    parts: tuple[Part, ...] = ()
    notes: tuple[Text, ...] = ()
    word: Text = NOTHING

    @property
    def arithmetic(self) -> Text:
        """The arithmetic of the figure, if there is any: "3 cards × 2 + 9 staked".

        If all is paid, it has no minus signs: the figure has one.
        """
        if len(self.parts) < 2 and not any(part.is_worked for part in self.parts):
            return NOTHING
        gains = [part for part in self.parts if part.points > 0]
        costs = [part for part in self.parts if part.points < 0]
        first, *others = gains or costs
        written = first.written()
        for part in others:
            written = say("{first} + {second}", first=written, second=part.written())
        for part in costs if gains else ():
            written = say("{first} − {second}", first=written, second=part.written(taken_off=True))
        return written

    @property
    def small(self) -> Text:
        """The whole account of the figure: "out: 8 − 9 staked", "11 for 9"."""
        made_of, called = self.arithmetic, [part for part in self.parts if part.called]
        if called and not made_of:  # a single part need not repeat the figure
            in_full = self.notes or called[0].worked
            made_of = called[0].written() if in_full else called[0].called
        if not self.notes:
            return made_of
        words, *others = self.notes
        for other in others:
            words = say("{first}, {second}", first=words, second=other)
        return say("{words}: {sum}", words=words, sum=made_of) if made_of else words


_points = attrgetter("points")

#: The cell of somebody whom a row does not concern.
EMPTY = Cell()


def cells_of(lines: Iterable[Line], seated: Sequence[str] = ()) -> dict[str, Cell]:
    """The cells of these lines by player: of all `seated`, and of others whom they concern.

    Amounts that are called the same are one part; a part of 0 is left out.
    """
    parts: dict[str, dict[object, Part]] = {player: {} for player in seated}
    notes: dict[str, list[Text]] = {}
    word: dict[str, Text] = {}
    lines = list(lines)
    for line in sorted(lines, key=lambda line: line.points != 0):  # first those for 0 points
        word[line.player] = word.get(line.player) or line.in_a_word
    for line in lines:
        if not line.points:
            words = line.short or (NOTHING if isinstance(line.worked, Sum) else line.worked)
            if words:
                notes.setdefault(line.player, []).append(words)
        for player, points in line.gains:
            made_of = parts.setdefault(player, {})
            # Only the payer's cell says what it was paid for.
            worked, called = (line.worked, line.short) if player == line.player else (NOTHING,) * 2
            alike: object = len(made_of) if worked else called
            before = made_of[alike].points if alike in made_of else 0
            made_of[alike] = Part(points + before, worked, called)
    found = {
        player: Cell(
            sum(map(_points, made_of.values())),
            tuple(filter(_points, made_of.values())),
            tuple(notes.get(player, ())),
            word.get(player, NOTHING),
        )
        for player, made_of in parts.items()
    }
    return {name: cell for name, cell in found.items() if name in seated or cell != EMPTY}


class PadRow(Struct, frozen=True, eq=False, dict=True):
    """A row of the pad: the number of its deal, and the totals after it, by name.

    `steps` are its entries, the oldest first; only a deal that has just begun has none. `lines` are
    their scores, `opening` are the stakes paid beforehand, `so_far` are notes on a deal that is
    still open. Those `seated` have a cell, even if it is 0. Cells are made when they are first
    read: of a thousand rows a page shows the last few.
    """

    deal: int
    kind: RowKind
    steps: tuple[Step, ...] = ()
    lines: tuple[Line, ...] = ()
    opening: tuple[Line, ...] = ()
    so_far: tuple[Line, ...] = ()
    seated: tuple[str, ...] = ()
    totals: Mapping[str, int] = {}

    @cached_property
    def cells(self) -> Mapping[str, Cell]:
        """The cells by player, of those whom the row concerns."""
        return cells_of((*self.lines, *self.so_far, *self.opening), self.seated)

    @property
    def says_anything(self) -> bool:
        """Whether its cells say anything; otherwise the row needs a sentence."""
        return any(cell.parts or cell.notes for cell in self.cells.values())

    @cached_property
    def seq(self) -> int:
        """The number of its first entry, by which its breakdown is found; 0 if it has none."""
        return self.steps[0].seq if self.steps else 0

    @property
    def first(self) -> int:
        """The number of the entry that began the deal, which new blinds or a void round do not."""
        steps = zip(self.steps, self.steps[1:], strict=False)
        begins = [step.seq for before, step in steps if not before.after.begun]
        return max(begins, default=self.seq)

    def with_step(self, step: Step) -> "PadRow":
        """The row with one more entry, but without the stakes that this pays for the next deal."""
        scored = [line for line in step.lines if not line.opens]
        return replace(self, steps=(*self.steps, step), lines=(*self.lines, *scored))

    def renamed(self, was: str, by: str) -> "PadRow":
        """The row with the name `was` replaced by `by`, who took over the place."""
        return replace(
            self,
            lines=tuple(line.renamed({was: by}) for line in self.lines),
            opening=tuple(line.renamed({was: by}) for line in self.opening),
            seated=tuple(by if name == was else name for name in self.seated),
            totals=_renamed(self.totals, was, by),
        )

    def added_to(self, totals: Mapping[str, int]) -> "PadRow":
        """The row with the totals after it, given those before."""
        after = dict(totals)
        for line in (*self.lines, *self.opening):
            after[line.player] = after.get(line.player, 0) + line.points
            if line.to:
                after[line.to] = after.get(line.to, 0) - line.points
        return replace(self, totals=after)


class ScorePad(Struct, frozen=True):
    """A sheet as a table: a column for each of `players`, a row for each deal, the oldest first.

    `players` are those seated, clockwise, then those who have left (`State.everybody`).

    `current` is the deal in progress, with its stakes and its entries so far; None once the game is
    over. `start` is what everybody began with, before any stake. `course` is what it shows.
    """

    course: Course
    players: tuple[str, ...]
    start: Mapping[str, int]
    rows: tuple[PadRow, ...]
    current: PadRow | None

    @property
    def all_rows(self) -> tuple[PadRow, ...]:
        """The rows, and the deal in progress."""
        return self.rows if self.current is None else (*self.rows, self.current)

    @property
    def filled_rows(self) -> tuple[PadRow, ...]:
        """The rows, and the deal in progress if it has any content."""
        now = self.current
        return self.all_rows if now and (now.steps or now.cells) else self.rows

    @property
    def totals(self) -> Mapping[str, int]:
        """Everybody's current total."""
        return self.all_rows[-1].totals if self.all_rows else self.start

    def row(self, seq: int) -> PadRow | None:
        """The row, or deal in progress, that begins with the entry `seq`; None if there is none."""
        rows = (row for row in self.all_rows if row.steps and seq in (row.seq, row.first))
        return next(rows, None)

    def cells_with(self, lines: Sequence[Line], *, over: bool) -> dict[str, Cell]:
        """The cells that an entry with these lines would make now, by player, in seat order.

        If the deal is `over` with it, they are those of the whole deal.
        """
        shown = [line for line in lines if not line.opens]
        if self.current is not None and over:
            now = self.current
            shown = [*now.lines, *now.so_far, *shown, *now.opening]
        cells = cells_of(shown)
        return {player: cells[player] for player in self.players if player in cells}


def score_pad_of(course: Course, earlier: ScorePad | None = None) -> ScorePad:
    """The pad of a sheet that has been played through.

    If the course extends that of an `earlier` pad, the rows of that one are reused.
    """
    if earlier and earlier.course is course:
        return earlier
    game, rows = course.game, list[PadRow]()
    if earlier and earlier.current and course.extends(earlier.course):
        rows.extend(earlier.rows)
        steps = course.steps[len(earlier.course.steps) :]
        state, start, deal = earlier.course.state, earlier.start, earlier.current
        deal = replace(deal, so_far=())
    else:
        state, steps, first = course.start, course.steps, game.before_first_deal(course.start.table)
        start = dict(zip(first.table.players, first.scores, strict=True))
        deal = PadRow(state.deal, "open", opening=tuple(game.deals.begin(first)[1]))

    def write(row: PadRow) -> None:
        rows.append(row.added_to(rows[-1].totals if rows else start))

    for step in steps:
        before, state = state, step.after
        opening = [line for line in step.lines if line.opens]
        if isinstance(step.entry, Replace):
            was, by = step.entry.player, step.entry.by
            start = _renamed(start, was, by)
            rows = [row.renamed(was, by) for row in rows]
            deal = deal.renamed(was, by)
        if isinstance(step.entry, Abandon):
            write(replace(deal.with_step(step), kind="void", opening=()))
            deal = PadRow(deal.deal, "open", opening=(*deal.opening, *opening))
        elif isinstance(step.entry, SHARED):
            deal = replace(deal, opening=(*deal.opening, *opening))
            alone = PadRow(before.deal, "between")
            if state.finished:  # the stakes and entries of the open deal end here
                alone = replace(deal, deal=before.deal, kind="between")
            write(alone.with_step(step))
        elif state.finished or state.deal != before.deal:
            write(replace(deal.with_step(step), kind="deal", seated=before.table.players))
            deal = PadRow(state.deal, "open", opening=tuple(opening))
        else:
            deal = replace(deal.with_step(step), opening=(*deal.opening, *opening))
    current = None
    if not state.finished:
        so_far = tuple(note(player, says) for player, says in game.pad.so_far(state).items())
        deal = replace(deal, so_far=so_far)
        current = deal.added_to(rows[-1].totals if rows else start)
    return ScorePad(course, state.everybody, start, tuple(rows), current)


def _renamed(totals: Mapping[str, int], was: str, by: str) -> dict[str, int]:
    return {by if name == was else name: points for name, points in totals.items()}


# --- for a spreadsheet

#: First characters by which a spreadsheet takes a cell for a formula, narrow and wide.
FORMULA_SIGNS = "=+-@＝＋－＠"
#: Where a spreadsheet that splits text at semicolons or tabs would begin a cell with a formula.
_INNER_FORMULA = re.compile(rf"([;\t\r\n][\s\"']*)(?=[{re.escape(FORMULA_SIGNS)}])")


def pad_csv(pad: ScorePad) -> str:
    """The score pad as CSV with a header; lines end in CR LF.

    The first row is what everybody began with; the last may be a deal that is not over yet, with
    its stakes. The columns are what each player gained or paid, then each player's total after it
    (whole numbers of points, counters or chips), then the details. A text that a spreadsheet would
    take for a formula gets an apostrophe in front.
    """
    names = pad.players
    totals = (say("{player}, total", player=player) for player in names)
    begun = [pad.start.get(player, "") for player in names]
    rows: list[list[object]] = [
        [of_deal(pad.course.game.deal_called, "head of a column"), *names, *totals, say("Details")],
        [say("At the start"), *("" for _ in names), *begun, ""],
    ]
    for row in pad.filled_rows:
        called: object = say("{n}, so far", n=row.deal) if row is pad.current else row.deal
        smalls = (f"{name}: {cell.small}" for name, cell in row.cells.items() if cell.small)
        rows.append(
            [
                "" if row.kind == "between" else called,
                *(row.cells[name].points if name in row.cells else "" for name in names),
                *(row.totals.get(name, "") for name in names),
                _happened(row) or "; ".join(smalls),
            ]
        )
    out = io.StringIO()
    csv.writer(out).writerows(
        [cell if isinstance(cell, int) else harmless(str(cell)) for cell in row] for row in rows
    )
    return out.getvalue()


def harmless(text: str) -> str:
    """`text` with apostrophes, so that no spreadsheet calculates it, even if it splits it."""
    seen = text.lstrip("\ufeff \t\r\n\v\f\xa0")
    blanks = text[: len(text) - len(seen)]
    begins_oddly = blanks.startswith(("\t", "\r", "\n"))
    mark = "'" if begins_oddly or seen.startswith(tuple(FORMULA_SIGNS)) else ""
    return mark + blanks + _INNER_FORMULA.sub(r"\1'", seen)


def _happened(row: PadRow) -> str:
    """What happened in a row of a void deal or an early end; empty for other rows."""
    match row.steps[-1].entry if row.steps else None:
        case Abandon(reason=reason) if reason:
            return str(say("void: {reason}", reason=reason))
        case Stop(reason=reason) if reason:
            return str(say("The game was stopped ({reason})", reason=reason))
        case Stop():
            return str(say("The game was stopped"))
    return str(say("void")) if row.kind == "void" else ""

"""A sheet as it stands, computed from its rows, and going on from there as more are written."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.chain import Mark, mark_of
from referee.ledger.store import Role, Row
from referee.rules.core.decoding import known
from referee.rules.core.entries import Entry, Reason
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, shared_fault
from referee.rules.core.table import State, Table
from referee.rules.text import Text, say
from referee.sheets.files import (
    Course,
    Step,
    entries_in_force,
    entry_of,
    play_rows,
    seat_table,
)
from referee.sheets.history import (
    Fate,
    Head,
    Past,
    RowBody,
    colours_of,
    entry_touched,
    fates,
    in_force,
    remarks,
    settings_at_start,
    settings_now,
)
from referee.sheets.score_pad import ScorePad, score_pad_of


class OpenSheet(Struct, frozen=True, dict=True):
    """A sheet as it stands, as seen through one link; `head` has the settings of now.

    Its chain begins with `first_hash`.
    """

    id: int
    role: Role
    head: Head
    begun: str
    first_hash: str
    table: Table[Any]
    rows: tuple[Row, ...]
    history: tuple[Past, ...]
    course: Course

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.course.game

    @property
    def state(self) -> State[Any]:
        """How it stands now."""
        return self.course.state

    @property
    def seq(self) -> int:
        """The number of the newest row, 0 where there is none."""
        return self.rows[-1].seq if self.rows else 0

    @property
    def changed(self) -> str:
        """When it was last written on, or begun (ISO 8601)."""
        return self.rows[-1].at if self.rows else self.begun

    @property
    def hash(self) -> str:
        """The hash to which the chain of the sheet has come."""
        return self.rows[-1].hash if self.rows else self.first_hash

    @property
    def mark(self) -> Mark:
        """The mark of the newest row, which every form sends along."""
        return mark_of(self.seq, self.hash)

    @property
    def can_score(self) -> bool:
        """Whether the holder of this link may write on the sheet."""
        return self.role != "view"

    @property
    def is_host(self) -> bool:
        """Whether the holder of this link may withdraw links."""
        return self.role == "host"

    def rows_since(self, seen: Mark) -> tuple[Row, ...] | None:
        """What was written after the row that was seen; None where this sheet has no such row.

        Then the book is not the one it was: somebody has put an earlier copy in its place.
        """
        before = self.rows[: seen.seq]
        hash_ = before[-1].hash if before else self.first_hash
        return self.rows[seen.seq :] if seen.stands_for(len(before), hash_) else None

    @cached_property
    def fates(self) -> dict[int, Fate]:
        """What has become of every entry ever made, by the number of its row."""
        return {fate.play.seq: fate for fate in fates(self.history)}

    def entry_of(self, fate: Fate) -> Entry:
        """An entry that counts or did, its players called as they are called now."""
        return entry_of(self.game, fate)

    @cached_property
    def pad(self) -> ScorePad:
        """The score pad: a row a deal."""
        return score_pad_of(self.course)

    @cached_property
    def remarks(self) -> dict[tuple[str, int], str]:
        """The notes that stand on it, by what they are about: see `Remark`."""
        return remarks(self.history)

    @property
    def called(self) -> str:
        """What the players call it; empty where they don’t."""
        return self.remarks.get(("title", 0), "")

    @property
    def title(self) -> Text | str:
        """What is played, in the players’ own words where they named it."""
        return self.called or self.game.title

    @cached_property
    def colours(self) -> dict[str, int]:
        """The colour of each player, from 1."""
        return colours_of(self.head.settings, self.history)

    @cached_property
    def _steps(self) -> dict[int, Step]:
        return {step.seq: step for step in self.course.steps}

    def step_at(self, seq: int) -> Step | None:
        """The entry of row `seq` with what it did, if it counts."""
        return self._steps.get(seq)


class Change(Struct, frozen=True):
    """A correction: row `target` gets another `entry`, or is voided where that is None.

    Voiding an amendment or a void takes that one back.
    """

    target: int
    entry: Mapping[str, Any] | None = None
    reason: Reason = ""


class Comparison(Struct, frozen=True):
    """A sheet before and after a correction, played through; `row` is what would be written.

    Its time is that of writing it, and not known yet.
    """

    row: Past
    before: Course
    after: Course


def course_of(
    game: AnyGame, table: Table[Any], history: Sequence[Past], legal: bool = False
) -> Course:
    """The entries that count, played through.

    What lies in the ledger was ruled on before it got there, corrections with all that follows
    them: it is `legal`, and `referee verify` rules on it again.
    """
    return play_rows(game, table, entries_in_force(game, history), legal)


def as_of(sheet: OpenSheet, seq: int) -> OpenSheet:
    """The sheet when row `seq` was its newest, with the names, seats and house rules of then.

    That is what a form was filled in for that has seen this row and no later one.
    """
    if seq >= sheet.seq:
        return sheet
    head, history = sheet.head, sheet.history[:seq]
    then = settings_now(settings_at_start(head.settings, sheet.history), history)
    game, table = seat_table(head.game, then.players, then.dealer, then.options)
    return replace(
        sheet,
        head=Head(head.game, then.players, then.dealer, then.options),
        table=table,
        rows=sheet.rows[:seq],
        history=history,
        course=course_of(game, table, history, legal=True),
    )


def grown(sheet: OpenSheet, rows: Sequence[Row]) -> OpenSheet | None:
    """The sheet with the `rows` that were written on it since.

    None where another name or house rule was agreed: that changes what every state holds, so all
    is to be played through again.
    """
    if not rows:
        return sheet
    past = tuple(past_of(row) for row in rows)
    if any(row.agreed for row in past):
        return None
    history = sheet.history + past
    if all(row.kind == "play" for row in past):
        entries = [(row.seq, sheet.game.read_entry(row.entry or {})) for row in past]
        course = sheet.course.followed_by(entries, legal=True)
    else:
        touched = min(entry_touched(history, row) for row in past)
        course = gone_on_from(sheet.course, history, touched, legal=True)
    return replace(sheet, rows=sheet.rows + tuple(rows), history=history, course=course)


def gone_on_from(
    course: Course, history: Sequence[Past], touched: int, legal: bool = False
) -> Course:
    """What `history` comes to, by a course of it that still holds before row `touched`.

    Raises as `play_through` does, unless the entries from there on are known to be `legal`.
    """
    since = [fate for fate in in_force(history) if fate.play.seq >= touched]
    entries = ((fate.play.seq, entry_of(course.game, fate)) for fate in since)
    return course.before(touched).followed_by(entries, legal)


def with_row(sheet: OpenSheet, row: Row, past: Past, course: Course) -> OpenSheet:
    """The sheet with one more row, which has been played already: `course` is what it comes to."""
    head = sheet.head
    if past.agreed is not None:
        now = past.agreed.becomes
        head = Head(head.game, now.players, now.dealer, now.options)
    return replace(
        sheet,
        head=head,
        table=course.start.table,
        rows=(*sheet.rows, row),
        history=(*sheet.history, past),
        course=course,
    )


def refused(code: str, says: Text) -> IllegalEntry:
    """What is said where a correction cannot be made."""
    return IllegalEntry([shared_fault(code, says, "corrections")])


def history_of(rows: Sequence[Row]) -> tuple[Past, ...]:
    """All rows of a sheet as history; raises `MalformedEntry` where one is missing."""
    if rows and rows[-1].seq != len(rows):
        says = say("{n} of its rows are missing.", n=rows[-1].seq - len(rows))
        raise MalformedEntry([shared_fault("rows-missing", says, "file")])
    return tuple(past_of(row) for row in rows)


def past_of(row: Row) -> Past:
    """A row of the ledger as history: a play is its entry, the others say why beside it."""
    body = msgspec.json.decode(row.body)
    if row.kind == "play":
        return Past(row.seq, row.kind, row.at, body, by=row.by, hash=row.hash)
    said = msgspec.convert(body, known(RowBody))
    return Past(
        row.seq,
        row.kind,
        row.at,
        said.entry,
        row.target,
        said.reason,
        said.agreed,
        said.remark,
        row.by,
        row.hash,
    )


def plain(game: AnyGame, value: Mapping[str, Any], at: State[Any] | None = None) -> dict[str, Any]:
    """An entry as plain JSON types, written as in the ledger; raises `MalformedEntry`.

    With the state `at` which it is to be made, the error names the rules that it breaks as well.
    """
    entry: dict[str, Any] = msgspec.to_builtins(game.read_entry(value, at))
    return entry


def as_file(sheet: OpenSheet) -> dict[str, Any]:
    """What the file of a sheet says, its history with it."""
    return {
        "referee": 1,
        "game": sheet.head.game,
        "players": sheet.head.players,
        "dealer": sheet.head.dealer,
        "options": sheet.head.options,
        "entries": [msgspec.to_builtins(step.entry) for step in sheet.course.steps],
        "history": [msgspec.to_builtins(row) for row in sheet.history],
    }

"""A sheet as it stands, computed from its rows; and what a correction would make of it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.chain import Mark, mark_of
from referee.ledger.store import Role, Row
from referee.rules.core import terms
from referee.rules.core.entries import Reason
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import IllegalEntry, shared_fault
from referee.rules.core.table import Table
from referee.rules.text import Text, joined, say
from referee.sheets.files import Course, Step, entries_in_force, play_rows
from referee.sheets.history import (
    CHANGEABLE,
    Fate,
    Past,
    SettingsChange,
    SheetSettings,
    fates,
    in_force,
    standing,
)


class Head(Struct, frozen=True):
    """The game and the settings with which a sheet was begun, as the ledger has them."""

    game: str
    players: list[str]
    dealer: str
    options: dict[str, Any]

    @property
    def settings(self) -> SheetSettings:
        """The same without the game, which cannot change."""
        return SheetSettings(self.players, self.dealer, self.options)

    def text(self) -> str:
        """The head as the ledger has it: JSON text."""
        return msgspec.json.encode(self).decode()


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
    def seq(self) -> int:
        """The number of the newest row, 0 where there is none."""
        return self.rows[-1].seq if self.rows else 0

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
    """A sheet before and after a correction, played through; `row` is what would be written."""

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


def grown(sheet: OpenSheet, rows: Sequence[Row]) -> OpenSheet | None:
    """The sheet with more `rows`, where these are entries that simply follow; otherwise None."""
    if not rows:
        return sheet
    if any(row.kind != "play" for row in rows):
        return None
    history = tuple(past_of(row) for row in rows)
    entries = [(row.seq, sheet.game.read_entry(row.entry or {})) for row in history]
    return replace(
        sheet,
        rows=sheet.rows + tuple(rows),
        history=sheet.history + history,
        course=sheet.course.followed_by(entries, legal=True),
    )


def with_step(sheet: OpenSheet, row: Row, step: Step) -> OpenSheet:
    """The sheet with one more row, an entry that has been played already."""
    past = Past(row.seq, "play", row.at, msgspec.to_builtins(step.entry), by=row.by)
    return replace(
        sheet,
        rows=(*sheet.rows, row),
        history=(*sheet.history, past),
        course=replace(sheet.course, steps=(*sheet.course.steps, step)),
    )


def corrected(game: AnyGame, table: Table[Any], history: Sequence[Past], target: int) -> Course:
    """As `course_of`; where another entry than that of row `target` is to blame, names its deal."""
    try:
        return course_of(game, table, history)
    except IllegalEntry as error:
        assert error.entry is not None
        if in_force(history)[error.entry].play.seq == target:
            raise
        legal = entries_in_force(game, history)[: error.entry]
        before = play_rows(game, table, legal, legal=True).state
        deal = terms.numbered(game.deal_called, before.deal + before.finished)
        why = joined(fault.says for fault in error.faults)
        says = say("{deal} would then break a rule: {why}", deal=deal, why=why)
        later = refused("later-entry", says)
        later.entry = error.entry
        raise later from error


def check_change(sheet: OpenSheet, change: Change) -> None:
    """Raise `IllegalEntry` where there is nothing of that kind to change."""
    stands = standing(sheet.history)
    target = next((row for row in sheet.history if row.seq == change.target), None)
    if target is None or target.seq not in stands:
        says = say("That deal isn’t on the sheet, or has already been removed.")
        raise refused("no-such-entry", says)
    if target.kind not in CHANGEABLE["void" if change.entry is None else "amend"]:
        raise refused("no-such-entry", say("Only a deal or its correction can be changed."))


def refused(code: str, says: Text) -> IllegalEntry:
    """What is said where a correction cannot be made."""
    return IllegalEntry([shared_fault(code, says, "corrections")])


class _RowBody(Struct, frozen=True, omit_defaults=True):
    """The body of a row that is no play."""

    entry: dict[str, Any] | None = None
    reason: str = ""
    agreed: SettingsChange | None = None


def past_of(row: Row) -> Past:
    """A row of the ledger as history: a play is its entry, the others say why beside it."""
    body = msgspec.json.decode(row.body)
    if row.kind == "play":
        return Past(row.seq, row.kind, row.at, body, by=row.by)
    said = msgspec.convert(body, _RowBody)
    return Past(row.seq, row.kind, row.at, said.entry, row.target, said.reason, said.agreed, row.by)


def row_body(row: Past) -> str:
    """The body of a row in the ledger: all but its number, kind, target and time; JSON text."""
    body = row.entry if row.kind == "play" else _RowBody(row.entry, row.reason, row.agreed)
    return msgspec.json.encode(body).decode()


def plain(game: AnyGame, value: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as plain JSON types, written as in the ledger; raises `MalformedEntry`."""
    entry: dict[str, Any] = msgspec.to_builtins(game.read_entry(value))
    return entry

"""The current state of a sheet, computed from its rows, and continued as more are written.

A sheet that cannot be played through is sick: it was written under other rules or by another
version of the program, or the disk has lost a part of it. It is shown as it was written, can be
exported and put in the trash, and affects no other sheet.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.chain import Mark, mark_of
from referee.ledger.errors import LedgerError
from referee.ledger.integrity import Written, WrittenRow
from referee.ledger.store import Role, Row
from referee.rules.core.decoding import inspected
from referee.rules.core.entries import Entry, Leave, Stop
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError, shared_fault
from referee.rules.core.table import Board, State, Table
from referee.rules.registry import GAMES
from referee.rules.text import Text, say, say_many, typed
from referee.sheets.files import Course, Step, entries_in_force, entry_of, seat_table
from referee.sheets.history import (
    KEY_SEPARATOR,
    UNDO,
    Fate,
    Head,
    HistoryRow,
    colors_of,
    entry_touched,
    fates,
    in_force,
    remarks,
    settings_at_start,
    settings_now,
)
from referee.sheets.score_pad import ScorePad, score_pad_of


class OpenSheet(Struct, frozen=True, dict=True):
    """The current state of a sheet, as seen through one link; `head` has the current settings."""

    id: int
    role: Role
    head: Head
    begun: str
    first_hash: str
    table: Table[Any]
    rows: tuple[Row, ...]
    history: tuple[HistoryRow, ...]
    course: Course

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.course.game

    @property
    def state(self) -> State[Any]:
        """The current state of the game."""
        return self.course.state

    @cached_property
    def seq(self) -> int:
        """The number of the newest row, 0 if there is none."""
        return self.rows[-1].seq if self.rows else 0

    @property
    def hash(self) -> str:
        """The hash of the chain up to the newest row."""
        return self.rows[-1].hash if self.rows else self.first_hash

    @cached_property
    def mark(self) -> Mark:
        """The mark of the newest row, which every form sends along."""
        return mark_of(self.seq, self.hash)

    @property
    def changed(self) -> str:
        """When it was last written on, or begun (ISO 8601)."""
        return self.rows[-1].at if self.rows else self.begun

    @property
    def can_score(self) -> bool:
        """Whether the holder of this link may write on the sheet."""
        return self.role in ("score", "host")

    @property
    def is_host(self) -> bool:
        """Whether the holder of this link may withdraw links."""
        return self.role == "host"

    @cached_property
    def next_players(self) -> tuple[str, ...]:
        """The players of the next sheet, clockwise: those seated, or put out by the rules."""
        put_out, left = set[str](), {gone.name for gone in self.course.start.left}
        for step in self.course.steps:
            before, left = left, {gone.name for gone in step.after.left}
            put_out = (put_out & left) | (left - before)
            if isinstance(step.entry, Leave):
                put_out.discard(step.entry.player)
        seated = self.state.table.players
        places = self.state.places or seated
        return tuple(name for name in places if name in seated or name in put_out)

    @property
    def next_dealer(self) -> str:
        """The first dealer of the next sheet; the dealer of a deal that has not begun deals it."""
        state, last = self.state, self.course.steps[-1:]
        if last and isinstance(last[0].entry, Stop):
            state = self.course.before(last[0].seq).state
        if not (state.finished or state.begun):
            return state.name(state.dealer)
        places = state.places or state.table.players
        first = places.index(state.dealer_name) + 1
        around = (*places[first:], *places[:first])
        return next(name for name in around if name in self.next_players)

    def rows_since(self, seen: Mark) -> tuple[Row, ...] | None:
        """The rows after the one that was seen; None if the book was replaced and lacks it."""
        before = self.rows[: seen.seq]
        hash_ = before[-1].hash if before else self.first_hash
        return self.rows[seen.seq :] if seen.stands_for(len(before), hash_) else None

    @cached_property
    def acts(self) -> Mapping[int, tuple[HistoryRow, ...]]:
        """All rows of the same act, in order, by the number of each of them.

        An act is what one form wrote: one row, or several, such as the bets of a street or the
        voids that undo them. It is shown, undone and restored as a whole.
        """
        forms = [row.key.partition(KEY_SEPARATOR)[0] for row in self.rows]
        acts: dict[str, tuple[HistoryRow, ...]] = {}
        for form, row in zip(forms, self.history, strict=True):
            acts[form] = (*acts.get(form, ()), row)
        return {seq: acts[form] for seq, form in enumerate(forms, 1)}

    def is_undo(self, seq: int) -> bool:
        """Whether an undo wrote row `seq`, and not the removal of an entry that was chosen."""
        return self.rows[seq - 1].key.startswith(UNDO)

    @cached_property
    def fates(self) -> dict[int, Fate]:
        """Every entry ever made with its corrections, by the number of its row."""
        return {fate.play.seq: fate for fate in fates(self.history)}

    def entry_of(self, fate: Fate) -> Entry:
        """The entry of this fate, with the players' current names."""
        return entry_of(self.game, fate)

    @cached_property
    def board(self) -> Board:
        """What a screen shows of the current state."""
        return self.game.board(self.state)

    @cached_property
    def pad(self) -> ScorePad:
        """The score pad, with a row for each deal."""
        return score_pad_of(self.course, vars(self).get("earlier_pad"))

    def seen_as(self, role: Role) -> "OpenSheet":
        """The sheet as seen through a link with this role; all roles share one score pad."""
        if self.role == role:
            return self
        _ = self.pad
        return self.updated(role=role)

    def updated(self, **changes: Any) -> "OpenSheet":
        """The sheet with these fields changed; its score pad reuses the rows of the one made."""
        sheet = replace(self, **changes)
        vars(sheet)["earlier_pad"] = vars(self).get("pad", vars(self).get("earlier_pad"))
        return sheet

    @cached_property
    def remarks(self) -> dict[tuple[str, int], str]:
        """The remarks in force, by subject: see `Remark`."""
        return remarks(self.history)

    @property
    def called(self) -> str:
        """The players’ own name for the game; empty if they gave it none."""
        return self.remarks.get(("title", 0), "")

    @property
    def title(self) -> Text | str:
        """The players’ own name for the game, or else its title."""
        return self.called or self.game.title

    @cached_property
    def colors(self) -> dict[str, int]:
        """The color of each player, from 1."""
        return colors_of(self.head.settings, self.history)

    @cached_property
    def _steps(self) -> dict[int, Step]:
        return {step.seq: step for step in self.course.steps}

    def step_at(self, seq: int) -> Step | None:
        """The step of the entry in row `seq`; None if it does not count."""
        return self._steps.get(seq)


def course_of(
    game: AnyGame, table: Table[Any], history: Sequence[HistoryRow], legal: bool = False
) -> Course:
    """Play the entries that count; rows of the ledger are `legal`, as they were ruled on before."""
    start = Course(game, game.start(table), ())
    return start.followed_by(entries_in_force(game, history), legal)


def as_of(sheet: OpenSheet, seq: int) -> OpenSheet:
    """The sheet when row `seq` was its newest, for a form that was filled in then."""
    if seq >= sheet.seq:
        return sheet
    history = sheet.history[:seq]
    then = settings_now(settings_at_start(sheet.head.settings, sheet.history), history)
    game, table = seat_table(sheet.game.slug, then.players, then.dealer, then.options)
    return replace(
        sheet,
        head=Head.of(game.slug, then),
        table=table,
        rows=sheet.rows[:seq],
        history=history,
        course=course_of(game, table, history, legal=True),
    )


def grown(sheet: OpenSheet, rows: Sequence[Row]) -> OpenSheet | None:
    """The sheet with the `rows` written on it since; None if a row changes the settings."""
    if not rows:
        return sheet
    new = tuple(map(history_row, rows))
    if any(row.agreed for row in new):
        return None
    history = (*sheet.history, *new)
    touched = min(entry_touched(history, row) for row in new)
    entries = entries_in_force(sheet.game, history, since=touched)
    course = sheet.course.before(touched).followed_by(entries, legal=True)
    return sheet.updated(rows=(*sheet.rows, *rows), history=history, course=course)


def with_row(sheet: OpenSheet, row: Row, written: HistoryRow, course: Course) -> OpenSheet:
    """The sheet with one more row, `written` in its history; `course` includes it already."""
    agreed = written.agreed
    return sheet.updated(
        head=Head.of(sheet.head.game, agreed.becomes) if agreed else sheet.head,
        table=course.start.table,
        rows=(*sheet.rows, row),
        history=(*sheet.history, written),
        course=course,
    )


def refused(code: str, says: Text) -> IllegalEntry:
    """The error for something that a sheet doesn't take, by the section on corrections."""
    return IllegalEntry([shared_fault(code, says, "corrections")])


def history_of(rows: Sequence[Row]) -> tuple[HistoryRow, ...]:
    """All rows of a sheet as history; raises `MalformedEntry` if one is missing."""
    if rows and rows[-1].seq != len(rows):
        says = say_many(
            "{n} of its rows is missing.",
            "{n} of its rows are missing.",
            n=rows[-1].seq - len(rows),
        )
        raise MalformedEntry([shared_fault("rows-missing", says, "file")])
    return tuple(map(history_row, rows))


def history_row(row: Row) -> HistoryRow:
    """A row of the ledger as history: the reverse of `row_body`."""
    body = msgspec.json.decode(row.body)
    if row.kind == "play":
        return HistoryRow(row.seq, row.kind, row.at, body, by=row.by, hash=row.hash)
    said = {"seq": row.seq, "kind": row.kind, "at": row.at, "target": row.target}
    return replace(msgspec.convert(body | said, inspected(HistoryRow)), by=row.by, hash=row.hash)


# --- as a file


def as_file(sheet: OpenSheet) -> dict[str, Any]:
    """The content of a sheet file, with the sheet's history."""
    entries = [msgspec.to_builtins(step.entry) for step in sheet.course.steps]
    return _file(sheet.head, entries, sheet.history)


def file_as_written(written: Written) -> dict[str, Any]:
    """The content of a file for a sheet that cannot be played: a sheet file, if it can be read.

    That can be imported once its rules are back. Otherwise it holds what could be read, each row
    with its `body` as text, to be repaired by hand (`docs/reliability.md`, a sick sheet).
    """
    try:
        begun = msgspec.json.decode(written.head, type=inspected(Head))
        history = [_past_as_written(row) for row in written.rows]
        now = Head.of(begun.game, settings_now(begun.settings, history))
        entries = [_entry_as_written(begun.game, fate) for fate in in_force(history)]
        return _file(now, entries, history)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, RecursionError):
        rows = [msgspec.to_builtins(row) for row in written.rows]
        return {"head": written.head, "begun": written.begun, "rows": rows}


def _file(head: Head, entries: list[Any], history: Sequence[HistoryRow]) -> dict[str, Any]:
    return {
        "referee": 1,
        **msgspec.structs.asdict(head),
        "entries": entries,
        "history": [msgspec.to_builtins(row) for row in history],
    }


def _past_as_written(row: WrittenRow) -> HistoryRow:
    target = int(row.target) if row.target else None
    # `convert` checks that there is such a kind; a file has no role.
    read: Any = Row(row.seq, row.kind, target, row.body, "", row.role, row.at, row.by, row.hash)  # type: ignore[arg-type]
    return msgspec.convert(msgspec.to_builtins(history_row(read)), inspected(HistoryRow))


def _entry_as_written(slug: str, fate: Fate) -> dict[str, Any]:
    """An entry as it is now, or as it was written if the game can no longer read it."""
    try:
        entry: dict[str, Any] = msgspec.to_builtins(entry_of(GAMES[slug], fate))
    except (KeyError, MalformedEntry):
        return fate.last
    return entry


class SickSheetError(LedgerError):
    """Sheet number `sheet` cannot be played through; `why` says the reason."""

    def __init__(self, sheet: int, error: Exception) -> None:
        self.sheet = sheet
        kind = type(error).__name__
        self.why = say("a row of it isn’t as Referee writes it ({kind}).", kind=kind)
        if isinstance(error, RefereeError | LedgerError):
            self.why = typed(str(error))
        super().__init__(say("This sheet can’t be played through: {why}", why=self.why))

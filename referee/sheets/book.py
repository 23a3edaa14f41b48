"""The score sheets of one ledger: begin, open, record, undo, correct, import.

Everything a screen shows of a sheet is computed from its rows in the ledger (`OpenSheet`).
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.chain import Mark, first_hash
from referee.ledger.errors import DamagedError, MovedOnError, UnavailableError
from referee.ledger.extras import ledger_parts
from referee.ledger.store import ROLES, Draft, Ledger, Link, Role, new_token
from referee.progress import steps
from referee.rules.core.decoding import inspected
from referee.rules.core.ruling import MalformedEntry, RefereeError, shared_fault
from referee.rules.letters import unseen
from referee.rules.text import say
from referee.sheets.comparison import Change, NewSettings, compared
from referee.sheets.files import Course, Sheet, Step, as_new, hashes_of, seat_table
from referee.sheets.history import (
    REMARK_LENGTH,
    TITLE_LENGTH,
    UNDO,
    Head,
    HistoryRow,
    Remark,
    keys_of,
    row_body,
    settings_now,
)
from referee.sheets.hosting import Hosting, NotAllowed, Trash
from referee.sheets.sheet import (
    OpenSheet,
    SickSheetError,
    as_of,
    course_of,
    grown,
    history_of,
    refused,
    with_row,
)
from referee.sheets.summaries import Summaries

MAX_ROWS = 2000
SPARE_ROWS = 200  # more rows, for corrections and the end of the game only
# Rows of all cached sheets together, more than any one may have. A row with its result takes about
# five kilobytes; to play it again, a twentieth of a millisecond.
MAX_KEPT = 2500


def clock() -> str:
    """The current time in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def one_line(remark: Remark) -> str:
    """The text of a remark as it is kept; raises `MalformedEntry` if it can't be."""
    text = " ".join(remark.text.split())
    most = TITLE_LENGTH if remark.about == "title" else REMARK_LENGTH
    if unseen(text) or len(text) > most:
        says = say("Write one line of up to {most} visible characters.", most=most)
        raise MalformedEntry([shared_fault("remark", says, "file")])
    return text


class FormView(Struct, frozen=True):
    """A sheet as the writer of a form saw it through this link, and the `current` one."""

    link: Link
    sheet: OpenSheet
    current: OpenSheet

    @contextmanager
    def judged(self) -> Iterator[None]:
        """Raise faults found inside as `MovedOnError` if the sheet has moved on since."""
        try:
            yield
        except RefereeError as error:
            if self.sheet is not self.current:
                raise MovedOnError(self.current.seq) from error
            raise


class Book:
    """All the sheets in one ledger."""

    def __init__(
        self,
        ledger: Ledger,
        now: Callable[[], str] = clock,
        most_rows: int = MAX_ROWS,
        summaries: Path | None = None,
    ) -> None:
        """`now` returns the time in ISO 8601; `summaries` is the file for these (None: memory)."""
        self.ledger = ledger
        self.now = now
        self._most_rows = most_rows
        # Sheets that were played through. A ledger is append-only, so a cached sheet stays right as
        # far as it goes; the rows after it are read from the ledger.
        self._sheets: LRUCache[int, OpenSheet] = LRUCache(MAX_KEPT, lambda sheet: len(sheet.rows))
        self._lock = threading.Lock()
        self.trash = Trash(ledger, now)
        #: The hosts of the sheets, and their links.
        self.hosting = Hosting(ledger, now)
        #: Summaries of the sheets, for pages about many of them.
        self.summaries = Summaries(ledger, self.sheet, summaries)

    def new_links(self, kind: str = "sheet", host: str = "") -> list[tuple[Role, str]]:
        """A role with its token for each of the links of a new sheet, or another `kind`.

        The token of the `host` may be given.
        """
        plays = kind == "sheet" and any(part.plays for part in ledger_parts())
        roles = [role for role in ROLES if role != "play" or plays]
        return [(role, host if role == "host" and host else new_token()) for role in roles]

    # --- opening

    def begin(
        self,
        slug: str,
        players: Sequence[str],
        dealer: str | None,
        options: Mapping[str, Any],
        host: str = "",
    ) -> Link:
        """Begin a sheet; returns its host link, which has the token `host`, or a new one.

        If `host` is already a sheet's token, returns that sheet's link. Raises `MalformedEntry`
        with all faults.
        """
        sheet = Sheet(*seat_table(slug, players, dealer, options), ())
        return self.ledger.begin(as_new(sheet, self.new_links(host=host), self.now()))

    def open(self, link: Link, newest: Mark | None = None) -> OpenSheet:
        """The sheet that `link` leads to, played through.

        `newest` is the mark of its newest row, if that has just been read. Raises `SickSheetError`
        if it cannot be played, `UnavailableError` if the book cannot be opened.
        """
        return self.sheet(link.document, newest).seen_as(link.role)

    def sheet(
        self, number: int, newest: Mark | None = None, *, in_passing: bool = False
    ) -> OpenSheet:
        """The sheet with this number, as a host sees it; raises as `open` does.

        Sheets read `in_passing`, for a page about thousands, are not cached: they would displace
        those in use.
        """
        try:
            with self._lock:
                kept = self._sheets.get(number)
            if kept and kept.mark == newest:
                return kept
            sheet = self._continue(kept) if kept else None
            if sheet is None:
                sheet = self.replay(number, legal=True)
        except (UnavailableError, MemoryError):
            raise
        except Exception as error:
            # Whatever is wrong with this sheet must not affect others.
            raise SickSheetError(number, error) from error
        if sheet is not kept and sheet.rows and not in_passing:
            self._keep(sheet)
        return sheet

    def _keep(self, sheet: OpenSheet) -> None:
        """Keep a sheet, unless it alone has too many rows; the least recently used goes first."""
        if sheet.role != "host":
            sheet = sheet.updated(role="host")
        with self._lock, suppress(ValueError):
            self._sheets[sheet.id] = sheet

    def _continue(self, kept: OpenSheet) -> OpenSheet | None:
        """The cached sheet with the rows written since; None if it has to be played from the start.

        Its newest row is read again, in case this book was replaced by another one.
        """
        rows = self.ledger.rows(kept.id, after=kept.seq - 1)
        return grown(kept, rows[1:]) if rows[:1] == [kept.rows[-1]] else None

    def replay(self, number: int, *, legal: bool = False) -> OpenSheet:
        """Play the sheet with this number from its first row on, ruling on every entry again.

        Raises what `Game.apply` raises for an entry that breaks a rule, its `entry` set to the
        index. Entries known to be `legal` are only played.
        """
        found = self.ledger.head(number)
        if found is None:  # a link leads to a sheet, unless the database is damaged
            raise DamagedError(say("Sheet {sheet} is missing.", sheet=str(number)))
        begun = msgspec.json.decode(found[0], type=inspected(Head))
        rows = tuple(self.ledger.rows(number))
        history = history_of(rows)
        head = Head.of(begun.game, settings_now(begun.settings, history))
        game, table = seat_table(head.game, head.players, head.dealer, head.options)
        course = course_of(game, table, history, legal)
        start = first_hash(found[0])
        return OpenSheet(number, "host", head, found[1], start, table, rows, history, course)

    def all_links(self) -> list[Link]:
        """A host link to every sheet, for the owner of the machine."""
        tokens = ((sheet, self.ledger.links(sheet)) for sheet in self.ledger.sheets())
        return [Link(found.get("host", ""), sheet, "host") for sheet, found in tokens]

    # --- writing

    def preview(
        self, sheet: OpenSheet, value: Mapping[str, Any], first: Sequence[Step] = ()
    ) -> Step:
        """The step that `record` would write; those in `first` are not written yet, but precede it.

        Raises what `record` raises for the entry. A full sheet takes only an entry that ends the
        game, and corrections.
        """
        state, seq = (first[-1].after, first[-1].seq) if first else (sheet.state, sheet.seq)
        entry = sheet.game.read_entry(value, state)
        after, lines = sheet.game.apply(state, entry)
        if seq >= self._most_rows and not after.finished:
            says = say(
                "This sheet is full. You can still correct it, undo, and end the game. To play on, "
                "start the next sheet."
            )
            raise refused("sheet-full", says)
        return Step(seq + 1, entry, lines, after)

    def seen_by(
        self,
        link: Link,
        after: Mark,
        opened: OpenSheet | None = None,
        conflicts: Callable[[HistoryRow], bool] = lambda row: row.remark is None,
    ) -> FormView:
        """The sheet as the writer of a form saw it, when its newest row was `after`.

        Later rows are taken as seen if none `conflicts`; by default remarks don't. `opened` is the
        sheet, if it has just been opened with this link. Raises `IllegalEntry` for a link that may
        not write or a sheet that is full, `MovedOnError` if the book was replaced by one without
        that row: its hash is compared if the mark has one.
        """
        if not link.allows("score"):
            raise NotAllowed("score")
        current = opened or self.open(link)
        if current.rows_since(after) is None:
            raise MovedOnError(current.seq)
        outdated = any(map(conflicts, current.history[after.seq :]))
        sheet = as_of(current, after.seq) if outdated else current
        if sheet.seq >= self._most_rows + SPARE_ROWS:
            says = say(
                "This sheet is full, and so is the room for corrections. To play on, start the "
                "next sheet."
            )
            raise refused("sheet-full", says)
        return FormView(link, sheet, current)

    def record(self, link: Link, value: Mapping[str, Any], after: Mark, key: str) -> int:
        """Write an entry on the sheet; returns its `seq`. The same `key` twice is one entry.

        `after` is the newest row the writer has seen, apart from remarks (see `seen_by`); `value`
        has the players' names as of that row. Raises `MovedOnError` if the sheet has grown, or if
        the key was used for something else (the answer was lost, and the writer then changed the
        entry); `MalformedEntry` or `NotationError` if the entry cannot be read, `IllegalEntry` if
        it breaks a rule. In all these cases nothing is stored.
        """
        return self.record_all(self.seen_by(link, after), [value], key)

    def record_all(
        self,
        seen: FormView,
        values: Iterable[Mapping[str, Any]],
        key: str,
        precondition: Callable[[], bool] | None = None,
    ) -> int:
        """Write entries, all or none, as `record` does; returns the last one's `seq`.

        They make one act (`OpenSheet.acts`). The `precondition` is that of `Ledger.append`.
        """
        played: list[Step] = []
        with seen.judged():
            for value in values:
                played.append(self.preview(seen.sheet, value, played))
        rows = [HistoryRow(one.seq, "play", "", msgspec.to_builtins(one.entry)) for one in played]
        course = seen.sheet.course
        return self._append(
            seen, key, rows, replace(course, steps=(*course.steps, *played)), precondition
        )

    def undo(self, link: Link, after: Mark) -> int:
        """Void the last entry that counts, and the rest of its act (`OpenSheet.acts`).

        All of it stays in the book. Undone again after the same row, as by two phones at once, it
        is undone once. Raises as `record` does.
        """
        seen = self.seen_by(link, after)
        sheet = seen.sheet
        with seen.judged():
            if not sheet.course.steps:
                raise refused("nothing-to-undo", say("There’s nothing to undo."))
            act = {row.seq for row in sheet.acts[sheet.course.steps[-1].seq]}
        gone = [step.seq for step in reversed(sheet.course.steps) if step.seq in act]
        voids = [HistoryRow(sheet.seq + n, "void", "", target=seq) for n, seq in enumerate(gone, 1)]
        return self._append(seen, f"{UNDO}{after}", voids, sheet.course.before(gone[-1]))

    # --- corrections

    def correct(self, link: Link, change: Change | NewSettings, after: Mark, key: str) -> int:
        """Write a correction on the sheet; raises as `record` and `compared` do."""
        seen = self.seen_by(link, after)
        with seen.judged():
            comparison = compared(seen.sheet, change)
        return self._append(seen, key, comparison.rows, comparison.after)

    def remark(self, link: Link, remark: Remark, after: Mark, key: str) -> int:
        """Write a remark, replacing one about the same thing; raises as `record` does."""

        def about_the_same(row: HistoryRow) -> bool:
            other = row.remark
            return other is not None and (other.about, other.row) == (remark.about, remark.row)

        seen = self.seen_by(link, after, conflicts=about_the_same)
        with seen.judged():
            text = one_line(remark)
        row = HistoryRow(seen.sheet.seq + 1, "note", "", remark=replace(remark, text=text))
        return self._append(seen, key, [row], seen.sheet.course)

    # --- files

    def already_here(self, sheet: Sheet) -> list[int]:
        """The sheets of this book that `sheet`, read from a file, is a copy or an earlier part of.

        Empty for a file without history, which cannot be compared.
        """
        if not sheet.history:
            return []
        return self.ledger.sheets_with_row(len(sheet.history), hashes_of(sheet)[-1])

    def import_sheet(self, sheet: Sheet) -> Link:
        """Store a sheet read from a file, with its history if it has one; returns its host link.

        Raises `IllegalEntry` or `NotationError` if an entry breaks a rule.
        """
        return self.import_sheets([sheet])[0]

    def import_sheets(self, sheets: Iterable[Sheet]) -> list[Link]:
        """As `import_sheet`, for several sheets: stores all or, if one has a fault, none."""
        new = [as_new(sheet, self.new_links(), self.now()) for sheet in steps([*sheets])]
        numbers = self.ledger.create_all(new)
        return [
            Link(dict(one.links)["host"], number, "host")
            for one, number in zip(new, numbers, strict=True)
        ]

    # --- inside

    def _append(
        self,
        seen: FormView,
        key: str,
        new: Sequence[HistoryRow],
        course: Course,
        precondition: Callable[[], bool] | None = None,
    ) -> int:
        """Append rows to the sheet as it was seen; returns the `seq` of the last one.

        `course` is the sheet played through with them. A form that is sent twice makes the same
        rows twice, as it is applied to what its writer saw; the ledger decides whether they are
        new, known or too late.
        """
        sheet, link, at = seen.sheet, seen.link, self.now()
        drafts = [
            Draft(one.kind, row_body(one), own, link.role, at, one.target, link.by)
            for one, own in zip(new, keys_of(key, len(new)), strict=True)
        ]
        row = self.ledger.append(sheet.id, sheet.mark, drafts, precondition)
        if sheet is seen.current and len(new) == 1 and row.seq == new[0].seq:
            # So that the next request need not play it. If the same form was sent twice at once,
            # the row is the one that the other request wrote.
            written = replace(new[0], at=row.at, by=row.by, hash=row.hash)
            self._keep(with_row(sheet, row, written, course))
        return row.seq

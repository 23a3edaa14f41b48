"""The score sheets of this house: open one, record on it, undo, share it, take it out or in.

Everything a screen shows of a sheet is computed from its rows in the ledger (`OpenSheet`).
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Draft, Ledger, Link, Role, Row
from referee.rules.decoding import SHARED_RULES
from referee.rules.entries import Entry, Reason
from referee.rules.game import Game
from referee.rules.ruling import Fault, IllegalEntry, MalformedEntry
from referee.rules.table import Table
from referee.sheets.files import (
    Course,
    Scored,
    Sheet,
    play_through,
    seat_table,
)
from referee.sheets.history import Fate, Past, fates, in_force, standing

ROLES: tuple[Role, ...] = ("view", "score", "host")
KEY_LENGTH = 64


class Head(Struct, frozen=True):
    """What was agreed when a sheet was begun, as the ledger keeps it."""

    game: str
    players: list[str]
    dealer: str
    options: dict[str, Any]


class OpenSheet(Struct, frozen=True, dict=True):
    """A sheet as it stands, as seen through one link.

    `numbers` gives, for each step of `course`, the `seq` of its row in the ledger.
    """

    id: int
    role: Role
    head: Head
    begun: str
    table: Table
    rows: tuple[Row, ...]
    history: tuple[Past, ...]
    course: Course
    numbers: tuple[int, ...]

    @property
    def game(self) -> Game[Any, Any]:
        """The game that is played."""
        return self.course.game

    @property
    def seq(self) -> int:
        """The newest row: what a writer says it has seen."""
        return self.rows[-1].seq if self.rows else 0

    @property
    def can_score(self) -> bool:
        """Whether the holder of this link may write on the sheet."""
        return self.role != "view"

    @property
    def is_host(self) -> bool:
        """Whether the holder of this link may withdraw links."""
        return self.role == "host"

    def rows_after(self, seq: int) -> tuple[Row, ...]:
        """What was written after row `seq`."""
        return tuple(row for row in self.rows if row.seq > seq)

    @cached_property
    def fates(self) -> dict[int, Fate]:
        """What has become of every entry ever made, by the number of its row."""
        return {fate.play.seq: fate for fate in fates(self.history)}

    def step_at(self, seq: int) -> Scored | None:
        """The entry of row `seq` with what it did, if it counts."""
        steps = dict(zip(self.numbers, self.course.steps, strict=True))
        return steps.get(seq)


class Change(Struct, frozen=True):
    """A correction: row `target` gets another `entry`, or is voided where that is None.

    Voiding an amendment or a void takes that one back.
    """

    target: int
    entry: Mapping[str, Any] | None = None
    reason: Reason = ""


class Comparison(Struct, frozen=True):
    """A sheet before and after a correction; `row` is what would be written.

    `before` and `after` are played through; `numbers_before` and `numbers_after` give the rows
    of their entries.
    """

    row: Past
    before: Course
    after: Course
    numbers_before: tuple[int, ...]
    numbers_after: tuple[int, ...]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_token() -> str:
    """An unguessable token: 128 random bits, fit for an address and for a command line."""
    while (token := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return token


class Book:
    """All the sheets in one ledger."""

    def __init__(self, ledger: Ledger, now: Callable[[], str] = _now) -> None:
        """`now` gives the time to note, in ISO 8601."""
        self._ledger = ledger
        self._now = now

    # --- opening

    def begin(
        self, slug: str, players: Sequence[str], dealer: str | None, options: Mapping[str, Any]
    ) -> Link:
        """A new sheet; returns its host link. Raises `MalformedEntry` with all that is wrong."""
        game, table = seat_table(slug, players, dealer, options)
        return self._create(game, table)

    def find(self, token: str) -> Link | None:
        """The link with this token, unless there is none or it was withdrawn."""
        return self._ledger.link(token)

    def newest(self, link: Link) -> int:
        """The `seq` of the sheet's newest row, without reading the sheet."""
        return self._ledger.newest(link.sheet)

    def open(self, link: Link) -> OpenSheet:
        """The sheet that `link` leads to, played through."""
        found = self._ledger.head(link.sheet)
        assert found is not None, "a link leads to a sheet: the database sees to that"
        head = msgspec.json.decode(found[0], type=Head)
        game, table = seat_table(head.game, head.players, head.dealer, head.options)
        rows = tuple(self._ledger.rows(link.sheet))
        history = tuple(_past(row) for row in rows)
        numbers, course = _course(game, table, history)
        return OpenSheet(
            link.sheet, link.role, head, found[1], table, rows, history, course, numbers
        )

    def all_links(self) -> list[Link]:
        """A host link to every sheet, for the owner of the machine."""
        links = []
        for sheet in self._ledger.sheets():
            tokens = self._ledger.links(sheet)
            links.append(Link(tokens["host"], sheet, "host"))
        return links

    # --- writing

    def preview(self, sheet: OpenSheet, value: Mapping[str, Any]) -> Scored:
        """What `record` would do, without doing it; raises what `record` raises for the entry."""
        entry = sheet.game.read_entry(value)
        after, lines = sheet.game.apply(sheet.course.state, entry)
        return Scored(entry, lines, after)

    def record(self, link: Link, value: Mapping[str, Any], after: int, key: str) -> int:
        """Write an entry on the sheet; `after` is the newest row the writer has seen.

        `key` names this very entry: the same key twice is one entry and the same answer, its
        `seq`. Raises `MovedOnError` where the sheet has grown, or where the key was used for
        another entry (its answer was lost, and the writer changed it since); `MalformedEntry` or
        `NotationError` where the entry cannot be read, `IllegalEntry` where it breaks a rule.
        In all these cases nothing is stored.
        """
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
            if sheet.history[written - 1].entry != _plain(sheet.game, value):
                raise MovedOnError(sheet.seq)
            return written
        scored = self.preview(sheet, value)
        draft = Draft("play", _body(scored.entry), key, link.role, self._now())
        return self._ledger.append(link.sheet, after, [draft])

    def undo(self, link: Link, after: int, key: str) -> int:
        """Void the last entry that counts; it stays in the ledger. Raises as `record` does."""
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
            return written
        if not sheet.numbers:
            raise _refused("nothing-to-undo", "There is nothing to undo.")
        draft = Draft("void", "{}", key, link.role, self._now(), sheet.numbers[-1])
        return self._ledger.append(link.sheet, after, [draft])

    # --- corrections

    def compare(self, sheet: OpenSheet, change: Change) -> Comparison:
        """What a correction would make of the sheet, without making it.

        Raises `IllegalEntry` where there is nothing of that kind to change, where the amended
        entry breaks a rule, or where a later entry would then break one; `MalformedEntry` or
        `NotationError` where the amended entry cannot be read.
        """
        _check_change(sheet, change)
        row = Past(
            seq=sheet.seq + 1,
            kind="void" if change.entry is None else "amend",
            at=self._now(),
            entry=None if change.entry is None else _plain(sheet.game, change.entry),
            target=change.target,
            reason=change.reason,
        )
        numbers, course = _corrected(sheet, (*sheet.history, row), change)
        return Comparison(row, sheet.course, course, sheet.numbers, numbers)

    def correct(self, link: Link, change: Change, after: int, key: str) -> int:
        """Write a correction on the sheet; raises as `record` and `compare` do."""
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
            return written
        row = self.compare(sheet, change).row
        draft = Draft(row.kind, _row_body(row), key, link.role, row.at, row.target)
        return self._ledger.append(link.sheet, after, [draft])

    # --- sharing

    def links(self, link: Link) -> dict[Role, str]:
        """The tokens this link's holder may hand on: those that allow no more than it does."""
        allowed = ROLES[: ROLES.index(link.role) + 1]
        tokens = self._ledger.links(link.sheet)
        return {role: tokens[role] for role in allowed if role in tokens}

    def renew(self, link: Link, role: Role) -> None:
        """Withdraw the link of `role` and make it anew; the host's to do, and not for his own."""
        if link.role != "host" or role == "host":
            rule = f"{SHARED_RULES}, sharing"
            message = "Only the host of a sheet can withdraw its viewing and scoring links."
            raise IllegalEntry([Fault("host-only", message, rule)])
        self._ledger.renew_link(link.sheet, role, new_token(), self._now())

    # --- files

    def export(self, sheet: OpenSheet) -> dict[str, Any]:
        """The sheet as a file, with its history (`sheet-format.md`)."""
        return {
            "referee": 1,
            "game": sheet.head.game,
            "players": sheet.head.players,
            "dealer": sheet.head.dealer,
            "options": sheet.head.options,
            "entries": [msgspec.to_builtins(step.entry) for step in sheet.course.steps],
            "history": msgspec.to_builtins(sheet.history),
        }

    def take_in(self, sheet: Sheet) -> Link:
        """Keep a sheet read from a file, with its history if it has one; returns its host link.

        Raises `IllegalEntry` or `NotationError` where an entry breaks a rule.
        """
        play_through(sheet.game, sheet.table, sheet.entries)
        history = sheet.history
        if history is None:
            history = tuple(
                Past(seq, "play", self._now(), msgspec.to_builtins(entry))
                for seq, entry in enumerate(sheet.entries, start=1)
            )
        drafts = [
            Draft(row.kind, _row_body(row), f"imported-{row.seq}", "host", row.at, row.target)
            for row in history
        ]
        return self._create(sheet.game, sheet.table, drafts)

    # --- inside

    def _create(self, game: Game[Any, Any], table: Table, drafts: Sequence[Draft] = ()) -> Link:
        dealer = table.players[table.dealer]
        house_rules = msgspec.to_builtins(table.options)
        head = Head(game.slug, list(table.players), dealer, house_rules)
        tokens: list[tuple[Role, str]] = [(role, new_token()) for role in ROLES]
        text = msgspec.json.encode(head).decode()
        sheet = self._ledger.create(text, tokens, self._now(), drafts)
        return Link(dict(tokens)["host"], sheet, "host")

    def _to_write_on(self, link: Link, after: int, key: str) -> tuple[OpenSheet, int | None]:
        """The sheet as its writer knows it, or where the row with this very key stands on it.

        Both are looked up in one reading of the sheet: a form that was sent twice at the same
        moment must not be told that somebody else has written in the meantime.
        """
        self._only_writers(link)
        _check_key(key)
        sheet = self.open(link)
        written = next((row.seq for row in sheet.rows if row.key == key), None)
        if written is None and sheet.seq != after:
            raise MovedOnError(sheet.seq)
        return sheet, written

    @staticmethod
    def _only_writers(link: Link) -> None:
        if link.role == "view":
            rule = f"{SHARED_RULES}, sharing"
            raise IllegalEntry([Fault("view-only", "This link can look, not write.", rule)])


def _course(
    game: Game[Any, Any], table: Table, history: Sequence[Past]
) -> tuple[tuple[int, ...], Course]:
    """The entries that count, played through, with the number of each one's row."""
    counting = in_force(history)
    entries = [game.read_entry(value) for _, value in counting]
    return tuple(seq for seq, _ in counting), play_through(game, table, entries)


def _corrected(
    sheet: OpenSheet, history: Sequence[Past], change: Change
) -> tuple[tuple[int, ...], Course]:
    """As `_course`; where an entry other than the corrected one is to blame, it is named."""
    try:
        return _course(sheet.game, sheet.table, history)
    except IllegalEntry as error:
        counting = in_force(history)
        assert error.entry is not None
        blamed = counting[error.entry][0]
        if blamed == change.target:
            raise
        why = " ".join(fault.message for fault in error.faults)
        message = f"Entry {error.entry + 1}, which came later, would then break a rule: {why}"
        refused = _refused("later-entry", message)
        refused.entry = error.entry
        raise refused from error


def _check_change(sheet: OpenSheet, change: Change) -> None:
    stands = standing(sheet.history)
    target = next((row for row in sheet.history if row.seq == change.target), None)
    if target is None or target.seq not in stands:
        raise _refused("no-such-entry", "That entry is not on the sheet, or was taken out already.")
    if change.entry is not None and target.kind != "play":
        raise _refused("no-such-entry", "Only an entry can be given another content.")


def _refused(code: str, message: str) -> IllegalEntry:
    return IllegalEntry([Fault(code, message, f"{SHARED_RULES}, corrections")])


def _past(row: Row) -> Past:
    """A row of the ledger as history: a play is its entry, the others say why beside it."""
    body = msgspec.json.decode(row.body)
    kind = cast('Literal["play", "amend", "void"]', row.kind)  # no others are written yet
    entry = body if kind == "play" else body.get("entry")
    reason = "" if kind == "play" else body.get("reason", "")
    return Past(row.seq, kind, row.at, entry, row.target, reason)


def _row_body(row: Past) -> str:
    """What the ledger keeps of a row besides its number, kind, target and time; JSON text."""
    if row.kind == "play":
        kept = row.entry or {}
    else:
        parts = {"entry": row.entry, "reason": row.reason}
        kept = {name: part for name, part in parts.items() if part}
    return msgspec.json.encode(kept).decode()


def _plain(game: Game[Any, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(game.read_entry(value))
    return plain


def _body(entry: Entry) -> str:
    return msgspec.json.encode(entry).decode()


def _check_key(key: str) -> None:
    if not 1 <= len(key) <= KEY_LENGTH or not key.isascii():
        message = f"An entry's key has 1 to {KEY_LENGTH} plain characters."
        raise MalformedEntry([Fault("key", message, f"{SHARED_RULES}, the sheet file")])

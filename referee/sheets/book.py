"""The score sheets of this house: open one, record on it, undo, share it, take it out or in.

Everything a screen shows of a sheet is computed from its rows in the ledger (`OpenSheet`).
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Draft, Ledger, Link, Role, Row
from referee.rules.entries import Entry
from referee.rules.game import SHARED_RULES, Game, Table
from referee.rules.ruling import Fault, IllegalEntry, MalformedEntry
from referee.sheets.files import (
    Course,
    Past,
    Scored,
    Sheet,
    play_through,
    seat_table,
)

ROLES: tuple[Role, ...] = ("view", "score", "host")
KEY_LENGTH = 64


class Head(Struct, frozen=True):
    """What was agreed when a sheet was begun, as the ledger keeps it."""

    game: str
    players: list[str]
    dealer: str
    options: dict[str, Any]


class OpenSheet(Struct, frozen=True):
    """A sheet as it stands, as seen through one link.

    `numbers` gives, for each step of `course`, the `seq` of its row in the ledger.
    """

    id: int
    role: Role
    head: Head
    begun: str
    table: Table
    rows: tuple[Row, ...]
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

    def step_at(self, seq: int) -> Scored | None:
        """The entry of row `seq` with what it did, if it counts."""
        steps = dict(zip(self.numbers, self.course.steps, strict=True))
        return steps.get(seq)


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
        live = _live(rows)
        entries = [game.read_entry(msgspec.json.decode(row.body)) for row in live]
        course = play_through(game, table, entries)
        numbers = tuple(row.seq for row in live)
        return OpenSheet(link.sheet, link.role, head, found[1], table, rows, course, numbers)

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
        `seq`. Raises `MovedOnError` where the sheet has grown, `MalformedEntry` or
        `NotationError` where the entry cannot be read, `IllegalEntry` where it breaks a rule.
        In all these cases nothing is stored.
        """
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
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
            rule = f"{SHARED_RULES}, corrections"
            raise IllegalEntry([Fault("nothing-to-undo", "There is nothing to undo.", rule)])
        draft = Draft("void", "{}", key, link.role, self._now(), sheet.numbers[-1])
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
        history = [
            Past(
                seq=row.seq,
                kind="void" if row.kind == "void" else "play",
                at=row.at,
                entry=msgspec.json.decode(row.body) if row.kind == "play" else None,
                target=row.target,
            )
            for row in sheet.rows
        ]
        return {
            "referee": 1,
            "game": sheet.head.game,
            "players": sheet.head.players,
            "dealer": sheet.head.dealer,
            "options": sheet.head.options,
            "entries": [msgspec.to_builtins(step.entry) for step in sheet.course.steps],
            "history": msgspec.to_builtins(history),
        }

    def take_in(self, sheet: Sheet) -> Link:
        """Keep a sheet read from a file, with its history if it has one; returns its host link.

        Raises `IllegalEntry` or `NotationError` where an entry breaks a rule.
        """
        play_through(sheet.game, sheet.table, sheet.entries)
        link = self._create(sheet.game, sheet.table)
        history = sheet.history
        if history is None:
            history = tuple(
                Past(seq, "play", self._now(), msgspec.to_builtins(entry))
                for seq, entry in enumerate(sheet.entries, start=1)
            )
        drafts = [
            Draft(
                past.kind,
                msgspec.json.encode(past.entry or {}).decode(),
                f"imported-{past.seq}",
                "host",
                past.at,
                past.target,
            )
            for past in history
        ]
        if drafts:
            self._ledger.append(link.sheet, 0, drafts)
        return link

    # --- inside

    def _create(self, game: Game[Any, Any], table: Table) -> Link:
        dealer = table.players[table.dealer]
        house_rules = msgspec.to_builtins(table.options)
        head = Head(game.slug, list(table.players), dealer, house_rules)
        tokens: list[tuple[Role, str]] = [(role, new_token()) for role in ROLES]
        sheet = self._ledger.create(msgspec.json.encode(head).decode(), tokens, self._now())
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


def _live(rows: Sequence[Row]) -> list[Row]:
    """The rows that count: plays that no later row voids."""
    voided = {row.target for row in rows if row.kind == "void"}
    return [row for row in rows if row.kind == "play" and row.seq not in voided]


def _body(entry: Entry) -> str:
    return msgspec.json.encode(entry).decode()


def _check_key(key: str) -> None:
    if not 1 <= len(key) <= KEY_LENGTH or not key.isascii():
        message = f"An entry's key has 1 to {KEY_LENGTH} plain characters."
        raise MalformedEntry([Fault("key", message, f"{SHARED_RULES}, the sheet file")])

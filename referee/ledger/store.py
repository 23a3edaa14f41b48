"""The ledger: appending to sheets and reading them, safe for many threads and processes."""

import hmac
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct
from sqlite_utils import Database

from referee.ledger import privacy
from referee.ledger.checkpoints import AfterCommits
from referee.ledger.errors import MovedOnError, UnavailableError, translated
from referee.ledger.schema import bring_up_to_date, digest
from referee.rules.text import say

Kind = Literal["play", "amend", "void", "note"]
Role = Literal["view", "score", "host"]

BUSY_SECONDS = 10

# One statement, so that what it says is of one moment; every live board asks it every two seconds.
_GLANCE = """
SELECT token, sheet, role,
    (SELECT coalesce(max(seq), 0) FROM entries WHERE entries.sheet = links.sheet),
    (SELECT CASE what WHEN 'put' THEN at END FROM trash
     WHERE trash.sheet = links.sheet ORDER BY id DESC LIMIT 1)
FROM links WHERE digest = ? AND withdrawn IS NULL
"""


class Row(Struct, frozen=True):
    """One row of a sheet. `body` is JSON text; `target` is the `seq` of the row it changes.

    `by` is what the phone that wrote it calls itself, "" where it has no name.
    """

    seq: int
    kind: Kind
    target: int | None
    body: str
    key: str
    role: Role
    at: str
    by: str = ""


class Draft(Struct, frozen=True):
    """A row that is to be appended: what `Row` holds, but for its place."""

    kind: Kind
    body: str
    key: str
    role: Role
    at: str
    target: int | None = None
    by: str = ""


class Link(Struct, frozen=True):
    """A link to a sheet, what its holder may do, and what the holder's phone calls itself."""

    token: str
    sheet: int
    role: Role
    by: str = ""


class Glance(Struct, frozen=True):
    """What a link leads to, and what can be said of that without opening it.

    `seq` is the newest row of the sheet, 0 where there is none; `trashed` is when it was put in
    the trash, None where it is not there.
    """

    link: Link
    seq: int
    trashed: str | None


class Ledger:
    """The sheets in one SQLite file. Each thread gets a connection of its own."""

    def __init__(self, path: Path) -> None:
        """Open or create the database at `path`, and bring it up to date.

        Raises `UnavailableError`, `DamagedError` or `NewerError`.
        """
        self.path = path
        self._local = threading.local()
        self._checkpoints = AfterCommits(path)
        try:
            privacy.make_folder(path.parent)
        except OSError as error:
            says = say(
                "The folder {folder} can’t be created: {why}.",
                folder=str(path.parent),
                why=error.strerror or str(error),
            )
            raise UnavailableError(says) from error
        with suppress(OSError, ValueError):  # SQLite will say what is wrong with the place
            privacy.make_file(path)
            privacy.close_to_others(path)
        with translated(path):
            bring_up_to_date(Database(self._connection))

    @property
    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                _prepare(connection, self.path)
            except BaseException:
                connection.close()
                raise
            self._local.connection = connection
        return connection

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that holds the write lock from its first statement on.

        A transaction that begins as a reader and then writes fails at once where another writer
        came between; one that begins IMMEDIATE waits its turn.
        """
        with translated(self.path):
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
        self._checkpoints.one_more()

    def create(
        self, head: str, links: Sequence[tuple[Role, str]], at: str, drafts: Sequence[Draft] = ()
    ) -> int:
        """A new sheet with its links, as (role, token), and its first rows; returns its number."""
        with self._writing() as connection:
            sheet = insert_sheet(connection, head, links, at)
            _insert(connection, sheet, 0, drafts)
        return sheet

    def append(self, sheet: int, after: int, drafts: Sequence[Draft]) -> int:
        """Append `drafts` to `sheet`, whose newest row the writer knows to be `after`.

        Returns the `seq` of the last of them. Where the first draft's key is on the sheet
        already with the very same content, nothing is stored and the answer is where it stands.
        Raises `MovedOnError` where the sheet has grown since `after`, or where the key stands
        there with another content; then nothing is stored.
        """
        first = drafts[0]
        with self._writing() as connection:
            newest = self._newest(connection, sheet)
            known = connection.execute(
                "SELECT seq, kind, target, body FROM entries WHERE sheet = ? AND key = ?",
                (sheet, first.key),
            ).fetchone()
            if known is not None and known[1:] == (first.kind, first.target, first.body):
                return int(known[0])
            if known is not None or newest != after:
                raise MovedOnError(newest)
            _insert(connection, sheet, after, drafts)
            return after + len(drafts)

    def newest(self, sheet: int) -> int:
        """The `seq` of the newest row of `sheet`, 0 where there is none."""
        with translated(self.path):
            return self._newest(self._connection, sheet)

    @staticmethod
    def _newest(connection: sqlite3.Connection, sheet: int) -> int:
        found = connection.execute("SELECT max(seq) FROM entries WHERE sheet = ?", (sheet,))
        return int(found.fetchone()[0] or 0)

    def head(self, sheet: int) -> tuple[str, str] | None:
        """What the sheet was begun with, as JSON text, and when; None where there is none."""
        with translated(self.path):
            found = self._connection.execute("SELECT head, at FROM sheets WHERE id = ?", (sheet,))
            row = found.fetchone()
            return None if row is None else (str(row[0]), str(row[1]))

    def rows(self, sheet: int, after: int = 0) -> list[Row]:
        """The rows of `sheet` that come after row `after`, oldest first."""
        with translated(self.path):
            found = self._connection.execute(
                'SELECT seq, kind, target, body, key, role, at, "by" FROM entries '
                "WHERE sheet = ? AND seq > ? ORDER BY seq",
                (sheet, after),
            )
            return [Row(*row) for row in found]

    def sheets(self) -> list[int]:
        """The numbers of all sheets, oldest first."""
        with translated(self.path):
            return [int(row[0]) for row in self._connection.execute("SELECT id FROM sheets")]

    def glance(self, token: str) -> Glance | None:
        """What the link with this token leads to; None where there is none or it was withdrawn.

        How long this takes tells nothing about any token: what is looked up is a digest.
        """
        asked = digest(token)
        with translated(self.path):
            found = self._connection.execute(_GLANCE, (asked,)).fetchone()
        if found is None or not hmac.compare_digest(digest(found[0]), asked):
            return None
        return Glance(Link(*found[:3]), found[3], found[4])

    def link(self, token: str) -> Link | None:
        """The link with this token, unless there is none or it was withdrawn."""
        glance = self.glance(token)
        return None if glance is None else glance.link

    def links(self, sheet: int) -> dict[Role, str]:
        """The tokens in use for `sheet`, by what they allow."""
        with translated(self.path):
            found = self._connection.execute(
                "SELECT role, token FROM links WHERE sheet = ? AND withdrawn IS NULL", (sheet,)
            )
            return dict(found.fetchall())

    def was_renewed(self, sheet: int, role: Role) -> bool:
        """Whether a link of this role has been withdrawn, so that somebody may have been meant."""
        with translated(self.path):
            found = self._connection.execute(
                "SELECT 1 FROM links WHERE sheet = ? AND role = ? AND withdrawn IS NOT NULL",
                (sheet, role),
            )
            return found.fetchone() is not None

    def renew_link(
        self, sheet: int, role: Role, token: str, at: str, by: str | None = None
    ) -> bool:
        """Withdraw the link of this role and make `token` the new one.

        False, and nothing done, where the link `by` that asks for it, if one is named, was
        withdrawn itself.
        """
        with self._writing() as connection:
            in_use = "SELECT 1 FROM links WHERE digest = ? AND withdrawn IS NULL"
            if by is not None and connection.execute(in_use, (digest(by),)).fetchone() is None:
                return False
            connection.execute(
                "UPDATE links SET withdrawn = ? WHERE sheet = ? AND role = ? AND withdrawn IS NULL",
                (at, sheet, role),
            )
            connection.execute(
                "INSERT INTO links (token, sheet, role, at, digest) VALUES (?, ?, ?, ?, ?)",
                (token, sheet, role, at, digest(token)),
            )
        return True

    def note_trash(self, sheet: int, what: Literal["put", "taken"], at: str) -> None:
        """Note that `sheet` was put in the trash or taken out; nothing where it is so already."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO trash (sheet, what, at) SELECT ?, ?, ? WHERE ? <> coalesce("
                "(SELECT what FROM trash WHERE sheet = ? ORDER BY id DESC LIMIT 1), 'taken')",
                (sheet, what, at, what, sheet),
            )

    def trashed(self, sheet: int) -> str | None:
        """When `sheet` was put in the trash, where it lies there now."""
        with translated(self.path):
            found = self._connection.execute(
                "SELECT what, at FROM trash WHERE sheet = ? ORDER BY id DESC LIMIT 1", (sheet,)
            ).fetchone()
            return str(found[1]) if found is not None and found[0] == "put" else None


def insert_sheet(
    connection: sqlite3.Connection, head: str, links: Sequence[tuple[Role, str]], at: str
) -> int:
    """A new sheet with its links inside a transaction that is under way; returns its number."""
    cursor = connection.execute("INSERT INTO sheets (head, at) VALUES (?, ?)", (head, at))
    sheet = cursor.lastrowid
    assert sheet is not None
    connection.executemany(
        "INSERT INTO links (token, sheet, role, at, digest) VALUES (?, ?, ?, ?, ?)",
        [(token, sheet, role, at, digest(token)) for role, token in links],
    )
    return sheet


def _insert(
    connection: sqlite3.Connection, sheet: int, after: int, drafts: Sequence[Draft]
) -> None:
    connection.executemany(
        'INSERT INTO entries (sheet, seq, kind, target, body, key, role, at, "by") '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (sheet, seq, one.kind, one.target, one.body, one.key, one.role, one.at, one.by)
            for seq, one in enumerate(drafts, start=after + 1)
        ],
    )


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    _use_write_ahead_log(connection, path)
    connection.execute("PRAGMA wal_autocheckpoint=0")  # `checkpoints` says why
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    # Without this a REPLACE would slip past the triggers that refuse deletion.
    connection.execute("PRAGMA recursive_triggers=ON")


def _use_write_ahead_log(connection: sqlite3.Connection, path: Path) -> None:
    """Switch the file to the write-ahead log, or find that it has been switched.

    SQLite does not wait here by itself: where several programs open a fresh file at once, all
    but one are told at once that it is locked. Raises `UnavailableError` on a disk that can't
    have such a log, where a commit would be another thing than is promised.
    """
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            says = say(
                "{path} can’t be kept on this disk: SQLite can’t have its write-ahead log there. "
                "Name a folder on another disk with --instance.",
                path=str(path),
            )
            raise UnavailableError(says)
        return

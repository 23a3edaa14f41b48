"""The embedded database: a SQLite file, a connection a thread, one writer at a time."""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakSet

from referee.ledger import disk, extras, tables
from referee.ledger.engine import BUSY_SECONDS, READ_SECONDS, Engine, Writing
from referee.ledger.errors import (
    OF_SQLITE,
    DamagedError,
    LedgerError,
    NewerError,
    UnavailableError,
    distrusted,
    explained,
    in_use,
    translated,
)
from referee.rules.text import say

VERSION = 2  # of the tables: how many migrations there are
_APPLIED = "_sqlite_migrations"  # the table in which sqlite-utils records them
CACHE_KILOBYTES = 512  # of each thread's connection; the system has the file in memory anyway
LOOK_SECONDS = 0.001  # how often a writer tries to get the lock of another program
MOVE_SECONDS = 10  # how often the log is moved into the book


class _Connection(sqlite3.Connection):
    """A connection, with the inode numbers of the book and the log that it has open."""

    inodes: tuple[int, ...] = ()


class SQLiteEngine(Engine):
    """One SQLite file with a connection for each thread."""

    def __init__(self, path: Path) -> None:
        """Open or create the database at `path` and make its tables; raises a `LedgerError`."""
        self.path, self.name = path, str(path)
        self.product = f"SQLite {sqlite3.sqlite_version}"
        self._local = threading.local()
        self._open = WeakSet[_Connection]()  # of all threads; a thread that ends drops its own
        self._open_lock = threading.Lock()  # held by the thread that looks through them
        self._inode: int | None = None  # the book's, once it has been opened
        self._turn = threading.Lock()  # held by the one thread that has or waits for the write lock
        try:
            disk.make_folder(path.parent)
        except OSError as error:
            says = say(
                "The folder {folder} can’t be created: {why}.",
                folder=str(path.parent),
                why=error.strerror or str(error),
            )
            raise UnavailableError(says) from error
        if disk.is_blank(path) and has_log(path):  # SQLite would delete the log
            says = say(
                "{path} is missing or empty, but {path}-wal, which belongs to it, is there. Put "
                "the score book back, or restore a backup. To begin a new one, move {path}-wal "
                "away.",
                path=str(path),
            )
            raise DamagedError(says)
        with suppress(OSError, ValueError):  # SQLite will report the error
            disk.make_file(path)
            disk.close_to_others(path)
        try:
            with distrusted(path):
                if _lacks_tables(self.connection):
                    self._bring_up_to_date()
                self._inode = path.stat().st_ino
        except BaseException:
            self.close()
            raise

    def _bring_up_to_date(self) -> None:
        """Make missing tables, unless another program has done so meanwhile."""
        with self.writing() as connection:
            if version_of(connection) < VERSION:
                from referee.ledger.migrations import migrate  # noqa: PLC0415 - sqlite-utils

                migrate(connection)
            for part in extras.missing(connection.execute):
                tables.make_tables(connection, part.tables)
                extras.note(connection, part.name, part.kind, part.tables)

    @property
    def connection(self) -> _Connection:
        """This thread's connection; raises `UnavailableError` if the book's files were replaced."""
        mine: _Connection | None = getattr(self._local, "connection", None)
        if mine is None:
            mine = self._local.connection = self._connected()
        return mine

    def _connected(self) -> _Connection:
        """Open a connection; raises as `connection` does, and as `check_tables`."""
        if self._inode is not None and self._inodes("") != (self._inode,):
            raise self._book_replaced()
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, factory=_Connection
        )
        try:
            connection.text_factory = as_text
            if self._inode is None:
                check_tables(connection, self.path)  # before anything in it is changed
            if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
                says = say(
                    "{path} can’t be kept on this disk: SQLite can’t have its write-ahead log "
                    "there. Name a folder on another disk with --instance.",
                    path=str(self.path),
                )
                raise UnavailableError(says)
            connection.execute("PRAGMA wal_autocheckpoint=0")  # `move_log` does it
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
            # Without this a REPLACE would slip past the triggers that refuse deletion.
            connection.execute("PRAGMA recursive_triggers=ON")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log
            connection.inodes = self._inodes("", disk.LOG)
            with self._open_lock:
                if any(other.inodes != connection.inodes for other in self._open):
                    raise self._book_replaced()
                self._open.add(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _inodes(self, *ends: str) -> tuple[int, ...]:
        """The inode numbers of the book's files with these `ends`; raises if one is missing."""
        try:
            return tuple([os.stat(self.name + end).st_ino for end in ends])
        except OSError as error:
            raise self._book_replaced() from error

    def _book_replaced(self) -> UnavailableError:
        return UnavailableError(
            say(
                "{path} or its log was deleted, moved, or replaced while in use, so nothing more "
                "is recorded. Put back what was there, or stop Referee and start it again.",
                path=str(self.path),
            )
        )

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""
        mine: _Connection | None = getattr(self._local, "connection", None)
        if mine is not None:
            mine.close()
            with self._open_lock:
                self._open.discard(mine)
            self._local.connection = None

    def read(self, query: str, *values: object) -> list[Any]:
        """The rows that `query` finds."""
        try:
            return self.connection.execute(query, values).fetchall()
        except OF_SQLITE as error:
            raise explained(error, self.path) from error

    @contextmanager
    def writing(self, *_locks: str, wait: float = BUSY_SECONDS) -> Iterator[_Connection]:
        """Begin a transaction with the only write lock there is; `InUseError` after `wait` seconds.

        Only one thread of this process at a time tries for it; the others wait for that thread.
        """
        give_up = time.monotonic() + wait
        try:
            connection = self.connection
            if not self._turn.acquire(timeout=wait):
                raise in_use(self.path)
            try:
                self._begin(connection, give_up)
                if self._inodes("", disk.LOG) != connection.inodes:
                    raise self._book_replaced()  # the commit would be lost
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
            finally:
                self._turn.release()
        except OF_SQLITE as error:
            raise explained(error, self.path) from error

    def _begin(self, connection: _Connection, give_up: float) -> None:
        """Begin a transaction with the write lock; SQLite itself would retry only every 0.1 s.

        A transaction that begins as a reader and then writes would fail at once if another one had
        written meanwhile.
        """
        connection.execute("PRAGMA busy_timeout=0")
        try:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                    if not busy or time.monotonic() >= give_up:
                        raise
                time.sleep(LOOK_SECONDS)
        finally:
            connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000:.0f}")

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Begin a transaction in which this thread reads everything as of that moment."""
        with translated(self.path):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.rollback()

    def write_stamp(self) -> tuple[sqlite3.Connection, int, int]:
        """This thread's connection, a number that others' commits change, and one its own do."""
        connection = self.connection
        (of_others,) = connection.execute("PRAGMA data_version").fetchone()
        return connection, of_others, connection.total_changes

    def make_tables(self, writing: Writing, schema: str) -> None:
        """Make the tables of a schema, and the triggers that keep their rows unchanged."""
        tables.make_tables(writing, schema)

    # --- the log

    def maintain(self) -> None:
        """Move the log whenever there were commits, for as long as this process runs.

        Every serving process does so, since the one that wrote may have been killed.
        """
        seen = None
        while True:
            time.sleep(MOVE_SECONDS)
            try:
                newest = self.read("PRAGMA data_version")  # changes with commits of others
                if newest != seen and self.move_log():
                    seen = newest
            except LedgerError:  # commits are as safe in the log as in the book
                continue
            except Exception:  # the log would grow until the next start
                logging.getLogger(__name__).exception("The log isn't moved")

    def move_log(self) -> bool:
        """Move commits from the write-ahead log into the book; returns whether all were moved.

        This holds the lock that every commit needs: before version 3.51.3 SQLite could, very
        rarely, damage a book if somebody committed meanwhile. It doesn't wait for long readers:
        commits newer than their read stay in the log.
        """
        try:
            with self.writing(), closing(self._connected()) as mover:
                query = "PRAGMA wal_checkpoint(PASSIVE)"
                blocked, logged, moved = mover.execute(query).fetchone()
        except LedgerError:
            return False
        return not blocked and logged == moved


def merge_log(path: Path) -> bool:
    """Move the rest of the log of the book at `path`; returns whether the log is empty afterwards.

    No program should have the book open anymore.
    """
    if not has_log(path) or disk.is_blank(path):  # don't create a book that was removed
        return not has_log(path)
    with suppress(LedgerError), closing(SQLiteEngine(path)) as engine:
        return engine.move_log()
    return False


#: A column as text; bytes that are no UTF-8 become escapes that JSON does not allow.
as_text = partial(str, encoding="utf-8", errors="backslashreplace")


def version_of(connection: sqlite3.Connection) -> int:
    """The number of migrations applied; raises `NewerError` if that is more than there are."""
    if not connection.execute(f"SELECT 1 FROM sqlite_master WHERE name = '{_APPLIED}'").fetchone():
        return 0
    applied = f"SELECT count(*) FROM {_APPLIED} WHERE migration_set = 'referee'"
    version: int = connection.execute(applied).fetchone()[0]
    if version > VERSION:
        raise NewerError
    return version


def _lacks_tables(connection: sqlite3.Connection) -> bool:
    return version_of(connection) < VERSION or bool(extras.missing(connection.execute))


def check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `OlderError`, `NewerError` or `DamagedError` if the tables are not ours.

    An empty database is accepted.
    """
    version_of(connection)
    there = _columns(connection)
    if there and ("sheets", "id") not in there:
        says = say("{path} is a database, but no score book. Name another place.", path=str(path))
        raise DamagedError(says)
    if there:
        extras.check_columns(there, connection.execute)


def _columns(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """The names of the columns of each table."""
    return set(
        connection.execute(
            "SELECT made.name, part.name FROM sqlite_master AS made, "
            "pragma_table_info(made.name) AS part WHERE made.type = 'table'"
        )
    )


def has_log(path: Path) -> bool:
    """Whether the log of the ledger at `path` has any content."""
    return not disk.is_blank(Path(f"{path}{disk.LOG}"))


def lacks_log(path: Path) -> bool:
    """Whether the ledger at `path` uses a log, and that is empty or missing."""
    with path.open("rb") as file:
        uses_log = file.read(19)[18:] == b"\2"  # our own copies have a 1
    return uses_log and not has_log(path)


def read_only(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write, and changes nothing when it is closed.

    Raises `UnavailableError` if the file is missing or unreadable. A transaction left unfinished by
    a killed program is rolled back first, as the book cannot be read before.
    """
    if not path.is_file():
        raise UnavailableError(say("There’s no file {path}.", path=str(path)))
    with distrusted(path):
        try:
            return _connected_to_file(path, "mode=ro")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
                _connected_to_file(path, "mode=rw").close()
                return _connected_to_file(path, "mode=ro")
            unwritable = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if error.sqlite_errorcode & 0xFF not in unwritable or has_log(path):
                raise
        # A closed book in a folder that can't be written, not even SQLite's index of the log, so
        # nobody can be writing to it.
        return _connected_to_file(path, "immutable=1")


def _connected_to_file(path: Path, how: str) -> sqlite3.Connection:
    """Open a connection with a URI parameter, and check that it can read the database."""
    address = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(address, uri=True, timeout=READ_SECONDS, isolation_level=None)
    connection.text_factory = as_text
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection

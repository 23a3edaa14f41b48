"""The file of a ledger: proved when it is opened, one connection a thread, one writer at a time."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from weakref import WeakSet

from referee.ledger import privacy
from referee.ledger.beside import followed, has_log, is_blank, numbers
from referee.ledger.checkpoints import AfterCommits
from referee.ledger.ends import End, EndsFile, ends_in_book, losses
from referee.ledger.errors import LossError, UnavailableError, distrusted, translated
from referee.ledger.read_only import opened
from referee.ledger.schema import bring_up_to_date, version_of
from referee.ledger.writing import Writing
from referee.rules.text import Text, say

CACHE_KILOBYTES = 512  # of each thread's connection; the system has the file in memory anyway
BUSY_SECONDS = 10
AT_ONCE = 0.1  # seconds: another writer of this very program is done by then, more often than not

_patience: ContextVar[float | None] = ContextVar("patience", default=None)


@contextmanager
def impatient() -> Iterator[None]:
    """Whoever writes in here does not wait for another program that is writing: `InUseError`."""
    before = _patience.set(AT_ONCE)
    try:
        yield
    finally:
        _patience.reset(before)


class _Opened:
    """A connection, and the numbers of the files that it has open."""

    def __init__(self, connection: sqlite3.Connection, numbers: tuple[int, ...]) -> None:
        self.connection = connection
        self.numbers = numbers


class LedgerFile:
    """One SQLite file, safe for many threads and processes; what is in it is for `Ledger` to say.

    Each thread gets a connection of its own.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the database at `path`, and bring it up to date.

        Raises `UnavailableError`, `NewerError`, `DamagedError`, or its subclass `LossError` where
        something is missing that was recorded; then nothing is written.
        """
        self.path = path = followed(path)
        self._ends = EndsFile(path)
        self._local = threading.local()
        self._opening = threading.Lock()
        self._open = WeakSet[_Opened]()  # by all threads; who ends has closed theirs
        self._number: int | None = None  # of the book, once it has been proved
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
        try:
            self._prove()
        except BaseException:
            self.close()
            raise

    def _prove(self) -> None:
        """Hold the book against what was noted beside it, then bring both up to date."""
        noted = self._ends.read()  # before the book, which then cannot be behind it
        if noted or is_blank(self.path):
            self._refuse_losses(noted)
        with suppress(OSError, ValueError):  # SQLite will say what is wrong with the place
            privacy.make_file(self.path)
            privacy.close_to_others(self.path)
        with distrusted(self.path):
            bring_up_to_date(self._connection)
            ends = ends_in_book(self._connection)
            (self._number,) = numbers(self.path, "")
        self._ends.note({one: end for one, end in ends.items() if noted.get(one) != end})
        self._ends.flush()

    def _refuse_losses(self, noted: Mapping[int, End]) -> None:
        """Raise `LossError` where the book is behind what was noted; nothing is changed.

        So it is looked at before it is opened to be written: SQLite would then, without a word,
        take an empty file for a new book, and clear away what is left of a damaged log.
        """
        if is_blank(self.path):
            if noted or has_log(self.path):
                raise LossError(self.path, [no_file()])
            return
        with distrusted(self.path), closing(opened(self.path)) as reader:
            version_of(reader)  # a newer one is refused before anything else
            lost = list(losses(reader, noted))
        if lost:
            raise LossError(self.path, lost)

    @property
    def _connection(self) -> sqlite3.Connection:
        """That of this thread."""
        mine: _Opened | None = getattr(self._local, "opened", None)
        if mine is None:
            with self._opening:  # while one looks at those of the others, none is added to them
                mine = self._local.opened = self._opened()
                self._open.add(mine)
        return mine.connection

    def _opened(self) -> "_Opened":
        """One more connection; raises `UnavailableError` where the book is another by now."""
        if self._number is not None and self._numbers("") != (self._number,):
            raise self._taken_away()
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            _prepare(connection, self.path)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log
            found = _Opened(connection, self._numbers())
            if any(other.numbers != found.numbers for other in self._open):
                raise self._taken_away()
        except BaseException:
            connection.close()
            raise
        return found

    def _numbers(self, *ends: str) -> tuple[int, ...]:
        """Those of the book and its log as they lie there now; raises `UnavailableError`."""
        try:
            return numbers(self.path, *ends)
        except OSError as error:
            raise self._taken_away() from error

    def _taken_away(self) -> UnavailableError:
        return UnavailableError(
            say(
                "{path} or its log was deleted, moved, or replaced while in use, so nothing more "
                "is recorded. Put back what was there, or stop Referee and start it again.",
                path=str(self.path),
            )
        )

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""
        self._ends.flush()  # before others find that nobody has the book open, and put it aside
        mine: _Opened | None = getattr(self._local, "opened", None)
        if mine is not None:
            mine.connection.close()
            self._open.discard(mine)
            self._local.opened = None

    @contextmanager
    def _writing(self) -> Iterator[Writing]:
        """A transaction that holds the write lock from its first statement on.

        A transaction that begins as a reader and then writes fails at once where another writer
        came between; one that begins IMMEDIATE waits its turn.
        """
        with translated(self.path):
            connection = self._connection
            writing = Writing(connection)
            try:
                _begin(connection)
                if self._numbers() != self._local.opened.numbers:
                    raise self._taken_away()  # it would be written where nobody finds it again
                yield writing
                writing.finish()
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
        self._ends.note(writing.ends)  # only now: it must never be ahead of the book
        self._checkpoints.one_more()


def _begin(connection: sqlite3.Connection) -> None:
    """Take the write lock, for which SQLite waits as long as whoever writes may wait."""
    patience = _patience.get()
    if patience is None:
        connection.execute("BEGIN IMMEDIATE")
        return
    connection.execute(f"PRAGMA busy_timeout={patience * 1000:.0f}")
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000:.0f}")


def no_file() -> Text:
    """What is said of a blank ledger in which something was recorded."""
    return say("The file is missing or empty.")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    _use_write_ahead_log(connection, path)
    connection.execute("PRAGMA wal_autocheckpoint=0")  # `checkpoints` says why
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
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

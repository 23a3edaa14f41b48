"""What was written, moved from the write-ahead log into the book itself.

SQLite would do this after any commit, while other connections go on committing. Its versions
before 3.51.3 (3.50.7, 3.44.6) could, very rarely, spoil the book when both fell together. So its
own automatism is switched off, and here nobody can commit while pages are moved: the lock that
every commit needs, in whichever process, is held meanwhile.
"""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

COMMITS = 250  # after so many of a process: some 1,000 pages, as SQLite would wait for
IDLE_SECONDS = 10


def checkpoint(book: Path, patience: float = 0) -> bool:
    """Move what is in the log of `book` into it; whether all of it could be moved.

    Waits `patience` seconds for those who write. Some is left where they take longer, and where
    somebody still reads what was there before. Raises `sqlite3.Error`.
    """
    with (
        closing(_connected(book, patience)) as holder,
        closing(_connected(book, patience)) as mover,
    ):
        try:
            holder.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            raise
        _, logged, moved = mover.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        holder.execute("ROLLBACK")
        return bool(logged == moved)


def _connected(book: Path, patience: float = 0) -> sqlite3.Connection:
    """A connection to a book that is there: of one that is not, none is made."""
    address = f"{book.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None)


class AfterCommits:
    """Moves what a process has committed, once there is enough of it."""

    def __init__(self, book: Path) -> None:
        self._book = book
        self._lock = threading.Lock()
        self._waiting = 0

    def one_more(self) -> None:
        """Count a commit, which stays what it is whatever happens here.

        Should a disk be full or sick, the next commit is told.
        """
        with self._lock:
            self._waiting += 1
            if self._waiting < COMMITS:
                return
            self._waiting = 0
        try:
            checkpoint(self._book)
        except sqlite3.Error:
            return  # what is in the log is as safe there as in the book


class WhenIdle:
    """Moves what anybody has written, as soon as nobody writes anymore.

    Otherwise a book of a few sheets would live in its log for as long as it is served.
    """

    def __init__(self, book: Path) -> None:
        self._book = book
        self._watching: sqlite3.Connection | None = None
        self._seen: int | None = None
        self._moved: int | None = None

    def look(self) -> bool:
        """Look whether anything was written since the last look; if not, move what is in the log.

        Whether something was moved. Raises `sqlite3.Error`.
        """
        if self._watching is None:
            self._watching = _connected(self._book)
        # A number that another one takes the place of whenever somebody else commits.
        version = self._watching.execute("PRAGMA data_version").fetchone()[0]
        idle, self._seen = version == self._seen, version
        if not idle or version == self._moved or not checkpoint(self._book):
            return False
        self._moved = version
        return True

    def keep_looking(self) -> None:
        """Look every few seconds, for as long as the program runs."""
        pause = threading.Event()
        while not pause.wait(IDLE_SECONDS):
            try:
                self.look()
            except sqlite3.Error:
                continue  # as in `AfterCommits`: whoever writes is told what is wrong

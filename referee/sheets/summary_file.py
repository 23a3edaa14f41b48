"""Summaries kept in a file beside the book, so that pages about many sheets need not play them.

The file is derived and may be deleted at any time. It is never trusted over the book: a summary is
found only under the newest row that the book has of its sheet, only by the very program that made
it, and only as it was written. Nothing waits for the disk here.
"""

import hashlib
import logging
import sqlite3
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

import referee
from referee.ledger import privacy
from referee.ledger.store import Row
from referee.sheets.summary import Summary

BUSY_SECONDS = 0.2
_BESIDE = ("", "-wal", "-shm")
_TABLE = """
CREATE TABLE IF NOT EXISTS summaries (
    sheet INTEGER PRIMARY KEY,
    stands_for TEXT NOT NULL,
    body BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT
"""


class SummaryFile:
    """The summaries of one book. Any number of threads and processes may use the same file."""

    def __init__(self, path: Path | None = None) -> None:
        """Keep them in the file `path`; in memory where none is named, or it cannot be used."""
        self._lock = threading.Lock()
        self._told = False
        self._file = self._opened(path)

    def get(self, begun: str, newest: Row, sheet: int) -> Summary | None:
        """The summary of this sheet, begun then, if it was kept when this row was the newest."""
        try:
            with self._lock:
                found = self._file.execute(
                    "SELECT stands_for, body, digest FROM summaries WHERE sheet = ?", (sheet,)
                ).fetchone()
        except sqlite3.Error as error:
            self._tell(error)
            return None
        if found is None or found[0] != _stands_for(begun, newest) or found[2] != _digest(*found):
            return None
        return msgspec.json.decode(found[1], type=Summary)

    def put(self, summary: Summary, newest: Row) -> None:
        """Keep the summary of a sheet whose newest row is `newest`."""
        stands_for, body = _stands_for(summary.begun, newest), msgspec.json.encode(summary)
        try:
            with self._lock:
                self._file.execute(
                    "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?)",
                    (summary.sheet, stands_for, body, _digest(stands_for, body)),
                )
        except sqlite3.Error as error:
            self._tell(error)

    def close(self) -> None:
        """Close the file; what is in memory is gone."""
        with self._lock:
            self._file.close()

    def _opened(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            for _ in range(2):
                try:
                    privacy.make_file(path)
                    return _prepared(str(path))
                except (sqlite3.Error, OSError, ValueError) as error:
                    self._tell(error)
                    for end in _BESIDE:  # it holds nothing that the book does not
                        with suppress(OSError, ValueError):
                            Path(f"{path}{end}").unlink()
        return _prepared(":memory:")

    def _tell(self, error: Exception) -> None:
        """Note once that the file is of no use: pages then take longer, and are as right."""
        if not self._told:
            self._told = True
            logging.getLogger(__name__).warning("The file of summaries can't be used: %s", error)


@cache
def code_version() -> str:
    """What stands for the program that plays sheets: other rules may come to another summary."""
    root = Path(referee.__file__).parent
    found = hashlib.sha256(referee.__version__.encode())
    for room in ("rules", "sheets"):
        for path in sorted((root / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _prepared(path: str) -> sqlite3.Connection:
    file = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=OFF")
        file.execute(_TABLE)
        file.execute("SELECT sheet, stands_for, body, digest FROM summaries LIMIT 1").fetchone()
    except BaseException:
        file.close()
        raise
    return file


def _stands_for(begun: str, newest: Row) -> str:
    """What changes with every row that is written, and with the program."""
    seen = msgspec.json.encode((code_version(), begun, newest))
    return hashlib.sha256(seen).hexdigest()


def _digest(stands_for: str, body: bytes, *_: object) -> bytes:
    return hashlib.sha256(stands_for.encode() + body).digest()

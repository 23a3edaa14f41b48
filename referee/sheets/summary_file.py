"""Summaries kept in a file beside the book, so that pages about many sheets need not play them.

The file is derived and may be deleted at any time. It is never trusted over the book: a summary is
found only under the newest row that the book has of its sheet, only by the very program that made
it, and only as it was written. Nothing waits for the disk here.
"""

import hashlib
import logging
import sqlite3
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import referee
from referee.ledger import privacy
from referee.ledger.store import Row
from referee.rules.core.decoding import known
from referee.sheets.summary import Summary

BUSY_SECONDS = 1.0
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
        self._path = path
        self._made_anew = False
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None  # opened when it is needed

    def get(self, begun: str, newest: Row, sheet: int) -> Summary | None:
        """The summary of this sheet, begun then, if it was kept when this row was the newest."""
        query = "SELECT stands_for, body, digest FROM summaries WHERE sheet = ?"
        found = self._ask(query, (sheet,))
        if found is None or found[0] != _stands_for(begun, newest) or found[2] != _digest(*found):
            return None
        return msgspec.json.decode(found[1], type=known(Summary))

    def put(self, summary: Summary, newest: Row) -> None:
        """Keep the summary of a sheet whose newest row is `newest`."""
        stands_for, body = _stands_for(summary.begun, newest), msgspec.json.encode(summary)
        self._ask(
            "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?)",
            (summary.sheet, stands_for, body, _digest(stands_for, body)),
        )

    def close(self) -> None:
        """Close the file; what is in memory is gone."""
        with self._lock:
            if self._file is not None:
                self._file.close()

    def _ask(self, query: str, values: tuple[object, ...]) -> tuple[Any, ...] | None:
        with self._lock:
            while True:
                try:
                    if self._file is None:
                        self._file = _opened(self._path)
                    found: tuple[Any, ...] | None = self._file.execute(query, values).fetchone()
                except (sqlite3.Error, OSError, ValueError) as error:
                    self._fall_back(error)
                else:
                    return found

    def _fall_back(self, error: sqlite3.Error | OSError | ValueError) -> None:
        """Make a file anew that is of no use, since it holds nothing that the book does not.

        Where that was no use either, or somebody else holds the file, go on in memory: what is
        made there takes longer, and is as right.
        """
        if self._path is None:
            raise error
        logging.getLogger(__name__).warning("The file of summaries can't be used: %s", error)
        if self._file is not None:
            self._file.close()
            self._file = None
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if self._made_anew or code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            self._path = None
            return
        self._made_anew = True
        for end in _BESIDE:
            with suppress(OSError, ValueError):
                Path(f"{self._path}{end}").unlink()


@cache
def code_version() -> str:
    """What stands for the program that plays sheets: other rules may come to another summary."""
    root = Path(referee.__file__).parent
    found = hashlib.sha256(referee.__version__.encode())
    for room in ("rules", "sheets"):
        for path in sorted((root / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        privacy.make_file(path)
    file = sqlite3.connect(
        path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _use_write_ahead_log(file)
        file.execute("PRAGMA synchronous=OFF")
        file.execute(_TABLE)
        file.execute("SELECT sheet, stands_for, body, digest FROM summaries LIMIT 1").fetchone()
    except BaseException:
        file.close()
        raise
    return file


def _use_write_ahead_log(file: sqlite3.Connection) -> None:
    """Switch to it, for which SQLite does not wait by itself while another worker does."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            file.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)


def _stands_for(begun: str, newest: Row) -> str:
    """What changes with every row that is written, and with the program."""
    seen = msgspec.json.encode((code_version(), begun, newest))
    return hashlib.sha256(seen).hexdigest()


def _digest(stands_for: str, body: bytes, *_: object) -> bytes:
    return hashlib.sha256(stands_for.encode() + body).digest()

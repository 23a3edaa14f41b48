"""A file of values derived from sheets, so that a start need not compute them again.

It is kept beside the book and may be deleted. A value is used only if it is unchanged, and the same
version of the program made it from the same rows. Nothing waits for the disk.
"""

import hashlib
import logging
import sqlite3
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import referee
from referee.ledger import disk

WAIT_SECONDS = 0.1  # so that a page with many sheets isn't held up for long


class DerivedFile:
    """Derived values of several kinds, one of each for a sheet.

    Many threads and processes may use the same file.
    """

    def __init__(self, path: Path | None) -> None:
        """Values are kept in the file `path`; in memory if that is None, or cannot be used."""
        self._path = path
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None  # opened when needed, as are its tables
        self._tables = set[str]()

    def kept(self, kind: str, sheet: int, made_of: Any) -> bytes | None:
        """The value kept for this sheet; None if there is none, or if it was made of other rows."""
        found = self._run(kind, f"SELECT body, seal FROM {kind} WHERE sheet = ?", sheet)
        if not found or found[0][1] != _seal(made_of, found[0][0]):
            return None
        body: bytes = found[0][0]
        return body

    def keep(self, kind: str, sheet: int, made_of: Any, body: bytes) -> None:
        """Keep the value of this sheet."""
        row = (sheet, body, _seal(made_of, body))
        # A single statement waits for another worker; a transaction that has read fails at once.
        self._run(kind, f"REPLACE INTO {kind} VALUES (?, ?, ?)", *row)

    def _run(self, kind: str, statement: str, *values: int | bytes) -> list[Any]:
        """The rows that the statement finds; none while another program has locked the file."""
        with self._lock:
            while True:
                try:
                    return self._opened(kind).execute(statement, values).fetchall()
                except (sqlite3.Error, OSError, ValueError) as error:
                    if self._path is None:
                        raise
                    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                        return []
                    self._give_up(error)

    def _opened(self, kind: str) -> sqlite3.Connection:
        if self._file is None:
            if self._path is not None:
                disk.make_file(self._path)
            self._file = sqlite3.connect(
                self._path or ":memory:",
                timeout=WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._file.execute("PRAGMA synchronous=OFF")
            self._tables.clear()
        if kind not in self._tables:
            columns = "sheet INTEGER PRIMARY KEY, body BLOB, seal BLOB"
            self._file.execute(f"CREATE TABLE IF NOT EXISTS {kind} ({columns}) STRICT")
            self._tables.add(kind)
        return self._file

    def _give_up(self, error: sqlite3.Error | OSError | ValueError) -> None:
        """Go on in memory, which is slower but just as correct, and delete the file.

        The next start makes a new one, as its content is derived from the book. If somebody has
        deleted the file, a new one is made now.
        """
        if self._file is not None:
            self._file.close()
            self._file = None
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED:
            return
        logging.getLogger(__name__).warning("The file of summaries can't be used: %s", error)
        for end in ("", "-journal"):
            with suppress(OSError, ValueError):
                Path(f"{self._path}{end}").unlink()
        self._path = None


@cache
def code_version() -> str:
    """A hash of the code that plays sheets: other code may derive other values."""
    root = Path(referee.__file__).parent
    found = hashlib.sha256(referee.__version__.encode())
    for room in ("rules", "sheets", "extras"):
        for path in sorted((root / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _seal(made_of: Any, body: bytes) -> bytes:
    """A hash of a value, of what it was made of, and of the program."""
    seen = msgspec.json.encode((code_version(), made_of))
    return hashlib.sha256(seen + body).digest()

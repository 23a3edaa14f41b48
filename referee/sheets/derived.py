"""The file of what was derived from sheets, so that it need not be made again at every start.

It lies beside the book and may be deleted. A value is used only if what it was made of is still the
same, the same version of the program made it, and it is unchanged. Nothing waits for the disk.
"""

import hashlib
import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

import referee
from referee.ledger import disk

if TYPE_CHECKING:
    from sqlite_utils import Database

BUSY_SECONDS = 1.0
T = TypeVar("T")


class DerivedFile:
    """Values of any kind for each sheet. Many threads and processes may use the same file."""

    def __init__(self, path: Path | None) -> None:
        """Values are kept in the file `path`; in memory if that is None, or cannot be used."""
        self._path = path
        self._lock = threading.Lock()
        self._file: Database | None = None  # opened when it is needed, as are its tables
        self._tables = set[str]()

    def kept(self, kind: str, sheet: int, made_of: Any) -> bytes | None:
        """The value of this sheet, if it was made of the same; None if there is none."""
        query = f"SELECT body, seal FROM {kind} WHERE sheet = ?"
        found = self._asked(kind, lambda db: list(db.query(query, [sheet])))
        if not found or found[0]["seal"] != _seal(made_of, found[0]["body"]):
            return None
        body: bytes = found[0]["body"]
        return body

    def keep(self, kind: str, sheet: int, made_of: Any, body: bytes) -> None:
        """Keep the value of this sheet."""
        row = (sheet, body, _seal(made_of, body))
        # A single statement waits for another worker; a transaction that has read fails at once.
        self._asked(kind, lambda db: db.execute(f"REPLACE INTO {kind} VALUES (?, ?, ?)", row))

    def _asked(self, kind: str, ask: "Callable[[Database], T]") -> T:
        with self._lock:
            try:
                return ask(self._opened(kind))
            except (sqlite3.Error, OSError, ValueError) as error:
                if self._path is None:
                    raise
                self._do_without(error)
                return ask(self._opened(kind))

    def _opened(self, kind: str) -> "Database":
        from sqlite_utils import Database  # noqa: PLC0415 - it brings in NumPy, if installed

        if self._file is None:
            if self._path is not None:
                disk.make_file(self._path)
            connection = sqlite3.connect(
                self._path or ":memory:",
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._file = Database(connection, execute_plugins=False)
            self._file.execute("PRAGMA synchronous=OFF")
            self._tables.clear()
        if kind not in self._tables:
            columns = {"sheet": int, "body": bytes, "seal": bytes}
            self._file.table(kind).create(columns, pk="sheet", strict=True, if_not_exists=True)
            self._tables.add(kind)
        return self._file

    def _do_without(self, error: sqlite3.Error | OSError | ValueError) -> None:
        """Go on in memory, which is slower but as right, and delete the file.

        The next start makes a new one: it holds nothing that the book does not. A file that another
        program just held is kept.
        """
        logging.getLogger(__name__).warning("The file of summaries can't be used: %s", error)
        if self._file is not None:
            self._file.close()
            self._file = None
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            for end in ("", "-journal"):
                with suppress(OSError, ValueError):
                    Path(f"{self._path}{end}").unlink()
        self._path = None


@cache
def code_version() -> str:
    """A hash of the code that plays sheets: other code may make another summary."""
    root = Path(referee.__file__).parent
    found = hashlib.sha256(referee.__version__.encode())
    for room in ("rules", "sheets", "clubs", "extras"):
        for path in sorted((root / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _seal(made_of: Any, body: bytes) -> bytes:
    """A hash that changes with what a value was made of, with the program, and with the value."""
    seen = msgspec.json.encode((code_version(), made_of))
    return hashlib.sha256(seen + body).digest()

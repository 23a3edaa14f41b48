"""Opening a database only to read it, whatever state it was left in."""

import sqlite3
from pathlib import Path

from referee.ledger.beside import has_log
from referee.ledger.errors import UnavailableError, distrusted
from referee.rules.text import say

WAIT_SECONDS = 2


def opened(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, and changes nothing when it is closed.

    Raises `UnavailableError` where there is no such file, or it cannot be read. What a restore
    left half done when it was killed is undone first: until then there is no book to be read.
    """
    if not path.is_file():
        raise UnavailableError(say("There’s no file {path}.", path=str(path)))
    with distrusted(path):
        try:
            return _connected(path, "mode=ro")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
                _connected(path, "mode=rw").close()
                return _connected(path, "mode=ro")
            unwritable = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if error.sqlite_errorcode & 0xFF not in unwritable or has_log(path):
                raise
        # A book that was closed in a place where nothing can be written, not even SQLite's notes
        # on who reads. Nobody can be writing, then.
        return _connected(path, "immutable=1")


def _connected(path: Path, how: str) -> sqlite3.Connection:
    """A connection by which the database has been looked into."""
    address = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection

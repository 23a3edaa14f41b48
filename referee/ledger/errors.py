"""What can go wrong with the ledger, in our words; database errors become these in one place."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


class LedgerError(Exception):
    """Something the ledger cannot do; the message is a sentence for a person."""


class MovedOnError(LedgerError):
    """The sheet has entries the writer had not seen; nothing was stored. `seq` is its newest."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        super().__init__("Somebody else has written on this sheet in the meantime.")


class UnavailableError(LedgerError):
    """The database cannot be opened or written at this moment, or in this place."""


class DamagedError(LedgerError):
    """The file is not a sound database of ours."""


class NewerError(LedgerError):
    """The database was written by a newer version of the program."""


@contextmanager
def translated(path: object) -> Iterator[None]:
    """Turn the errors of the database at `path` into ours."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF  # the primary result code
        raise _meaning(code, path, error) from error


def _meaning(code: int, path: object, error: Exception) -> LedgerError:
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return UnavailableError(f"{path} is in use by another program. Try again in a moment.")
        case sqlite3.SQLITE_FULL:
            return UnavailableError(f"The disk that holds {path} is full.")
        case sqlite3.SQLITE_READONLY:
            return UnavailableError(f"{path} may not be written. Check who owns it.")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_PERM:
            return UnavailableError(f"{path} cannot be opened: {error}.")
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return DamagedError(f"{path} is damaged or no database of ours: {error}.")
        case _:
            return LedgerError(f"{path}: {error}.")

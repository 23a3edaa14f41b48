"""The errors of the ledger, a class each; errors of databases are translated into them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from referee.rules.text import Text, say


class LedgerError(Exception):
    """Something that the ledger cannot do; `says` explains what, and what helps."""

    def __init__(self, says: Text) -> None:
        super().__init__(says)
        self.says = says


class MovedOnError(LedgerError):
    """There are rows the writer had not seen; nothing was stored. `seq` is the newest."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        super().__init__(say("Somebody else recorded something in the meantime."))


class UnavailableError(LedgerError):
    """The database cannot be opened or written, now or at this place."""


class InUseError(UnavailableError):
    """Another program has locked the database."""


class DamagedError(LedgerError):
    """The file is damaged, or is no ledger."""


class NewerError(LedgerError):
    """The database was written by a newer version of the program, which may have other tables."""

    def __init__(self) -> None:
        super().__init__(
            say("A newer version of Referee wrote this score book. Update the program to open it.")
        )


class OlderError(LedgerError):
    """The database was written by an older version of the program, which had other tables."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "An older version of Referee wrote this score book. To come over, run `referee "
                "export --all > sheets.jsonl` with that version, move the book away, and run "
                "`referee import sheets.jsonl` with this one."
            )
        )


#: Errors of SQLite; its message may quote bytes that are no text.
OF_SQLITE = (sqlite3.DatabaseError, UnicodeDecodeError)


def explained(error: Exception, path: object) -> LedgerError:
    """Our error for one of SQLite's about the database at `path`."""
    code = sqlite3.SQLITE_CORRUPT
    if isinstance(error, sqlite3.Error):
        code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF  # the primary result code
    return _meaning(code, str(path), str(error))


@contextmanager
def translated(path: object) -> Iterator[None]:
    """Turn the errors of the database at `path` into ours."""
    try:
        yield
    except OF_SQLITE as error:
        raise explained(error, path) from error


@contextmanager
def distrusted(path: object) -> Iterator[None]:
    """As `translated`; Python's own errors about the content mean that it is damaged, too."""
    try:
        with translated(path):
            yield
    except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise _meaning(sqlite3.SQLITE_CORRUPT, str(path), repr(error)) from error


def _meaning(code: int, path: str, why: str) -> LedgerError:
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return in_use(path)
        case sqlite3.SQLITE_FULL:
            return UnavailableError(say("The disk that holds {path} is full.", path=path))
        case sqlite3.SQLITE_READONLY:
            return UnavailableError(
                say("Referee isn’t allowed to write to {path}. Check who owns it.", path=path)
            )
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_PERM:
            return UnavailableError(say("{path} can’t be opened: {why}.", path=path, why=why))
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return DamagedError(
                say("{path} is damaged or isn’t a score book: {why}.", path=path, why=why)
            )
        case _:
            return LedgerError(
                say("The database {path} reports an error: {why}.", path=path, why=why)
            )


def in_use(path: object) -> InUseError:
    """The error for a database at `path` that another program has locked for too long."""
    return InUseError(
        say("{path} is in use by another program. Try again in a moment.", path=str(path))
    )

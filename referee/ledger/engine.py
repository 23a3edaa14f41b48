"""What the ledger asks of a database, SQLite's or PostgreSQL: statements that both know."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

BUSY_SECONDS = 10  # for which a writer waits for another
READ_SECONDS = 2  # for which a reader waits for a writer
STALE_SECONDS = 2.0  # how old what is watched may be, at most

#: Where a book is: the file of an embedded one, or the address of a PostgreSQL database.
Place = Path | str


class Found(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows were inserted, changed or deleted."""
        ...

    def fetchone(self) -> Any:
        """The next row that was found; None if there is none."""
        ...

    def fetchall(self) -> list[Any]:
        """The rows that were found and not fetched yet."""
        ...


class Writing(Protocol):
    """A write transaction."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Found:
        """Execute one statement."""
        ...

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> object:
        """Execute one statement with each of these values."""
        ...


class Watched(Protocol):
    """What was read of sheets, until one of them changes."""

    def moment(self) -> int:
        """A moment before reading what is then kept."""
        ...

    def keep(self, name: str, sheet: int, moment: int, found: Any) -> None:
        """Keep what was found of this sheet after this moment, under this name."""
        ...

    def kept(self, name: str) -> Any:
        """What is kept under this name; None if that may be older than `STALE_SECONDS`."""
        ...


class Engine(Protocol):
    """A database that keeps a ledger, for many threads; `Ledger` and its like know its tables."""

    #: Where it is, as people are told: a path, or an address without its password.
    name: str
    #: The name and version of the database: “SQLite 3.46.1”.
    product: str

    @property
    def watched(self) -> Watched | None:
        """Answers without a question to another machine; None if a question takes no time."""
        ...

    def read(self, query: str, *values: object) -> list[Any]:
        """The rows that `query` finds; within a transaction of this thread, as that sees them."""
        ...

    def writing(
        self, lock: str = "", wait: float = BUSY_SECONDS
    ) -> AbstractContextManager[Writing]:
        """A transaction that is alone with `lock` from its first statement on.

        `lock` names what it rests on, a sheet for instance, and is empty if that is nothing: of two
        transactions with one lock the second sees all that the first has written. Raises
        `InUseError` if another one holds it for more than `wait` seconds.
        """
        ...

    def at_one_moment(self) -> AbstractContextManager[None]:
        """A transaction in which this thread reads everything as it was at its beginning."""
        ...

    def version(self) -> object:
        """A value that another thread or process changes by writing, and this thread as well.

        It holds for this thread only; None if that would take a question to another machine.
        """
        ...

    def number_on(self, writing: Writing) -> None:
        """Number new rows after those that were inserted with their numbers."""
        ...

    def close(self) -> None:
        """Close what this thread has open; it is opened again when needed."""
        ...


def lock_of(sheet: int) -> str:
    """The lock of one sheet: its rows, links, and whether it is in the trash."""
    return f"sheet {sheet}"


def is_address(place: Place) -> bool:
    """Whether this is the address of a PostgreSQL database, and no file."""
    return isinstance(place, str) and place.startswith(("postgresql://", "postgres://"))


def shown(place: Place) -> str:
    """Where a book is, as people are told: an address without its password and parameters."""
    if isinstance(place, Path):
        return str(place)
    without = re.sub(r"(?<=//)([^/@:?]*):.*@", r"\1@", place)  # a password may hold any letter
    return without.partition("?")[0]


def open_engine(place: Place) -> Engine:
    """The database at `place`, made and brought up to date; raises a `LedgerError`."""
    if isinstance(place, str):
        from referee.ledger.postgres import PostgresEngine  # noqa: PLC0415 - it needs psycopg

        return PostgresEngine(place)
    from referee.ledger.sqlite import SQLiteEngine  # noqa: PLC0415 - it implements what is above

    return SQLiteEngine(place)

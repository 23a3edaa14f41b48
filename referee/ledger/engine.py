"""What all databases of a ledger have in common: their interface and time limits."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

BUSY_SECONDS = 10  # for which a writer waits for another
READ_SECONDS = 2  # for which a reader waits for a writer
STALE_SECONDS = 2.0  # the greatest age of watched values

#: Where a book is: the file of an embedded one, or the address of a database.
Place = Path | str


class Writing(Protocol):
    """A write transaction. Transactions with one lock name run one after another.

    So the second sees everything that the first has written. A lock is named after a sheet, say;
    several are taken in a fixed order. Raises `InUseError` if another one holds it for too long.
    """

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Execute one statement; returns a cursor."""

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> Any:
        """Execute one statement with each of these values."""


class Watched(Protocol):
    """A cache of values read from sheets, valid until the database reports a change of one."""

    def moment(self) -> int:
        """A counter, to be read before the values that are then kept."""

    def keep(self, name: str, sheets: Collection[int | None], moment: int, found: Any, /) -> None:
        """Keep what was read from these sheets after this `moment`, under this name."""

    def kept(self, name: str, /) -> Any:
        """The value kept under this name; None if it may be older than `STALE_SECONDS`."""


class Engine(Protocol):
    """The database of a ledger, for many threads; statements have `?` for a value.

    `name` is its place for messages, `product` the name and version of its software.
    """

    name: str
    product: str
    watched: Watched | None = None  # None where asking costs nothing

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""

    def read(self, query: str, *values: object) -> list[Any]:
        """The rows that `query` finds; within a transaction of this thread, as that sees them."""

    def writing(self, *locks: str, wait: float = BUSY_SECONDS) -> AbstractContextManager[Writing]:
        """A transaction that holds `locks`, or `InUseError` after `wait` seconds."""

    def at_one_moment(self) -> AbstractContextManager[None]:
        """A transaction in which this thread reads everything as it was at its beginning."""

    def make(self, writing: Writing, made: str) -> None:
        """Make the tables of these statements, and the triggers that keep the record."""

    # --- what only some databases need

    def missing_triggers(self) -> Sequence[str]:
        """The missing triggers; for a file `integrity.faults` finds them."""
        return ()

    def number_on(self, writing: Writing, filled: Mapping[str, str]) -> None:
        """Continue the numbers of these tables after rows inserted with numbers of their own."""
        return

    def check_writable(self) -> None:
        """Raise `UnavailableError` if it can only be read."""
        return

    def version(self) -> object:
        """A value that changes with every write; None if that is as costly as reading."""
        return None

    def keep_moving_log(self) -> None:
        """Do maintenance at intervals, for as long as this process runs."""
        return

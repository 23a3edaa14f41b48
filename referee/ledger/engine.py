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
    """A write transaction. Transactions that hold the same lock run one after another.

    So the second sees everything that the first has written. A lock is named after a sheet, say;
    several are taken in a fixed order.
    """

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Execute one statement; returns a cursor."""

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> Any:
        """Execute one statement with each of these values."""


class Watched(Protocol):
    """A cache of values read from sheets, valid until the database reports a change of one."""

    def moment(self) -> int:
        """A counter of changes, to be read before the values that are then kept."""

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
    watched: Watched | None = None  # None where a query costs nothing

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""

    def read(self, query: str, *values: object) -> list[Any]:
        """The rows that `query` finds; within a transaction of this thread, as that sees them."""

    def writing(self, *locks: str, wait: float = BUSY_SECONDS) -> AbstractContextManager[Writing]:
        """Begin a transaction that holds `locks`; raises `InUseError` after `wait` seconds."""

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Begin a transaction in which this thread reads everything as of that moment."""

    def make_tables(self, writing: Writing, schema: str) -> None:
        """Make the tables of a schema, and the triggers that keep their rows unchanged."""

    # --- what only some databases need

    def missing_triggers(self) -> Sequence[str]:
        """The missing triggers; for a file `integrity.faults` finds them."""
        return ()

    def continue_numbers(self, writing: Writing, filled: Mapping[str, str]) -> None:
        """Continue the numbering of these tables after rows inserted with numbers of their own."""
        return

    def check_writable(self) -> None:
        """Raise `UnavailableError` if it can only be read."""
        return

    def write_stamp(self) -> object:
        """A value that changes with every write; None if it costs as much as reading."""
        return None

    def maintain(self) -> None:
        """Do maintenance at intervals for as long as this process runs, if there is any to do."""
        return

"""What the databases of a ledger have in common: their tables, times, and places."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from referee.ledger.errors import NewerError, OlderError

BUSY_SECONDS = 10  # for which a writer waits for another
READ_SECONDS = 2  # for which a reader waits for a writer
STALE_SECONDS = 2.0  # how old what is watched may be, at most

#: The columns of every table, in an order in which no row comes before one that it refers to; the
#: first ones are its key.
TABLES = {
    "sheets": "id, kind, head, at",
    "entries": 'sheet, seq, kind, target, body, key, role, at, "by", hash, seal',
    "links": "token, digest, sheet, role, at, name, added_by, renewal, withdrawn",
    "evenings": "id, at",
    "evening_sheets": "id, sheet, evening, how, key, at",
    "evening_links": "token, evening, at, withdrawn",
    "club_sheets": "id, sheet, club, move, at",
    "trash": "id, sheet, what, at",
    "phone_links": "phone, link, at",
    "handovers": "code, links, name, at, taken",
}

#: Where a book is: the file of an embedded one, or the address of a PostgreSQL database.
Place = Path | str


_PASSWORD = re.compile(r"(?<=//)([^/@:]*):[^/@]*@")  # as PostgreSQL’s library reads it


class Writing(Protocol):
    """A write transaction. Transactions with one lock name run one after another.

    So the second sees all that the first has written. A lock is named after a sheet, say; several
    are taken in one order. `InUseError` is raised if another one holds it for too long.
    """

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Execute one statement; returns a cursor."""

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> Any:
        """Execute one statement with each of these values."""


def is_address(place: Place) -> bool:
    """Whether this is the address of a PostgreSQL database, and no file."""
    return isinstance(place, str) and place.startswith(("postgresql://", "postgres://"))


def shown(place: Place) -> str:
    """Where a book is, as people are told: an address without its password and parameters.

    One that could be opened: another may have a password that isn’t read as it is meant.
    """
    if isinstance(place, Path):
        return str(place)
    return _PASSWORD.sub(r"\1@", place).partition("?")[0]


def check_columns(there: set[tuple[str, str]]) -> None:
    """Raise `OlderError` or `NewerError` if these are not the columns of our tables.

    Each is given with its table; what else is in the database belongs to others.
    """
    named = ((table, columns.split(",")) for table, columns in TABLES.items())
    wanted = {(table, column.strip(' "')) for table, columns in named for column in columns}
    if wanted - there:
        raise OlderError
    if any(table in TABLES for table, _ in there - wanted):
        raise NewerError

"""A database that keeps a ledger, of either kind, opened by its place."""

from typing import TYPE_CHECKING, TypeAlias

from referee.ledger.engine import Place
from referee.ledger.sqlite import SQLiteEngine

if TYPE_CHECKING:
    from referee.ledger.postgres import PostgresEngine

#: A database that keeps a ledger, for many threads; `Ledger` and its like know its tables. The two
#: have the same methods, and take the same statements, with `?` for a value.
Engine: TypeAlias = "SQLiteEngine | PostgresEngine"


def open_engine(place: Place) -> Engine:
    """The database at `place`, made and brought up to date; raises a `LedgerError`."""
    if isinstance(place, str):
        from referee.ledger.postgres import PostgresEngine  # noqa: PLC0415 - it needs psycopg

        return PostgresEngine(place)
    return SQLiteEngine(place)

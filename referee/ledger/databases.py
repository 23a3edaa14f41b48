"""A database that keeps a ledger, of either kind, opened by its place."""

from referee.ledger.engine import Engine, Place
from referee.ledger.sqlite import SQLiteEngine


def open_engine(place: Place) -> Engine:
    """The database at `place`, made and brought up to date; raises a `LedgerError`."""
    if isinstance(place, str):
        from referee.ledger.postgres import PostgresEngine  # noqa: PLC0415 - it needs psycopg

        return PostgresEngine(place)
    return SQLiteEngine(place)

"""PostgreSQL as a place for the book, named by an address."""

from referee.ledger.databases import EnginePart
from referee.ledger.engine import Engine
from referee.ledger.errors import UnavailableError
from referee.rules.text import say


def open_database(address: str) -> Engine:
    """The database at `address`, with its tables made; raises a `LedgerError`."""
    try:
        from referee.extras.postgres.database import PostgresEngine  # noqa: PLC0415 - needs psycopg
    except ImportError as error:
        says = say(
            "PostgreSQL needs two more libraries. In a checkout: {command}",
            command="pip install '.[postgres]'",
        )
        raise UnavailableError(says) from error
    return PostgresEngine(address)


PART = EnginePart(
    product="PostgreSQL",
    schemes=("postgresql://", "postgres://"),
    example="postgresql://user@host/name",
    tools=say("pg_dump and pg_restore, or pg_basebackup"),
    open=open_database,
)

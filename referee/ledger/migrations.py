"""The migrations of a book in a file, by sqlite-utils.

sqlite-utils imports NumPy if that is installed, so to keep the start fast this module is imported
only when there is something to migrate.
"""

import sqlite3

from sqlite_utils import Database, Migrations

from referee.ledger.tables import SCHEMA, make_tables

_migrations = Migrations("referee")


@_migrations()
def m001_tables(db: Database) -> None:
    """Create all tables, and the triggers that keep them append-only."""
    make_tables(db.conn, SCHEMA)


@_migrations()
def m002_links_of_sheet(db: Database) -> None:
    """Create the index for the links of a sheet, which newer books have from the start."""
    db.execute("CREATE INDEX IF NOT EXISTS links_of_sheet ON links (sheet, role)")


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the missing migrations, within the caller's transaction."""
    _migrations.apply(Database(connection, execute_plugins=False))

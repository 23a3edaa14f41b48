"""Whether a database is a sound ledger: whole, with its tables and triggers, no row missing."""

import sqlite3
from collections.abc import Iterator

from sqlite_utils import Database

from referee.ledger.errors import NewerError
from referee.ledger.schema import MIGRATIONS

MOST_FAULTS = 20  # of one kind; who has more has the same trouble


def faults(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with a database, a sentence each; nothing is changed.

    Raises `NewerError` where it was written by a newer version, which may have other tables.
    """
    try:
        found = list(_damages(connection))
        if not found:
            found = list(_missing_parts(connection))
        if not found:
            found = [*_dangling(connection), *_gaps(connection)]
    except sqlite3.DatabaseError as error:
        return [f"{error}."]
    return found


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many sheets and rows a ledger holds."""
    found = connection.execute("SELECT (SELECT count(*) FROM sheets), count(*) FROM entries")
    sheets, rows = found.fetchone()
    return int(sheets), int(rows)


def _damages(connection: sqlite3.Connection) -> Iterator[str]:
    for (said,) in connection.execute(f"PRAGMA integrity_check({MOST_FAULTS})"):
        if said != "ok":
            yield f"{' '.join(said.split())}."


def _missing_parts(connection: sqlite3.Connection) -> Iterator[str]:
    """Tables, triggers and indices that are not as the migrations of this database made them."""
    db = Database(connection)
    applied = {migration.name for migration in MIGRATIONS.applied(db)}
    pristine = Database(memory=True)
    pending = [migration.name for migration in MIGRATIONS.pending(pristine)]
    if applied - set(pending):
        message = "This database was written by a newer version of Referee. Update the program."
        raise NewerError(message)
    if not applied:
        yield "the tables of the score sheets are missing."
        return
    MIGRATIONS.apply(pristine, stop_before=[name for name in pending if name not in applied])
    wanted, there = _parts(pristine.conn), _parts(connection)
    for (kind, name), made in wanted.items():
        if (kind, name) not in there:
            yield f"the {kind} {name} is missing."
        elif there[kind, name] != made:
            yield f"the {kind} {name} is not as this program makes it."
    pristine.close()
    for kind, name in there.keys() - wanted.keys():
        if kind == "trigger":
            yield f"the trigger {name} is none of ours."


def _parts(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL "
        "AND tbl_name NOT LIKE '\\_sqlite\\_%' ESCAPE '\\'"
    )
    return {(kind, name): " ".join(sql.split()) for kind, name, sql in rows}


def _dangling(connection: sqlite3.Connection) -> Iterator[str]:
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(
        MOST_FAULTS
    ):
        yield f"a row of {table} belongs to one of {parent} that is not there."


def _gaps(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT sheet, count(*), max(seq) FROM entries GROUP BY sheet HAVING max(seq) != count(*)"
    )
    for sheet, number, newest in rows.fetchmany(MOST_FAULTS):
        yield f"sheet {sheet} has {number} rows, yet its newest is row {newest}."

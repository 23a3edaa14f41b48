"""The integrity of a ledger: database whole, tables and triggers in place, no row missing."""

import sqlite3
from collections.abc import Iterator

from sqlite_utils import Database

from referee.ledger.errors import NewerError
from referee.ledger.schema import MIGRATIONS
from referee.rules.text import Text, say, say_many

MAX_FAULTS = 20  # of one kind; who has more has the same trouble


def faults(connection: sqlite3.Connection) -> list[Text]:
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
        return [_reported(str(error))]
    return found


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many sheets and rows a ledger holds."""
    found = connection.execute("SELECT (SELECT count(*) FROM sheets), count(*) FROM entries")
    sheets, rows = found.fetchone()
    return int(sheets), int(rows)


def _damages(connection: sqlite3.Connection) -> Iterator[Text]:
    for (said,) in connection.execute(f"PRAGMA integrity_check({MAX_FAULTS})"):
        if said != "ok":
            yield _reported(" ".join(said.split()))


def _reported(words: str) -> Text:
    return say("SQLite reports: {words}.", words=words)


def _missing_parts(connection: sqlite3.Connection) -> Iterator[Text]:
    """Tables, triggers and indices that are not as the migrations of this database made them.

    What kind each is, is said with SQL's own word.
    """
    db = Database(connection)
    applied = {migration.name for migration in MIGRATIONS.applied(db)}
    pristine = Database(memory=True)
    pending = [migration.name for migration in MIGRATIONS.pending(pristine)]
    if applied - set(pending):
        raise NewerError
    if not applied:
        yield say("The tables for the score sheets are missing.")
        return
    MIGRATIONS.apply(pristine, stop_before=[name for name in pending if name not in applied])
    wanted, there = _parts(pristine.conn), _parts(connection)
    for (kind, name), made in wanted.items():
        if (kind, name) not in there:
            yield say("The {kind} {name} is missing.", kind=kind, name=name)
        elif there[kind, name] != made:
            yield say("The {kind} {name} isn’t as Referee makes it.", kind=kind, name=name)
    pristine.close()
    for kind, name in there.keys() - wanted.keys():
        if kind == "trigger":
            yield say("The trigger {name} doesn’t belong in a score book.", name=name)


def _parts(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL "
        "AND tbl_name NOT LIKE '\\_sqlite\\_%' ESCAPE '\\'"
    )
    return {(kind, name): " ".join(sql.split()) for kind, name, sql in rows}


def _dangling(connection: sqlite3.Connection) -> Iterator[Text]:
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(MAX_FAULTS):
        yield say(
            "A row of {table} belongs to a row of {parent} that isn’t there.",
            table=table,
            parent=parent,
        )


def _gaps(connection: sqlite3.Connection) -> Iterator[Text]:
    rows = connection.execute(
        "SELECT sheet, count(*), max(seq) FROM entries GROUP BY sheet HAVING max(seq) != count(*)"
    )
    for sheet, number, newest in rows.fetchmany(MAX_FAULTS):
        yield say_many(
            "Sheet {sheet} has {n} row, but its newest is row {newest}.",
            "Sheet {sheet} has {n} rows, but its newest is row {newest}.",
            n=number,
            sheet=str(sheet),
            newest=newest,
        )

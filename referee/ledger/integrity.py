"""The integrity of a ledger: database whole, its parts in place, no row changed or missing."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

import msgspec

from referee.ledger.chain import Said, first_hash, row_hash, seal
from referee.ledger.file import version_of
from referee.ledger.store import digest
from referee.rules.text import Text, say, say_many

MAX_FAULTS = 20  # of one kind; who has more has the same trouble


def faults(connection: sqlite3.Connection) -> list[Text]:
    """What is wrong with a database, a sentence each; nothing is changed.

    Raises `NewerError` where it was written by a newer version, which may have other tables.
    """
    connection.text_factory = _text  # a damaged text must not keep the others from being read
    try:
        found = list(_damages(connection))
        if not found:
            found = list(_missing_parts(connection))
        if not found:
            found = [
                *islice(_dangling(connection), MAX_FAULTS),
                *islice(_gaps(connection), MAX_FAULTS),
                *islice(chain_faults(connection), MAX_FAULTS),
                *islice(_link_faults(connection), MAX_FAULTS),
            ]
    except sqlite3.DatabaseError as error:
        return [_reported(str(error))]
    except UnicodeDecodeError as error:  # SQLite's own complaint quotes what it can't read
        return [_reported(str(error))]
    finally:
        connection.text_factory = str
    return found


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")


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
    from referee.ledger.tables import migrate  # noqa: PLC0415 - as it says there

    version = version_of(connection)
    if not version:
        yield say("The tables for the score sheets are missing.")
        return
    with closing(sqlite3.connect(":memory:")) as pristine:
        migrate(pristine, version)
        wanted, there = _parts(pristine), _parts(connection)
    for (kind, name), made in wanted.items():
        if (kind, name) not in there:
            yield say("The {kind} {name} is missing.", kind=kind, name=name)
        elif there[kind, name] != made:
            yield say("The {kind} {name} isn’t as Referee makes it.", kind=kind, name=name)
    for kind, name in sorted(there.keys() - wanted.keys()):
        yield say("The {kind} {name} doesn’t belong in a score book.", kind=kind, name=name)


def _parts(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """How each table, trigger and index was made; but for those that SQLite made for itself."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return {(kind, name): " ".join(sql.split()) for kind, name, sql in rows}


def _dangling(connection: sqlite3.Connection) -> Iterator[Text]:
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield say(
            "A row of {table} belongs to a row of {parent} that isn’t there.",
            table=table,
            parent=parent,
        )


def _gaps(connection: sqlite3.Connection) -> Iterator[Text]:
    rows = connection.execute(
        "SELECT sheet, count(*), max(seq) FROM entries GROUP BY sheet HAVING max(seq) != count(*)"
    )
    for sheet, number, newest in rows:
        yield say_many(
            "Sheet {sheet} has {n} row, but its newest is row {newest}.",
            "Sheet {sheet} has {n} rows, but its newest is row {newest}.",
            n=number,
            sheet=str(sheet),
            newest=newest,
        )


def chain_faults(connection: sqlite3.Connection) -> Iterator[Text]:
    """Rows that are not as they were written."""
    heads = connection.execute("SELECT id, head FROM sheets ORDER BY id").fetchall()
    for sheet, head in heads:
        before = _hash(first_hash, head)
        for row in connection.execute(_CHAIN, (sheet,)):
            seq, kind, target, at, by, body, key, role, hash_, closed = row
            made = _hash(row_hash, before, Said(seq, kind, target, at, by, body))
            if made != hash_ or closed != _hash(seal, hash_, key, role, body):
                yield say(
                    "Sheet {sheet}: row {row} isn’t as it was written.", sheet=str(sheet), row=seq
                )
            before = hash_


_CHAIN = """
SELECT seq, kind, target, at, "by", body, key, role, hash, seal FROM entries
WHERE sheet = ? ORDER BY seq
"""


def _hash(make: Callable[..., str], *of: Any) -> str:
    """The hash of something; none of what is so damaged that it has none."""
    try:
        return make(*of)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        return ""


def _link_faults(connection: sqlite3.Connection) -> Iterator[Text]:
    for token, sheet, known in connection.execute("SELECT token, sheet, digest FROM links"):
        if _hash(digest, token) != known:
            yield say("A link of sheet {sheet} can’t be found by its digest.", sheet=str(sheet))
    without = "SELECT sheet FROM links WHERE role = 'host' AND withdrawn IS NULL"
    for (sheet,) in connection.execute(f"SELECT id FROM sheets WHERE id NOT IN ({without})"):
        yield say("Sheet {sheet} has no host link.", sheet=str(sheet))

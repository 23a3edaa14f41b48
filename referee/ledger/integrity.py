"""Check that a ledger is intact, and read what can still be read of a damaged sheet."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from referee.ledger.chain import HashedPart, first_hash, row_hash, seal
from referee.ledger.engine import Engine
from referee.ledger.errors import LedgerError, UnavailableError, distrusted
from referee.ledger.sqlite import read_only, version_of
from referee.ledger.store import Ledger, digest
from referee.ledger.tables import SCHEMA, choices, make_tables
from referee.progress import steps
from referee.rules.text import Text, say, say_many

MAX_FAULTS = 20  # of one kind; more would say nothing new


class Amount(Struct, frozen=True):
    """The number of sheets and rows in a ledger or its copy."""

    sheets: int
    rows: int


#: Executes a query with these values; returns the rows that it finds.
Ask = Callable[..., Iterable[Any]]

_AMOUNT = "SELECT (SELECT count(*) FROM sheets WHERE kind = 'sheet'), count(*) FROM entries"


def amount(path: Path) -> Amount:
    """The amount in the ledger at `path`; raises as `faults` does, and `DamagedError`."""
    with distrusted(path), closing(read_only(path)) as book:
        sheets, rows = book.execute(_AMOUNT).fetchone()
        return Amount(int(sheets), int(rows))


def amount_in(engine: Engine) -> Amount:
    """The amount in the ledger of this database."""
    return Amount(*engine.read(_AMOUNT)[0])


def faults(path: Path) -> list[Text]:
    """The faults of the database at `path`, a sentence each: damage, missing parts, changed rows.

    Checks stop at the first of these kinds with a fault, as the next would be misleading. Raises
    `UnavailableError` if it cannot be opened, `DamagedError` if it is no database, and `NewerError`
    if a newer version wrote it, which may have other tables.
    """
    with distrusted(path), closing(read_only(path)) as connection:

        def ask(query: str, *values: object) -> Iterable[Any]:
            return connection.execute(query, values)

        try:
            checked = connection.execute(f"PRAGMA integrity_check({MAX_FAULTS})")
            return (
                [_reported(" ".join(said.split())) for (said,) in checked if said != "ok"]
                or list(_missing_parts(connection))
                or [*islice(_loose_rows(connection), MAX_FAULTS), *_row_faults(ask)]
            )
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            # SQLite's own message quotes the value it can't read, which may be no text.
            return [_reported(str(error))]


def faults_in(engine: Engine) -> list[Text]:
    """The faults of a database on a server: missing triggers, changed rows, a sentence each."""
    with engine.at_one_moment():
        missing = [
            say("The {kind} {name} is missing.", kind="trigger", name=name)
            for name in engine.missing_triggers()
        ]
        return [*missing, *_row_faults(engine.read)]


def _row_faults(ask: Ask) -> Iterator[Text]:
    for kind in (_unknown_kinds, _gaps, _chain_faults, _link_faults):
        yield from islice(kind(ask), MAX_FAULTS)


def _reported(words: str) -> Text:
    return say("SQLite reports: {words}.", words=words)


def _missing_parts(connection: sqlite3.Connection) -> Iterator[Text]:
    """Faults for tables, triggers and indices that differ from what the migrations make."""
    from referee.ledger.migrations import migrate  # noqa: PLC0415 - it brings in sqlite-utils

    if not version_of(connection):
        yield say("The tables for the score sheets are missing.")
        return
    with closing(sqlite3.connect(":memory:")) as pristine:
        migrate(pristine)
        there = _parts(connection)
        if ("table", "extras") in there:
            for (schema,) in connection.execute("SELECT made FROM extras"):
                make_tables(pristine, schema)
        wanted = _parts(pristine)
    for (kind, name), made in wanted.items():
        if (kind, name) not in there:
            yield say("The {kind} {name} is missing.", kind=kind, name=name)
        elif there[kind, name] != made:
            yield say("The {kind} {name} isn’t as Referee makes it.", kind=kind, name=name)
    for kind, name in sorted(there.keys() - wanted.keys()):
        yield say("The {kind} {name} doesn’t belong in a score book.", kind=kind, name=name)


def _parts(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """The SQL of each table, trigger and index by kind and name, without SQLite's own."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return {(kind, name): " ".join(sql.split()) for kind, name, sql in rows}


def _loose_rows(connection: sqlite3.Connection) -> Iterator[Text]:
    """Faults for rows that refer to a row that is missing."""
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield say(
            "A row of {table} belongs to a row of {parent} that isn’t there.",
            table=table,
            parent=parent,
        )


def _unknown_kinds(ask: Ask) -> Iterator[Text]:
    """Faults for rows of an unknown kind.

    SQLite doesn't check that in a file opened read-only.
    """
    extras = list(ask("SELECT kind, made FROM extras"))
    known_kinds = [("sheets", "kind", ["sheet", *(kind for kind, _ in extras if kind)])]
    for schema in (SCHEMA, *(schema for _, schema in extras)):
        known_kinds += choices(schema)
    for table, column, known in known_kinds:
        places = ", ".join("?" * len(known))
        query = (
            f"SELECT {column}, count(*) FROM {table} WHERE {column} NOT IN ({places}) GROUP BY 1"
        )
        for kind, n in ask(query, *known):
            yield say_many(
                "{n} row of {table} is of an unknown {column}, “{kind}”.",
                "{n} rows of {table} are of an unknown {column}, “{kind}”.",
                n=n,
                table=table,
                column=column,
                kind=str(kind),
            )


def _gaps(ask: Ask) -> Iterator[Text]:
    rows = ask(
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


def _chain_faults(ask: Ask) -> Iterator[Text]:
    """Faults for rows that don't match their hash or their seal."""
    chain = """
        SELECT seq, kind, target, at, "by", body, key, role, hash, seal FROM entries
        WHERE sheet = ? ORDER BY seq
    """
    for sheet, head in steps(list(ask("SELECT id, head FROM sheets ORDER BY id"))):
        before = _hash(first_hash, head)
        for row in ask(chain, sheet):
            seq, kind, target, at, by, body, key, role, hash_, sealed = row
            made = _hash(row_hash, before, HashedPart(seq, kind, target, at, by, body))
            if made != hash_ or sealed != _hash(seal, hash_, key, role, body):
                yield say(
                    "Sheet {sheet}: row {row} isn’t as it was written.", sheet=str(sheet), row=seq
                )
            before = hash_


def _hash(make: Callable[..., str], *of: Any) -> str:
    """The hash that `make` returns; empty if the content is too damaged."""
    try:
        return make(*of)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        return ""


def _link_faults(ask: Ask) -> Iterator[Text]:
    for token, sheet, known in ask("SELECT token, sheet, digest FROM links"):
        if _hash(digest, token) != known:
            yield say("A link of sheet {sheet} can’t be found by its digest.", sheet=str(sheet))
    without = "SELECT sheet FROM links WHERE role = 'host' AND withdrawn IS NULL"
    for (sheet,) in ask(f"SELECT id FROM sheets WHERE id NOT IN ({without})"):
        yield say("Sheet {sheet} has no host link.", sheet=str(sheet))


# --- what can still be read

# Row by row: those before and after a damaged one can be read.
_ROW = 'SELECT seq, kind, target, body, role, at, "by", hash FROM entries WHERE sheet = ?'
_ONWARD = f"{_ROW} AND seq > ? ORDER BY seq LIMIT 1"
_BACKWARD = f"{_ROW} AND seq < ? ORDER BY seq DESC LIMIT 1"
_BEHIND_ALL = 1_000_000_000


class WrittenRow(Struct, frozen=True):
    """A row as it is in the database, every column as text, "" for an empty one."""

    seq: int
    kind: str
    target: str
    body: str
    role: str
    at: str
    by: str
    hash: str


class Written(Struct, frozen=True):
    """A sheet as it is in the database; not `whole` if some of it could not be read."""

    head: str
    begun: str
    rows: tuple[WrittenRow, ...]
    whole: bool


def as_written(ledger: Ledger, sheet: int) -> Written:
    """Read what is readable of `sheet`; raises `UnavailableError` if the book can't be opened."""
    head, begun, whole = "", "", True
    try:
        head, begun = map(str, ledger.head(sheet) or ("", ""))
    except UnavailableError:
        raise
    except LedgerError:
        whole = False
    rows, ended = _readable_prefix(ledger, _ONWARD, sheet, 0)
    if not ended:  # read the rows after the damage, from the end
        whole, known = False, {row.seq for row in rows}
        behind, _ = _readable_prefix(ledger, _BACKWARD, sheet, _BEHIND_ALL)
        rows += reversed([row for row in behind if row.seq not in known])
    return Written(head, begun, tuple(rows), whole)


def _readable_prefix(
    ledger: Ledger, query: str, sheet: int, seq: int
) -> tuple[list[WrittenRow], bool]:
    """The rows beyond `seq`, up to one that cannot be read, and whether all could be."""
    rows, seen = list[WrittenRow](), set[int]()
    try:
        while (found := ledger.engine.read(query, sheet, seq)) and found[0][0] not in seen:
            seq, *columns = found[0]
            seen.add(seq)  # a damaged index may lead in a circle
            texts = ("" if column is None else str(column) for column in columns)
            rows.append(WrittenRow(int(seq), *texts))
    except LedgerError:
        return rows, False
    return rows, True

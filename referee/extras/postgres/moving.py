"""Copy a whole ledger into an empty one, whatever the engines of the two."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from referee.ledger.engine import Engine
from referee.ledger.errors import DamagedError, UnavailableError
from referee.ledger.extras import note, tables_in
from referee.ledger.integrity import Amount, amount_in
from referee.progress import report
from referee.rules.text import say

_MANY = 1000  # sheets whose entries are read at once


def copy_ledger(source: Engine, target: Engine) -> Amount:
    """Copy one ledger, as of one moment, into an empty one; returns the amount.

    Raises `UnavailableError` if the target holds sheets, and `DamagedError` if reading it back
    gives something else; nothing is stored then.
    """
    with source.at_one_moment(), target.writing("tables") as writing:
        if target.read("SELECT 1 FROM sheets LIMIT 1"):
            says = say("{place} holds sheets already. Name an empty one.", place=target.name)
            raise UnavailableError(says)
        tables = tables_in(source.read)
        del tables["extras"]  # those that are there may have more
        there = [name for (name,) in target.read("SELECT name FROM extras")]
        for name, kind, made in source.read("SELECT name, kind, made FROM extras ORDER BY name"):
            if name not in there:
                target.make_tables(writing, made)
                note(writing, name, kind, made)
        count = " + ".join(f"(SELECT count(*) FROM {table})" for table in tables)
        of, done = 3 * source.read(f"SELECT {count}")[0][0], 0  # written, and read in both
        for table, columns in tables.items():
            places = ", ".join("?" * len(columns.split(",")))
            statement = f"INSERT INTO {table} ({columns}) VALUES ({places})"
            for rows in _rows(source, table, columns):
                writing.executemany(statement, rows)
                done += len(rows)
                report(done, of)
        target.continue_numbers(writing, tables)
        if _digest(source, tables, done, of) != _digest(target, tables, 2 * done, of):
            says = say("{place} doesn’t give back what was written.", place=target.name)
            raise DamagedError(says)
        return amount_in(target)


def _digest(engine: Engine, tables: Mapping[str, str], done: int, of: int) -> str:
    """The hash of all rows of these tables; reports progress from `done` on."""
    found = hashlib.sha256()
    for table, columns in tables.items():
        for rows in _rows(engine, table, columns):
            found.update(msgspec.json.encode([table, rows]))
            done += len(rows)
            report(done, of)
    return found.hexdigest()


def _rows(engine: Engine, table: str, columns: str) -> Iterator[list[Any]]:
    """Yield all rows of a table in the order of their keys, read in batches."""
    if table != "entries":
        yield engine.read(f"SELECT {columns} FROM {table} ORDER BY 1, 2")
        return
    last = engine.read("SELECT coalesce(max(id), 0) FROM sheets")[0][0]
    query = f"SELECT {columns} FROM entries WHERE sheet > ? AND sheet <= ? ORDER BY sheet, seq"
    for first in range(0, last, _MANY):
        yield engine.read(query, first, first + _MANY)

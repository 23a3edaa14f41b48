"""Tallies: for each table that has no chain, how often it changed and what its rows come to.

A table changes once with every row, and once more with every link that is withdrawn. What its rows
come to is the sum of the hashes of them all: every change of any of them shows in it, and it can be
kept without reading the others.
"""

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import Any

import msgspec

#: The tables that are tallied. Entries have their chains; whatever else there is can be derived.
TALLIED = (
    "evening_links",
    "evening_sheets",
    "evenings",
    "links",
    "sheets",
    "trash",
)

_MODULUS = 2**256


def total(table: str, rows: Iterable[Any]) -> int:
    """The sum of the hashes of rows of `table`; it does not matter in which order they come."""
    return sum(_number([table, *row]) for row in rows)


def as_text(sum_: int) -> str:
    """A sum as the table of tallies has it."""
    return f"{sum_ % _MODULUS:064x}"


def change(connection: sqlite3.Connection, table: str, gone: list[Any], come: list[Any]) -> None:
    """Note that these rows of `table` are gone, and those have come in their place or anew."""
    found = connection.execute("SELECT changes, sum FROM tallies WHERE name = ?", (table,))
    changes, before = found.fetchone() or (0, "0")
    after = int(before, 16) + total(table, come) - total(table, gone)
    _set(connection, table, changes + len(come), as_text(after))


def counted(connection: sqlite3.Connection, table: str) -> tuple[int, str]:
    """How often `table` must have changed to hold what it holds, and the sum of its rows."""
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    changes = len(rows)
    if table.endswith("links"):
        found = connection.execute(f"SELECT count(withdrawn) FROM {table}")
        changes += found.fetchone()[0]
    return changes, as_text(total(table, rows))


def _set(connection: sqlite3.Connection, table: str, changes: int, sum_: str) -> None:
    connection.execute(
        "INSERT INTO tallies (name, changes, sum) VALUES (?, ?, ?) "
        "ON CONFLICT DO UPDATE SET changes = excluded.changes, sum = excluded.sum",
        (table, changes, sum_),
    )


def all_tallies(connection: sqlite3.Connection) -> tuple[int, str]:
    """How often all of these tables changed, and one hash for what they come to."""
    rows = connection.execute("SELECT name, changes, sum FROM tallies ORDER BY name").fetchall()
    return sum(changes for _, changes, _ in rows), as_text(_number(rows))


def _number(value: Any) -> int:
    return int.from_bytes(hashlib.sha256(msgspec.json.encode(value)).digest())

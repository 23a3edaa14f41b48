"""What can still be read of a sheet, column by column, where the rest of the program gives up."""

import sqlite3
from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct

from referee.ledger.errors import translated
from referee.ledger.store import Ledger

# As bytes: a text that is none would otherwise keep the whole row from being read.
_COLUMNS = ("kind", "target", "body", "role", "at", '"by"', "hash")
_ROWS = f"""
SELECT seq, {", ".join(f"CAST({column} AS BLOB)" for column in _COLUMNS)}
FROM entries WHERE sheet = ? ORDER BY seq
"""


class WrittenRow(Struct, frozen=True):
    """A row as it stands in the database, every column as text, "" where it holds nothing."""

    seq: int
    kind: str
    target: str
    body: str
    role: str
    at: str
    by: str
    hash: str


class Written(Struct, frozen=True):
    """A sheet as it stands in the database: its head and when it was begun, and its rows in order.

    It is `whole` unless the disk has lost some of it.
    """

    head: str
    begun: str
    rows: tuple[WrittenRow, ...]
    whole: bool


def as_written(ledger: Ledger, sheet: int) -> Written:
    """All of `sheet` that can be read; raises `UnavailableError` where the book cannot be had."""
    with translated(ledger.path):
        connection = ledger._connection
    head, begun, whole = "", "", True
    try:
        found = connection.execute(
            "SELECT CAST(head AS BLOB), CAST(at AS BLOB) FROM sheets WHERE id = ?", (sheet,)
        ).fetchone()
        head, begun = map(_text, found or (None, None))
    except sqlite3.DatabaseError:
        whole = False
    rows: list[WrittenRow] = []
    first_part = _as_far_as_it_goes(connection, _ROWS, sheet)
    for row in first_part:
        if row is None:
            whole = False
            break
        rows.append(row)
    if not whole:  # what lies behind the damage, from the end
        known = {row.seq for row in rows}
        last_part = _as_far_as_it_goes(connection, f"{_ROWS} DESC", sheet)
        behind = takewhile(lambda row: row is not None and row.seq not in known, last_part)
        rows += reversed([row for row in behind if row is not None])
    return Written(head, begun, tuple(rows), whole)


def _as_far_as_it_goes(
    connection: sqlite3.Connection, query: str, sheet: int
) -> Iterator[WrittenRow | None]:
    """The rows up to the first that the database cannot give, and None in the place of that."""
    try:
        for seq, *columns in connection.execute(query, (sheet,)):
            yield WrittenRow(int(seq), *map(_text, columns))
    except sqlite3.DatabaseError:
        yield None


def _text(column: bytes | None) -> str:
    return "" if column is None else column.decode("utf-8", "replace")

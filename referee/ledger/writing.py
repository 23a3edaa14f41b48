"""A transaction under way, which keeps count of itself.

Beside the tables that hold what people wrote there are two that say how much of it there must be:
`ends`, where the chain of each sheet ends; and `tallies`. `integrity` holds the one against the
other.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from referee.ledger import tallies
from referee.ledger.ends import BOOK, End, end_of_book

LinkTable = Literal["links", "evening_links"]


class Writing:
    """One transaction; `ends` are those that it moves, to be noted beside the book afterwards."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """`connection` holds the write lock."""
        self._connection = connection
        self._tallied = False
        self.ends: dict[int, End] = {}

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Read, or write to a table that is not tallied."""
        return self._connection.execute(statement, values)

    def add(self, table: str, values: Mapping[str, Any]) -> Any:
        """Add a row to a tallied table; returns its first column."""
        columns, places = ", ".join(values), ", ".join("?" * len(values))
        added = self.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({places}) RETURNING *",
            tuple(values.values()),
        ).fetchall()
        self._change(table, [], added)
        return added[0][0]

    def withdraw(self, table: LinkTable, at: str, where: str, values: Sequence[Any]) -> None:
        """Note that the links in use for which `where` holds were withdrawn at this time."""
        in_use = f"withdrawn IS NULL AND {where}"
        gone = self.execute(f"SELECT * FROM {table} WHERE {in_use}", values).fetchall()
        marked = self.execute(
            f"UPDATE {table} SET withdrawn = ? WHERE {in_use} RETURNING *", (at, *values)
        )
        self._change(table, gone, marked.fetchall())

    def move_end(self, sheet: int, end: End) -> None:
        """Note where the chain of `sheet` ends now."""
        self.execute(
            "INSERT INTO ends (sheet, rows, hash) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET rows = excluded.rows, hash = excluded.hash",
            (sheet, end.rows, end.hash),
        )
        self.ends[sheet] = end

    def finish(self) -> None:
        """What is to be done last, before the transaction is committed."""
        if self._tallied:
            self.ends[BOOK] = end_of_book(self._connection)

    def _change(self, table: str, gone: list[Any], come: list[Any]) -> None:
        if gone or come:
            tallies.change(self._connection, table, gone, come)
            self._tallied = True

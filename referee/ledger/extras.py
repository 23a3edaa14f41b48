"""What an extra stores in the book: its tables, and documents of its own kind."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from msgspec import Struct

from referee.extras import parts
from referee.ledger.engine import Writing
from referee.ledger.errors import DamagedError, NewerError, OlderError
from referee.ledger.tables import SCHEMA, TABLES, columns
from referee.rules.text import say

#: Executes a statement; returns an iterable of rows.
Execute = Callable[[str], Iterable[Any]]


class LedgerPart(Struct, frozen=True):
    """What the extra `name` stores in the book.

    Its `tables`, a schema as in `tables.py`, refer to those of the base, never back. They are made
    once, so it can't change: a book without a new column is refused, and a new index isn't made in
    it. The extra may keep documents of a `kind` of its own, with rows, links and a trash as a sheet
    has them. `within`: (table, column) whose latest row says which document a sheet belongs to,
    written under the lock `name`. `noted`: a table whose new rows refresh a sheet's board. With
    `plays` each sheet has a link by which players do something for themselves.
    """

    name: str
    tables: str
    kind: str = ""
    within: tuple[str, str] | None = None
    noted: str = ""
    plays: bool = False


@cache
def ledger_parts() -> tuple[LedgerPart, ...]:
    """The parts of all extras that are here."""
    return tuple(parts("ledger", LedgerPart))


def check_columns(there: set[tuple[str, str]], execute: Execute) -> None:
    """Raise `OlderError` or `NewerError` if these are not the columns of our tables.

    `there` has the columns of every table in the database; other programs' tables are ignored. The
    tables of an extra that is not noted yet are to be made; `DamagedError` if they exist already.
    """
    _compare_columns(there, SCHEMA)
    unmade = missing(execute)
    for part in ledger_parts():
        if part not in unmade:
            _compare_columns(there, part.tables)
        elif any(table in columns(part.tables) for table, _ in there):
            says = say(
                "This score book has the tables of “{name}”, but its note of them is damaged. "
                "Restore a backup.",
                name=part.name,
            )
            raise DamagedError(says)


def _compare_columns(there: set[tuple[str, str]], schema: str) -> None:
    tables = columns(schema)
    wanted = {(table, one.strip('"')) for table in tables for one in tables[table].split(", ")}
    if wanted - there:
        raise OlderError
    if any(table in tables for table, _ in there - wanted):
        raise NewerError


def missing(execute: Execute) -> list[LedgerPart]:
    """The extras whose tables are missing from the book."""
    noted = {name for (name,) in execute("SELECT name FROM extras")}
    return [part for part in ledger_parts() if part.name not in noted]


def note(writing: Writing, name: str, kind: str, schema: str) -> None:
    """Note the statements that made an extra's tables."""
    statement = "INSERT INTO extras (name, kind, made) VALUES (?, ?, ?)"
    writing.execute(statement, (name, kind, schema))


def tables_in(execute: Execute) -> dict[str, str]:
    """The columns of all tables of a book, with those of extras, in the order of `columns`."""
    found = dict(TABLES)
    for (schema,) in execute("SELECT made FROM extras ORDER BY name"):
        found.update(columns(schema))
    return found

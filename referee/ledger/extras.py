"""What an extra stores in the book: its tables, and documents of its own kind."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from msgspec import Struct

from referee.extras import parts
from referee.ledger.engine import Writing
from referee.ledger.errors import DamagedError, NewerError, OlderError
from referee.ledger.tables import MADE, TABLES, columns
from referee.rules.text import say

#: Executes a statement; returns an iterable of rows.
Execute = Callable[[str], Iterable[Any]]


class LedgerPart(Struct, frozen=True):
    """What the extra `name` stores in the book.

    Its `tables`, statements as in `tables.py`, refer to those of the base, never back. They are
    made once: a book that has them is refused if they get another column, and gets no index that is
    added to them. It may keep documents of a `kind` of its own, with rows, links and a trash as a
    sheet has them. `inside`: (table, column) whose latest row says which document a sheet belongs
    to, written under the lock `name`. `noted`: a table whose new rows refresh a sheet's board. With
    `plays` each sheet has a link by which players do something for themselves.
    """

    name: str
    tables: str
    kind: str = ""
    inside: tuple[str, str] | None = None
    noted: str = ""
    plays: bool = False


@cache
def ledger_parts() -> tuple[LedgerPart, ...]:
    """The parts of all extras that are here."""
    return tuple(parts("ledger", LedgerPart))


def check_tables(there: set[tuple[str, str]], execute: Execute) -> None:
    """Raise `OlderError` or `NewerError` if these are not the columns of our tables.

    `there` has the columns of every table in the database; other programs' tables are ignored. The
    tables of an extra that is not noted yet are to be made; `DamagedError` if they exist already.
    """
    _check_columns(there, MADE)
    unmade = missing(execute)
    for part in ledger_parts():
        if part not in unmade:
            _check_columns(there, part.tables)
        elif any(table in columns(part.tables) for table, _ in there):
            says = say(
                "This score book has the tables of “{name}”, but its note of them is damaged. "
                "Restore a backup.",
                name=part.name,
            )
            raise DamagedError(says)


def _check_columns(there: set[tuple[str, str]], made: str) -> None:
    tables = columns(made)
    wanted = {(table, one.strip('"')) for table in tables for one in tables[table].split(", ")}
    if wanted - there:
        raise OlderError
    if any(table in tables for table, _ in there - wanted):
        raise NewerError


def missing(execute: Execute) -> list[LedgerPart]:
    """The extras whose tables are missing from the book."""
    noted = {name for (name,) in execute("SELECT name FROM extras")}
    return [part for part in ledger_parts() if part.name not in noted]


def note(writing: Writing, name: str, kind: str, made: str) -> None:
    """Note the statements that made an extra's tables."""
    statement = "INSERT INTO extras (name, kind, made) VALUES (?, ?, ?)"
    writing.execute(statement, (name, kind, made))


def tables_in(execute: Execute) -> dict[str, str]:
    """The columns of all tables of a book, with those of extras, in the order of `columns`."""
    found = dict(TABLES)
    for (made,) in execute("SELECT made FROM extras ORDER BY name"):
        found.update(columns(made))
    return found

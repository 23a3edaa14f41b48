"""Evenings in the ledger: which sheets were played one after another.

An evening only ever grows. Its link is withdrawn together with any link of its sheets, and made
anew for whoever asks for it from a sheet.
"""

import sqlite3
from collections.abc import Sequence

from msgspec import Struct

from referee.ledger.errors import MovedOnError, translated
from referee.ledger.store import Ledger, Role, insert_sheet


class NextSheet(Struct, frozen=True):
    """A sheet that is to be begun: what `Ledger.create` takes, and the form's key."""

    head: str
    links: Sequence[tuple[Role, str]]
    at: str
    key: str


class Evenings:
    """The evenings in one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        """They lie in the same database as the sheets of `ledger`."""
        self._ledger = ledger

    def begin_next(self, sheet: int, seen: int, following: NextSheet) -> tuple[int, str | None]:
        """Begin the sheet that comes next in the evening of `sheet`.

        Returns its number, and the host link that it was begun with unless that was withdrawn.
        Where `sheet` belongs to no evening, one is made of the two. `seen` is how many sheets of
        the evening the writer knows of, 0 where there was none: `MovedOnError` where somebody
        else has begun the next one since. The same key twice is one sheet and the same answer.
        """
        with self._ledger._writing() as connection:
            evening = _evening_of(connection, sheet)
            known = connection.execute(
                "SELECT sheet FROM evening_sheets WHERE evening = ? AND key = ?",
                (evening, following.key),
            ).fetchone()
            if known is not None:
                return int(known[0]), _first_host(connection, known[0])
            count = len(_sheets(connection, evening))
            if count != seen:
                raise MovedOnError(count)
            begun = insert_sheet(connection, following.head, following.links, following.at)
            if evening is None:
                made = connection.execute("INSERT INTO evenings (at) VALUES (?)", (following.at,))
                assert made.lastrowid is not None
                evening, count = made.lastrowid, 1
                _add(connection, evening, count, sheet, "")
            _add(connection, evening, count + 1, begun, following.key)
            # Read before it is kept: what follows might fail, and say that nothing was begun.
            return begun, _first_host(connection, begun)

    def evening_of(self, sheet: int) -> int | None:
        """The evening that `sheet` belongs to, if any."""
        with translated(self._ledger.path):
            return _evening_of(self._ledger._connection, sheet)

    def sheets(self, evening: int | None) -> list[int]:
        """The sheets of `evening` in order; none where it is None."""
        if evening is None:
            return []
        with translated(self._ledger.path):
            return _sheets(self._ledger._connection, evening)

    def with_token(self, token: str) -> int | None:
        """The evening that this link leads to, unless there is none or it was withdrawn."""
        with translated(self._ledger.path):
            found = self._ledger._connection.execute(
                "SELECT evening FROM evening_links WHERE token = ? AND withdrawn IS NULL", (token,)
            ).fetchone()
            return None if found is None else int(found[0])

    def token(self, evening: int, new: str, at: str) -> str:
        """The link of `evening` in use; `new` becomes it where there is none."""
        with translated(self._ledger.path):
            found = _token(self._ledger._connection, evening)
        if found is not None:
            return found
        with self._ledger._writing() as connection:
            connection.execute(
                "INSERT INTO evening_links (token, evening, at) VALUES (?, ?, ?) "
                "ON CONFLICT DO NOTHING",  # somebody else has made one since
                (new, evening, at),
            )
            made = _token(connection, evening)
            assert made is not None
            return made


def _first_host(connection: sqlite3.Connection, sheet: int) -> str | None:
    """The host link that `sheet` was begun with, unless it was withdrawn."""
    found = connection.execute(
        "SELECT links.token FROM links JOIN sheets ON sheets.id = links.sheet "
        "WHERE links.sheet = ? AND role = 'host' AND withdrawn IS NULL "
        "AND links.at = sheets.at",
        (sheet,),
    ).fetchone()
    return None if found is None else str(found[0])


def _evening_of(connection: sqlite3.Connection, sheet: int) -> int | None:
    found = connection.execute("SELECT evening FROM evening_sheets WHERE sheet = ?", (sheet,))
    row = found.fetchone()
    return None if row is None else int(row[0])


def _sheets(connection: sqlite3.Connection, evening: int | None) -> list[int]:
    found = connection.execute(
        "SELECT sheet FROM evening_sheets WHERE evening = ? ORDER BY place", (evening,)
    )
    return [int(row[0]) for row in found]


def _token(connection: sqlite3.Connection, evening: int) -> str | None:
    found = connection.execute(
        "SELECT token FROM evening_links WHERE evening = ? AND withdrawn IS NULL", (evening,)
    ).fetchone()
    return None if found is None else str(found[0])


def _add(connection: sqlite3.Connection, evening: int, place: int, sheet: int, key: str) -> None:
    connection.execute(
        "INSERT INTO evening_sheets (evening, place, sheet, key) VALUES (?, ?, ?, ?)",
        (evening, place, sheet, key),
    )

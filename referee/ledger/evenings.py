"""Evenings in the ledger: which sheets were played one after another.

An evening only ever grows. Its link is withdrawn together with any link of its sheets, and made
anew for whoever asks for it from a sheet.
"""

import sqlite3
from collections.abc import Sequence

from msgspec import Struct

from referee.ledger.errors import MovedOnError, translated
from referee.ledger.store import Ledger, Role, add_row, insert_sheet


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
        with self._ledger._writing() as writing:
            evening = _evening_of(writing, sheet)
            known = writing.execute(
                "SELECT sheet FROM evening_sheets WHERE evening = ? AND key = ?",
                (evening, following.key),
            ).fetchone()
            if known is not None:
                return int(known[0]), _first_host(writing, known[0])
            count = len(_sheets(writing, evening))
            if count != seen:
                raise MovedOnError(count)
            begun = insert_sheet(writing, following.head, following.links, following.at)
            if evening is None:
                evening, count = add_row(writing, "evenings", {"at": following.at}), 1
                _add(writing, evening, count, sheet, "")
            _add(writing, evening, count + 1, begun, following.key)
            # Read before it is kept: what follows might fail, and say that nothing was begun.
            return begun, _first_host(writing, begun)

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
        with self._ledger._writing() as writing:
            found = _token(writing, evening)
            if found is None:  # otherwise somebody else has made one since
                found = new
                add_row(writing, "evening_links", {"token": new, "evening": evening, "at": at})
            return found


def _first_host(reader: sqlite3.Connection, sheet: int) -> str | None:
    """The host link that `sheet` was begun with, unless it was withdrawn."""
    found = reader.execute(
        "SELECT token, withdrawn FROM links "
        "WHERE sheet = ? AND role = 'host' AND name = '' LIMIT 2",
        (sheet,),
    ).fetchall()
    # Where there are two it was renewed, however soon.
    return str(found[0][0]) if len(found) == 1 and found[0][1] is None else None


def _evening_of(reader: sqlite3.Connection, sheet: int) -> int | None:
    found = reader.execute("SELECT evening FROM evening_sheets WHERE sheet = ?", (sheet,))
    row = found.fetchone()
    return None if row is None else int(row[0])


def _sheets(reader: sqlite3.Connection, evening: int | None) -> list[int]:
    found = reader.execute(
        "SELECT sheet FROM evening_sheets WHERE evening = ? ORDER BY place", (evening,)
    )
    return [int(row[0]) for row in found]


def _token(reader: sqlite3.Connection, evening: int) -> str | None:
    found = reader.execute(
        "SELECT token FROM evening_links WHERE evening = ? AND withdrawn IS NULL", (evening,)
    ).fetchone()
    return None if found is None else str(found[0])


def _add(writing: sqlite3.Connection, evening: int, place: int, sheet: int, key: str) -> None:
    values = {"evening": evening, "place": place, "sheet": sheet, "key": key}
    add_row(writing, "evening_sheets", values)

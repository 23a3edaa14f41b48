"""Evenings in the ledger: which sheets were played one after another.

An evening only ever grows. Its link is withdrawn together with any link of its sheets.
"""

from typing import TYPE_CHECKING, Any

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, NewSheet, add_row, insert_sheet

if TYPE_CHECKING:
    from sqlite_utils import Database


class Evenings:
    """The evenings in one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def begin_next(
        self, sheet: int, seen: int, following: NewSheet, key: str
    ) -> tuple[int, str | None]:
        """Begin the next sheet in the evening of `sheet`; without one, the two make an evening.

        Returns the number of the new sheet and its first host link, None if that was withdrawn.
        `seen` is how many sheets of the evening the writer knows of, 0 without an evening; raises
        `MovedOnError` if there are more by now. The same `key` twice is one sheet and the same
        answer.
        """
        with self._engine.changing() as db:
            evening = self.evening_of(sheet)
            known = _column(db, "evening_sheets", "sheet", evening=evening, key=key)
            if known:
                return known[0], _first_host(db, known[0])
            count = len(_column(db, "evening_sheets", "sheet", evening=evening))
            if count != seen:
                raise MovedOnError(count)
            begun = insert_sheet(db.conn, following)
            places = db.table("evening_sheets")
            if evening is None:
                evening, count = add_row(db.conn, "evenings", {"at": following.at}), 1
                places.insert({"evening": evening, "place": 1, "sheet": sheet, "key": ""})
            places.insert({"evening": evening, "place": count + 1, "sheet": begun, "key": key})
            # Read before the commit: failing after it would say that nothing was begun.
            return begun, _first_host(db, begun)

    def evening_of(self, sheet: int) -> int | None:
        """The evening that `sheet` belongs to, if any; plain SQL, as every page asks it."""
        found = self._engine.read("SELECT evening FROM evening_sheets WHERE sheet = ?", sheet)
        return found[0][0] if found else None

    def sheets(self, evening: int | None) -> list[int]:
        """The sheets of `evening` in order; none if it is None."""
        if evening is None:
            return []
        query = "SELECT sheet FROM evening_sheets WHERE evening = ? ORDER BY place"
        return [sheet for (sheet,) in self._engine.read(query, evening)]

    def with_token(self, token: str) -> int | None:
        """The evening of the link `token`; None if there is none, or it was withdrawn."""
        with self._engine.reading() as db:
            found = _column(db, "evening_links", "evening", token=token, withdrawn=None)
        return found[0] if found else None

    def token(self, evening: int, new: str, at: str) -> str:
        """The link of `evening` in use; if there is none, `new` is stored as its link."""
        in_use = {"evening": evening, "withdrawn": None}
        with self._engine.reading() as db:
            found = _column(db, "evening_links", "token", **in_use)
        if not found:
            with self._engine.changing() as db:
                found = _column(db, "evening_links", "token", **in_use)
                if not found:  # nobody else has made one since
                    row = {"token": new, "evening": evening, "at": at}
                    db.table("evening_links").insert(row)
        return found[0] if found else new


def _column(db: "Database", table: str, column: str, **where: object) -> list[Any]:
    """One column of the rows with the values of `where`, in the order of their primary key."""
    same = " AND ".join(f"{name} IS :{name}" for name in where)
    return [value for (value,) in db.execute(f"SELECT {column} FROM {table} WHERE {same}", where)]


def _first_host(db: "Database", sheet: int) -> str | None:
    """The host link that `sheet` was begun with; None if it was withdrawn."""
    found = list(db.table("links").rows_where("sheet = ? AND role = 'host' AND name = ''", [sheet]))
    # Two of them mean that it was renewed, even at once.
    return found[0]["token"] if len(found) == 1 and found[0]["withdrawn"] is None else None

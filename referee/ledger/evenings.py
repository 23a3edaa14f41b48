"""Evenings in the ledger: which sheets were played one after another.

An evening only ever grows. Its link is withdrawn together with any link of its sheets.
"""

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, NewSheet, add_numbered_row, add_row, insert_sheet

#: The lock of all evenings; the next sheet of one is begun seldom enough to wait for another.
EVENINGS = "evenings"


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
        with self._engine.writing(EVENINGS) as writing:
            evening = self.evening_of(sheet)
            sheets = self.sheets(evening)
            query = "SELECT sheet FROM evening_sheets WHERE evening = ? AND key = ?"
            known = self._engine.read(query, evening, key)
            if known:
                return known[0][0], self._first_host(known[0][0])
            if len(sheets) != seen:
                raise MovedOnError(len(sheets))
            begun = insert_sheet(writing, following)
            if evening is None:
                evening, sheets = (
                    add_numbered_row(writing, "evenings", {"at": following.at}),
                    [sheet],
                )
                first = {"evening": evening, "place": 1, "sheet": sheet, "key": ""}
                add_row(writing, "evening_sheets", first)
            last = {"evening": evening, "place": len(sheets) + 1, "sheet": begun, "key": key}
            add_row(writing, "evening_sheets", last)
            # Read before the commit: failing after it would say that nothing was begun.
            return begun, self._first_host(begun)

    def _first_host(self, sheet: int) -> str | None:
        """The host link that `sheet` was begun with; None if it was withdrawn."""
        query = "SELECT token, withdrawn FROM links WHERE sheet = ? AND role = 'host' AND name = ''"
        found = self._engine.read(query, sheet)
        # Two of them mean that it was renewed, even at once.
        return found[0][0] if len(found) == 1 and found[0][1] is None else None

    def evening_of(self, sheet: int) -> int | None:
        """The evening that `sheet` belongs to, if any."""
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
        if not token.isprintable():  # PostgreSQL can't even be asked for some letters
            return None
        query = "SELECT evening FROM evening_links WHERE token = ? AND withdrawn IS NULL"
        found = self._engine.read(query, token)
        return found[0][0] if found else None

    def token(self, evening: int, new: str, at: str) -> str:
        """The link of `evening` in use; if there is none, `new` is stored as its link."""
        query = "SELECT token FROM evening_links WHERE evening = ? AND withdrawn IS NULL"
        found = self._engine.read(query, evening)
        if not found:
            with self._engine.writing(EVENINGS) as writing:
                found = self._engine.read(query, evening)
                if not found:  # nobody else has made one since
                    add_row(writing, "evening_links", {"token": new, "evening": evening, "at": at})
        return found[0][0] if found else new

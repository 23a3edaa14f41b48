"""Evenings in the ledger: which sheets belong together.

A sheet is where its latest note puts it: in an evening or in none. Notes are only ever added. The
link of an evening is withdrawn together with any link of a sheet that was ever in it.
"""

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from referee.ledger.engine import Writing
from referee.ledger.errors import MovedOnError
from referee.ledger.extras import ledger_parts
from referee.ledger.store import Ledger, NewSheet, add_numbered_row, add_row, insert_sheet

#: The lock of all evenings; one changes seldom enough to wait for another.
EVENINGS = "evenings"

#: How a sheet got where it is: begun as the next of its evening, joined with others, or
#: deliberately kept apart from others.
How = Literal["begun", "joined", "apart"]

_LATEST = "id = (SELECT max(id) FROM evening_sheets WHERE sheet = note.sheet)"
_SHEETS = f"SELECT sheet FROM evening_sheets AS note WHERE evening = ? AND {_LATEST}"


class Note(Struct, frozen=True):
    """The evening that a sheet is in, None for none, and how that came about."""

    evening: int | None
    how: How


class Evenings:
    """The evenings in one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    # --- reading

    def notes(self, sheets: Collection[int]) -> dict[int, Note]:
        """The latest note of each of `sheets` that has one."""
        if not sheets:
            return {}
        places = ", ".join("?" * len(sheets))
        query = (
            "SELECT sheet, evening, how FROM evening_sheets WHERE id IN "
            f"(SELECT max(id) FROM evening_sheets WHERE sheet IN ({places}) GROUP BY sheet)"
        )
        return {sheet: Note(*note) for sheet, *note in self._engine.read(query, *sheets)}

    def evening_of(self, sheet: int) -> int | None:
        """The evening that `sheet` belongs to, if any."""
        note = self.notes([sheet]).get(sheet)
        return note.evening if note else None

    def sheets(self, evening: int | None) -> list[int]:
        """The sheets of `evening` in the order in which they were begun; none if it is None."""
        return [sheet for (sheet,) in self._engine.read(f"{_SHEETS} ORDER BY sheet", evening)]

    def sizes(self, evenings: Collection[int]) -> dict[int, int]:
        """The number of sheets in each of `evenings` that has any."""
        if not evenings:
            return {}
        places = ", ".join("?" * len(evenings))
        query = (
            "SELECT evening, count(*) FROM evening_sheets AS note "
            f"WHERE evening IN ({places}) AND {_LATEST} GROUP BY evening"
        )
        return dict(self._engine.read(query, *evenings))

    # --- joining and parting

    def begin_next(
        self, sheet: int, seen: int, following: NewSheet, key: str
    ) -> tuple[int, str | None]:
        """Begin the next sheet in the evening of `sheet`; without one, the two make an evening.

        Returns the number of the new sheet and its first host link, None if that was withdrawn.
        `seen` is how many sheets of the evening the writer has seen, 0 without an evening; raises
        `MovedOnError` if there are more by now. The same `key` twice is one sheet and the same
        answer, unless that sheet was taken out of the evening since.

        If `sheet` is in an extra's document, the next one is in it, too.
        """
        within = {part.name: part.within for part in ledger_parts() if part.within}
        with self._engine.writing(EVENINGS, *within) as writing:
            evening = self.evening_of(sheet)
            sheets = self.sheets(evening)
            query = f"SELECT sheet FROM evening_sheets WHERE key = ? AND sheet IN ({_SHEETS})"
            known = self._engine.read(query, key, evening)
            if known:
                return known[0][0], self._first_host(known[0][0])
            if len(sheets) != seen:
                raise MovedOnError(len(sheets))
            at = following.at
            begun = insert_sheet(writing, following)
            if evening is None:
                evening = add_numbered_row(writing, "evenings", {"at": at})
                _note(writing, sheet, Note(evening, "begun"), at)
            else:
                self._refresh(writing, evening, at)
            _note(writing, begun, Note(evening, "begun"), at, key)
            for table, column in within.values():
                latest = f"SELECT {column} FROM {table} WHERE sheet = ? ORDER BY id DESC LIMIT 1"
                for (document,) in self._engine.read(latest, sheet):
                    if document is not None:
                        add_row(writing, table, {"sheet": begun, column: document, "at": at})
            # Read before the commit: an error after it would claim that nothing was begun.
            return begun, self._first_host(begun)

    def join(self, sheets: Collection[int], at: str) -> int:
        """Put `sheets` in one evening, the oldest that any of them is in, or a new one; returns it.

        Raises `MovedOnError` if another sheet is in an evening that would become part of it.
        """
        with self._engine.writing(EVENINGS) as writing:
            notes = self.notes(sheets)
            evenings = sorted({note.evening for note in notes.values() if note.evening is not None})
            for other in evenings[1:]:
                if not set(self.sheets(other)).issubset(sheets):
                    raise MovedOnError(len(sheets))
            into = evenings[0] if evenings else add_numbered_row(writing, "evenings", {"at": at})
            self._refresh(writing, into, at)
            for sheet in sheets:
                if sheet not in notes or notes[sheet].evening != into:
                    _note(writing, sheet, Note(into, "joined"), at)
            return into

    def leave_apart(self, sheets: Collection[int], at: str) -> None:
        """Note that `sheets` are kept apart on purpose, unless all are in one evening by now."""
        with self._engine.writing(EVENINGS) as writing:
            notes = self.notes(sheets)
            now = {sheet: notes[sheet].evening if sheet in notes else None for sheet in sheets}
            if len(set(now.values())) > 1 or None in now.values():
                for sheet, evening in now.items():
                    _note(writing, sheet, Note(evening, "apart"), at)

    def part(self, evening: int, sheets: Collection[int], at: str) -> None:
        """Take the `sheets` that are in `evening` out of it.

        A sheet that was joined returns to the evening it was in before. A sheet that this leaves
        alone in an evening is taken out, too.
        """
        with self._engine.writing(EVENINGS) as writing:
            touched = {evening}
            for sheet in sheets:
                query = "SELECT evening, how FROM evening_sheets WHERE sheet = ? ORDER BY id DESC"
                notes = [Note(*row) for row in self._engine.read(query, sheet)]
                if notes and notes[0].evening == evening:
                    before = (note.evening for note in notes if note.evening != evening)
                    back = next(before, None) if notes[0].how == "joined" else None
                    _note(writing, sheet, Note(back, "apart"), at)
                    touched.update([] if back is None else [back])
            for one in touched:
                if len(left := self.sheets(one)) == 1:
                    _note(writing, left[0], Note(None, "apart"), at)
                self._refresh(writing, one, at)

    def _refresh(self, writing: Writing, evening: int, at: str) -> None:
        """Repeat the note of each sheet of `evening`: a newer one makes phones fetch its board."""
        for sheet, note in self.notes(self.sheets(evening)).items():
            _note(writing, sheet, note, at)

    # --- links

    def _first_host(self, sheet: int) -> str | None:
        """The host link that `sheet` was begun with; None if it was withdrawn."""
        query = "SELECT token, withdrawn FROM links WHERE sheet = ? AND role = 'host' AND name = ''"
        found = self._engine.read(query, sheet)
        # Two of them mean that it was renewed, even at once.
        return found[0][0] if len(found) == 1 and found[0][1] is None else None

    def with_token(self, token: str) -> int | None:
        """The evening of the link `token`; None if there is none, or it was withdrawn."""
        if not token.isprintable():  # some databases refuse such a character in a query
            return None
        query = "SELECT evening FROM evening_links WHERE token = ? AND withdrawn IS NULL"
        found = self._engine.read(query, token)
        return found[0][0] if found else None

    def gone_to(self, evening: int) -> int | None:
        """The evening that `evening` became part of, usually itself; None if it was taken apart."""
        query = (
            f"SELECT evening FROM evening_sheets AS note WHERE {_LATEST} AND evening IS NOT NULL "
            "AND sheet IN (SELECT sheet FROM evening_sheets WHERE evening = ?) "
            "ORDER BY evening = ? DESC, id DESC LIMIT 1"
        )
        found = self._engine.read(query, evening, evening)
        return found[0][0] if found else None

    def token(self, evening: int, new: str, at: str) -> str:
        """The current link of `evening`; if there is none, `new` becomes its link."""
        query = "SELECT token FROM evening_links WHERE evening = ? AND withdrawn IS NULL"
        found = self._engine.read(query, evening)
        if not found:
            with self._engine.writing(EVENINGS) as writing:
                found = self._engine.read(query, evening)
                if not found:  # no other request has made one since
                    add_row(writing, "evening_links", {"token": new, "evening": evening, "at": at})
        return found[0][0] if found else new


def _note(writing: Writing, sheet: int, note: Note, at: str, key: str = "") -> None:
    values = {"sheet": sheet, "evening": note.evening, "how": note.how, "key": key, "at": at}
    add_row(writing, "evening_sheets", values)

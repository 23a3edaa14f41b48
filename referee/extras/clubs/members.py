"""Which sheets belong to which club: to one at most, by the row written last.

A club itself is stored as a sheet is: a head, its notes in a chain of rows, links, the trash.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, NewSheet, add_row, insert_sheet, lock_of

#: The lock of all memberships: they change once a game.
CLUBS = "clubs"

_OF = """
SELECT sheet, club FROM club_sheets AS this
WHERE sheet IN ({places}) AND id = (SELECT max(id) FROM club_sheets WHERE sheet = this.sheet)
"""
# The sheets that belong to a club.
_ALL = """
FROM club_sheets AS this WHERE club = ?
AND id = (SELECT max(id) FROM club_sheets WHERE sheet = this.sheet)
"""
# Those of them that are not in the trash.
_MEMBERS = f"""{_ALL}
AND coalesce(
    (SELECT what FROM trash WHERE sheet = this.sheet ORDER BY id DESC LIMIT 1), 'taken'
) = 'taken'
"""
# A club, and all sheets that were ever in it.
_OWN = "SELECT id FROM sheets WHERE id = ? UNION SELECT sheet FROM club_sheets WHERE club = ?"
# And all clubs that these were ever in, as something may have been paid for them there.
_AROUND = f"""
{_OWN} UNION SELECT club FROM club_sheets
WHERE sheet IN (SELECT sheet FROM club_sheets WHERE club = ?)
"""
_ROWS = "SELECT count(*) FROM entries WHERE sheet = ?"
# The hash covers the whole chain, so no other sheet has the same.
_MARK = (
    "coalesce((SELECT seq || ' ' || hash FROM entries "
    "WHERE sheet = this.sheet ORDER BY seq DESC LIMIT 1), '')"
)


class Membership(Struct, frozen=True):
    """The row `id` that says where a sheet belongs: to `club`, to none if that is None.

    `move` is the token of the move that put it there, empty if it was begun there. At that moment
    the club that it left had `left` rows, and the one that it joined had `came`.
    """

    id: int
    club: int | None
    move: str = ""
    left: int = 0
    came: int = 0


class Stage(Struct, frozen=True):
    """The state of a club: `Clubs.stage` is equal until its figures change, `dues` what is due.

    `memberships` and `trash` are the numbers of rows of these tables in the whole book, `rows` that
    of the club and of all sheets that were ever in it; for what is due also of all clubs that these
    were ever in. None of the three ever decreases.
    """

    memberships: int
    trash: int
    rows: int


class Clubs:
    """The clubs of the sheets in one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def of(self, sheets: Sequence[int]) -> dict[int, int]:
        """The club of each of these sheets that belongs to one."""
        if not sheets:
            return {}
        found = self._engine.read(_OF.format(places=", ".join("?" * len(sheets))), *sheets)
        return {sheet: club for sheet, club in found if club is not None}

    def history(self, sheets: Collection[int]) -> dict[int, list[Membership]]:
        """All memberships of each of these sheets, the latest last."""
        found: dict[int, list[Membership]] = {sheet: [] for sheet in sheets}
        places = ", ".join("?" * len(found))
        query = "SELECT sheet, id, club, move, left_rows, came_rows FROM club_sheets"
        where = f"WHERE sheet IN ({places}) ORDER BY id"
        for sheet, *row in self._engine.read(f"{query} {where}", *found) if found else ():
            found[sheet].append(Membership(*row))
        return found

    def ever_moved(self, club: int) -> dict[int, str]:
        """The sheets that have belonged both to `club` and elsewhere, wherever they are now.

        Each with its mark, as from `sheets`.
        """
        query = (
            f"SELECT DISTINCT sheet, {_MARK} FROM club_sheets AS this WHERE club = ? AND EXISTS "
            "(SELECT 1 FROM club_sheets "
            "WHERE sheet = this.sheet AND coalesce(club, 0) <> this.club)"
        )
        return dict(self._engine.read(query, club))

    def moved_by(self, move: str) -> list[int]:
        """The sheets moved by this move."""
        query = "SELECT DISTINCT sheet FROM club_sheets WHERE move = ? ORDER BY sheet"
        return [sheet for (sheet,) in self._engine.read(query, move)]

    def move(self, sheets: Mapping[int, Membership], seen: Mapping[int, int], at: str) -> None:
        """Move each of `sheets` to its place, or none of them.

        `seen` has the membership row of each, 0 for none; raises `MovedOnError` if one has changed.
        """
        history = self.history(sheets)
        touched = {one.club for known in history.values() for one in known[-1:]}
        clubs = (touched | {to.club for to in sheets.values()}) - {None}
        with self._engine.writing(CLUBS, *sorted(lock_of(club or 0) for club in clubs)) as writing:
            now = {sheet: known[-1] for sheet, known in self.history(sheets).items() if known}
            if any((now[sheet].id if sheet in now else 0) != row for sheet, row in seen.items()):
                raise MovedOnError(len(now))
            rows = {club: self._engine.read(_ROWS, club)[0][0] for club in clubs}
            for sheet, to in sheets.items():
                left = rows.get(now[sheet].club, 0) if sheet in now else 0
                values = {
                    "sheet": sheet,
                    "club": to.club,
                    "move": to.move,
                    "left_rows": left,
                    "came_rows": rows.get(to.club, 0),
                    "at": at,
                }
                add_row(writing, "club_sheets", values)

    def import_club(self, club: NewSheet, sheets: Sequence[NewSheet]) -> int:
        """Begin a club with all of these sheets in it, or nothing; returns the number of the club.

        The sheets are numbered in their order, and the club after them.
        """
        with self._engine.writing(CLUBS) as writing:
            numbers = [insert_sheet(writing, one) for one in sheets]
            begun = insert_sheet(writing, club)
            for sheet in numbers:
                add_row(writing, "club_sheets", {"sheet": sheet, "club": begun, "at": club.at})
            return begun

    def put(self, sheets: Sequence[int], club: int | None, at: str) -> None:
        """Note that these sheets belong to `club`, or to none, unless they already do."""
        with self._engine.writing(CLUBS) as writing:
            now = self.of(sheets)
            for sheet in sheets:
                if now.get(sheet) != club:
                    add_row(writing, "club_sheets", {"sheet": sheet, "club": club, "at": at})

    def sheets(self, club: int) -> dict[int, str]:
        """The sheets of `club`, oldest first, each with a text that changes with every row.

        Those in the trash are left out.
        """
        query = f"SELECT sheet, {_MARK} {_MEMBERS} ORDER BY sheet"
        return dict(self._engine.read(query, club))

    def has_any(self, club: int) -> bool:
        """Whether any sheet is in `club`, even one in the trash."""
        return bool(self._engine.read(f"SELECT 1 {_ALL} LIMIT 1", club))

    def stage(self, club: int) -> Stage:
        """The current stage of the figures of `club`."""
        return self._stage(_OWN, club, club)

    def dues(self, club: int) -> Stage:
        """The current stage of what is due in `club`."""
        return self._stage(_AROUND, club, club, club)

    def _stage(self, documents: str, *clubs: int) -> Stage:
        query = (
            "SELECT (SELECT count(*) FROM club_sheets), (SELECT count(*) FROM trash), "
            "coalesce(sum((SELECT max(seq) FROM entries WHERE sheet = one.id)), 0) "
            f"FROM ({documents}) AS one"
        )
        return Stage(*map(int, self._engine.read(query, *clubs)[0]))

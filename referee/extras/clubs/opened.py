"""Open a club from the ledger, with all of its notes."""

from datetime import tzinfo
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from referee.extras.clubs.notes import (
    AnyNote,
    ClubHead,
    Merge,
    NoteRow,
    Paid,
    club_name,
    zone_name,
    zone_of,
)
from referee.ledger.errors import DamagedError
from referee.ledger.store import Ledger, Link, Row
from referee.rules.core.decoding import inspected
from referee.rules.text import say
from referee.sheets.history import rows_in_force


class OpenClub(Struct, frozen=True, dict=True):
    """A club opened by one link; `rows` are all rows of its history."""

    number: int
    link: Link
    begun: str
    head: ClubHead
    rows: tuple[NoteRow, ...]

    @cached_property
    def numbered(self) -> list[tuple[int, AnyNote]]:
        """The notes in force, oldest first, each with the number of its row."""
        stands = rows_in_force(self.rows)
        return [(row.seq, row.note) for row in self.rows if row.note and row.seq in stands]

    @property
    def notes(self) -> list[AnyNote]:
        """The notes in force, oldest first."""
        return [note for _, note in self.numbered]

    @property
    def paid(self) -> list[tuple[int, Paid]]:
        """The payments noted, with the numbers of the rows."""
        return [(seq, note) for seq, note in self.numbered if isinstance(note, Paid)]

    @property
    def merges(self) -> list[tuple[int, Merge]]:
        """The merges noted, with the numbers of the rows."""
        return [(seq, note) for seq, note in self.numbered if isinstance(note, Merge)]

    @property
    def name(self) -> str:
        """The name of the club."""
        return club_name(self.head, self.notes)

    @property
    def zone_name(self) -> str:
        """The name of its time zone; empty for this machine's."""
        return zone_name(self.notes)

    @property
    def zone(self) -> tzinfo | None:
        """Its time zone; None for this machine's."""
        return zone_of(self.notes)


def open_club(ledger: Ledger, link: Link) -> OpenClub:
    """The club behind `link`; raises `DamagedError` if it can't be read."""
    head, begun = ledger.head(link.document) or ("", "")
    try:
        rows = tuple(map(_note_row, ledger.rows(link.document)))
        club_head = msgspec.json.decode(head, type=inspected(ClubHead))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        says = say("Club {number} can’t be read: {why}.", number=str(link.document), why=str(error))
        raise DamagedError(says) from error
    return OpenClub(link.document, link, begun, club_head, rows)


def open_by_number(ledger: Ledger, number: int) -> OpenClub:
    """The club with this number, opened without a link; raises as `open_club` does."""
    return open_club(ledger, Link("", number, "view"))


def _note_row(row: Row) -> NoteRow:
    read: dict[str, Any] = {at: getattr(row, at) for at in ("seq", "kind", "at", "by", "hash")}
    if row.kind == "note":
        read["note"] = msgspec.json.decode(row.body)
    else:
        read["target"] = row.target
    return msgspec.convert(read, inspected(NoteRow))

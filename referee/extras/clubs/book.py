"""The clubs of one ledger: begin one, note who is who, put games in."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

import msgspec
from babel.localtime import LOCALTZ

from referee.extras.clubs.by_names import noted_by_names
from referee.extras.clubs.counts import Counts
from referee.extras.clubs.figures import Period
from referee.extras.clubs.file import Club, first_line
from referee.extras.clubs.members import Clubs, Stage
from referee.extras.clubs.notes import (
    AnyNote,
    Called,
    ClubHead,
    Merge,
    NoteRow,
    Paid,
    Place,
    check_note,
    merge_faults,
    note_body,
    row_faults,
    zone_called,
)
from referee.extras.clubs.opened import OpenClub, open_by_number, open_club
from referee.ledger.chain import Mark
from referee.ledger.errors import DamagedError, MovedOnError
from referee.ledger.store import Draft, Kind, Ledger, Link, NewSheet, Row, token_of_form
from referee.progress import steps
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError, shared_fault
from referee.rules.text import Text, say
from referee.sheets.book import Book
from referee.sheets.files import as_new
from referee.sheets.hosting import require
from referee.sheets.sheet import SickSheetError, as_file

TRIES = 5  # at writing a note while others write, too


class ClubBook:
    """The clubs of one ledger and the games in them."""

    def __init__(self, ledger: Ledger, book: Book) -> None:
        """`book` is the book of the same `ledger`."""
        self._ledger = ledger
        self._book = book
        self._clubs = Clubs(ledger)
        self.counts = Counts(ledger, book)

    # --- the club and its notes

    def begin(self, name: str, key: str = "") -> Link:
        """Begin a club, with this machine's time zone; returns its host link.

        The same `key` and name twice are one club. Raises `MalformedEntry` for an invalid name.
        """
        name = " ".join(name.split())
        check_note(Called(name))
        links, at = self._book.new_links("club", token_of_form(key, name)), self._book.now()
        zone = getattr(LOCALTZ, "key", None) or ""
        place = (
            [Draft("note", _body(Place(zone)), "begun", "host", at)] if zone_called(zone) else []
        )
        return self._ledger.begin(NewSheet(ClubHead(name).text(), links, at, place, "club"))

    def begun(self, name: str, key: str) -> Link | None:
        """The host link of the club begun with this name and `key`; None if there is none."""
        return self._ledger.link(token_of_form(key, " ".join(name.split())))

    def open(self, link: Link) -> OpenClub:
        """The club behind `link`; raises `DamagedError` if it can't be read."""
        return open_club(self._ledger, link)

    def note(
        self,
        link: Link,
        note: AnyNote,
        key: str,
        seen: int | None = None,
        period: Period | None = None,
    ) -> None:
        """Write a note; only a host may, but scorers may note payments.

        The same `key` twice is one note. Raises `MalformedEntry` or `IllegalEntry` for an invalid
        note. With `seen`, raises `MovedOnError` if that is not the newest row, or if a payment is
        no longer due in the `period`, or over all games if that is None.
        """
        require(link, "score" if isinstance(note, Paid) else "host")
        check_note(note)

        def checked(club: OpenClub) -> tuple[list[str], None]:
            if isinstance(note, Paid):
                return [_body(one) for one in self._by_names(club, note, key)], None
            if isinstance(note, Merge):
                now = self.counts.of(club)
                if faults := list(merge_faults(now.figures.people, now.games, note)):
                    raise MalformedEntry(faults)
            return [_body(note)], None

        def due(club: OpenClub) -> bool:
            return not isinstance(note, Paid) or self.counts.accounts(club).asks_for(note, period)

        self._write(link, key, checked, seen, due)

    def void(self, link: Link, seq: int, key: str) -> None:
        """Void the note of row `seq`; raises `IllegalEntry` if there is none.

        Needs the rights that writing it needs.
        """
        require(link, "score")
        if any(row.target == seq for row in self._of_form(link, key)):
            return

        def found(club: OpenClub) -> tuple[list[str], int]:
            if seq not in dict(club.paid):
                require(link, "host")
            if seq not in dict(club.numbered):
                says = say("There’s no such note on this club.")
                raise IllegalEntry([shared_fault("no-note", says, "club")])
            return ["{}"], seq

        self._write(link, key, found)

    def _write(
        self,
        link: Link,
        key: str,
        make: Callable[[OpenClub], tuple[list[str], int | None]],
        seen: int | None = None,
        due: Callable[[OpenClub], bool] | None = None,
    ) -> None:
        """Write the notes that `make` returns for the club, or one that voids the row it returns.

        With `seen`, only if that is the newest row and they are `due`. Counting may take long, so
        it is done before the transaction, which only compares the stage of what is due; if that
        has changed, all is tried again.
        """
        for left in reversed(range(TRIES)):
            club, precondition = self.open(link), None
            bodies, target = make(club)
            if due and seen is not None and not self._of_form(link, key):
                precondition = partial(self._is_due, club.number, self._clubs.dues(club.number))
                if len(club.rows) != seen or not due(club):
                    raise MovedOnError(len(club.rows))
            kind: Kind = "note" if target is None else "void"
            at, drafts = self._book.now(), list[Draft]()
            for body in bodies:  # the first has the key of the form
                own = f"{key}→{len(drafts)}" if drafts else key
                drafts.append(Draft(kind, body, own, link.role, at, target, link.by))
            try:
                after = len(club.rows) if seen is None else seen
                self._ledger.append(link.document, Mark(after), drafts, precondition)
            except MovedOnError:
                if not left or self._of_form(link, key):
                    raise
            else:
                return

    def _is_due(self, club: int, dues: Stage) -> bool:
        """Whether what is due in a club is still at this stage."""
        return self._clubs.dues(club) == dues

    def _of_form(self, link: Link, key: str) -> list[Row]:
        """The row stored under this key, the first of its form; empty if the form is new."""
        return [row for row in self._ledger.rows(link.document) if row.key == key]

    def _by_names(self, club: OpenClub, note: Paid, key: str) -> list[Paid]:
        """Divide a payment among the names that owe and are owed, where a person has several.

        So it is still right if the names are separated later. A form sent again, with the same
        `key`, gives the same payments.
        """
        merged = {name for _, merge in club.merges for name in (merge.name, *merge.others)}
        if not {note.payer, note.payee} & merged:
            return [note]
        before = next((row.seq for row in self._of_form(club.link, key)), len(club.rows) + 1)
        figures = self.counts.of(club).figures
        paid = [one for seq, one in club.paid if seq < before]
        return noted_by_names(note, figures.games, paid, figures.people)

    # --- as a file

    def in_lines(self, number: int) -> Iterator[bytes]:
        """Yield the lines of a club file: the club, then each sheet that can be played through."""
        club, at = open_by_number(self._ledger, number), self._book.now()
        away = enumerate(self.counts.notes_for_export(club), start=len(club.rows) + 1)
        yield first_line(club.head, (*club.rows, *(NoteRow(n, "note", at, one) for n, one in away)))
        for sheet in steps(list(self._clubs.sheets(number))):
            with suppress(SickSheetError):
                yield msgspec.json.encode(as_file(self._book.sheet(sheet)))

    def import_club(self, club: Club) -> Link:
        """Import a club from a file, with its notes and sheets; returns its host link."""
        at = self._book.now()
        drafts = [
            Draft(
                row.kind, note_body(row), f"imported-{row.seq}", "host", row.at, row.target, row.by
            )
            for row in club.history
        ]
        links = self._book.new_links("club")
        sheets = [as_new(sheet, self._book.new_links(), at) for sheet in club.sheets]
        number = self._clubs.import_club(
            NewSheet(club.head.text(), links, at, drafts, "club"), sheets
        )
        return Link(dict(links)["host"], number, "host", kind="club")

    def faults(self) -> Iterator[Text]:
        """Faults in the notes of all clubs, and in the stored results of their sheets."""
        for number in self._ledger.sheets("club"):
            try:
                club = open_by_number(self._ledger, number)
                found = list(row_faults(club.head, club.rows))
                for sheet, mark in self._clubs.sheets(number).items():
                    if self.counts.game(sheet, mark) != self.counts.fresh(sheet):
                        found.append(
                            say("sheet {sheet} isn’t counted as it was played", sheet=sheet)
                        )
            except DamagedError as error:
                yield error.says
                continue
            except (RefereeError, msgspec.MsgspecError) as error:
                found = [say("can’t be read: {why}", why=str(error))]
            for fault in found:
                yield say("Club {number}: {fault}.", number=str(number), fault=fault)

    # --- its sheets

    def of(self, sheet: int) -> int | None:
        """The number of the club that `sheet` belongs to, if any."""
        return self._clubs.of([sheet]).get(sheet)

    def put(self, link: Link, sheets: Iterable[Link]) -> None:
        """Put new sheets in the club of `link`; needs a host's link to each."""
        require(link, "score")
        numbers = []
        for sheet in sheets:
            require(sheet, "host")
            numbers.append(sheet.document)
        self._clubs.put(numbers, link.document, self._book.now())

    def names(self, link: Link) -> list[str]:
        """The names to offer for a new game: those who play most first, without members who left.

        After them, people who were noted but have not played yet.
        """
        now = self.counts.at_once(self.open(link))
        if now is None:  # still being counted, and a new game shouldn't wait
            return []
        figures, people = now.figures, now.figures.people
        called = {people.of(one.name): one.name for game in now.games for one in game.results}
        played = Counter(people.of(one.name) for game in now.games for one in game.results)
        everybody = dict.fromkeys((*(one for one, _ in played.most_common()), *people.noted))
        names = ((one, figures.called.get(one) or called.get(one)) for one in everybody)
        return [name or figures.name(one) for one, name in names if people.status(one) != "gone"]


def _body(note: AnyNote) -> str:
    return msgspec.json.encode(note).decode()

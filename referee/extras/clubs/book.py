"""The clubs of one ledger: begin one, note who is who, put games in."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import msgspec
from babel.localtime import LOCALTZ

from referee.extras.clubs.by_names import noted_by_names
from referee.extras.clubs.counts import Counts
from referee.extras.clubs.file import Club, first_line
from referee.extras.clubs.members import Clubs
from referee.extras.clubs.notes import (
    AnyNote,
    Called,
    ClubHead,
    Merge,
    Paid,
    Place,
    check_note,
    merge_faults,
    note_body,
    row_faults,
    zone_called,
)
from referee.extras.clubs.opened import OpenClub, open_club, open_to_look
from referee.ledger.errors import DamagedError, MovedOnError
from referee.ledger.store import Draft, Kind, Ledger, Link, NewSheet, digest, new_token
from referee.progress import steps
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError, shared_fault
from referee.rules.text import Text, say
from referee.sheets.book import Book
from referee.sheets.files import as_new
from referee.sheets.hosting import require
from referee.sheets.sheet import SickSheetError, as_file

TRIES = 5  # a note fits whatever others note meanwhile


class ClubBook:
    """The clubs of one ledger and the games in them."""

    def __init__(self, ledger: Ledger, book: Book) -> None:
        """`book` is that of the same `ledger`."""
        self._ledger = ledger
        self._book = book
        self._clubs = Clubs(ledger)
        self.counts = Counts(ledger, book)

    # --- the club and its notes

    def begin(self, name: str, key: str = "") -> Link:
        """Begin a club where this machine is; returns its host link.

        The same `key` and name twice are one club. Raises `MalformedEntry` for a name that is none.
        """
        name = " ".join(name.split())
        check_note(Called(name))
        links, at = dict(self._book.new_links()), self._book.now()
        if token := _host_token(name, key):
            links["host"] = token
        zone = getattr(LOCALTZ, "key", None) or ""
        place = (
            [Draft("note", _body(Place(zone)), "begun", "host", at)] if zone_called(zone) else []
        )
        new = NewSheet(ClubHead(name).text(), list(links.items()), at, place, "club")
        return Link(links["host"], self._clubs.begin(new), "host", kind="club")

    def begun(self, name: str, key: str) -> Link | None:
        """The host link of the club begun by this name with this `key`, if it was."""
        return self._ledger.link(_host_token(" ".join(name.split()), key))

    def open(self, link: Link) -> OpenClub:
        """The club that `link` leads to; raises `DamagedError` if that can't be read."""
        return open_club(self._ledger, link)

    def note(self, link: Link, note: AnyNote, key: str, seen: int | None = None) -> None:
        """Write a note; only a host may, but whoever keeps score may note what was paid.

        The same `key` twice is one note. Raises `MalformedEntry` or `IllegalEntry` for one that
        cannot be, and `MovedOnError` unless row `seen`, if given, is the newest.
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

        self._write(link, key, checked, seen)

    def void(self, link: Link, seq: int, key: str) -> None:
        """Take the note of row `seq` back; who may write it may. Raises `IllegalEntry` if none."""
        require(link, "score")
        if any((row.key, row.target) == (key, seq) for row in self._ledger.rows(link.document)):
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
    ) -> None:
        for left in reversed(range(TRIES if seen is None else 1)):
            club = self.open(link)
            bodies, target = make(club)
            kind: Kind = "note" if target is None else "void"
            at, drafts = self._book.now(), list[Draft]()
            for body in bodies:  # the key of the form is that of the first
                own = f"{key}→{len(drafts)}" if drafts else key
                drafts.append(Draft(kind, body, own, link.role, at, target, link.by))
            try:
                self._ledger.append(link.document, len(club.rows) if seen is None else seen, drafts)
            except MovedOnError:
                if not left or any(row.key == key for row in self._ledger.rows(link.document)):
                    raise
            else:
                return

    def _by_names(self, club: OpenClub, note: Paid, key: str) -> list[Paid]:
        """A payment by the names that owe, and are owed, of people who go by several.

        So it is still theirs once they are separated. It is made as it was when a form with this
        `key` was first sent.
        """
        merged = {name for _, merge in club.merges for name in (merge.name, *merge.others)}
        if not {note.payer, note.payee} & merged:
            return [note]
        known = (row.seq for row in self._ledger.rows(club.number) if row.key == key)
        before = next(known, len(club.rows) + 1)
        figures = self.counts.of(club).figures
        paid = [one for seq, one in club.paid if seq < before]
        return noted_by_names(note, figures.games, paid, figures.people)

    # --- as a file

    def in_lines(self, number: int) -> Iterator[bytes]:
        """Yield the lines of a club file: the club's, and one for each sheet that can be played."""
        club = open_to_look(self._ledger, number)
        yield first_line(club.head, club.rows)
        for sheet in steps(list(self._clubs.sheets(number))):
            with suppress(SickSheetError):
                yield msgspec.json.encode(as_file(self._book.sheet(sheet)))

    def take_in(self, club: Club) -> Link:
        """Begin the club of a file, with its notes and sheets; returns its host link."""
        at = self._book.now()
        drafts = [
            Draft(
                row.kind, note_body(row), f"imported-{row.seq}", "host", row.at, row.target, row.by
            )
            for row in club.history
        ]
        links = self._book.new_links()
        sheets = [as_new(sheet, self._book.new_links(), at) for sheet in club.sheets]
        number = self._clubs.take_in(NewSheet(club.head.text(), links, at, drafts, "club"), sheets)
        return Link(dict(links)["host"], number, "host", kind="club")

    def faults(self) -> Iterator[Text]:
        """Faults in the notes of all clubs, and in what is kept of their sheets."""
        for number in self._ledger.sheets("club"):
            try:
                club = open_to_look(self._ledger, number)
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
        """The club that `sheet` belongs to, if any."""
        return self._clubs.of([sheet]).get(sheet)

    def put(self, link: Link, sheets: Iterable[Link]) -> None:
        """Put sheets that were just begun in the club of `link`; only a host of each may."""
        require(link, "score")
        numbers = []
        for sheet in sheets:
            require(sheet, "host")
            numbers.append(sheet.document)
        self._clubs.put(numbers, link.document, self._book.now())

    def go_on(self, sheet: int, begun: Link) -> None:
        """Put the next game of an evening in the club of the sheet before it, if that has one."""
        require(begun, "host")
        self._clubs.follow(begun.document, sheet, self._book.now())

    def names(self, link: Link) -> list[str]:
        """The names for a new game of the club: those who play most first, without who is gone.

        Then those who were noted, but have not played yet.
        """
        now = self.counts.soon(self.open(link))
        if now is None:  # a new game needn't wait
            return []
        figures, people = now.figures, now.figures.people
        called = {people.of(one.name): one.name for game in now.games for one in game.results}
        played = Counter(people.of(one.name) for game in now.games for one in game.results)
        everybody = dict.fromkeys((*(one for one, _ in played.most_common()), *people.noted))
        names = ((one, figures.called.get(one) or called.get(one)) for one in everybody)
        return [name or figures.name(one) for one, name in names if people.standing(one) != "gone"]


def _host_token(name: str, key: str) -> str:
    """The host link of a club, as hard to guess as the key of its form; empty for a weak key."""
    return digest(f"{key} {name}")[:32] if len(key) >= len(new_token()) else ""


def _body(note: AnyNote) -> str:
    return msgspec.json.encode(note).decode()

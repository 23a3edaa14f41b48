"""The clubs of one ledger: begin one, note who is who, put games in, count its figures."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import tzinfo
from functools import cached_property
from typing import Any

import msgspec
from babel.localtime import LOCALTZ
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from referee.clubs.along import noted_by_names
from referee.clubs.counting import Counted, Fallen, gone_on
from referee.clubs.figures import Figures, counted
from referee.clubs.file import Club, first_line
from referee.clubs.games import PlayedGame, game_of, in_order
from referee.clubs.notes import (
    AnyNote,
    Called,
    ClubHead,
    Merge,
    NoteRow,
    Paid,
    Place,
    check_note,
    club_name,
    merge_faults,
    note_body,
    people_of,
    row_faults,
    zone_called,
    zone_name,
    zone_of,
)
from referee.ledger.clubs import Clubs, Stage
from referee.ledger.errors import DamagedError, MovedOnError
from referee.ledger.store import Draft, Kind, Ledger, Link, NewSheet, Row
from referee.progress import steps
from referee.rules.core.decoding import known
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError, shared_fault
from referee.rules.text import Text, say
from referee.sheets.book import Book
from referee.sheets.files import as_new
from referee.sheets.history import standing
from referee.sheets.hosting import check_key, require
from referee.sheets.sheet import OpenSheet, SickSheetError, as_file

MAX_CLUBS_KEPT = 20
AT_ONCE = 300  # sheets that may have to be played for a page
STEP = 50  # games whose figures are counted at once
TRIES = 5  # a note fits whatever others note meanwhile


class OpenClub(Struct, frozen=True, dict=True):
    """A club as its notes say, seen through one link. `rows` are all that was ever noted."""

    number: int
    link: Link
    begun: str
    head: ClubHead
    rows: tuple[NoteRow, ...]

    @cached_property
    def numbered(self) -> list[tuple[int, AnyNote]]:
        """The notes in force, oldest first, each with the number of its row."""
        stands = standing(self.rows)
        return [(row.seq, row.note) for row in self.rows if row.note and row.seq in stands]

    @property
    def notes(self) -> list[AnyNote]:
        """The notes in force, oldest first."""
        return [note for _, note in self.numbered]

    @property
    def paid(self) -> list[tuple[int, Paid]]:
        """What was noted as paid, with the numbers of the rows."""
        return [(seq, note) for seq, note in self.numbered if isinstance(note, Paid)]

    @property
    def merges(self) -> list[tuple[int, Merge]]:
        """Who was noted to be one person, with the numbers of the rows."""
        return [(seq, note) for seq, note in self.numbered if isinstance(note, Merge)]

    @property
    def name(self) -> str:
        """What the club is called."""
        return club_name(self.head, self.notes)

    @property
    def zone(self) -> str:
        """The name of the time zone of its place; empty for this machine's."""
        return zone_name(self.notes)

    @property
    def zoned(self) -> tzinfo | None:
        """The time zone of its place; None for this machine's."""
        return zone_of(self.notes)


class Progress(Struct):
    """How many sheets of a club have been counted, of how many."""

    of: int
    done: int = 0


class ClubBook:
    """The clubs of one ledger and the games in them."""

    def __init__(self, ledger: Ledger, book: Book) -> None:
        """`book` is that of the same `ledger`."""
        self._ledger = ledger
        self._book = book
        self._clubs = Clubs(ledger)
        self._kept: LRUCache[int, Counted] = LRUCache(MAX_CLUBS_KEPT)
        self._lock = threading.Lock()
        self._counting = dict[int, Progress]()
        self._local = threading.local()  # what a thread has read, with the version it is of

    # --- the club and its notes

    def begin(self, name: str) -> Link:
        """Begin a club where this machine is; returns its host link.

        Raises `MalformedEntry` for a name that is none.
        """
        name = " ".join(name.split())
        check_note(Called(name))
        links, at = self._book.new_links(), self._book.now()
        zone = getattr(LOCALTZ, "key", None) or ""
        place = (
            [Draft("note", _body(Place(zone)), "begun", "host", at)] if zone_called(zone) else []
        )
        new = NewSheet(ClubHead(name).text(), links, at, place, "club")
        (number,) = self._ledger.create_all([new])
        return Link(dict(links)["host"], number, "host", kind="club")

    def open(self, link: Link) -> OpenClub:
        """The club that `link` leads to; raises `DamagedError` if that can't be read."""
        head, begun = self._ledger.head(link.sheet) or ("", "")
        try:
            rows = tuple(map(_note_row, self._ledger.rows(link.sheet)))
            called = msgspec.json.decode(head, type=known(ClubHead))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            says = say(
                "Club {number} can’t be read: {why}.", number=str(link.sheet), why=str(error)
            )
            raise DamagedError(says) from error
        return OpenClub(link.sheet, link, begun, called, rows)

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
                now = self.counted(club)
                if faults := list(merge_faults(now.figures.people, now.games, note)):
                    raise MalformedEntry(faults)
            return [_body(note)], None

        self._write(link, key, checked, seen)

    def void(self, link: Link, seq: int, key: str) -> None:
        """Take the note of row `seq` back; who may write it may. Raises `IllegalEntry` if none."""
        require(link, "score")
        if any((row.key, row.target) == (key, seq) for row in self._ledger.rows(link.sheet)):
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
        check_key(key)
        for left in reversed(range(TRIES if seen is None else 1)):
            club = self.open(link)
            bodies, target = make(club)
            kind: Kind = "note" if target is None else "void"
            at, drafts = self._book.now(), list[Draft]()
            for body in bodies:  # the key of the form is that of the first
                own = f"{key}→{len(drafts)}" if drafts else key
                drafts.append(Draft(kind, body, own, link.role, at, target, link.by))
            try:
                self._ledger.append(link.sheet, len(club.rows) if seen is None else seen, drafts)
            except MovedOnError:
                if not left or any(row.key == key for row in self._ledger.rows(link.sheet)):
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
        figures = self.counted(club).figures
        paid = [one for seq, one in club.paid if seq < before]
        return noted_by_names(note, figures.games, paid, figures.people)

    # --- as a file

    def in_lines(self, number: int) -> Iterator[bytes]:
        """Yield the lines of a club file: the club's, and one for each sheet that can be played."""
        club = self.open(Link("", number, "view"))
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
        for number in self._ledger.clubs():
            try:
                club = self.open(Link("", number, "view"))
                found = list(row_faults(club.head, club.rows))
                for sheet, mark in self._clubs.sheets(number).items():
                    if self._game(sheet, mark) != self.fresh(sheet):
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
            numbers.append(sheet.sheet)
        self._clubs.put(numbers, link.sheet, self._book.now())

    def go_on(self, sheet: int, begun: Link) -> None:
        """Put the next game of an evening in the club of the sheet before it, if that has one."""
        require(begun, "host")
        self._clubs.follow(begun.sheet, sheet, self._book.now())

    def names(self, link: Link) -> list[str]:
        """The names for a new game of the club: those who play most first, without who is gone.

        Then those who were noted, but have not played yet.
        """
        club = self.open(link)
        if self.counting(club):  # a new game needn't wait
            return []
        now = self.counted(club)
        figures, played = now.figures, Counter[str]()
        people = figures.people
        called = {people.of(one.name): one.name for game in now.games for one in game.results}
        for game in now.games:
            played.update(people.of(one.name) for one in game.results)
        everybody = dict.fromkeys((*(one for one, _ in played.most_common()), *people.noted))
        names = ((one, figures.called.get(one) or called.get(one)) for one in everybody)
        return [name or figures.name(one) for one, name in names if people.standing(one) != "gone"]

    # --- what is counted

    def fallen(self, sheet: OpenSheet) -> Fallen | None:
        """The record of its club that the last deal of a sheet has broken; None if there is none.

        A club of more than `AT_ONCE` sheets is not counted for it: after a start its own page does
        that.
        """
        deals = [row.first for row in sheet.pad.rows if row.kind == "deal"]
        now = self._around(sheet) if deals else None
        _, game = now.sheets.get(sheet.id, ("", None)) if now else ("", None)
        fallen = now.fallen(game, deals[-1]) if now and game else None
        club = self.of(sheet.id) if fallen else None
        if fallen is None or club is None:
            return None
        return replace(fallen, club=self.open(Link("", club, "view")).name)

    def colours(self, sheet: OpenSheet) -> dict[str, int]:
        """The colours of a sheet's players, from 1: their own in its club, else by their seats.

        As `fallen`, this counts no large club.
        """
        now = self._around(sheet)
        return now.colours_on(sheet.colours) if now else sheet.colours

    def _around(self, sheet: OpenSheet) -> Counted | None:
        """The club of a sheet; None if it is in none, or that is large and not counted yet."""
        club = self.of(sheet.id)
        if club is None or self._ledger.trashed(club) is not None:
            return None
        with self._lock:
            known = club in self._kept
        if not known and len(self._clubs.sheets(club)) > AT_ONCE:
            return None
        return self.counted(self.open(Link("", club, "view")))

    def counting(self, club: OpenClub) -> Progress | None:
        """How far a large club is counted for the first time since the start; None if it is.

        Nobody waits for that: it goes on in a thread, which leaves every other moment to others.
        """
        number = club.number
        with self._lock:
            if number in self._kept or number in self._counting:
                return self._counting.get(number)
        if (sheets := len(self._clubs.sheets(number))) <= AT_ONCE:
            return None
        with self._lock:
            if number not in self._counting and number not in self._kept:
                self._counting[number] = Progress(sheets)
                threading.Thread(target=self._count_ahead, args=(club,), daemon=True).start()
            return self._counting.get(number)

    def _count_ahead(self, club: OpenClub) -> None:
        progress = self._counting[club.number]
        try:
            stage, sheets = self.stage(club.number), self._clubs.sheets(club.number)
            found = dict[int, tuple[str, PlayedGame | None]]()
            for sheet, mark in sheets.items():
                with _every_other_moment():
                    found[sheet] = mark, self._game(sheet, mark, in_passing=True)
                progress.done = min(len(found), progress.of - 1)
            games = [game for _, game in found.values() if game]
            figures = Figures(people_of(club.notes, games))
            ordered = in_order(games, club.zoned)
            for first in range(0, len(ordered), STEP):
                with _every_other_moment():
                    figures = figures.followed_by(ordered[first : first + STEP])
            with self._lock:
                self._kept[club.number] = Counted(stage, club.notes, found, figures)
        finally:
            with self._lock:
                del self._counting[club.number]

    def counted(self, club: OpenClub) -> Counted:
        """The games of a club and their figures, as they are now."""
        number, stage = club.number, self.stage(club.number)
        with self._lock:
            kept = self._kept.get(number)
        if kept is not None and (kept.stage, kept.notes) == (stage, club.notes):
            return kept
        before = kept.sheets if kept else {}
        sheets: dict[int, tuple[str, PlayedGame | None]] = {}
        for sheet, mark in self._clubs.sheets(number).items():
            seen = before.get(sheet)
            sheets[sheet] = seen if seen and seen[0] == mark else (mark, self._game(sheet, mark))
        same = kept is not None and _who_is_who(kept.notes) == _who_is_who(club.notes)
        figures = gone_on(kept, sheets) if kept and same else None
        if figures is None:
            figures = counted([game for _, game in sheets.values() if game], club.notes)
        found = Counted(stage, club.notes, sheets, figures)
        with self._lock:
            self._kept[number] = found
        return found

    def counted_soon(self, number: int, most: int) -> Counted | None:
        """As `counted`, but None for a club of more than `most` sheets."""
        if len(self._clubs.sheets(number)) > most:
            return None
        return self.counted(self.open(Link("", number, "view")))

    def stage(self, number: int) -> Stage:
        """The stage of a club, read again only if something was written since in the book."""
        version = self._ledger.engine.version()
        stages: dict[int, tuple[object, Stage]] = self._local.__dict__.setdefault("stages", {})
        known, stage = stages.get(number, (None, None))
        if stage is None or version is None or known != version:
            stage = self._clubs.stage(number)
            stages[number] = version, stage
        return stage

    def _game(self, sheet: int, mark: str, *, in_passing: bool = False) -> PlayedGame | None:
        """What the club keeps of this sheet, whose chain has this mark; None if it is sick."""
        # Without a row the mark says nothing of the sheet, and there is nothing to play.
        body = self._book.summaries.file.kept("games", sheet, mark) if mark else None
        if body is not None:
            return msgspec.json.decode(body, type=known(PlayedGame))
        game = self.fresh(sheet, in_passing=in_passing)
        if game is not None and mark:
            self._book.summaries.file.keep("games", sheet, mark, msgspec.json.encode(game))
        return game

    def fresh(self, sheet: int, *, in_passing: bool = False) -> PlayedGame | None:
        """What a club keeps of this sheet, played through; None if it is sick."""
        with suppress(SickSheetError):
            return game_of(self._book.sheet(sheet, in_passing=in_passing))
        return None


@contextmanager
def _every_other_moment() -> Iterator[None]:
    """Afterwards leave as long to others as what is done took."""
    since = time.monotonic()
    yield
    time.sleep(time.monotonic() - since)


def _who_is_who(notes: Iterable[AnyNote]) -> list[AnyNote]:
    """The notes on which figures rest: none of payments, nor of the club's name."""
    return [note for note in notes if not isinstance(note, Paid | Called)]


def _body(note: AnyNote) -> str:
    return msgspec.json.encode(note).decode()


def _note_row(row: Row) -> NoteRow:
    read: dict[str, Any] = {
        "seq": row.seq,
        "kind": row.kind,
        "at": row.at,
        "by": row.by,
        "hash": row.hash,
    }
    if row.kind == "note":
        read["note"] = msgspec.json.decode(row.body)
    else:
        read["target"] = row.target
    return msgspec.convert(read, known(NoteRow))

"""The notes of a club: its name, its people, its payments. One can be voided, as rows of a sheet.

A note changes no sheet, so voiding a merge restores every figure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, tzinfo
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta, Struct

from referee.extras.clubs.games import PlayedGame, person_of
from referee.rules.core.asking import asked
from referee.rules.core.decoding import decode
from referee.rules.core.ruling import SHARED_SECTIONS, Fault, MalformedEntry, shared_fault
from referee.rules.core.seating import NAME_LENGTH, name_faults
from referee.rules.letters import unseen
from referee.rules.text import Text, listed, quoted, say
from referee.sheets.history import HASH, TITLE_LENGTH, chained, rows_in_force

SHARED_SECTIONS["club"] = say("the club")  # which the faults of notes, and of files, cite

ZONE_LENGTH = 60
Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
#: The most that can be owed over many games: more than an entry allows, and exact in any JSON.
Owed = Annotated[int, Meta(ge=1, le=10**15)]
Day = Annotated[str, Meta(max_length=10)]
Unit = Literal["counter", "chip"]
UNITS: tuple[Unit, ...] = ("counter", "chip")


class Note(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="action"):
    """A note about a club. Each kind is a subclass, told apart by `action`."""


class Called(Note, frozen=True, tag="called"):
    """The club’s name from now on."""

    name: Annotated[str, Meta(max_length=TITLE_LENGTH), asked(say("the club’s name"))]


class Place(Note, frozen=True, tag="place"):
    """The time zone `zone` of the club's days, such as "Europe/Berlin"."""

    zone: Annotated[str, Meta(max_length=ZONE_LENGTH), asked(say("the time zone"))]


class Member(Note, frozen=True, tag="member"):
    """A member of the club, which everybody is unless noted otherwise."""

    name: Annotated[Name, asked(say("who it is"))]


class Guest(Note, frozen=True, tag="guest"):
    """Somebody who is on all pages but not in season tables."""

    name: Annotated[Name, asked(say("who it is"))]


class Gone(Note, frozen=True, tag="gone"):
    """Somebody who left the club, and isn’t offered for new games."""

    name: Annotated[Name, asked(say("who it is"))]


class Merge(Note, frozen=True, tag="merge"):
    """One person, called `name`, who is also on sheets under the `others`."""

    name: Annotated[Name, asked(say("who it is"))]
    others: Annotated[list[Name], asked(say("the other names"))]


class Paid(Note, frozen=True, tag="paid"):
    """`payer` paid `payee` the worth of `amount` counters or chips.

    For the games from the day `since` to the day `until` (ISO 8601); empty: no limit.
    """

    payer: Annotated[Name, asked(say("who paid"))]
    payee: Annotated[Name, asked(say("who was paid"))]
    amount: Annotated[Owed, asked(say("how much was paid"))]
    unit: Annotated[Unit, asked(say("in counters or chips"))]
    since: Annotated[Day, asked(say("from which day"))] = ""
    until: Annotated[Day, asked(say("to which day"))] = ""


class Brought(Note, frozen=True, tag="brought"):
    """What everybody `won` (below 0: lost) on a day in games that left the club but settle in it.

    In a club's file it stands for games that aren't in the file, so that their payments still match
    a debt.
    """

    day: Annotated[Day, asked(say("on which day"))]
    unit: Annotated[Unit, asked(say("in counters or chips"))]
    won: Annotated[
        dict[Name, Annotated[int, Meta(ge=-(10**15), le=10**15)]], asked(say("who won or lost"))
    ]


AnyNote = Called | Place | Member | Guest | Gone | Merge | Paid | Brought


class NoteRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One row of a club's history: a note, or the voiding of the earlier row `target`.

    `by` is the name of the phone that wrote it, `hash` that of the club's chain up to it.
    """

    seq: Annotated[int, Meta(ge=1)]
    kind: Literal["note", "void"]
    at: Annotated[str, Meta(max_length=40)]
    note: AnyNote | None = None
    target: int | None = None
    by: Name = ""
    hash: Annotated[str, Meta(pattern=HASH)] = ""


class ClubHead(Struct, frozen=True):
    """The name with which a club was begun; its chain of hashes begins with it."""

    club: str

    def text(self) -> str:
        """The head as JSON text."""
        return msgspec.json.encode(self).decode()


def note_body(row: NoteRow) -> str:
    """The body of a row for the ledger, as JSON text: its note, or an empty object."""
    return msgspec.json.encode(row.note or {}).decode()


def in_force(rows: Sequence[NoteRow]) -> list[AnyNote]:
    """The notes that no row in force voids, oldest first."""
    stands = rows_in_force(rows)
    return [row.note for row in rows if row.note is not None and row.seq in stands]


def club_name(head: ClubHead, notes: Iterable[AnyNote]) -> str:
    """The name of a club, by its notes in force."""
    names = [note.name for note in notes if isinstance(note, Called)]
    return names[-1] if names else head.club


def zone_name(notes: Iterable[AnyNote]) -> str:
    """The name of a club’s time zone, by its notes in force; empty if none is noted."""
    return next((note.zone for note in reversed([*notes]) if isinstance(note, Place)), "")


def zone_of(notes: Iterable[AnyNote]) -> tzinfo | None:
    """A club’s time zone; None for this machine's, if none is noted."""
    return zone_called(zone_name(notes))


def zone_called(name: str) -> tzinfo | None:
    """The time zone of this name; None if there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):  # no name at all, one of a folder, an unknown one
        return None


def row_faults(head: ClubHead, rows: Sequence[NoteRow]) -> Iterator[Text]:
    """The faults of a club's history, in words: numbers, targets, hashes, and notes."""
    kinds, stands = {row.seq: row.kind for row in rows}, set[int]()
    for place, (row, made) in enumerate(chained(head.text(), rows, note_body), start=1):
        notes = row.kind == "note"
        if row.seq != place:
            yield say("row {row} has the number {seq}", row=place, seq=row.seq)
        if (row.note is not None) is not notes or (row.target is None) is not notes:
            yield say("row {row} doesn’t hold what a row of its kind holds", row=place)
        elif row.target is not None and row.target not in stands:
            yield say("row {row} can’t change row {target}", row=place, target=row.target)
        if row.hash not in ("", made):
            yield say("row {row} isn’t what was written, or doesn’t follow", row=place)
        if unseen(row.at):
            yield say("row {row} has an invisible character in it", row=place)
        for fault in (*(name_faults([row.by]) if row.by else ()), *note_faults(row.note)):
            yield say("row {row} can’t be read ({why})", row=place, why=fault.says)
        if not notes and row.target in stands:
            stands.remove(row.target)
            if kinds[row.target] == "void":  # this restores the note that was voided
                stands = rows_in_force(rows[:place])
        stands.add(row.seq)


def check_note(note: AnyNote) -> None:
    """Raise `MalformedEntry` for a note that could not be decoded again, or has faults."""
    decode({"seq": 1, "kind": "note", "at": "", "note": msgspec.to_builtins(note)}, NoteRow, "club")
    if faults := list(note_faults(note)):
        raise MalformedEntry(faults)


def note_faults(note: AnyNote | None) -> Iterator[Fault]:
    """Faults that a note has by itself, such as invalid or equal names."""
    match note:
        case None:
            return
        case Called(name=name):
            if not name.strip() or unseen(name):
                says = say("“{name}” can’t be the name of a club.", name=name[:TITLE_LENGTH])
                yield shared_fault("club-name", says, "club")
        case Place(zone=zone):
            if zone_called(zone) is None:
                says = say(
                    "“{zone}” isn’t a time zone. Write it like Europe/Berlin.", zone=quoted(zone)
                )
                yield shared_fault("zone", says, "club")
        case Merge(name=name, others=others):
            yield from name_faults([name, *others])
            if not others:
                says = say("Say by which other name {name} was written.", name=name)
                yield shared_fault("nobody-else", says, "club")
        case Paid(payer=payer, payee=payee, since=since, until=until):
            yield from name_faults([payer, payee])
            yield from day_faults(since, until)
        case Brought(day=day, won=won):
            yield from name_faults([*won])
            yield from day_faults(day, day)
            if sum(won.values()):
                says = say("What was won on a day and what was lost aren’t the same.")
                yield shared_fault("unequal", says, "club")
        case _:
            yield from name_faults([note.name])


def day_faults(since: str, until: str) -> Iterator[Fault]:
    """Faults in the days of a period (empty: no limit): invalid days, or in the wrong order."""
    given = [day for day in dict.fromkeys((since, until)) if day]
    wrong = [day for day in given if not _is_day(day)]
    for day in wrong:
        says = say("“{day}” isn’t a day. Write it like 2026-12-31.", day=quoted(day))
        yield shared_fault("day", says, "club")
    if not wrong and "" < until < since:
        yield shared_fault("days", say("The last day comes before the first."), "club")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


# --- who is who

Status = Literal["member", "guest", "gone"]


class People(Struct, frozen=True):
    """The people of a club; each is identified by a form of their name (`person_of`).

    `merged` maps other names to the person, `written` has merged persons' names as noted, `noted`
    the last status noted for a person, and `apart` the merges that don't hold, because two of the
    names sat at one table.
    """

    merged: Mapping[str, str] = {}
    written: Mapping[str, str] = {}
    noted: Mapping[str, Status] = {}
    apart: tuple[Merge, ...] = ()

    def of(self, name: str) -> str:
        """The person with this name."""
        known = person_of(name)
        return self.merged.get(known, known)

    def status(self, person: str) -> Status:
        """Whether a person is a member, a guest, or has left the club."""
        return self.noted.get(person, "member")

    def names(self, person: str) -> set[str]:
        """The names of a person, in the form of `person_of`."""
        return {person, *(name for name, main in self.merged.items() if main == person)}

    def are_distinct_on(self, game: PlayedGame) -> bool:
        """Whether no two names on this sheet are the same person."""
        return not self.merged or len({self.of(one.name) for one in game.results}) == len(
            game.results
        )


def people_of(notes: Iterable[AnyNote], games: Sequence[PlayedGame]) -> People:
    """The people by these notes, given all sheets of the club, unfinished ones too."""
    people, apart = People(), list[Merge]()
    noted: dict[str, tuple[str, Status]] = {}
    brought = dict[str, str]()
    for note in notes:
        match note:
            case Merge():
                if any(at_one_table(people, games, note)):
                    apart.append(note)
                else:
                    people = _merged(people, note)
            case Member(name=name) | Guest(name=name) | Gone(name=name):
                status: Status = note.__struct_config__.tag  # type: ignore[assignment]
                noted.pop(person_of(name), None)  # the last counts, by whichever name
                noted[person_of(name)] = (name, status)
            case Brought(won=won):
                brought |= {person_of(name): name for name in won}
    written = brought | {person_of(name): name for name, _ in noted.values()} | dict(people.written)
    by_person = {people.of(name): status for name, status in noted.values()}
    return People(people.merged, written, by_person, tuple(apart))


def at_one_table(people: People, games: Sequence[PlayedGame], merge: Merge) -> Iterator[PlayedGame]:
    """The sheets that have two of the people to be merged."""
    same = {people.of(name) for name in (merge.name, *merge.others)}
    for game in games:
        if len([one for one in game.results if people.of(one.name) in same]) > 1:
            yield game


def apart_though_renamed(
    people: People, games: Sequence[PlayedGame], who: str
) -> Iterator[tuple[str, str]]:
    """Pairs of people (old, new), one of them `who`, of a name changed on a sheet.

    Only those that could be merged, and without changes that were set back on the sheet.
    """
    pairs = dict[tuple[str, str], None]()
    for game in games:
        changes = [(people.of(old), people.of(new)) for old, new in game.renamed]
        # This leaves out two names of one person, too.
        pairs |= {(old, new): None for old, new in changes if (new, old) not in changes}
    for old, new in pairs:
        if who in (old, new) and not any(at_one_table(people, games, Merge(new, [old]))):
            yield old, new


def merge_faults(people: People, games: Sequence[PlayedGame], merge: Merge) -> Iterator[Fault]:
    """Faults in a merge: in its names, or that two of them sat at one table."""
    yield from note_faults(merge)
    together = list(at_one_table(people, games, merge))
    if together:
        same = {people.of(name) for name in (merge.name, *merge.others)}
        names = [one.name for one in together[0].results if people.of(one.name) in same]
        says = say(
            "{names} sat at one table, on sheet {sheet}, so they’re different people.",
            names=listed(names),
            sheet=str(together[0].sheet),
        )
        yield shared_fault("at-one-table", says, "club")


def _merged(people: People, merge: Merge) -> People:
    """The people once the names of `merge` are one person."""
    main = person_of(merge.name)
    same = {people.of(name) for name in (merge.name, *merge.others)}
    names = {main, *(person_of(name) for name in merge.others)}
    names |= {name for person in same for name in people.names(person)}
    merged = {**people.merged, **dict.fromkeys(names - {main}, main)}
    merged.pop(main, None)
    return People(merged, {**people.written, main: merge.name})

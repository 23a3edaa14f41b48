"""A club in a file: its notes in the first line, then a sheet in each (`docs/clubs.md`).

Without the first line it is what `referee export --all` writes.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.extras.clubs.figures import Figures, counted
from referee.extras.clubs.games import PlayedGame, game_in_file
from referee.extras.clubs.notes import (
    Called,
    ClubHead,
    NoteRow,
    in_force,
    note_body,
    note_faults,
    row_faults,
)
from referee.progress import steps
from referee.rules.core.decoding import decode
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError, shared_fault
from referee.rules.documents import given_twice, keys_given_twice
from referee.rules.text import Text, say
from referee.sheets.files import Sheet, hashes_of, read_sheet
from referee.sheets.history import TITLE_LENGTH, chained


class ClubLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the club's original name, and the rows of all its notes."""

    referee: Literal[1]
    club: Annotated[str, Meta(max_length=TITLE_LENGTH)]
    history: list[NoteRow] = []


class Club(Struct, frozen=True):
    """A club read from a file; `games` are those of its `sheets`.

    Their numbers are those of the sheets in the file, from 1. Of a sheet that is in it twice, also
    in an earlier state, the fuller one is kept: `twice` has each line left out, and the line
    kept.
    """

    head: ClubHead
    history: tuple[NoteRow, ...]
    sheets: tuple[Sheet, ...]
    games: tuple[PlayedGame, ...]
    twice: tuple[tuple[int, int], ...] = ()

    @property
    def figures(self) -> Figures:
        """The figures of its games, by its notes in force."""
        return counted(self.games, in_force(self.history))


class FaultyLines(Exception):
    """A club file that cannot be read; `lines` has an error for each faulty line."""

    def __init__(self, lines: list[tuple[int, RefereeError]]) -> None:
        self.lines = lines
        super().__init__(lines)


def read_club(text: bytes) -> Club:
    """Read a club file, and play its sheets through; raises `FaultyLines` with all faults.

    Blank lines are skipped.
    """
    faulty: list[tuple[int, RefereeError]] = []
    head, history = ClubHead(str(say("Club"))), tuple[NoteRow, ...]()
    sheets, games, places = list[Sheet](), list[PlayedGame](), list[int]()
    lines = [
        (number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()
    ]
    for place, (number, line) in enumerate(steps(lines)):
        try:
            if place == 0 and _begins_a_club(line):
                head, history = _read_head(line)
                continue
            sheet = read_sheet(line)
            sheets.append(sheet)
            places.append(number)
            games.append(game_in_file(len(sheets), sheet))
        except RefereeError as error:
            faulty.append((number, error))
    if faulty:
        raise FaultyLines(faulty)
    repeated = _repeated(sheets)
    kept = [one for one in range(len(sheets)) if one not in repeated]
    return Club(
        head,
        history,
        tuple(sheets[one] for one in kept),
        tuple(games[one] for one in kept),
        tuple((places[one], places[other]) for one, other in sorted(repeated.items())),
    )


def _repeated(sheets: Sequence[Sheet]) -> dict[int, int]:
    """Sheets whose rows are all in another one, mapped to that; of equals the first is kept.

    Sheets without a history are never taken for the same: two games can end alike.
    """
    found, seen = dict[int, int](), dict[str, int]()
    rows = {place: hashes_of(sheet) for place, sheet in enumerate(sheets) if sheet.history}
    for place, hashes in sorted(rows.items(), key=lambda one: -len(one[1])):
        if hashes[-1] in seen:
            found[place] = seen[hashes[-1]]
        else:
            seen |= dict.fromkeys(hashes, place)
    return found


def first_line(head: ClubHead, history: tuple[NoteRow, ...]) -> bytes:
    """The first line of a club file, with the hashes of the club's rows."""
    made = chained(head.text(), history, note_body)
    rows = [msgspec.structs.replace(row, hash=hash_) for row, hash_ in made]
    return msgspec.json.encode(ClubLine(1, head.club, rows))


def _begins_a_club(line: bytes) -> bool:
    """Whether a line is the first of a club file, not a sheet."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return isinstance(value, dict) and "club" in value


def _read_head(line: bytes) -> tuple[ClubHead, tuple[NoteRow, ...]]:
    twice = keys_given_twice(line)
    if twice:
        raise MalformedEntry(shared_fault("key-twice", given_twice(at), "file") for at in twice)
    read = decode(msgspec.json.decode(line), ClubLine, "club")
    head, rows = ClubHead(read.club), tuple(read.history)
    faults = [*note_faults(Called(read.club)), *map(_history_fault, row_faults(head, rows))]
    if faults:
        raise MalformedEntry(faults)
    return head, rows


def _history_fault(why: Text) -> Fault:
    return shared_fault("history", say("The history can’t be right: {faults}.", faults=why), "club")

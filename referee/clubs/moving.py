"""Move games from one club to another, with what was paid for them; and put all of it back.

What was paid for a game is a note of the club that it was in. When the game moves, the note is
voided there and made anew where it comes; for a game that is in no club the new one waits, voided.
The rows of a move are known by their keys, which no form can send.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.clubs.along import Along, added, along
from referee.clubs.book import TRIES, ClubBook
from referee.clubs.games import PlayedGame
from referee.clubs.notes import NoteRow, Paid, People
from referee.clubs.opened import OpenClub
from referee.ledger.clubs import Clubs, Member
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Draft, Ledger, Link, new_token
from referee.sheets.book import Book
from referee.sheets.history import standing

_NOWHERE = Member(0, None, "")
_AWAY = "away."  # how the token of a move into the trash begins


class Part(Struct, frozen=True):
    """The sheets that leave one club, or none if `club` is None, and what goes along.

    `games` are theirs that can be played; `rows` is how many rows the notes of the club have.
    """

    club: int | None
    sheets: tuple[int, ...]
    games: tuple[PlayedGame, ...]
    along: Along
    rows: int = 0


class Plan(Struct, frozen=True):
    """What moving sheets to the club `into`, or out of theirs if that is None, would do.

    `seen` has the row by which each belongs where it is, 0 for none.
    """

    into: int | None
    parts: tuple[Part, ...]
    seen: dict[int, int]

    @property
    def games(self) -> list[PlayedGame]:
        """The games that would move, as far as they can be played."""
        return [game for part in self.parts for game in part.games]

    @property
    def owed(self) -> list[Paid]:
        """What is still to pay for them."""
        return [one for part in self.parts for one in part.along.owed]

    @property
    def paid(self) -> list[Paid]:
        """What was paid for them."""
        return [one for part in self.parts for one in part.along.go]

    @property
    def mark(self) -> str:
        """A text that differs where something else would be done."""
        done = self.into, sorted(self.seen.items()), [part.along for part in self.parts]
        return hashlib.sha256(msgspec.json.encode(done)).hexdigest()[:24]


class Moving:
    """The moves of one ledger."""

    def __init__(self, ledger: Ledger, book: Book, clubs: ClubBook) -> None:
        """`book` and `clubs` are those of the same `ledger`."""
        self._ledger, self._book, self._clubs = ledger, book, clubs
        self._kept = Clubs(ledger)

    def last(self, sheet: int) -> Member:
        """Where a sheet belongs, and since which move."""
        return (self._kept.history([sheet])[sheet] or [_NOWHERE])[-1]

    def moved_by(self, move: str) -> list[int]:
        """The sheets that this move has put where they still are."""
        history = self._kept.history(self._kept.moved_by(move) if move else [])
        return [sheet for sheet, known in history.items() if known[-1].move == move]

    def came_from(self, sheet: int) -> int | None:
        """The club that a sheet left with its last move, if it left one."""
        known = self._kept.history([sheet])[sheet]
        return _before(known, known[-1].move).club if known and known[-1].move else None

    # --- before

    def plan(self, sheets: Iterable[int], into: int | None) -> Plan:
        """What moving these sheets to a club, or out of theirs, would do; nothing is done yet.

        Sheets that are there already stay.
        """
        history = self._kept.history(list(sheets))
        now = {sheet: (known or [_NOWHERE])[-1] for sheet, known in history.items()}
        groups = defaultdict[int | None, list[int]](list)
        for sheet, member in now.items():
            if member.club != into:
                groups[member.club].append(sheet)
        zone = self._opened(into).zoned if into else None
        parts = [self._part(club, group, history, zone) for club, group in groups.items()]
        moving = [sheet for part in parts for sheet in part.sheets]
        return Plan(into, tuple(parts), {sheet: now[sheet].id for sheet in moving})

    def _part(
        self,
        club: int | None,
        sheets: Sequence[int],
        history: Mapping[int, Sequence[Member]],
        zone: tzinfo | None,
    ) -> Part:
        games = [game for sheet in sheets if (game := self._clubs.counts.fresh(sheet))]
        if club is None:
            found = Along()
            for game in games:  # what waits is for this one game
                paid = enumerate(self._waiting(history[game.sheet]))
                found = added(found, along([game], [game.sheet], paid, People(), zone))
            return Part(None, tuple(sheets), tuple(games), found)
        opened = self._opened(club)
        return Part(
            club,
            tuple(sheets),
            tuple(games),
            self._along(opened, sheets, games, zone),
            len(opened.rows),
        )

    def _opened(self, club: int) -> OpenClub:
        return self._clubs.open(Link("", club, "view"))

    def _along(
        self,
        club: OpenClub,
        sheets: Sequence[int],
        games: Sequence[PlayedGame],
        zone: tzinfo | None,
        but: Sequence[int] = (),
    ) -> Along:
        """What goes along with these sheets of a club, and these games of theirs.

        Its notes `but` are passed over.
        """
        paid = [(seq, note) for seq, note in club.paid if seq not in but]
        if not paid:  # then the others of its games don't matter
            return along(games, sheets, (), People(), zone)
        figures = self._clubs.counts.of(club).figures
        return along(figures.games, sheets, paid, figures.people, zone)

    def _waiting(self, known: Sequence[Member]) -> list[Paid]:
        """What was paid for a sheet that was taken out of its club."""
        clubs = dict.fromkeys(one.club for one in known if one.club is not None)
        if not clubs or not known[-1].move:
            return []
        own = [_own_rows(self._ledger, self._opened(club), known[-1].move) for club in clubs]
        notes = (row.note for rows in own for row in rows.waiting)
        return [replace(one, since="", until="") for one in notes if isinstance(one, Paid)]

    # --- moving

    def put_away(self, sheet: int, by: str) -> None:
        """Take a sheet on its way to the trash out of its club if anything was paid for it."""
        plan = self.plan([sheet], None)
        if plan.paid:
            self.move(plan, by, _AWAY)

    def restore(self, sheet: int, by: str) -> None:
        """Put a sheet from the trash back in the club that `put_away` took it out of."""
        if (last := self.last(sheet)).move.startswith(_AWAY):
            self.undo(last.move, by)

    def move(self, plan: Plan, by: str, how: str = "") -> str:
        """Do what is planned, for the phone called `by`; returns the token by which it is undone.

        It begins with `how`.

        Raises `MovedOnError`, with nothing done, if a sheet or what was paid has moved on since.
        """
        token, writing = how + new_token(), _Notes(self._book.now(), by)
        writing.after = {part.club: part.rows for part in plan.parts if part.club is not None}
        if plan.into is not None:
            writing.after[plan.into] = self._ledger.newest(plan.into)
        for part in plan.parts:
            writing.note(part.club, plan.into, part.along, f"→{token}.")
        to = Member(0, plan.into, token)
        self._kept.move(dict.fromkeys(plan.seen, to), plan.seen, writing.drafts(), writing.at)
        return token

    # --- putting it back

    def undo(self, move: str, by: str) -> None:
        """Put the sheets of a move back where they were, and what was paid for them since.

        Those that were moved again since stay where they are. Twice is once.
        """
        for left in reversed(range(TRIES)):
            try:
                self._undo(move, by)
            except MovedOnError:
                if not left:
                    raise
            else:
                return

    def _undo(self, move: str, by: str) -> None:
        history = self._kept.history(self._kept.moved_by(move))
        there = {sheet: known for sheet, known in history.items() if known[-1].move == move}
        if not there:
            return
        here = next(iter(there.values()))[-1].club
        back = {sheet: _before(known, move) for sheet, known in there.items()}
        token, writing = new_token(), _Notes(self._book.now(), by)
        touched = {one.club for one in back.values()} | {here}
        clubs = {club: self._opened(club) for club in touched if club is not None}
        writing.after = {number: len(club.rows) for number, club in clubs.items()}
        own = {number: _own_rows(self._ledger, club, move) for number, club in clubs.items()}
        exact = len(there) == len(history) and all(rows.intact for rows in own.values())
        if exact:
            for number, rows in own.items():
                for row in rows.in_force:
                    writing.void(number, row.seq, f"←{move}.")
        if here is not None:
            but = [row.seq for row in own[here].in_force] if exact else []
            for club in dict.fromkeys(one.club for one in back.values()):
                group = [sheet for sheet, one in back.items() if one.club == club]
                zone = clubs[club].zoned if club is not None else None
                found = self._along(clubs[here], group, (), zone, but)
                but += found.void
                if club is None and found.go and not back[group[0]].move:
                    back |= dict.fromkeys(group, Member(0, None, token))
                key = back[group[0]].move if club is None else token
                writing.note(here, club, found, f"→{key}.{token[:4]}.")
        seen = {sheet: known[-1].id for sheet, known in there.items()}
        self._kept.move(back, seen, writing.drafts(), writing.at)


class _Notes:
    """What is to be noted in clubs; `after` is how many rows each has."""

    def __init__(self, at: str, by: str) -> None:
        self.at, self._by = at, by
        self.after = dict[int, int]()
        self._drafts = defaultdict[int, list[Draft]](list)

    def note(self, club: int | None, into: int | None, found: Along, key: str) -> None:
        """What goes along from one club to another; from or to None is no club."""
        if club is not None:
            for seq in found.void:
                self.void(club, seq, key)
            for one in found.stay:
                self._paid(club, one, key)
        for one in found.go:
            if into is not None:
                self._paid(into, one, key)
            elif club is not None:  # it waits for another club
                seq = self._paid(club, one, key)
                self.void(club, seq, key)

    def void(self, club: int, seq: int, key: str) -> None:
        """Void a note."""
        self._add(club, "{}", key, seq)

    def _paid(self, club: int, note: Paid, key: str) -> int:
        return self._add(club, msgspec.json.encode(note).decode(), key)

    def _add(self, club: int, body: str, key: str, target: int | None = None) -> int:
        drafts = self._drafts[club]
        drafts.append(
            Draft(
                "note" if target is None else "void",
                body,
                f"{key}{len(drafts)}",
                "host",
                self.at,
                target,
                self._by,
            )
        )
        return self.after[club] + len(drafts)

    def drafts(self) -> dict[int, tuple[int, list[Draft]]]:
        """All of it, after which row of each club."""
        return {club: (self.after[club], drafts) for club, drafts in self._drafts.items()}


class _OwnRows(Struct, frozen=True):
    """The rows that a move has written in a club: those that hold, and notes that wait.

    `intact`: nobody has taken any of them back.
    """

    in_force: list[NoteRow]
    waiting: list[NoteRow]
    intact: bool


def _own_rows(ledger: Ledger, club: OpenClub, move: str) -> _OwnRows:
    keys = {row.seq for row in ledger.rows(club.number) if row.key.startswith(f"→{move}.")}
    own = [row for row in club.rows if row.seq in keys]
    voided = {row.target for row in own if row.kind == "void"}
    waiting = [row for row in own if row.seq in voided]
    wait = {row.seq for row in waiting}
    rest = [row for row in own if row.seq not in wait and row.target not in wait]
    stands = standing(club.rows)
    in_force = [row for row in rest if row.seq in stands]
    return _OwnRows(in_force, waiting, len(in_force) == len(rest))


def _before(known: Sequence[Member], move: str) -> Member:
    """Where a sheet belonged before a move."""
    first = next(place for place, one in enumerate(known) if one.move == move)
    return known[first - 1] if first else _NOWHERE

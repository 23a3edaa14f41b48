"""Move games from one club to another, with what was paid for them; and put all of it back.

What was paid for a game is a note of the club that it was in. When the game moves, the note is
voided there and made anew where it comes. For a game that comes to no club it waits as a note of
the one it left, voided at once. The rows of a move are known by their keys, which no form can send.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import tzinfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.extras.clubs.along import Along, added, along
from referee.extras.clubs.book import TRIES, ClubBook
from referee.extras.clubs.figures import Figures
from referee.extras.clubs.games import PlayedGame
from referee.extras.clubs.members import Clubs, Member
from referee.extras.clubs.notes import NoteRow, Paid, People
from referee.extras.clubs.opened import OpenClub, open_to_look
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Draft, Ledger, Link, new_token
from referee.sheets.book import Book
from referee.sheets.history import standing

_NOWHERE = Member(0, None, "")
#: How the token of a move into the trash begins, and of one to a club that was begun for it.
_AWAY, BEGUN = "away.", "begun."


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
        parts = list[Part]()
        for number, group in groups.items():
            club = None if number is None else self._opened(number)
            games = self._games(group)
            found = self._leaving(club, games, zone)
            rows = len(club.rows) if club else 0
            parts.append(Part(number, tuple(group), tuple(games), found, rows))
        seen = {sheet: now[sheet].id for group in groups.values() for sheet in group}
        return Plan(into, tuple(parts), seen)

    def _opened(self, club: int) -> OpenClub:
        return open_to_look(self._ledger, club)

    def _games(self, sheets: Iterable[int]) -> list[PlayedGame]:
        return [game for sheet in sheets if (game := self._clubs.counts.fresh(sheet))]

    def _leaving(
        self,
        club: OpenClub | None,
        games: Sequence[PlayedGame],
        zone: tzinfo | None,
        but: Collection[int] = (),
    ) -> Along:
        """What goes along with these games of a club, or of none, but for its notes `but`."""
        if club is None:
            found = Along()
            for game in games:  # what waits is for this one game
                paid = enumerate(self._waiting(game.sheet))
                found = added(found, along([game], [game.sheet], paid, People(), zone))
            return found
        noted = [(seq, note) for seq, note in club.paid if seq not in but]
        # If nothing was paid, the others of its games don't matter.
        figures = self._clubs.counts.of(club).figures if noted else Figures(games=tuple(games))
        going = {game.sheet for game in games}
        return along(figures.games, going, noted, figures.people, zone)

    def _waiting(self, sheet: int) -> list[Paid]:
        """What was paid for a sheet that was taken out of its club."""
        known = self._kept.history([sheet])[sheet]
        clubs = dict.fromkeys(one.club for one in known if one.club is not None)
        if not clubs or not known[-1].move:
            return []
        own = [self._own(self._opened(club), [_key(known[-1].move, sheet)]) for club in clubs]
        notes = (row.note for rows in own for row in rows.waiting)
        return [replace(one, since="", until="") for one in notes if isinstance(one, Paid)]

    def _own(self, club: OpenClub, keys: Iterable[str]) -> "_OwnRows":
        """The rows of a club whose keys begin so."""
        begin = tuple(keys)
        written = {row.seq for row in self._ledger.rows(club.number) if row.key.startswith(begin)}
        own = [row for row in club.rows if row.seq in written]
        voided = {row.target for row in own if row.kind == "void"} & written
        rest = [row for row in own if row.seq not in voided and row.target not in voided]
        stands = standing(club.rows)
        in_force = [row for row in rest if row.seq in stands]
        waiting = [row for row in own if row.seq in voided]
        return _OwnRows(in_force, waiting, len(in_force) == len(rest))

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

        It begins with `how`. Out of their clubs sheets move one by one, each with what was paid for
        it alone, as they may go on to different ones. Raises `MovedOnError` if a sheet or what was
        paid has moved on since; then nothing was done, or with the first sheets only.
        """
        token = how + new_token()
        if plan.into is None and len(plan.seen) > 1:
            for sheet in plan.seen:
                self._move(self.plan([sheet], None), by, token)
        else:
            self._move(plan, by, token)
        return token

    def _move(self, plan: Plan, by: str, token: str) -> None:
        after = {part.club: part.rows for part in plan.parts if part.club is not None}
        if plan.into is not None:
            after[plan.into] = self._ledger.newest(plan.into)
        writing = _Notes(self._book.now(), by, after)
        for part in plan.parts:
            alone = None if plan.into else part.sheets[0]
            writing.note(part.club, plan.into, part.along, _key(token, alone))
        to = Member(0, plan.into, token)
        self._kept.move(dict.fromkeys(plan.seen, to), plan.seen, writing.drafts(), writing.at)

    # --- putting it back

    def undo(self, move: str, by: str) -> None:
        """Put the sheets of a move back where they were, and what was paid for them since.

        Those that were moved again since stay where they are. Twice is once. A club that was begun
        for them, and has no others, goes to the trash.
        """
        for left in reversed(range(TRIES)):
            try:
                here = self._undo(move, by)
            except MovedOnError:
                if not left:
                    raise
            else:
                if here and move.startswith(BEGUN) and not self._kept.has_any(here):
                    self._book.trash.put(Link("", here, "host", kind="club"))
                return

    def _undo(self, move: str, by: str) -> int | None:
        """As `undo`; returns the club that they leave, if any."""
        history = self._kept.history(self._kept.moved_by(move))
        there = {sheet: known for sheet, known in history.items() if known[-1].move == move}
        if not there:
            return None
        here = next(iter(there.values()))[-1].club
        back = {sheet: _before(known, move) for sheet, known in there.items()}
        touched = {one.club for one in back.values()} | {here}
        clubs = {number: self._opened(number) for number in touched if number is not None}
        after = {number: len(club.rows) for number, club in clubs.items()}
        token, writing = new_token(), _Notes(self._book.now(), by, after)
        whole = len(there) == len(history)
        keys = [_key(move)] if whole else [_key(move, sheet) for sheet in there]
        own = {number: self._own(club, keys) for number, club in clubs.items()}
        exact = (whole or here is None) and all(rows.intact for rows in own.values())
        if exact:
            for number, rows in own.items():
                for row in rows.in_force:
                    writing.void(number, row.seq, f"←{move}.")
        # What was noted since goes back as well; or all of it, where it isn't as it was.
        but = [row.seq for row in own[here].in_force] if exact and here else []
        groups = defaultdict[tuple[int | None, int | None], list[int]](list)
        for sheet, was in back.items():
            groups[was.club, sheet if was.club is None else None].append(sheet)
        for (club, alone), group in groups.items() if here or not exact else ():
            zone = clubs[club].zoned if club else None
            leaves = clubs[here] if here else None
            found = self._leaving(leaves, self._games(group), zone, but)
            but += found.void
            if alone and found.go and not (exact and back[alone].move):
                back[alone] = Member(0, None, token)
            key = _key(back[alone].move, alone) if alone else _key(token)
            writing.note(here, club, found, f"{key}{token[:4]}.")
        seen = {sheet: known[-1].id for sheet, known in there.items()}
        self._kept.move(back, seen, writing.drafts(), writing.at)
        return here


class _OwnRows(Struct, frozen=True):
    """The rows that a move has written in a club: those that hold, and notes that wait.

    `intact`: nobody has taken any of them back.
    """

    in_force: list[NoteRow]
    waiting: list[NoteRow]
    intact: bool


class _Notes:
    """What is to be noted in clubs; `after` is how many rows each has."""

    def __init__(self, at: str, by: str, after: Mapping[int, int]) -> None:
        self.at, self._by, self._after = at, by, after
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
                self.void(club, self._paid(club, one, key), key)

    def void(self, club: int, seq: int, key: str) -> None:
        """Void a note."""
        drafts = self._drafts[club]
        drafts.append(Draft("void", "{}", f"{key}{len(drafts)}", "host", self.at, seq, self._by))

    def _paid(self, club: int, note: Paid, key: str) -> int:
        drafts, body = self._drafts[club], msgspec.json.encode(note).decode()
        drafts.append(Draft("note", body, f"{key}{len(drafts)}", "host", self.at, by=self._by))
        return self._after[club] + len(drafts)

    def drafts(self) -> dict[int, tuple[int, list[Draft]]]:
        """All of it, after which row of each club."""
        return {club: (self._after[club], drafts) for club, drafts in self._drafts.items()}


def _key(move: str, alone: int | None = None) -> str:
    """How the keys of a move’s rows begin; of one out of a club, for the sheet that is `alone`."""
    return f"→{move}." if alone is None else f"→{move}.{alone}."


def _before(known: Sequence[Member], move: str) -> Member:
    """Where a sheet belonged before a move."""
    first = next(place for place, one in enumerate(known) if one.move == move)
    return known[first - 1] if first else _NOWHERE

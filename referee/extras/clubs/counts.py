"""Figures of all clubs in a ledger, kept in memory and updated as their sheets are written on.

A large club is counted for the first time in a background thread.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cache, partial
from itertools import zip_longest
from typing import TypeVar

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from referee.extras.clubs.accounts import Accounts
from referee.extras.clubs.counted import Counted, Fallen, updated_figures
from referee.extras.clubs.figures import Figures, Period
from referee.extras.clubs.games import PlayedGame, day_of, game_of, in_order, person_of
from referee.extras.clubs.members import Clubs, Membership, Stage
from referee.extras.clubs.notes import UNITS, AnyNote, Brought, Called, Paid, People, people_of
from referee.extras.clubs.opened import OpenClub, open_by_number
from referee.ledger.store import Ledger
from referee.rules.core.decoding import inspected
from referee.rules.registry import GAMES
from referee.rules.settling import payments
from referee.sheets.book import Book
from referee.sheets.sheet import OpenSheet, SickSheetError

MAX_CLUBS_KEPT = 20
AT_ONCE = 300  # sheets; a club with more is counted in the background
STEP = 50  # games counted before other threads get a turn
TRIED_AGAIN = 60  # seconds after a count that failed, for pages that do without

Item = TypeVar("Item")


class Progress(Struct):
    """How many sheets of a club have been counted, `of` how many; or why that `failed`, and when.

    `ended` is by the monotonic clock.
    """

    of: int
    done: int = 0
    failed: Exception | None = None
    ended: float = 0.0

    @property
    def may_try_again(self) -> bool:
        """Whether this failed, but not just now."""
        return self.failed is not None and time.monotonic() >= self.ended + TRIED_AGAIN

    def paced(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield these items, counting each; after it, sleep for as long as its work took."""
        for item in items:
            since = time.monotonic()
            yield item
            self.done = min(self.done + 1, self.of - 1)
            time.sleep(time.monotonic() - since)


class Counts:
    """The figures of the clubs in one ledger."""

    def __init__(self, ledger: Ledger, book: Book) -> None:
        """`book` is that of the same `ledger`."""
        self._ledger, self._book, self._clubs = ledger, book, Clubs(ledger)
        self._kept: LRUCache[int, Counted] = LRUCache(MAX_CLUBS_KEPT)
        self._accounts: LRUCache[int, tuple[Counted, Stage, Accounts]] = LRUCache(MAX_CLUBS_KEPT)
        self._counting = dict[int, Progress]()
        self._lock = threading.Lock()
        self._local = threading.local()  # each thread's stages, with the version they are of

    def of(self, club: OpenClub) -> Counted:
        """The current games of a club and their figures."""
        return self._counted(club, None)

    def at_once(self, club: OpenClub) -> Counted | None:
        """As `of`, but None while a large club is counted for the first time; starts that.

        None also if that has just failed.
        """
        return None if self._in_background(club) else self.of(club)

    def progress(self, club: OpenClub) -> Progress | None:
        """The progress of counting a large club for the first time; None if it is counted.

        A thread counts it, and pauses half of the time to let requests through. What it raised is
        raised here once, and after that the club is counted again.
        """
        found = self._in_background(club)
        if found and found.failed:
            self._forget(club.number, found)
            raise found.failed
        return found

    def _in_background(self, club: OpenClub) -> Progress | None:
        """The count of a large club, begun if there is none; None if it is counted, or small."""
        number = club.number
        with self._lock:
            if number in self._kept:
                return None
            found = self._counting.get(number)
            if found is None or found.may_try_again:
                sheets = len(self._clubs.sheets(number))
                if sheets <= AT_ONCE:
                    return None
                found = self._counting[number] = Progress(sheets)
                threading.Thread(target=self._count_ahead, args=(club, found), daemon=True).start()
            return found

    def _count_ahead(self, club: OpenClub, progress: Progress) -> None:
        try:
            self._counted(club, progress)
        except Exception as error:  # raised in `progress`, for whoever opens the club
            logging.getLogger(__name__).exception("The club %s can't be counted", club.number)
            progress.ended, progress.failed = time.monotonic(), error
        else:
            self._forget(club.number, progress)

    def _forget(self, number: int, progress: Progress) -> None:
        """Forget this count of a club; one that has begun since stays."""
        with self._lock:
            if self._counting.get(number) is progress:
                del self._counting[number]

    def _counted(self, club: OpenClub, progress: Progress | None) -> Counted:
        number, stage = club.number, self.stage(club.number)
        with self._lock:
            kept = self._kept.get(number)
        if kept is not None and (kept.stage, kept.notes) == (stage, club.notes):
            return kept
        before = kept.sheets if kept else {}
        sheets: dict[int, tuple[str, PlayedGame | None]] = {}
        marks = self._clubs.sheets(number).items()
        for sheet, mark in progress.paced(marks) if progress else marks:
            seen = before.get(sheet)
            sheets[sheet] = seen if seen and seen[0] == mark else (mark, self.game(sheet, mark))
        same = kept is not None and _notes_counted(kept.notes) == _notes_counted(club.notes)
        figures = updated_figures(kept, sheets) if kept and same else None
        if figures is None:
            games = [game for _, game in sheets.values() if game]
            people, ordered = people_of(club.notes, games), in_order(games, club.zone)
            # A payment may name people all of whose games have left.
            moved = self._clubs.ever_moved(number).items()
            left = (self.game(sheet, mark) for sheet, mark in moved if sheet not in sheets)
            results = (one for game in left if game for one in game.results)
            figures = Figures(people, called={people.of(one.name): one.name for one in results})
            steps = (ordered[first : first + STEP] for first in range(0, len(ordered), STEP))
            for step in progress.paced(steps) if progress else steps:
                figures = figures.followed_by(step)
        found = Counted(stage, club.notes, sheets, figures)
        with self._lock:
            self._kept[number] = found
        return found

    # --- what was paid

    def paid_in(
        self, games: Iterable[PlayedGame], history: Mapping[int, Sequence[Membership]]
    ) -> dict[int, int | None]:
        """The club in which each game was paid for while it was there, by its sheet.

        The first of several; `history` has all clubs that each sheet ever belonged to. None if
        nothing was paid for it, or the payment was voided.
        """
        opened, found = cache(partial(open_by_number, self._ledger)), dict[int, int | None]()
        for game in games:
            stays = zip_longest(history[game.sheet], history[game.sheet][1:])
            found[game.sheet] = next(
                (
                    stay.club
                    for stay, after in stays
                    if stay.club and _was_paid(game, stay, after, opened(stay.club))
                ),
                None,
            )
        return found

    def accounts(self, club: OpenClub) -> Accounts:
        """The amounts due in a club.

        A game is settled in the club where it was paid for, or else in the one where it counts.
        """
        dues, now = self._cached_stage(self._clubs.dues, club.number), self.of(club)
        with self._lock:
            counted, since, known = self._accounts.get(club.number, (None, None, None))
        if known is not None and counted is now and since == dues:
            return known
        here = {game.sheet: game for game in now.figures.games}
        marks = self._clubs.ever_moved(club.number).items()
        played = (here.get(sheet) or self.game(sheet, mark) for sheet, mark in marks)
        moved = {game.sheet: game for game in played if game}
        paid_in = self.paid_in(moved.values(), self._clubs.history(moved))
        settled = (
            game
            for sheet, game in (here | moved).items()
            if (paid_in.get(sheet) or (sheet in here and club.number)) == club.number
        )
        found = Accounts(in_order(settled, club.zone), club.notes, now.figures.people)
        with self._lock:
            self._accounts[club.number] = now, dues, found
        return found

    def notes_for_export(self, club: OpenClub) -> Iterator[AnyNote]:
        """Yield the notes with which the club settles as here in a file, without the other clubs.

        `Brought` for the games that have left it but are settled here, and `Paid` for those of its
        games that are settled in another club.
        """
        here = {game.sheet: game for game in self.of(club).figures.games}
        settled = {game.sheet: game for game in self.accounts(club).games}
        names = {
            person_of(one.name): " ".join(one.name.split())
            for game in (here | settled).values()
            for one in game.placed
        }
        left = Accounts([settled[one] for one in settled if one not in here], (), People())
        elsewhere = Accounts([here[one] for one in here if one not in settled], (), People())
        for unit in UNITS:
            for day, won in left.won.get(unit, {}).items():
                yield Brought(day, unit, {names[who]: net for who, net in won.items()})
            for day, won in elsewhere.won.get(unit, {}).items():
                until = day or date.min.isoformat()  # an unknown day is before all others
                for due in payments(won):
                    yield Paid(names[due.payer], names[due.payee], due.amount, unit, day, until)

    # --- the sheets of a club

    def fallen(self, sheet: OpenSheet) -> Fallen | None:
        """The record of its club that a sheet's last deal has broken, if any.

        None also while a large club is being counted.
        """
        deals = [row.first for row in sheet.pad.rows if row.kind == "deal"]
        club = self._club_of(sheet) if deals else None
        now = self.at_once(club) if club else None
        _, game = now.sheets.get(sheet.id, ("", None)) if now else ("", None)
        fallen = now.fallen(game, deals[-1]) if now and game else None
        return replace(fallen, club=club.name) if fallen and club else None

    def colors(self, sheet: OpenSheet) -> dict[str, int]:
        """The colors of a sheet's players, from 1: their own in its club, else by seat.

        By seat also while a large club is being counted.
        """
        club = self._club_of(sheet)
        now = self.at_once(club) if club else None
        return now.colors_on_sheet(sheet.colors) if now else sheet.colors

    def stage_on_sheets(self, number: int) -> tuple[Stage, bool]:
        """A value that changes whenever `fallen` or `colors` may, for the sheets of a club."""
        return self.stage(number), number in self._kept

    def _club_of(self, sheet: OpenSheet) -> OpenClub | None:
        """The club of a sheet, unless it is in the trash."""
        club = self._clubs.of([sheet.id]).get(sheet.id)
        put_away = club is None or self._ledger.trashed(club) is not None
        return None if club is None or put_away else open_by_number(self._ledger, club)

    def stage(self, number: int) -> Stage:
        """The stage of a club's figures, read again only if the book was written to since."""
        return self._cached_stage(self._clubs.stage, number)

    def _cached_stage(self, read: Callable[[int], Stage], number: int) -> Stage:
        """The stage that `read` returns, or this thread's copy if nothing was written since."""
        written = self._ledger.engine.write_stamp()
        stages: dict[object, tuple[object, Stage]] = self._local.__dict__.setdefault("stages", {})
        known, stage = stages.get((read, number), (None, None))
        if stage is None or written is None or known != written:
            stage = read(number)
            stages[read, number] = written, stage
        return stage

    def game(self, sheet: int, mark: str) -> PlayedGame | None:
        """The stored result of this sheet, whose chain has this mark; None if it is sick."""
        # Without a row the mark doesn't identify a sheet, and there is nothing to play.
        body = self._book.summaries.file.kept("games", sheet, mark) if mark else None
        if body is not None:
            return msgspec.json.decode(body, type=inspected(PlayedGame))
        game = self.fresh(sheet)
        if game is not None and mark:
            self._book.summaries.file.keep("games", sheet, mark, msgspec.json.encode(game))
        return game

    def fresh(self, sheet: int) -> PlayedGame | None:
        """The result of this sheet, played through; None if it is sick."""
        with suppress(SickSheetError):
            return game_of(self._book.sheet(sheet, in_passing=True))
        return None


def _was_paid(game: PlayedGame, stay: Membership, after: Membership | None, club: OpenClub) -> bool:
    """Whether something was paid for a game between these memberships, while it was in `club`."""
    left = after.left if after else len(club.rows)
    day = day_of(game.ended, club.zone)
    return any(
        stay.came < row <= left
        and note.unit == GAMES[game.slug].unit
        and Period(note.since, note.until).includes(day)
        for row, note in club.paid
    )


def _notes_counted(notes: Iterable[AnyNote]) -> list[AnyNote]:
    """The notes that figures depend on: all but payments and the club's name."""
    return [note for note in notes if not isinstance(note, Paid | Called)]

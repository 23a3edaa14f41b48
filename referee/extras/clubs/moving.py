"""Move games from one club to another, or out of theirs, and put all of it back.

A payment stays noted in its club, and a game for which something was paid is settled there,
wherever it counts (`Counts.accounts`). So nobody is asked for it twice, and no payment is left
without its game, which would turn a debt into a claim.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from referee.extras.clubs.book import TRIES, ClubBook
from referee.extras.clubs.games import PlayedGame, person_of
from referee.extras.clubs.members import Clubs, Membership
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, Link, new_token
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, payments
from referee.sheets.book import Book

_NOWHERE = Membership(0, None)
#: The beginnings of the tokens of moves into the trash, and of moves to a club begun for them.
_AWAY, BEGUN = "away.", "begun."


class Plan(Struct, frozen=True):
    """The effect of moving sheets to the club `into`, or out of theirs if that is None.

    `leaving` has the sheets by the club that they leave, None for none; `games` are those that can
    be played through. `settled` is how many of them stay settled in each club, since something was
    paid for them; `owed` is what is due for the others, by unit. `seen` has the membership row of
    each sheet, 0 for none.
    """

    into: int | None
    leaving: Mapping[int | None, Sequence[int]]
    games: Sequence[PlayedGame]
    settled: Mapping[int, int]
    owed: Sequence[tuple[str, Payment]]
    seen: Mapping[int, int]

    @property
    def mark(self) -> str:
        """A text that differs between plans with different effects."""
        done = self.into, sorted(self.seen.items()), sorted(self.settled.items()), self.owed
        return hashlib.sha256(msgspec.json.encode(done)).hexdigest()[:24]


class Moving:
    """The moves of one ledger."""

    def __init__(self, ledger: Ledger, book: Book, clubs: ClubBook) -> None:
        """`book` and `clubs` are those of the same `ledger`."""
        self._book, self._counts, self._clubs = book, clubs.counts, Clubs(ledger)

    def last(self, sheet: int) -> Membership:
        """The latest membership of a sheet."""
        return (self._clubs.history([sheet])[sheet] or [_NOWHERE])[-1]

    def moved_by(self, move: str) -> list[int]:
        """The sheets that are still where this move has put them."""
        history = self._clubs.history(self._clubs.moved_by(move) if move else [])
        return [sheet for sheet, known in history.items() if known[-1].move == move]

    def came_from(self, sheet: int) -> int | None:
        """The club that a sheet left with its last move, if it left one."""
        known = self._clubs.history([sheet])[sheet]
        return _before(known, known[-1].move).club if known and known[-1].move else None

    def plan(self, sheets: Iterable[int], into: int | None) -> Plan:
        """Plan moving these sheets to a club, or out of theirs, without doing it.

        Sheets that are already there are left out.
        """
        history = self._clubs.history(list(sheets))
        now = {sheet: (known or [_NOWHERE])[-1] for sheet, known in history.items()}
        leaving = defaultdict[int | None, list[int]](list)
        for sheet, member in now.items():
            if member.club != into:
                leaving[member.club].append(sheet)
        seen = {sheet: now[sheet].id for group in leaving.values() for sheet in group}
        games = [game for sheet in seen if (game := self._counts.fresh(sheet))]
        paid = self._counts.paid_in(games, history)
        settled = Counter(club for club in paid.values() if club is not None)
        owed = list(_owed(game for game in games if paid[game.sheet] is None))
        return Plan(into, leaving, games, settled, owed, seen)

    def move(self, plan: Plan, how: str = "") -> str:
        """Carry out a plan; returns the token for undoing it, which begins with `how`.

        Raises `MovedOnError`, with nothing done, if a sheet was moved since.
        """
        to = Membership(0, plan.into, how + new_token())
        self._clubs.move(dict.fromkeys(plan.seen, to), plan.seen, self._book.now())
        return to.move

    def undo(self, move: str) -> None:
        """Undo a move.

        Sheets that were moved again since stay where they are; undoing twice is the same as once. A
        club that was begun for the sheets, and has no others, goes to the trash.
        """
        for left in reversed(range(TRIES)):
            history = self._clubs.history(self.moved_by(move))
            if not history:
                return
            back = {sheet: _before(known, move) for sheet, known in history.items()}
            seen = {sheet: known[-1].id for sheet, known in history.items()}
            try:
                self._clubs.move(back, seen, self._book.now())
            except MovedOnError:
                if not left:
                    raise
            else:
                here = next(iter(history.values()))[-1].club
                if here and move.startswith(BEGUN) and not self._clubs.has_any(here):
                    self._book.trash.put(Link("", here, "host", kind="club"))
                return

    def put_away(self, sheet: int) -> None:
        """Take a sheet that goes to the trash out of its club, if anything was paid for it."""
        plan = self.plan([sheet], None)
        if plan.settled:
            self.move(plan, _AWAY)

    def restore(self, sheet: int) -> None:
        """Return a sheet from the trash to the club that `put_away` took it out of."""
        if (last := self.last(sheet)).move.startswith(_AWAY):
            self.undo(last.move)


def _owed(games: Iterable[PlayedGame]) -> Iterable[tuple[str, Payment]]:
    """Yield the payments due for these games, by unit, between the names on their sheets."""
    nets, spelled = defaultdict[str, Counter[str]](Counter), dict[str, str]()
    for game in games:
        for one in game.placed if game.counts and GAMES[game.slug].has_counters else ():
            name = spelled.setdefault(person_of(one.name), " ".join(one.name.split()))
            nets[GAMES[game.slug].unit][name] += one.points
    for unit, won in nets.items():
        yield from ((unit, payment) for payment in payments(won))


def _before(known: Sequence[Membership], move: str) -> Membership:
    """The membership of a sheet before a move."""
    first = next(place for place, one in enumerate(known) if one.move == move)
    return known[first - 1] if first else _NOWHERE

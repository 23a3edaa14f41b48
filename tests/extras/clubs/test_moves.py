"""Games move between clubs, out of them, and back: what was settled stays settled."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.extras.clubs.accounts import Accounts
from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.figures import ALWAYS, Period
from referee.extras.clubs.file import read_club
from referee.extras.clubs.moving import Moving
from referee.extras.clubs.notes import Paid
from referee.ledger.store import Ledger, Link
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.campaign import usual_or_nightly

#: Three games on two days: the winner, then the other players.
GAMES = (("Ann", "Ben", "Cat"), ("Ben", "Ann"), ("Cat", "Ben"))
SHEETS = st.lists(st.sampled_from(range(len(GAMES))), min_size=1, unique=True)
#: A move of games to a club (2: to none), or an undo of one of the moves so far.
Step: TypeAlias = tuple[list[int], int] | int
STEPS = st.lists(st.tuples(SHEETS, st.integers(0, 2)) | st.integers(0, 5), max_size=6)


def game(day: int, *players: str) -> dict[str, object]:
    """The file of a game of Pink Nines on this day, won by the first of these."""
    entry = {"action": "out", "player": players[0]}
    row = {"seq": 1, "kind": "play", "at": f"2026-03-{day:02}T20:00:00+00:00", "entry": entry}
    head = {"referee": 1, "game": "pink-nines", "players": list(players), "options": {"deals": 1}}
    return {**head, "entries": [entry], "history": [row]}


DAYS = [Period(day, day) for day in ("2026-03-05", "2026-03-06")]


class TwoClubs:
    """A book with all games in the first of its two clubs, where all was paid for these periods."""

    def __init__(self, folder: Path, periods: Sequence[Period]) -> None:
        self.ledger = Ledger(folder / "referee.sqlite")
        book = Book(self.ledger)
        self.clubs = ClubBook(self.ledger, book)
        self._moving, self._moves = Moving(self.ledger, book, self.clubs), list[str]()
        self._games = book.import_sheets(
            sheet_from(game(5 + place // 2, *players)) for place, players in enumerate(GAMES)
        )
        self.hosts = [self.clubs.begin("Thursday table"), self.clubs.begin("Kitchen club")]
        self.clubs.put(self.hosts[0], self._games)
        for place, period in enumerate(periods):
            for each in self.accounts(self.hosts[0]).settlings_of(period):
                for number, one in enumerate(each.payments):
                    days = each.days.since, each.days.until
                    note = Paid(one.payer, one.payee, one.amount, "counter", *days)
                    self.clubs.note(self.hosts[0], note, f"paid-{place}-{number}")

    def accounts(self, host: Link) -> Accounts:
        """What is due in a club."""
        return self.clubs.counts.accounts(self.clubs.open(host))

    def take(self, step: Step) -> None:
        """Move games, or undo a move, if there have been so many."""
        if isinstance(step, tuple):
            games, to = step
            into = self.hosts[to].document if to < len(self.hosts) else None
            plan = self._moving.plan([self._games[one].document for one in games], into)
            self._moves.append(self._moving.move(plan))
        elif step < len(self._moves):
            self._moving.undo(self._moves[step])


@settings(max_examples=usual_or_nightly(25, 500), deadline=None)
@given(steps=STEPS, periods=st.sampled_from([[ALWAYS], DAYS, [DAYS[0], ALWAYS]]))
def test_no_move_and_no_undo_makes_anybody_owe(
    steps: list[Step], periods: list[Period], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However often, and in whichever order; what was paid stays, and counts once."""
    here = TwoClubs(tmp_path_factory.mktemp("moves"), periods)
    with closing(here.ledger):
        for step in steps:
            here.take(step)
            for host in here.hosts:
                assert not any(each.payments for each in here.accounts(host).settlings), step


def sent(host: Link, clubs: ClubBook, to: ClubBook) -> Link:
    """The host link of a club once another book has imported its file."""
    return to.import_club(read_club(b"\n".join(clubs.in_lines(host.document))))


def to_pay(clubs: ClubBook, link: Link) -> list[tuple[object, ...]]:
    """What everybody is to pay, over all and by the day."""
    accounts = clubs.counts.accounts(clubs.open(link))
    return [
        (one.unit, one.payments, one.elsewhere)
        for period in (ALWAYS, *DAYS)
        for one in accounts.settlings_of(period)
        if one.payments or one.elsewhere
    ]


def players(clubs: ClubBook, link: Link) -> object:
    """The figures of everybody."""
    return clubs.counts.of(clubs.open(link)).figures.document()["players"]


@settings(max_examples=usual_or_nightly(25, 500), deadline=None)
@given(
    steps=STEPS,
    periods=st.sampled_from([[], [ALWAYS], DAYS[:1], [DAYS[0], ALWAYS]]),
    taken_back=st.booleans(),
)
@example(steps=[([0], 1)], periods=[ALWAYS], taken_back=False)
@example(steps=[([0], 2)], periods=DAYS[:1], taken_back=True)
def test_a_club_is_settled_in_another_book_as_in_its_own(
    steps: list[Step],
    periods: list[Period],
    taken_back: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Whichever games have left it or come, also if one of several payments was taken back."""
    here = TwoClubs(tmp_path_factory.mktemp("club"), periods)
    clubs, (first, _) = here.clubs, here.hosts
    if taken_back and (paid := clubs.open(first).paid):
        clubs.void(first, paid[0][0], "taken back")
    for step in steps:
        here.take(step)
    other = Ledger(tmp_path_factory.mktemp("other") / "referee.sqlite")
    there = ClubBook(other, Book(other))
    with closing(here.ledger), closing(other):
        for host in here.hosts:
            taken_in = sent(host, clubs, there)
            assert to_pay(there, taken_in) == to_pay(clubs, host)
            assert players(there, taken_in) == players(clubs, host)
            again = sent(taken_in, there, there)
            notes = len(there.open(taken_in).rows)
            assert len(there.open(again).rows) == notes, "its notes are written once"

"""Games move between clubs, out of them, and back: what was settled stays settled."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.figures import ALWAYS, Period
from referee.extras.clubs.file import read_club
from referee.extras.clubs.moving import Moving
from referee.extras.clubs.notes import Paid
from referee.ledger.store import Ledger, Link
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.campaign import often

#: Three games on two days: the winner, then the other players.
GAMES = (("Ann", "Ben", "Cat"), ("Ben", "Ann"), ("Cat", "Ben"))
SHEETS = st.lists(st.sampled_from(range(len(GAMES))), min_size=1, unique=True)
#: A move of games to a club (2: to none), or an undo of one of the moves so far.
STEPS = st.lists(st.tuples(SHEETS, st.integers(0, 2)) | st.integers(0, 5), max_size=6)


def game(day: int, *players: str) -> dict[str, object]:
    """The file of a game of Pink Nines on this day, won by the first of these."""
    entry = {"action": "out", "player": players[0]}
    row = {"seq": 1, "kind": "play", "at": f"2026-03-{day:02}T20:00:00+00:00", "entry": entry}
    head = {"referee": 1, "game": "pink-nines", "players": list(players), "options": {"deals": 1}}
    return {**head, "entries": [entry], "history": [row]}


def settle(clubs: ClubBook, link: Link, periods: Sequence[Period]) -> None:
    """Note payments of everything owed for each of these periods, one after another."""
    for place, period in enumerate(periods):
        for each in clubs.counts.accounts(clubs.open(link)).settling_of(period):
            for number, one in enumerate(each.payments):
                days = each.days.since, each.days.until
                note = Paid(one.payer, one.payee, one.amount, "counter", *days)
                clubs.note(link, note, f"paid-{place}-{number}")


DAYS = [Period(day, day) for day in ("2026-03-05", "2026-03-06")]


@settings(max_examples=often(25, 500), deadline=None)
@given(steps=STEPS, periods=st.sampled_from([[ALWAYS], DAYS, [DAYS[0], ALWAYS]]))
def test_no_move_and_no_undo_makes_anybody_owe(
    steps: list[tuple[list[int], int] | int],
    periods: list[Period],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """However often, and in whichever order; what was paid stays, and counts once."""
    ledger = Ledger(tmp_path_factory.mktemp("moves") / "referee.sqlite")
    book = Book(ledger)
    clubs = ClubBook(ledger, book)
    moving = Moving(ledger, book, clubs)
    links = book.take_in_all(
        sheet_from(game(5 + place // 2, *players)) for place, players in enumerate(GAMES)
    )
    hosts = [clubs.begin("Thursday table"), clubs.begin("Kitchen club")]
    clubs.put(hosts[0], links)
    settle(clubs, hosts[0], periods)
    moves = list[str]()
    for step in steps:
        if isinstance(step, tuple):
            games, to = step
            into = hosts[to].document if to < len(hosts) else None
            plan = moving.plan([links[one].document for one in games], into)
            moves.append(moving.move(plan))
        elif step < len(moves):
            moving.undo(moves[step])
        for link in hosts:
            settlings = clubs.counts.accounts(clubs.open(link)).settling
            assert not any(each.payments for each in settlings), step
    ledger.close()


def to_pay(clubs: ClubBook, link: Link) -> list[tuple[object, ...]]:
    """What everybody is to pay, over all and by the day."""
    accounts = clubs.counts.accounts(clubs.open(link))
    return [
        (one.unit, one.payments, one.elsewhere)
        for period in (ALWAYS, *DAYS)
        for one in accounts.settling_of(period)
        if one.payments or one.elsewhere
    ]


@settings(max_examples=often(25, 500), deadline=None)
@given(
    steps=STEPS,
    periods=st.sampled_from([[], [ALWAYS], DAYS[:1], [DAYS[0], ALWAYS]]),
    taken_back=st.booleans(),
)
@example(steps=[([0], 1)], periods=[ALWAYS], taken_back=False)
@example(steps=[([0], 2)], periods=DAYS[:1], taken_back=True)
def test_a_club_is_settled_in_another_book_as_in_its_own(
    steps: list[tuple[list[int], int] | int],
    periods: list[Period],
    taken_back: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Whichever games have left it or come, also if one of several payments was taken back."""
    ledger, other = (Ledger(tmp_path_factory.mktemp("club") / "referee.sqlite") for _ in "12")
    book = Book(ledger)
    clubs, there = ClubBook(ledger, book), ClubBook(other, Book(other))
    moving = Moving(ledger, book, clubs)
    links = book.take_in_all(
        sheet_from(game(5 + place // 2, *players)) for place, players in enumerate(GAMES)
    )
    hosts = [clubs.begin("Thursday table"), clubs.begin("Kitchen club")]
    clubs.put(hosts[0], links)
    settle(clubs, hosts[0], periods)
    if taken_back and (paid := clubs.open(hosts[0]).paid):
        clubs.void(hosts[0], paid[0][0], "taken back")
    moves = list[str]()
    for step in steps:
        if isinstance(step, tuple):
            games, to = step
            into = hosts[to].document if to < len(hosts) else None
            moves.append(moving.move(moving.plan([links[one].document for one in games], into)))
        elif step < len(moves):
            moving.undo(moves[step])
    for host in hosts:
        file = b"\n".join(clubs.in_lines(host.document))
        taken_in = there.take_in(read_club(file))
        assert to_pay(there, taken_in) == to_pay(clubs, host), file
        here, again = (
            one.counts.of(one.open(link)).figures
            for one, link in ((clubs, host), (there, taken_in))
        )
        assert here.document()["players"] == again.document()["players"]
        assert len(
            there.open(there.take_in(read_club(b"\n".join(there.in_lines(taken_in.document))))).rows
        ) == len(there.open(taken_in).rows), "its notes are written once"
    ledger.close()
    other.close()

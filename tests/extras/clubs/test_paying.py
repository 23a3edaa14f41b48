"""Noting a payment while others write: nobody waits, and it is noted only if it is still due."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from referee.extras.clubs.accounts import Accounts
from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.counts import Counts
from referee.extras.clubs.moving import Moving
from referee.extras.clubs.notes import Guest, Paid
from referee.extras.clubs.opened import OpenClub
from referee.ledger.chain import Mark
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, Link
from referee.sheets.book import Book

ON_EITHER_ENGINE = True
PATIENCE = 20  # seconds
ONE = Paid("Ben", "Ann", 1, "counter")


class Table:
    """A club with a game that Ann has won from Ben, and one of theirs that goes on."""

    def __init__(self, ledger: Ledger, patch: pytest.MonkeyPatch) -> None:
        self.book = Book(ledger)
        self.clubs, self.patch = ClubBook(ledger, self.book), patch
        self.club = self.clubs.begin("Thursday table")
        self.over, self.going = self.begin(1), self.begin(2)
        self.out(self.over, "Ann", 0)
        self.clubs.put(self.club, [self.over, self.going])

    def begin(self, deals: int) -> Link:
        return self.book.begin("pink-nines", ["Ann", "Ben"], None, {"deals": deals})

    def out(self, sheet: Link, player: str, after: int) -> None:
        """A deal in which a player wins a counter."""
        entry = {"action": "out", "player": player}
        self.book.record(sheet, entry, Mark(after), f"deal {after}")

    @property
    def newest(self) -> int:
        return len(self.clubs.open(self.club).rows)

    def paid(self) -> int:
        return len(self.clubs.open(self.club).paid)

    def due(self) -> list[tuple[str, str]]:
        """Who still pays whom."""
        accounts = self.clubs.counts.accounts(self.clubs.open(self.club))
        return [(to.payer, to.payee) for one in accounts.settlings for to in one.payments]

    def once_counted(self, meanwhile: Callable[[], object]) -> None:
        """Do something in another thread once, just after what is due was counted."""
        accounts = Counts.accounts

        def slowly(counts: Counts, club: OpenClub) -> Accounts:
            found = accounts(counts, club)
            self.patch.setattr(Counts, "accounts", accounts)
            with ThreadPoolExecutor(1) as other:
                other.submit(meanwhile).result(PATIENCE)
            return found

        self.patch.setattr(Counts, "accounts", slowly)


@pytest.fixture
def table(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(ledger, monkeypatch)


def test_others_can_write_while_what_is_due_is_counted(table: Table) -> None:
    """On a sheet of the club, too; the payment is noted, as it is still due."""
    table.once_counted(lambda: table.out(table.going, "Ben", 0))
    table.clubs.note(table.club, ONE, "a-payment", table.newest)
    assert table.paid() == 1
    assert table.book.open(table.going).seq == 1


def test_a_payment_that_is_no_longer_due_is_not_noted(table: Table) -> None:
    """Ben has won the counter back in the meantime, and another."""
    table.out(table.going, "Ben", 0)
    seen = table.newest
    table.once_counted(lambda: table.out(table.going, "Ben", 1))
    with pytest.raises(MovedOnError):
        table.clubs.note(table.club, ONE, "a-payment", seen)
    assert table.paid() == 0


def test_a_payment_is_not_noted_after_another_note(table: Table) -> None:
    """Though it is still due: the form shows the club before that note."""
    seen = table.newest
    table.once_counted(lambda: table.clubs.note(table.club, Guest("Cy"), "a-guest"))
    with pytest.raises(MovedOnError):
        table.clubs.note(table.club, ONE, "a-payment", seen)
    assert table.paid() == 0


def test_a_form_sent_twice_is_one_payment(table: Table) -> None:
    """The second finds nothing due anymore, and says nothing."""
    seen = table.newest
    for _ in range(2):
        table.clubs.note(table.club, ONE, "a-payment", seen)
    assert table.paid() == 1


def test_what_is_due_changes_with_games_that_have_left(table: Table, ledger: Ledger) -> None:
    """A game that was paid for here is settled here, wherever it is; so are its corrections."""
    other, moving = table.clubs.begin("Kitchen club"), Moving(ledger, table.book, table.clubs)
    table.clubs.note(table.club, ONE, "a-payment")
    moving.move(moving.plan([table.over.document], other.document))
    assert table.due() == []
    table.book.undo(table.over, Mark(1))
    assert table.due() == [("ann", "ben")]


def test_what_is_due_changes_with_a_payment_voided_in_another_club(
    table: Table, ledger: Ledger
) -> None:
    """Then the game is settled where it counts, though nothing was written there."""
    other, moving = table.clubs.begin("Kitchen club"), Moving(ledger, table.book, table.clubs)
    table.clubs.note(table.club, ONE, "a-payment")
    moving.move(moving.plan([table.over.document], other.document))
    there = table.clubs.open(other)
    assert table.clubs.counts.accounts(there).won == {}
    table.clubs.void(table.club, table.newest, "void")
    assert table.clubs.counts.accounts(there).won != {}

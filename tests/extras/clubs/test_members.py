"""Which sheets belong to which club."""

import time
from itertools import pairwise

import pytest

from referee.extras.clubs.members import Clubs, Membership
from referee.ledger.chain import Mark
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, Link, NewSheet
from tests.support.at_once import at_once
from tests.support.books import AT, play

PATIENCE = 20  # seconds

ON_EITHER_ENGINE = True


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger with sheets 1 to 3 and clubs 4 and 5; the first sheet has two rows."""
    for number in range(1, 6):
        drafts = [play("a"), play("b")] if number == 1 else []
        kind = "sheet" if number < 4 else "club"
        ledger.create_all([NewSheet("{}", [("host", f"h{number}")], AT, drafts, kind)])
    return ledger


def rows(clubs: Clubs, club: int) -> dict[int, str]:
    """The number of rows of each sheet in a club, "" for none."""
    return {sheet: mark.partition(" ")[0] for sheet, mark in clubs.sheets(club).items()}


def test_clubs_are_not_listed_as_sheets(ledger: Ledger) -> None:
    """A link has the kind of its document."""
    assert (ledger.sheets(), ledger.sheets("club")) == ([1, 2, 3], [4, 5])
    assert ledger.link("h3") == Link("h3", 3, "host")
    assert ledger.link("h4") == Link("h4", 4, "host", kind="club")


def test_a_sheet_belongs_to_the_club_of_its_last_membership(ledger: Ledger) -> None:
    """It can be taken out and put in again."""
    clubs = Clubs(ledger)
    clubs.put([1, 3], 4, AT)
    clubs.put([3], 5, AT)
    assert clubs.of([1, 2, 3]) == {1: 4, 3: 5}
    assert (rows(clubs, 4), rows(clubs, 5)) == ({1: "2"}, {3: ""})
    clubs.put([1], None, AT)
    assert clubs.of([1, 2, 3]) == {3: 5}
    assert rows(clubs, 4) == {}
    clubs.put([1, 2], 4, AT)
    assert rows(clubs, 4) == {1: "2", 2: ""}
    assert clubs.of([]) == {}


def test_a_sheet_in_the_trash_is_not_in_its_club(ledger: Ledger) -> None:
    """Restored, it is again."""
    clubs = Clubs(ledger)
    clubs.put([1, 2], 4, AT)
    ledger.note_trash(1, "put", AT)
    assert rows(clubs, 4) == {2: ""}
    ledger.note_trash(1, "taken", AT)
    assert rows(clubs, 4) == {1: "2", 2: ""}


def test_the_stage_changes_with_all_that_changes_figures(ledger: Ledger) -> None:
    """With sheets that have left, too; not with other sheets."""
    clubs = Clubs(ledger)
    clubs.put([1, 2], 4, AT)
    stages = [clubs.stage(4)]
    for change in (
        lambda: ledger.append(2, Mark(0), [play("a")]),
        lambda: ledger.note_trash(2, "put", AT),
        lambda: ledger.note_trash(2, "taken", AT),
        lambda: clubs.put([2], None, AT),
        lambda: ledger.append(2, Mark(1), [play("b")]),
        lambda: clubs.put([3], 4, AT),
        lambda: clubs.put([3], 5, AT),
        lambda: ledger.append(4, Mark(0), [play("note")]),
    ):
        change()
        stages.append(clubs.stage(4))
    assert all(before != after for before, after in pairwise(stages))
    ledger.create_all([NewSheet("{}", [("host", "h6")], AT, [play("a")])])
    clubs.put([3], 5, AT)  # where it already is
    assert clubs.stage(4) == stages[-1]


def test_what_is_due_also_changes_with_notes_of_clubs_that_sheets_went_to(ledger: Ledger) -> None:
    """They may be payments; but they change no figure, so no page of a sheet is made again."""
    clubs = Clubs(ledger)
    clubs.put([3], 4, AT)
    clubs.put([3], 5, AT)
    figures, dues = clubs.stage(4), clubs.dues(4)
    ledger.append(5, Mark(0), [play("note")])
    assert clubs.dues(4) != dues
    assert clubs.stage(4) == figures
    dues = clubs.dues(4)
    ledger.append(3, Mark(0), [play("a")])
    assert clubs.dues(4) != dues
    assert clubs.stage(4) != figures


def test_a_move_records_how_many_rows_the_clubs_had(ledger: Ledger) -> None:
    """So that notes from before a sheet came are distinguished from notes while it was there."""
    clubs = Clubs(ledger)
    ledger.append(4, Mark(0), [play("note")])
    clubs.move({1: Membership(0, 4, "t")}, {1: 0}, AT)
    ledger.append(4, Mark(1), [play("another")])
    (came,) = clubs.history([1])[1]
    assert (came.club, came.move, came.left, came.came) == (4, "t", 0, 1)
    clubs.move({1: Membership(0, 5, "u")}, {1: came.id}, AT)
    went = clubs.history([1])[1][-1]
    assert (went.club, went.move, went.left, went.came) == (5, "u", 2, 0)
    assert clubs.moved_by("t") == clubs.moved_by("u") == [1]
    assert clubs.moved_by("%") == clubs.moved_by("_") == []  # as a form may ask
    assert list(clubs.ever_moved(4)) == list(clubs.ever_moved(5)) == [1]
    with pytest.raises(MovedOnError):
        clubs.move({1: Membership(0, None, "v")}, {1: came.id}, AT)


def test_the_same_sheets_put_in_twice_at_once_are_noted_once(ledger: Ledger) -> None:
    """By two threads."""
    clubs = Clubs(ledger)
    at_once(lambda _: clubs.put([1, 2, 3], 4, AT))
    assert len(ledger.engine.read("SELECT id FROM club_sheets")) == 3


def test_a_poll_notices_a_move(ledger: Ledger) -> None:
    """Though it writes no row on the sheet."""
    clubs = Clubs(ledger)
    for club in (4, 5, 4):
        clubs.put([2], club, AT)
        give_up = time.monotonic() + PATIENCE
        # From here on PostgreSQL's engine has it in memory.
        while not (known := ledger.glance_at_once("h2")) or known.within["clubs"].document != club:
            assert time.monotonic() < give_up, f"club {club} is not heard of: {known}"
            if known is None:
                ledger.glance("h2")
            time.sleep(0.01)

"""Corrections: any entry can be amended, taken out and brought back, and nothing is erased."""

from typing import Any

import pytest

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link
from referee.rules.core.ruling import IllegalEntry
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings, compared
from referee.sheets.files import result
from referee.sheets.history import SheetSettings, row_faults

ON_EITHER_ENGINE = True

PLAYERS = ["Ann", "Ben", "Cat"]


def tricks(*numbers: int) -> dict[str, Any]:
    """A deal of Nine Five Two by totals, in seating order."""
    return {"action": "tricks", "tricks": dict(zip(PLAYERS, numbers, strict=True))}


@pytest.fixture
def host(book: Book) -> Link:
    """Nine Five Two, two deals: Ann +2 −1 −1, then Ben deals: Ann +2, Ben −2, Cat 0."""
    link = book.begin("nine-five-two", PLAYERS, "Ann", {"target": 10})
    book.record(link, tricks(11, 4, 1), 0, "deal 1")
    book.record(link, tricks(4, 7, 5), 1, "deal 2")
    return link


def test_an_old_entry_is_amended(book: Book, host: Link) -> None:
    """It keeps its place, and the history both contents with the reason; compared, it's as it was.

    Sent twice, it counts once.
    """
    change = Change(1, tricks(10, 5, 1), "miscounted")
    would = compared(book.open(host), change)
    assert result(would.before)["scores"] == {"Ann": 4, "Ben": -3, "Cat": -1}
    assert result(would.after)["scores"] == {"Ann": 3, "Ben": -2, "Cat": -1}
    assert book.open(host).course == would.before
    assert book.correct(host, change, 2, "fix") == book.correct(host, change, 2, "fix") == 3
    with pytest.raises(MovedOnError):
        book.correct(host, change, 2, "other")
    sheet = book.open(host)
    assert result(sheet.course)["scores"] == {"Ann": 3, "Ben": -2, "Cat": -1}
    assert [step.seq for step in sheet.course.steps] == [1, 2]
    fate = sheet.fates[1]
    assert fate.play.entry == tricks(11, 4, 1)
    assert [(row.entry, row.reason) for row in fate.amended] == [(tricks(10, 5, 1), "miscounted")]


def test_an_old_entry_is_taken_out_and_brought_back(book: Book, host: Link) -> None:
    """Voiding an entry takes it out; voiding the void brings it back where it was."""
    book.correct(host, Change(1, None, "dealt again"), 2, "out")
    assert book.open(host).state.totals == {
        "Ann": -5,
        "Ben": 2,
        "Cat": 3,
    }  # as deal 1, dealt by Ann
    assert book.open(host).fates[1].voided is not None
    book.correct(host, Change(3), 3, "back")
    assert book.open(host).state.totals == {"Ann": 4, "Ben": -3, "Cat": -1}


def test_an_amendment_is_taken_back(book: Book, host: Link) -> None:
    """Voiding an amendment restores what it changed, the latest standing one counts."""
    book.correct(host, Change(2, tricks(5, 6, 5)), 2, "a")
    book.correct(host, Change(2, tricks(6, 5, 5)), 3, "b")
    assert book.open(host).state.totals["Ann"] == 2 + 4
    book.correct(host, Change(4), 4, "c")
    assert book.open(host).state.totals["Ann"] == 2 + 3


def test_a_later_entry_that_would_be_illegal_refuses_the_correction(book: Book) -> None:
    """The correction is refused, the deal of the later entry is named, and nothing is stored."""
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ben", {})
    for seen, (player, cards) in enumerate([("Ann", "9 9"), ("Ben", ""), ("Ann", "K 5 9 9")]):
        entry = {"action": "turn", "player": player, "cards": cards}
        book.record(link, entry, seen, f"turn {seen}")
    change = Change(1, {"action": "turn", "player": "Ann", "cards": "9 9 K 5"})
    with pytest.raises(IllegalEntry) as refused:
        book.correct(link, change, 3, "fix")
    assert refused.value.faults[0].code == "later-entry"
    assert "Deal 1 would then break a rule" in refused.value.faults[0].message
    assert book.open(link).seq == 3


def test_a_finished_game_reopens(book: Book) -> None:
    """Where the deal that ended the game is corrected, the game goes on."""
    link = book.begin("multiple-9", ["Ann", "Ben"], None, {"target": 1})
    book.record(link, {"action": "out", "player": "Ann"}, 0, "won")
    assert book.open(link).course.state.finished
    change = Change(1, {"action": "abandon", "reason": "a card was missing"})
    book.correct(link, change, 1, "fix")
    assert not book.open(link).course.state.finished


def test_what_is_wrong_with_an_amendment_itself_is_said(book: Book, host: Link) -> None:
    """An amendment is an entry of the game like any other."""
    with pytest.raises(IllegalEntry) as refused:
        book.correct(host, Change(1, tricks(9, 9, 9)), 2, "fix")
    assert refused.value.faults[0].code == "tricks-sum"


@pytest.mark.parametrize("target", [0, 3, 99])
def test_only_what_stands_can_be_changed(book: Book, host: Link, target: int) -> None:
    """There is nothing to correct in a row that is not there, or was taken out."""
    book.correct(host, Change(2), 2, "out")
    for change in (Change(target, tricks(9, 5, 2)), Change(2)):
        with pytest.raises(IllegalEntry):
            book.correct(host, change, 3, "again")
    assert book.open(host).seq == 3


def test_a_change_of_settings_is_not_a_deal_to_remove(book: Book, host: Link) -> None:
    """A note cannot be voided: the sheet would be damaged for good."""
    now = book.open(host).head.settings
    players = ["Zoe", *now.players[1:]]
    renamed = SheetSettings(
        players, "Zoe" if now.dealer == now.players[0] else now.dealer, now.options
    )
    note = book.correct(host, NewSettings(renamed, {now.players[0]: "Zoe"}), 2, "renamed")
    with pytest.raises(IllegalEntry) as refused:
        book.correct(host, Change(note), 3, "void")
    assert [fault.code for fault in refused.value.faults] == ["no-such-entry"]
    assert not row_faults(book.open(host).history)

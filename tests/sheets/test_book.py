"""What can be done with a sheet in the ledger, and what cannot."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from referee.ledger.chain import Mark
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Ledger, Link
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, NotationError, RefereeError
from referee.rules.registry import GAMES
from referee.sheets.book import SPARE_ROWS, Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.files import sheet_from
from referee.sheets.history import SheetSettings, row_faults
from referee.sheets.sheet import OpenSheet, as_file
from tests.support.at_once import WRITERS, at_once
from tests.support.campaign import SEED
from tests.support.random_play import RandomPlayer

ON_EITHER_ENGINE = True

ANN = {"action": "out", "player": "Ann"}
BEN = {"action": "out", "player": "Ben"}


@pytest.fixture
def host(book: Book) -> Link:
    """The host’s link to a sheet of Multiple 9 on which Ann, Ben and Ann have won a deal."""
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ben", {"target": 5})
    for seen, entry in enumerate((ANN, BEN, ANN)):
        book.record(link, entry, Mark(seen), f"deal {seen}")
    return link


def numbers(sheet: OpenSheet) -> tuple[int, ...]:
    """The rows of the entries that count."""
    return tuple(step.seq for step in sheet.course.steps)


# --- beginning


def test_a_sheet_begins_with_what_was_agreed(book: Book) -> None:
    """Players, dealer and house rules are kept, and there are three links."""
    link = book.begin("multiple-9", ["Ann", "Ben", "Zoë"], "Ben", {"scoring": "cards"})
    sheet = book.open(link)
    assert (sheet.head.players, sheet.head.dealer) == (["Ann", "Ben", "Zoë"], "Ben")
    assert sheet.head.options == {"scoring": "cards"}
    assert (sheet.seq, sheet.course.steps, sheet.rows) == (0, (), ())
    assert link.role == "host"
    assert set(book.hosting.links(link)) - {"play"} == {"view", "score", "host"}


# --- recording


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        ({"action": "out", "player": "Dan"}, IllegalEntry),
        ({"action": "turn", "player": "Ann", "cards": "2 3"}, IllegalEntry),
        ({"action": "turn", "player": "Ann", "cards": "one"}, NotationError),
        ({"action": "out", "player": 9}, MalformedEntry),
        ({"action": "out", "player": "Ann", "x": 1}, MalformedEntry),
        ({"action": "dance"}, MalformedEntry),
        ({}, MalformedEntry),
    ],
)
def test_a_refused_entry_changes_nothing(
    book: Book, host: Link, entry: dict[str, Any], error: type[RefereeError]
) -> None:
    """The sheet is as it was, and the corrected entry may have the same key."""
    before = book.open(host)
    with pytest.raises(error):
        book.record(host, entry, Mark(3), "try")
    with pytest.raises(error):
        book.preview(before, entry)
    assert book.open(host) == before
    assert book.record(host, ANN, Mark(3), "try") == 4


@pytest.mark.parametrize("reason", ["late\x1b[2J", "\u202eetal", "la\u200bte", "late\n=1"])
def test_a_reason_with_invisible_characters_is_refused(book: Book, host: Link, reason: str) -> None:
    """For an entry or a correction, in a sentence that shows them."""
    late = {"action": "adjust", "player": "Ann", "points": -1, "reason": reason}
    with pytest.raises(IllegalEntry) as refused:
        book.record(host, late, Mark(3), "late")
    with pytest.raises(IllegalEntry) as refused_too:
        book.correct(host, Change(1, reason=reason), Mark(3), "void")
    for error in (refused.value, refused_too.value):
        assert [fault.code for fault in error.faults] == ["reason-characters"]
        assert str(error).isprintable()
    assert book.open(host).seq == 3


def test_an_entry_sent_twice_is_one_entry(book: Book, host: Link) -> None:
    """Even if the sheet has grown since, the second answer is that of the first."""
    assert book.record(host, BEN, Mark(3), "sent") == 4
    assert book.record(host, ANN, Mark(4), "later") == 5
    assert book.record(host, BEN, Mark(3), "sent") == 4
    assert book.record(host, BEN, Mark(5), "sent") == 4
    assert book.open(host) == Book(book.ledger).open(host)  # played once
    assert book.undo(host, Mark(5)) == 6
    assert book.undo(host, Mark(5)) == 6
    assert book.open(host).seq == 6


def test_a_key_that_was_used_for_something_else_is_refused(book: Book, host: Link) -> None:
    """No correction or change of settings is acknowledged that was not done."""
    book.record(host, BEN, Mark(3), "sent")
    renamed = SheetSettings(["Ann", "Bea"], "Bea", {"target": 5})
    writes: tuple[Callable[[], int], ...] = (
        lambda: book.correct(host, Change(1), Mark(4), "sent"),
        lambda: book.correct(host, NewSettings(renamed, {"Ben": "Bea"}), Mark(4), "sent"),
        lambda: book.record(host, ANN, Mark(4), "sent"),
    )
    for write in writes:
        with pytest.raises(MovedOnError):
            write()
    assert book.open(host).seq == 4
    assert book.correct(host, Change(1), Mark(4), "removed") == 5
    with pytest.raises(MovedOnError):
        book.record(host, ANN, Mark(5), "removed")


def test_an_entry_sent_eight_times_at_once_is_one_entry(book: Book, host: Link) -> None:
    """All eight get the same answer, and the cached sheet is the one that was stored."""
    seconds = count()
    book.now = lambda: f"2026-01-02T03:{next(seconds):06d}"
    for seen in range(3, 9):
        entry = {"action": "adjust", "player": "Ann", "points": -1, "reason": "late"}

        def send(_: int, seen: int = seen, entry: dict[str, Any] = entry) -> int:
            return book.record(host, entry, Mark(seen), f"sent {seen}")

        assert at_once(send) == [seen + 1] * WRITERS
    assert at_once(lambda _: book.undo(host, Mark(9))) == [10] * WRITERS
    assert len(book.open(host).rows) == 10
    assert book.open(host) == Book(book.ledger).open(host)


# --- undoing


def test_undo_takes_back_the_last_entry_and_keeps_it(book: Book, host: Link) -> None:
    """It no longer counts, but stays in the history; the next undo takes the one before."""
    assert book.undo(host, Mark(3)) == 4
    assert book.open(host).state.totals == {"Ann": 1, "Ben": 1}
    history = as_file(book.open(host))["history"]
    assert [row["kind"] for row in history] == ["play", "play", "play", "void"]
    assert (history[2]["entry"], history[3]["target"]) == (ANN, 3)
    book.undo(host, Mark(4))
    book.record(host, BEN, Mark(5), "again")
    assert numbers(book.open(host)) == (1, 6)
    book.undo(host, Mark(6))
    book.undo(host, Mark(7))
    with pytest.raises(IllegalEntry, match="nothing to undo"):
        book.undo(host, Mark(8))
    assert book.open(host).seq == 8


def test_an_act_of_several_rows_is_undone_and_restored_whole(book: Book, host: Link) -> None:
    """A betting round is one act: undone, restored and undone again."""
    assert book.record_all(book.seen_by(host, Mark(3)), [BEN, BEN, ANN], "round") == 6
    whole = book.open(host).state
    assert book.undo(host, Mark(6)) == 9
    for _ in range(2):  # sent again, as its answer was lost
        assert book.correct(host, Change(8), Mark(9), "back") == 12
    assert numbers(book.open(host)) == (1, 2, 3, 4, 5, 6)
    assert book.open(host).state == whole == Book(book.ledger).open(host).state
    assert book.undo(host, Mark(12)) == 15
    assert numbers(book.open(host)) == (1, 2, 3)
    assert book.correct(host, Change(13), Mark(15), "back again") == 18
    assert numbers(book.open(host)) == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("undone_before", [False, True])
def test_a_round_in_a_file_is_one_act_too(book: Book, undone_before: bool) -> None:
    """Of one second, by one phone, and a turn each; a bet recorded by itself is not part of it."""
    book.now = map("2026-01-02T20:15:{:02}+00:00".format, count()).__next__
    host = book.begin("multiple-9-holdem", ["Ann", "Ben", "Cat", "Dan", "Eve"], "Ann", {})
    call = {"action": "bet", "move": "call"}
    book.record(host, {**call, "player": "Dan"}, Mark(0), "alone")
    turns = [{**call, "player": name} for name in ("Eve", "Ann", "Ben")]
    book.record_all(book.seen_by(host, Mark(1)), turns, "round")
    if undone_before:
        book.undo(host, Mark(4))
    copy = book.import_sheet(sheet_from(as_file(book.open(host))))
    if undone_before:
        assert numbers(book.open(copy)) == (1,)
        book.correct(copy, Change(6), Mark(7), "back")
        copy = book.import_sheet(sheet_from(as_file(book.open(copy))))
    assert numbers(book.open(copy)) == (1, 2, 3, 4)
    book.undo(copy, Mark(book.open(copy).seq))
    assert numbers(book.open(copy)) == (1,)
    book.undo(copy, Mark(book.open(copy).seq))
    assert numbers(book.open(copy)) == ()


def test_entries_of_a_file_without_a_history_are_undone_one_by_one(book: Book) -> None:
    """All are of the second in which it was imported."""
    names = ["Ann", "Ben", "Cat"]
    bets = [{"action": "bet", "move": "fold", "player": name} for name in names[:2]]
    sheet = {"referee": 1, "game": "multiple-9-holdem", "players": names, "dealer": "Ann"}
    copy = book.import_sheet(
        sheet_from({**sheet, "entries": [*bets, {**bets[1], "player": "Ben"}]})
    )
    book.undo(copy, Mark(3))
    assert numbers(book.open(copy)) == (1, 2)


# --- correcting


def test_an_amendment_can_be_voided(book: Book, host: Link) -> None:
    """That restores what it changed; the latest amendment in force counts."""
    book.correct(host, Change(3, BEN), Mark(3), "a")
    book.correct(host, Change(3, {"action": "abandon"}), Mark(4), "b")
    assert book.open(host).state.totals == {"Ann": 1, "Ben": 1}
    book.correct(host, Change(5), Mark(5), "c")
    assert book.open(host).state.totals == {"Ann": 1, "Ben": 2}


@pytest.mark.parametrize("target", [0, 4, 99])
def test_only_rows_in_force_can_be_corrected(book: Book, host: Link, target: int) -> None:
    """Not one that does not exist, or was voided."""
    book.correct(host, Change(2), Mark(3), "out")
    for change in (Change(target, ANN), Change(2)):
        with pytest.raises(IllegalEntry):
            book.correct(host, change, Mark(4), "again")
    assert book.open(host).seq == 4


def test_a_change_of_settings_cannot_be_voided(book: Book, host: Link) -> None:
    """That would damage the sheet for good."""
    renamed = SheetSettings(["Zoe", "Ben"], "Ben", {"target": 5})
    note = book.correct(host, NewSettings(renamed, {"Ann": "Zoe"}), Mark(3), "renamed")
    with pytest.raises(IllegalEntry) as refused:
        book.correct(host, Change(note), Mark(4), "void")
    assert [fault.code for fault in refused.value.faults] == ["no-such-entry"]
    assert not row_faults(book.open(host).history)


# --- sharing


def test_what_links_allow(book: Book, host: Link) -> None:
    """A scorer’s rows are marked as such; only hosts withdraw links; viewers write nothing."""
    scorer, viewer = (
        Link(book.hosting.links(host)[role], host.document, role) for role in ("score", "view")
    )
    book.record(scorer, BEN, Mark(3), "scored")
    assert book.open(host).rows[-1].role == "score"
    for write in (
        lambda: book.record(viewer, BEN, Mark(4), "x"),
        lambda: book.undo(viewer, Mark(4)),
        lambda: book.hosting.renew(scorer, "view"),
    ):
        with pytest.raises(IllegalEntry):
            write()
    assert book.open(host).seq == 4


def test_a_sheet_is_cached_as_its_host_sees_it(book: Book, host: Link) -> None:
    """Whoever wrote on it last: a page about thousands of sheets opens them without links."""
    scorer = Link(book.hosting.links(host)["score"], host.document, "score")
    book.record(scorer, BEN, Mark(3), "scored")
    assert book.sheet(host.document).role == "host"
    assert book.open(scorer).role == "score"
    assert book.sheet(host.document).role == "host"


def test_a_full_sheet_can_be_corrected_and_ended(tmp_path: Path) -> None:
    """There is room for corrections, new names, undo, and the deal that ends the game."""
    small = Book(Ledger(tmp_path / "small.sqlite"), most_rows=2)
    link = small.begin("multiple-9", ["Ann", "Ben"], "Ann", {"target": 2})
    small.record(link, BEN, Mark(0), "one")
    assert small.record(link, ANN, Mark(1), "two") == 2
    with pytest.raises(IllegalEntry, match=r"is full\. .* start the next sheet"):
        small.record(link, {"action": "abandon"}, Mark(2), "void")
    small.correct(link, Change(2, BEN), Mark(2), "fix")
    assert small.open(link).course.state.finished
    small.undo(link, Mark(3))
    becomes = SheetSettings(["Zoe", "Ben"], "Zoe", {"target": 2})
    small.correct(link, NewSettings(becomes, {"Ann": "Zoe"}), Mark(4), "rename")
    with pytest.raises(IllegalEntry, match="is full"):
        small.record(link, {**BEN, "player": "Zoe"}, Mark(5), "goes on")
    assert small.record(link, ANN, Mark(1), "two") == 2
    assert small.record(link, BEN, Mark(5), "wins") == 6
    assert small.open(link).course.state.finished


def test_the_room_for_corrections_is_bounded(tmp_path: Path) -> None:
    """Nobody can make a sheet ever longer by voiding and restoring an entry."""
    small = Book(Ledger(tmp_path / "small.sqlite"), most_rows=1)
    link = small.begin("multiple-9", ["Ann", "Ben"], "Ann", {})
    small.record(link, BEN, Mark(0), "one")
    for seq in range(1, 1 + SPARE_ROWS):
        small.correct(link, Change(seq), Mark(seq), f"change-{seq}")
    with pytest.raises(IllegalEntry, match=r"room for corrections.* start the next sheet"):
        small.correct(link, Change(1 + SPARE_ROWS), Mark(1 + SPARE_ROWS), "one more")
    assert small.open(link).seq == 1 + SPARE_ROWS


# --- out and in


def test_a_sheet_without_history_is_given_one(book: Book, host: Link) -> None:
    """On import, each entry of a file written by hand becomes a play of this moment."""
    document = as_file(book.open(host))
    history = document.pop("history")
    copy = book.import_sheet(sheet_from(document))
    told = as_file(book.open(copy))["history"]
    assert [row["entry"] for row in told] == [row["entry"] for row in history]
    assert all(row["at"] >= history[-1]["at"] for row in told)


def test_an_imported_sheet_can_be_played_on(book: Book, host: Link) -> None:
    """Recording and undoing continue from the file, and undone entries can be restored."""
    book.undo(host, Mark(3))
    copy = book.import_sheet(sheet_from(as_file(book.open(host))))
    assert book.record(copy, ANN, Mark(4), "on") == 5
    book.undo(copy, Mark(5))
    book.undo(copy, Mark(6))
    assert numbers(book.open(copy)) == (1,)


# --- whatever is played


def test_random_sheets_are_the_same_when_read_again(book: Book) -> None:
    """In every game, with refused entries in between, an undo, and a form sent twice."""
    player = RandomPlayer(SEED)
    for game in GAMES.values():
        for _ in range(3):
            file = player.file(game)
            entries = file.pop("entries")
            link = book.import_sheet(sheet_from({**file, "entries": []}))
            for seen, entry in enumerate(entries):
                with pytest.raises(RefereeError):
                    book.record(link, {"action": "nonsense"}, Mark(seen), f"wrong {seen}")
                assert book.record(link, entry, Mark(seen), f"entry {seen}") == seen + 1
                assert book.record(link, entry, Mark(seen), f"entry {seen}") == seen + 1
            if entries:
                book.undo(link, Mark(len(entries)))
            again = Book(book.ledger).open(link)
            assert again == book.open(link)
            assert len(again.course.steps) == max(0, len(entries) - 1)

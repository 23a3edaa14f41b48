"""After a change a sheet is replayed only from there, with the result of a full replay."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.ledger.chain import Mark
from referee.ledger.errors import LedgerError
from referee.ledger.store import Draft, Ledger, Link, NewSheet
from referee.rules.core.ruling import RefereeError
from referee.rules.registry import GAMES
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings, compared
from referee.sheets.files import read_sheet
from referee.sheets.history import (
    CHANGEABLE,
    HistoryRow,
    SettingsChange,
    SheetSettings,
    fates,
    in_force,
    row_faults,
    rows_in_force,
)
from referee.sheets.score_pad import ScorePad, score_pad_of
from referee.sheets.sheet import OpenSheet, as_file, course_of

ON_EITHER_ENGINE = True

NAMES = ["Ann", "Ben", "Cat"]
OTHER_NAMES = ["Ann", "Ben", "Cat", "Zoe", "Ida"]


def out(player: str) -> dict[str, Any]:
    return {"action": "out", "player": player}


def long_sheet(book: Book, deals: int = 40) -> Link:
    """A sheet of Multiple 9 on which the players won in turn."""
    link = book.begin("multiple-9", NAMES, None, {"target": 0})
    for seq in range(deals):
        book.record(link, out(NAMES[seq % 3]), Mark(seq), f"deal-{seq}")
    return link


class Counted:
    """Counts the entries that are played."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._played = 0
        game = GAMES["multiple-9"]
        carry_out = game.carry_out

        def counting(state: Any, entry: Any) -> Any:
            self._played += 1
            return carry_out(state, entry)

        monkeypatch.setattr(game, "carry_out", counting)

    def since(self) -> int:
        """The number of entries played since the last call."""
        played, self._played = self._played, 0
        return played


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """A counter of all entries played from now on."""
    return Counted(monkeypatch)


# --- the cost


def test_an_undo_plays_nothing_again(book: Book, plays: Counted) -> None:
    """Neither does opening the sheet afterwards, here or in another book."""
    link = long_sheet(book)
    elsewhere = Book(book.ledger)
    elsewhere.open(link)
    plays.since()
    for seq in (40, 41):
        book.undo(link, Mark(seq))
        assert len(book.open(link).course.steps) == 40 - (seq - 39)
        assert plays.since() == 0
    assert elsewhere.open(link) == book.open(link)
    assert plays.since() == 0


def test_a_correction_plays_what_follows_it_once(book: Book, plays: Counted) -> None:
    """Previewing or saving it plays the entries from its target on; opening plays none."""
    link = long_sheet(book)
    plays.since()
    for place, change in enumerate((Change(31, out("Ann")), Change(36), Change(42))):
        compared(book.open(link), change)
        assert plays.since() == (10, 4, 5)[place]
        book.correct(link, change, Mark(40 + place), f"fix-{place}")
        assert plays.since() == (10, 4, 5)[place]
        book.open(link)
        assert plays.since() == 0


# --- the cache


def test_a_cached_sheet_is_not_read_again(book: Book) -> None:
    """Opening it returns the same object; other roles have their own, with the same course."""
    host = long_sheet(book, deals=2)
    assert book.open(host) is book.open(host)
    viewer = book.ledger.link(book.hosting.links(host)["view"])
    assert viewer is not None
    assert book.open(viewer).role == "view"
    assert book.open(host).role == "host"
    assert book.open(viewer).course is book.open(host).course


def test_the_cache_has_a_limit(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """It drops the least recently used sheet, and keeps none that is too long alone."""
    monkeypatch.setattr("referee.sheets.book.MAX_KEPT", 10)
    links = [long_sheet(book, deals) for deals in (4, 4, 4, 11)]
    small = Book(book.ledger)
    kept = [small.open(link) for link in links[:2]]
    assert small.open(links[0]) is kept[0]  # so the second is the least recently used
    third = small.open(links[2])
    assert small.open(links[3]) is not small.open(links[3])
    assert small.open(links[0]) is kept[0]
    assert small.open(links[2]) is third
    assert small.open(links[1]) is not kept[1]


def test_a_replaced_book_is_noticed(book: Book, tmp_path: Path) -> None:
    """If the newest cached row is not the one in the database, all rows are read again."""
    host = long_sheet(book, deals=2)
    head = book.ledger.head(host.document)
    assert head is not None
    elsewhere = Ledger(tmp_path / "other.sqlite")
    drafts = [
        Draft("play", f'{{"action":"out","player":"{who}"}}', f"x{seq}", "host", "then")
        for seq, who in enumerate(("Cat", "Cat", "Cat"))
    ]
    elsewhere.create_all(
        [NewSheet(head[0], [("host", host.token)], "2026-01-02T03:04:05+00:00", drafts)]
    )
    book.ledger = elsewhere
    assert [row.key for row in book.open(host).rows] == ["x0", "x1", "x2"]


# --- the result


def stands(rows: Sequence[HistoryRow], seq: int) -> bool:
    """Whether a row is in force by definition: no row in force voids it."""
    return not any(
        row.kind == "void" and row.target == seq and stands(rows, row.seq) for row in rows[seq:]
    )


def written(kind: Any, seq: int, target: int | None) -> HistoryRow:
    return HistoryRow(seq, kind, "", None if kind == "void" else out("Ann"), target)


@given(st.lists(st.tuples(st.sampled_from(["play", "amend", "void", "void"]), st.integers(0, 99))))
def test_rows_in_force(drawn: list[tuple[Any, int]]) -> None:
    """The passes over a history agree with the definition, even for voids of voids of voids."""
    rows: list[HistoryRow] = []
    for seq, (kind, place) in enumerate(drawn, start=1):
        standing_now = {row.seq for row in rows if stands(rows, row.seq)}
        assert rows_in_force(rows) == standing_now
        for fallen in {row.seq for row in rows} - standing_now:
            assert row_faults([*rows, written("void", seq, fallen)]), "it does not stand"
        may_change = [
            row.seq for row in rows if row.seq in standing_now and row.kind in CHANGEABLE[kind]
        ]
        target = may_change[place % len(may_change)] if may_change else None
        rows.append(written(kind if target else "play", seq, target))
    assert row_faults(rows) == []


def test_a_history_is_checked_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is: only a void of a void looks back at the rows before it."""
    looking = Mock(wraps=rows_in_force)
    monkeypatch.setattr("referee.sheets.history.rows_in_force", looking)
    pairs = (
        (written("play", seq, None), written("void", seq + 1, seq)) for seq in range(1, 2001, 2)
    )
    assert row_faults([row for pair in pairs for row in pair]) == []
    assert looking.call_count == 1


def test_voiding_a_void_restores_an_amendment() -> None:
    """As it restores an entry."""
    rows = [
        written("play", 1, None),
        HistoryRow(2, "amend", "", out("Ben"), 1),
        written("void", 3, 2),
        written("void", 4, 3),
    ]
    assert [fate.last for fate in in_force(rows)] == [out("Ben")]
    assert [fate.last for fate in in_force(rows[:3])] == [out("Ann")]
    taken_out = [*rows, written("void", 5, 1), written("void", 6, 5), written("void", 7, 6)]
    assert in_force(taken_out) == []
    assert in_force(taken_out[:6]) != []


def agreed(renamed: dict[str, str]) -> SettingsChange:
    nobody = SheetSettings([], "", {})
    return SettingsChange(nobody, nobody, renamed)


@given(st.lists(st.one_of(st.none(), st.permutations(OTHER_NAMES)), max_size=12))
def test_current_names(drawn: list[list[str] | None]) -> None:
    """They are as if every change, swaps included, had been applied in turn."""
    rows: list[HistoryRow] = []
    called = list(NAMES)
    held: list[list[str]] = []
    for seq, names in enumerate(drawn, start=1):
        if names is None:
            rows.append(HistoryRow(seq, "play", "", out("Ann")))
            held.append(list(called))
        else:
            pairs = zip(called, names, strict=False)
            renamed = {old: new for old, new in pairs if old != new}
            rows.append(HistoryRow(seq, "note", "", agreed=agreed(renamed)))
            called = [renamed.get(name, name) for name in called]
    for fate, then in zip(fates(rows), held, strict=True):
        assert [fate.renamed.get(name, name) for name in then] == called


class Scribe:
    """A client that changes a sheet at random."""

    def __init__(self, book: Book, link: Link) -> None:
        self._book, self._link = book, link

    def does(self, what: str, number: int, key: str) -> None:
        """Make a change, if the sheet allows it."""
        sheet = self._book.open(self._link)
        try:
            self._do(what, number, key, sheet)
        except (RefereeError, LedgerError) as refusal:
            assert str(refusal)
            assert self._book.open(self._link) == sheet

    def _do(self, what: str, number: int, key: str, sheet: OpenSheet) -> None:
        book, link, seq = self._book, self._link, sheet.seq
        entry = {
            "action": "deal",
            "points": {
                name: number + place for place, name in enumerate(sheet.course.state.table.players)
            },
        }
        target = number % (seq + 1)
        if what == "record":
            book.record(link, entry, Mark(seq), key)
        elif what == "undo":
            book.undo(link, Mark(seq))
        elif what == "amend":
            self._correct(sheet, Change(target, entry), key)
        elif what == "void":
            self._correct(sheet, Change(target), key)
        else:
            now = sheet.head.settings
            names = list(now.players)
            renamed = {name: name for name in names}
            options = dict(now.options)
            if what == "rename":
                new = [OTHER_NAMES[(number + place) % 5] for place in range(3)]
                renamed = dict(zip(names, new, strict=True))
            elif what == "target":
                options["target"] = number
            elif what == "seats":
                names = names[::-1]
            players = [renamed[name] for name in names]
            becomes = SheetSettings(players, renamed[now.dealer], options)
            book.correct(link, NewSettings(becomes, renamed), Mark(seq), key)

    def _correct(self, sheet: OpenSheet, change: Change, key: str) -> None:
        comparison = compared(sheet, change)
        history = (*sheet.history, *comparison.rows)
        assert comparison.after == course_of(sheet.game, sheet.table, history)
        self._book.correct(self._link, change, Mark(sheet.seq), key)


def figures(pad: ScorePad) -> list[Any]:
    """All that a score pad shows."""
    return [pad.players, pad.start, *((row.deal, row.cells, row.totals) for row in pad.all_rows)]


DEEDS = ("record", "record", "record", "undo", "amend", "void", "void", "rename", "target", "seats")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 40)), max_size=25))
def test_continuing_a_sheet_equals_reading_it_afresh(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]]
) -> None:
    """After each change: the cached sheet, that of another process, and a fresh one."""
    ledger = Ledger(tmp_path_factory.mktemp("going-on") / "referee.sqlite")
    book, elsewhere = Book(ledger), Book(ledger)
    link = book.begin("plain-score", NAMES, None, {"target": 60})
    scribe = Scribe(book, link)
    for place, (what, number) in enumerate(deeds):
        scribe.does(what, number, f"{place}")
        fresh = Book(ledger).open(link)
        assert book.open(link) == fresh
        assert figures(book.open(link).pad) == figures(score_pad_of(fresh.course))
        if place % 3 == 0:  # so that it has several rows to go on with
            assert elsewhere.open(link) == fresh
        assert book.replay(link.document).course == fresh.course
        assert not row_faults(fresh.history)
    exported = msgspec.json.encode(as_file(book.open(link)))
    copy = book.import_sheet(read_sheet(exported))
    assert msgspec.json.encode(as_file(book.open(copy))) == exported
    ledger.close()

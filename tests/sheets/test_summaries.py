"""Summaries of sheets match the book and are cheap."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.ledger.chain import Mark
from referee.ledger.store import Draft, Ledger, Link
from referee.rules.core.ruling import RefereeError
from referee.rules.registry import GAMES
from referee.sheets import derived, summaries
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.history import SheetSettings
from referee.sheets.summaries import Summary, summary_of
from tests.support.random_play import RandomPlayer

NAMES = ["Ann", "Ben", "Cat"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "referee-summaries.sqlite"


@pytest.fixture
def book(ledger: Ledger, path: Path) -> Book:
    """A book with a file of summaries, as a server has."""
    return Book(ledger, summaries=path)


def out(player: str) -> dict[str, Any]:
    return {"action": "out", "player": player}


def played(book: Book, *winners: str, target: int = 0) -> Link:
    link = book.begin("multiple-9", NAMES, "Ann", {"target": target})
    for seq, winner in enumerate(winners):
        book.record(link, out(winner), Mark(seq), f"deal-{seq}")
    return link


def in_short(book: Book, *links: Link) -> list[Summary]:
    return book.summaries.of([link.document for link in links])


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the sheets that were read from the first row on."""
    found: list[int] = []
    read = Book.replay

    def noted(book: Book, number: int, *, legal: bool = False) -> Any:
        found.append(number)
        return read(book, number, legal=legal)

    monkeypatch.setattr(Book, "replay", noted)
    return found


def test_what_a_summary_says(book: Book) -> None:
    """Game, players, leaders, deal, and when the sheet was begun and changed."""
    link = played(book, "Ann", "Ben", "Ben")
    (short,) = in_short(book, link)
    sheet = book.open(link)
    assert (short.sheet, short.slug, short.players) == (link.document, "multiple-9", tuple(NAMES))
    assert (short.deal, short.entries, short.rows) == (4, 3, 3)
    assert short.standings == (("Ben", 2), ("Ann", 1), ("Cat", 0))
    assert (short.leaders, short.finished) == (("Ben",), False)
    assert (short.begun, short.changed) == (sheet.begun, sheet.rows[-1].at)
    (over,) = in_short(book, played(book, "Cat", target=1))
    assert (over.finished, over.winners) == (True, ("Cat",))
    (fresh,) = in_short(book, played(book))
    assert (fresh.entries, fresh.leaders, fresh.changed) == (0, tuple(NAMES), fresh.begun)


def test_stored_summaries_are_used_after_a_restart(
    book: Book, ledger: Ledger, path: Path, opened: list[int]
) -> None:
    """The sheets are not replayed."""
    long, other = played(book, *NAMES, *NAMES), played(book, "Ann")
    book.undo(long, Mark(6))
    book.correct(other, Change(1, out("Ben")), Mark(1), "fix")
    becomes = SheetSettings(["Zoe", "Ben", "Cat"], "Zoe", {"target": 0})
    book.correct(other, NewSettings(becomes, {"Ann": "Zoe"}), Mark(2), "rename")
    in_short(book, long, other)
    assert opened == [long.document, other.document]  # to write the first entry of each
    later = Book(ledger, summaries=path)
    found = in_short(later, long, other)
    assert opened == [long.document, other.document]
    assert found == [summary_of(Book(ledger).open(link)) for link in (long, other)]
    assert found[1].players == ("Zoe", "Ben", "Cat")
    assert found[1].renamed == (("Ann", "Zoe"),)


def test_summaries_go_out_of_date(
    book: Book, ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[int]
) -> None:
    """After rows written elsewhere, and with another version of the program."""
    link = played(book, "Ann")
    Book(ledger).record(link, out("Ben"), Mark(1), "elsewhere")
    assert dict(in_short(book, link)[0].standings) == {"Ann": 1, "Ben": 1, "Cat": 0}
    opened.clear()
    monkeypatch.setattr(derived, "code_version", lambda: "another")
    assert dict(in_short(Book(ledger, summaries=path), link)[0].standings) == {
        "Ann": 1,
        "Ben": 1,
        "Cat": 0,
    }
    assert opened == [link.document]


def spoil(path: Path, statement: str) -> None:
    """Change the file of summaries behind the program's back."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(statement)
        raw.commit()


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: spoil(
            path, "UPDATE summaries SET body = CAST(replace(body, 'Ann', 'Zoe') AS BLOB)"
        ),
        lambda path: spoil(path, "UPDATE summaries SET seal = x''"),
        lambda path: spoil(path, "ALTER TABLE summaries DROP COLUMN body"),
        lambda path: path.write_bytes(b"no database" * 1000),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.unlink(),
        lambda path: (path.unlink(), path.mkdir()),
    ],
)
def test_a_damaged_file_is_not_trusted(
    book: Book, ledger: Ledger, path: Path, harm: Callable[[Path], object]
) -> None:
    """It is rebuilt or ignored; the answers always match the book."""
    link = played(book, "Ann", "Ben", "Ann")
    right = in_short(book, link)
    harm(path)
    later = Book(ledger, summaries=path)
    assert in_short(later, link) == right
    assert in_short(later, link) == right


def test_a_file_damaged_while_in_use(book: Book, ledger: Ledger, path: Path) -> None:
    """Memory is used until the next start, which rebuilds the file."""
    link = played(book, "Ann", "Ben")
    in_short(book, link)
    spoil(path, "DROP TABLE summaries")
    for seq in (2, 3):
        book.record(link, out("Ben"), Mark(seq), f"goes on {seq}")
        assert dict(in_short(book, link)[0].standings) == {"Ann": 1, "Ben": seq, "Cat": 0}
        assert not path.exists()
    assert dict(in_short(Book(ledger, summaries=path), link)[0].standings) == {
        "Ann": 1,
        "Ben": 3,
        "Cat": 0,
    }
    assert path.exists()


def test_a_file_deleted_while_in_use(
    book: Book, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Which anybody may do: a new one is made, without a warning."""
    link = played(book, "Ann", "Ben")
    in_short(book, link)
    path.unlink()
    book.record(link, out("Ben"), Mark(2), "goes on")
    right = in_short(book, link)
    assert in_short(Book(book.ledger, summaries=path), link) == right
    assert path.exists()
    assert not caplog.records


def test_a_locked_file(
    book: Book, path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[int]
) -> None:
    """It delays nobody: summaries are made from the sheets meanwhile, and kept in it afterwards."""
    monkeypatch.setattr(derived, "WAIT_SECONDS", 0.01)
    link = played(book, "Ann")
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("BEGIN EXCLUSIVE")
        later = Book(book.ledger, summaries=path)
        later.record(link, out("Ben"), Mark(1), "more")
        opened.clear()
        assert in_short(later, link)[0].rows == 2
        assert opened == []
    right = in_short(later, link)
    assert in_short(Book(book.ledger, summaries=path), link) == right
    assert opened == []


def test_a_page_replays_a_limited_number_of_rows(
    book: Book, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other sheets show game and players until later."""
    links = [played(book, "Ann", "Ben", "Cat") for _ in range(4)]
    becomes = SheetSettings(["Zoe", "Ben", "Cat"], "Zoe", {"target": 0})
    book.correct(links[3], NewSettings(becomes, {"Ann": "Zoe"}), Mark(3), "rename")
    fresh = Book(ledger)
    monkeypatch.setattr(summaries, "MAX_PLAYED", 7)
    waiting = in_short(fresh, *links)
    assert [one.condition for one in waiting] == ["played", "played", "waiting", "waiting"]
    assert (waiting[3].players, waiting[3].slug) == (("Zoe", "Ben", "Cat"), "multiple-9")
    assert all(one.played for one in in_short(fresh, *links))
    monkeypatch.setattr(summaries, "MAX_PLAYED", 1)
    assert in_short(Book(ledger), links[0])[0].played  # one is always played


def test_a_sick_sheet_is_tried_once(
    book: Book, ledger: Ledger, path: Path, opened: list[int]
) -> None:
    """That it cannot be played is remembered until the sheet changes."""
    healthy, sick = played(book, "Ann"), played(book, "Ann")
    ledger.append(sick.document, Mark(1), [Draft("play", '{"action":"sing"}', "k", "host", "then")])
    opened.clear()
    for _ in range(3):
        later = Book(ledger, summaries=path)
        found = in_short(later, healthy, sick)
        assert [one.condition for one in found] == ["played", "sick"]
        assert found[1].players == tuple(NAMES)
    assert opened == [healthy.document, sick.document]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_a_stored_summary_equals_that_of_the_sheet(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """After random play in every game."""
    folder = tmp_path_factory.mktemp("summaries")
    with closing(Ledger(folder / "referee.sqlite")) as ledger:
        book = Book(ledger, summaries=folder / "referee-summaries.sqlite")
        player = RandomPlayer(seed)
        game = list(GAMES.values())[seed % len(GAMES)]
        table = player.sheet(game)
        options = msgspec.to_builtins(table.options)
        link = book.begin(game.slug, table.players, table.players[table.dealer], options)
        for place in range(8):
            sheet = book.open(link)
            with suppress(RefereeError):  # random entries are mostly wrong
                written = player.entry(game, sheet.course.state)
                book.record(link, written, Mark(sheet.seq), f"{place}")
            later = Book(ledger, summaries=folder / "referee-summaries.sqlite")
            fresh = summary_of(Book(ledger).open(link))
            assert in_short(later, link) == [fresh]
            if game.has_counters:
                assert sum(one.net for one in fresh.balances) == 0

"""The standings as a table: its lines, and that no spreadsheet calculates with a name."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.sheet import Change
from referee.sheets.spreadsheet import COLUMNS, harmless, standings_csv


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """An empty book."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    yield Book(ledger)
    ledger.close()


def test_a_line_a_player_per_entry_with_running_totals(book: Book) -> None:
    """Counters begin with the stakes paid; an entry that was taken out is not in the table."""
    link = book.begin("pink-nines", ["Ann", "Ben"], None, {"counters": 10, "deals": 5})
    book.record(link, {"action": "out", "player": "Ben"}, 0, "a")
    book.record(link, {"action": "out", "player": "Ben"}, 1, "b")
    book.correct(link, Change(1, reason="it was Ann"), 2, "c")
    book.record(link, {"action": "out", "player": "Ann"}, 3, "d")
    sheet = book.open(link)
    written = standings_csv(sheet)
    header, *rows = csv.reader(io.StringIO(written, newline=""))
    assert tuple(header) == COLUMNS
    assert [[row[0], *row[2:6]] for row in rows] == [
        ["0", "begin", "Ann", "0", "9"],
        ["0", "begin", "Ben", "0", "9"],
        ["1", "out", "Ann", "-1", "8"],
        ["1", "out", "Ben", "1", "10"],
        ["2", "out", "Ann", "1", "9"],
        ["2", "out", "Ben", "-1", "9"],
    ]
    assert rows[2][6] == "stake for deal 2"
    assert [rows[2][1], rows[4][1]] == [sheet.history[1].at, sheet.history[3].at]
    assert written.endswith("\r\n")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("Ann", "Ann"),
        ("Ann-Marie + 1", "Ann-Marie + 1"),
        ("", ""),
        *[
            (text, f"'{text}")
            for text in (
                *("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＠x", "=", "\t=1", " =1", "\xa0+1"),
                *("\rAnn", "\n=HYPERLINK(1)", "=cmd|' /C calc'!A0"),
            )
        ],
        ("a;=1", "a;'=1"),
        ("a\t+1;b", "a\t'+1;b"),
        ("late; @SUM(A1);-5; ok", "late; '@SUM(A1);'-5; ok"),
        ('a;"=1"', 'a;"\'=1"'),
        ("=1;=2", "'=1;'=2"),
        ("stake; −2", "stake; −2"),
        ("a\r\n=1", "a\r\n'=1"),
    ],
)
def test_what_would_be_calculated_is_made_harmless(text: str, cell: str) -> None:
    """A text that begins like a formula gets an apostrophe; others stay as they are."""
    assert harmless(text) == cell


def test_names_and_reasons_are_made_harmless_numbers_stay(book: Book) -> None:
    """A player may be called =1+1, and a penalty of -5 is still a number."""
    link = book.begin("multiple-9", ["=1+1", 'O, "Neil"'], None, {"target": 0})
    penalty = {"action": "adjust", "player": "=1+1", "points": -5, "reason": "@late, twice"}
    book.record(link, penalty, 0, "a")
    rows = list(csv.reader(io.StringIO(standings_csv(book.open(link)), newline="")))
    assert rows[3][2:] == ["adjust", "'=1+1", "-5", "-5", "'@late, twice"]
    assert rows[4][3] == 'O, "Neil"'

"""The score pad as a table: its rows, and that no spreadsheet calculates with a name."""

import csv
import io

import pytest

from referee.ledger.store import Link
from referee.sheets.book import Book
from referee.sheets.sheet import Change
from referee.sheets.spreadsheet import harmless, pad_csv


def table(book: Book, link: Link) -> list[list[str]]:
    """The table of that sheet, read as a spreadsheet reads it."""
    written = pad_csv(book.open(link))
    assert written.endswith("\r\n")
    return list(csv.reader(io.StringIO(written, newline="")))


def test_a_row_a_deal_with_running_totals(book: Book) -> None:
    """Stakes stand in the deal that they open; an entry that was taken out is not in the table."""
    link = book.begin("pink-nines", ["Ann", "Ben"], None, {"counters": 10, "deals": 5})
    book.record(link, {"action": "out", "player": "Ben"}, 0, "a")
    book.record(link, {"action": "out", "player": "Ben"}, 1, "b")
    book.correct(link, Change(1, reason="it was Ann"), 2, "c")
    book.record(link, {"action": "out", "player": "Ann"}, 3, "d")
    assert table(book, link) == [
        ["Deal", "Ann", "Ben", "Ann, total", "Ben, total", "Details"],
        ["Start", "", "", "10", "10", ""],
        ["1", "-1", "1", "9", "11", "Ann: staked; Ben: out: 2 pool − 1 staked"],
        ["2", "1", "-1", "10", "10", "Ann: out: 2 pool − 1 staked; Ben: staked"],
        ["3, so far", "-1", "-1", "9", "9", "Ann: staked; Ben: staked"],
    ]


def test_a_penalty_and_a_void_deal_have_rows_of_their_own(book: Book) -> None:
    """The one concerns a single player, the other nobody."""
    link = book.begin("nine-five-two", ["Ann", "Ben", "Cat"], None, {})
    book.record(link, {"action": "adjust", "player": "Ben", "points": -1, "reason": "late"}, 0, "a")
    book.record(link, {"action": "abandon"}, 1, "b")
    assert [row[0:4] + row[-1:] for row in table(book, link)[2:]] == [
        ["", "", "-1", "", "Ben: late"],
        ["1", "", "", "", "void"],
    ]


def test_a_row_that_scores_nothing_says_what_happened(book: Book) -> None:
    """Else it would be a row of totals that nobody can account for."""
    link = book.begin("nine-five-two", ["Ann", "Ben", "Cat"], None, {})
    book.record(link, {"action": "abandon", "reason": "a card fell"}, 0, "a")
    book.record(link, {"action": "stop"}, 1, "b")
    assert [row[0:1] + row[-1:] for row in table(book, link)[2:]] == [
        ["1", "void: a card fell"],
        ["", "The game was stopped"],
    ]


def test_why_a_game_was_stopped_is_in_its_row(book: Book) -> None:
    """Names and numbers are not all that people write down."""
    link = book.begin("nine-five-two", ["Ann", "Ben", "Cat"], None, {})
    book.record(link, {"action": "stop", "reason": "last bus"}, 0, "a")
    assert table(book, link)[-1][-1] == "The game was stopped (last bus)"


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
    header, _, row = table(book, link)
    assert header[1:4] == ["'=1+1", 'O, "Neil"', "'=1+1, total"]
    assert row == ["", "-5", "", "-5", "0", "'=1+1: @late, twice"]

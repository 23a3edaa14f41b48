"""The score pad: a row for each deal with the points as entered, however it was recorded."""

import csv
import io
from typing import Any

import pytest

from referee.ledger.chain import Mark
from referee.ledger.store import Link
from referee.sheets.book import Book
from referee.sheets.comparison import Change
from referee.sheets.score_pad import PadRow, ScorePad, harmless, pad_csv, score_pad_of
from tests.support.some_deals import played

NINES = {"game": "nine-five-two", "players": ["Ann", "Ben", "Cat"]}
PINK = {"game": "pink-nines", "players": ["Ann", "Ben", "Cat"], "options": {"deals": 9}}
RED = {"game": "red-nines-1881", "players": ["Ann", "Ben", "Cat", "Dan"]}
HOLDEM = {"game": "multiple-9-holdem", "players": ["Ann", "Ben", "Cat"]}


def pad(sheet: dict[str, Any], *entries: dict[str, Any]) -> ScorePad:
    return score_pad_of(
        played(sheet["game"], sheet["players"], *entries, **sheet.get("options", {}))
    )


def points(row: PadRow | None) -> dict[str, int]:
    assert row is not None
    return {player: cell.points for player, cell in row.cells.items() if cell.points}


def small(row: PadRow) -> dict[str, str]:
    return {player: str(cell.small) for player, cell in row.cells.items() if cell.small}


def test_sixteen_tricks_are_one_row() -> None:
    """Trick by trick, a deal has the same scores and the same row as by totals."""
    one_by_one = [{"action": "trick", "winner": name} for name in ["Ann"] * 11 + ["Ben"] * 5]
    by_totals = {"action": "tricks", "tricks": {"Ann": 11, "Ben": 5, "Cat": 0}}
    followed, told = pad(NINES, *one_by_one), pad(NINES, by_totals)
    assert followed.rows[0].cells == told.rows[0].cells
    assert small(told.rows[0]) == {"Ann": "11 for 9", "Ben": "5 for 5", "Cat": "0 for 2"}


def test_a_deal_in_progress_says_how_far_it_is() -> None:
    """Tricks so far; after the last one, tricks won for tricks needed."""
    found = pad(NINES, *[{"action": "trick", "winner": "Ann"}] * 3)
    assert found.current is not None
    assert small(found.current) == {"Ann": "3 tricks", "Ben": "0 tricks", "Cat": "0 tricks"}


def test_only_those_at_the_table_have_a_cell() -> None:
    """A 0 means played and gained nothing; absent players have no cell."""
    found = pad(
        {"game": "multiple-9", "players": ["Ann", "Ben", "Cat"]},
        {"action": "out", "player": "Ann"},
        {"action": "join", "player": "Dan", "left_of": "Ann"},
        {"action": "leave", "player": "Ben"},
        {"action": "out", "player": "Dan"},
    )
    deals = [row for row in found.rows if row.kind == "deal"]
    assert [list(row.cells) for row in deals] == [["Ann", "Ben", "Cat"], ["Ann", "Dan", "Cat"]]


def test_a_deal_that_was_called_off_has_a_row_without_its_stakes() -> None:
    """They stay paid, and are in the row of the deal that is dealt again."""
    found = pad(PINK, {"action": "abandon"}, {"action": "out", "player": "Ann"})
    assert [(row.deal, row.kind, points(row)) for row in found.rows] == [
        (1, "void", {}),
        (1, "deal", {"Ann": 2, "Ben": -1, "Cat": -1}),
    ]


def test_whoever_takes_a_place_takes_over_its_stakes() -> None:
    """Zoe replaces Ben: what he staked for the last deal and for this one is hers."""
    found = pad(
        PINK,
        {"action": "out", "player": "Ann"},
        {"action": "replace", "player": "Ben", "by": "Zoe"},
    )
    assert found.current is not None
    assert list(found.rows[0].cells) == ["Ann", "Zoe", "Cat"]
    for row in (found.rows[0], found.current):
        assert {line.player: line.points for line in row.opening} == {
            "Ann": -1,
            "Zoe": -1,
            "Cat": -1,
        }


def test_chips_bought_before_the_first_bet() -> None:
    """They have a row between two hands; the blinds of the next hand are in its own."""
    hand = {"action": "hand", "won": {"Ann": 12}, "lost": {"Ben": 6, "Cat": 6}}
    found = pad(HOLDEM, hand, {"action": "buy", "player": "Ann", "amount": 50})
    assert [points(row) for row in found.rows] == [{"Ann": 12, "Ben": -6, "Cat": -6}, {"Ann": 50}]
    assert points(found.current) == {"Cat": -1, "Ann": -2}


def test_a_row_is_found_by_its_first_entry() -> None:
    """Also that of the deal in progress, once it has an entry."""
    tricks = [{"action": "trick", "winner": "Ann"}] * 17
    found = pad(NINES, *tricks)
    assert found.row(1) == found.rows[0]
    assert found.row(17) == found.current
    assert found.row(2) is None


# --- what a cell says about a whole deal; `tests/snapshots` have those of single entries


def held(plain: int, red_nines: int = 0) -> dict[str, int]:
    """A hand of Red Nines (1881) or Pink Nines as numbers of cards."""
    return {"plain": plain, "red_nines": red_nines}


def out(player: str, **more: Any) -> dict[str, Any]:
    return {"action": "out", "player": player, **more}


RULINGS: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, tuple[int, str]]]] = {
    "the dealer of 1881 pays for cards and has staked": (
        RED,
        [out("Cat", red_nine=True, hands={"Ann": held(2, 1), "Ben": held(3), "Dan": held(4)})],
        {
            "Ann": (-17, "(2 + 2) × 2 + 9 staked"),
            "Ben": (-6, "3 cards × 2"),
            "Cat": (28, "out on a red nine: 22 + 6 pool"),
            "Dan": (-8, "4 cards × 2"),
        },
    ),
    "what lay in the pools at the end of 1881 is named": (
        {**RED, "options": {"deals": 1}},
        [out("Cat", hands={"Ann": held(3), "Ben": held(3), "Dan": held(1)})],
        {
            "Ann": (-10, "2 pool share − 3 cards − 9 staked"),
            "Ben": (0, "3 pool share − 3 cards"),
            "Cat": (9, "out: 7 + 2 pool share"),
            "Dan": (1, "2 pool share − 1 card"),
        },
    ),
    "everybody has staked in Pink Nines": (
        PINK,
        [out("Ben")],
        {"Ann": (-1, "staked"), "Ben": (2, "out: 3 pool − 1 staked"), "Cat": (-1, "staked")},
    ),
    "a pot that nobody contested": (
        HOLDEM,
        [
            {"action": "bet", "player": "Ann", "move": "raise", "to": 6},
            {"action": "bet", "player": "Ben", "move": "fold"},
            {"action": "bet", "player": "Cat", "move": "fold"},
        ],
        {"Ann": (3, "5 pot − 2"), "Ben": (-1, "fold"), "Cat": (-2, "fold")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruling", RULINGS)
def test_what_a_cell_says(ruling: str) -> None:
    """Arithmetic if something is multiplied or added up; else a word or two."""
    sheet, entries, says = RULINGS[ruling]
    (row,) = pad(sheet, *entries).rows
    assert {name: (cell.points, str(cell.small)) for name, cell in row.cells.items()} == says


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        ("the dealer of 1881 pays for cards and has staked", ["×2", "×2", "out", "×2"]),
        ("what lay in the pools at the end of 1881 is named", ["share", "share", "out", "share"]),
        ("everybody has staked in Pink Nines", ["staked", "out", "staked"]),
        ("a pot that nobody contested", ["pot", "fold", "fold"]),
    ],
)
def test_a_column_has_room_for_a_word(ruling: str, words: list[str]) -> None:
    """What it was for, or how often it counts; arithmetic is left to the opened row."""
    sheet, entries, _ = RULINGS[ruling]
    (row,) = pad(sheet, *entries).rows
    assert [str(cell.word) for cell in row.cells.values()] == words


def test_stakes_of_a_deal_that_never_began_are_not_shown() -> None:
    """Ann and Ben have dealt and Cat leaves: what was staked for her deal is returned."""
    entries = [
        out("Ann", hands={"Ben": held(1), "Cat": held(1)}),
        out("Ann", hands={"Ben": held(1), "Cat": held(1)}),
        {"action": "leave", "player": "Cat"},
    ]
    found = pad({**RED, "players": ["Ann", "Ben", "Cat"]}, *entries)
    assert found.current is None
    assert {name: str(cell.small) for name, cell in found.rows[-1].cells.items()} == {
        "Ann": "pool share", "Ben": "pool share", "Cat": "leaves",
    }  # fmt: skip


# --- for a spreadsheet


def table(book: Book, link: Link) -> list[list[str]]:
    """The CSV of that sheet, parsed as a spreadsheet would."""
    sheet = book.open(link)
    written = pad_csv(sheet.pad)
    assert written.endswith("\r\n")
    return list(csv.reader(io.StringIO(written, newline="")))


def test_csv_has_a_row_for_each_deal_with_totals(book: Book) -> None:
    """Stakes are in the deal that they open; a voided entry is left out."""
    link = book.begin("pink-nines", ["Ann", "Ben"], None, {"counters": 10, "deals": 5})
    book.record(link, {"action": "out", "player": "Ben"}, Mark(0), "a")
    book.record(link, {"action": "out", "player": "Ben"}, Mark(1), "b")
    book.correct(link, Change(1, reason="it was Ann"), Mark(2), "c")
    book.record(link, {"action": "out", "player": "Ann"}, Mark(3), "d")
    assert table(book, link) == [
        ["Deal", "Ann", "Ben", "Ann, total", "Ben, total", "Details"],
        ["At the start", "", "", "10", "10", ""],
        ["1", "-1", "1", "9", "11", "Ann: staked; Ben: out: 2 pool − 1 staked"],
        ["2", "1", "-1", "10", "10", "Ann: out: 2 pool − 1 staked; Ben: staked"],
        ["3, so far", "-1", "-1", "9", "9", "Ann: staked; Ben: staked"],
    ]


def test_csv_details_say_what_happened(book: Book) -> None:
    """A penalty, a void deal with or without a reason, and an early end."""
    link = book.begin("nine-five-two", ["Ann", "Ben", "Cat"], None, {})
    entries: list[dict[str, Any]] = [
        {"action": "adjust", "player": "Ben", "points": -1, "reason": "late"},
        {"action": "abandon"},
        {"action": "abandon", "reason": "a card fell"},
        {"action": "stop", "reason": "last bus"},
    ]
    for seen, entry in enumerate(entries):
        book.record(link, entry, Mark(seen), f"{seen}")
    assert [row[0:4] + row[-1:] for row in table(book, link)[2:]] == [
        ["", "", "-1", "", "Ben: late"],
        ["1", "", "", "", "void"],
        ["1", "", "", "", "void: a card fell"],
        ["", "", "", "", "The game was stopped (last bus)"],
    ]


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
def test_text_like_a_formula_gets_an_apostrophe(text: str, cell: str) -> None:
    """Other text stays as it is."""
    assert harmless(text) == cell


def test_csv_escapes_text_and_not_numbers(book: Book) -> None:
    """A player may be called =1+1, and a penalty of -5 is still a number."""
    link = book.begin("multiple-9", ["=1+1", 'O, "Neil"'], None, {"target": 0})
    penalty = {"action": "adjust", "player": "=1+1", "points": -5, "reason": "@late, twice"}
    book.record(link, penalty, Mark(0), "a")
    header, _, row = table(book, link)
    assert header[1:4] == ["'=1+1", 'O, "Neil"', "'=1+1, total"]
    assert row == ["", "-5", "", "-5", "0", "'=1+1: @late, twice"]

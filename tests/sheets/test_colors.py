"""A player’s color stays the same for the whole sheet, even when others come or go."""

from typing import Any

import pytest

from referee.ledger.chain import Mark
from referee.ledger.store import Link
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.history import SheetSettings

NAMES = ["Ann", "Ben", "Cy", "Dot"]


class Sheet:
    """A sheet of Any Other Game that a test writes on row by row."""

    def __init__(self, book: Book, names: list[str]) -> None:
        self.book = book
        self.link: Link = book.begin("plain-score", names, names[0], {})

    def colors(self) -> dict[str, int]:
        sheet = self.book.open(self.link)
        return {name: sheet.colors[name] for name in sheet.pad.players}

    def record(self, **entry: Any) -> int:
        """Record an entry; returns its row."""
        after = self.book.open(self.link).seq
        return self.book.record(self.link, entry, Mark(after), f"row {after}")

    def void(self, row: int) -> None:
        """Void this row."""
        after = self.book.open(self.link).seq
        self.book.correct(self.link, Change(row), Mark(after), f"row {after}")

    def reseat(self, names: list[str], **renamed: str) -> None:
        after = self.book.open(self.link).seq
        becomes = SheetSettings(names, names[0], {})
        old = {new: was for was, new in renamed.items()}
        all_names = {old.get(name, name): name for name in names}
        self.book.correct(self.link, NewSettings(becomes, all_names), Mark(after), f"row {after}")


@pytest.fixture
def sheet(book: Book) -> Sheet:
    return Sheet(book, NAMES)


FOUR = {"Ann": 1, "Ben": 2, "Cy": 3, "Dot": 4}


def test_leaving_changes_nobody_s_color(sheet: Sheet) -> None:
    """Not even that of the player who left; a newcomer gets a new one."""
    assert sheet.colors() == FOUR
    left = sheet.record(action="leave", player="Ann")
    assert sheet.colors() == FOUR
    sheet.record(action="join", player="Eve", left_of="Ben")
    assert sheet.colors() == FOUR | {"Eve": 5}
    sheet.record(action="join", player="Ann", left_of="Dot")
    assert sheet.colors() == FOUR | {"Eve": 5}
    sheet.record(action="join", player="Fay", left_of="Dot")
    assert sheet.colors() == FOUR | {"Eve": 5, "Fay": 6}
    assert left == 1


def test_a_correction_changes_no_color(sheet: Sheet) -> None:
    """If a player’s joining is voided or restored, those who came later keep theirs."""
    eve = sheet.record(action="join", player="Eve", left_of="Ann")
    sheet.record(action="join", player="Fay", left_of="Ann")
    sheet.void(eve)
    assert sheet.colors() == FOUR | {"Fay": 6}
    sheet.void(3)
    assert sheet.colors() == FOUR | {"Eve": 5, "Fay": 6}


def test_colors_follow_players_to_new_seats_and_names(sheet: Sheet) -> None:
    """A new name has the color of the old one."""
    sheet.reseat(["Dot", "Cy", "Ben", "Ann"])
    assert sheet.colors() == FOUR
    sheet.reseat(["Dot", "Cy", "Ben", "Anna"], Ann="Anna")
    anna = {"Dot": 4, "Cy": 3, "Ben": 2, "Anna": 1}
    assert sheet.colors() == anna
    sheet.record(action="leave", player="Anna")
    sheet.record(action="join", player="Anna", left_of="Ben")
    assert sheet.colors() == anna


def test_a_place_that_is_taken_over_keeps_its_color(sheet: Sheet) -> None:
    """Whoever gave it up gets another one on coming back."""
    sheet.record(action="replace", player="Cy", by="Max")
    assert sheet.colors() == {"Ann": 1, "Ben": 2, "Max": 3, "Dot": 4}
    sheet.record(action="join", player="Cy", left_of="Ann")
    assert sheet.colors() == {"Ann": 1, "Ben": 2, "Max": 3, "Dot": 4, "Cy": 5}


def test_no_two_players_at_the_table_share_a_color(book: Book) -> None:
    """Of ten, eight leave and others join: colors are free once their owners have left."""
    names = [f"Player {n}" for n in range(10)]
    sheet = Sheet(book, names)
    for place in range(8):
        sheet.record(action="leave", player=f"Player {place}")
        sheet.record(action="join", player=f"Guest {place}", left_of="Player 9")
    seated = sheet.book.open(sheet.link).course.state.table.players
    colors = sheet.colors()
    assert len({colors[name] for name in seated}) == 10

"""A club in the book whose every cell is changed, and the commands that read it."""

from collections.abc import Sequence

from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.notes import Guest
from referee.ledger.store import Link
from referee.sheets.book import Book

NUMBER = "5"  # after four sheets
COMMANDS = (
    ["club"],
    ["club", NUMBER],
    ["club", NUMBER, "player", "Ann"],
    ["club", NUMBER, "records"],
    ["club", NUMBER, "export"],
)


def fill(book: Book, sheets: Sequence[Link]) -> None:
    """Begin a club with these sheets and a note."""
    clubs = ClubBook(book.ledger, book)
    club = clubs.begin("Friday table")
    assert str(club.document) == NUMBER
    clubs.put(club, sheets)
    clubs.note(club, Guest("Zoë"), "a-guest")

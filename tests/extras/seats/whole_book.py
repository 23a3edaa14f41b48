"""A figure that waits in the book whose every cell is changed."""

from collections.abc import Sequence

from referee.extras.seats.book import SeatBook
from referee.extras.seats.gathering import Move, Part
from referee.ledger.store import Link
from referee.sheets.book import Book

COMMANDS = ()


def fill(book: Book, sheets: Sequence[Link]) -> None:
    """Take a seat at the first of these sheets, and enter a figure there."""
    seats, sheet = SeatBook(book), book.open(sheets[0])
    player = sheet.state.table.players[0]
    figure = Part("deal", {"points.own": ["3"]})
    seats.note(sheets[0], Move(0, 0, player, "sits", phone="phone"), "sits")
    seats.note(sheets[0], Move(0, sheet.seq, player, "in", figure, "phone"), "in", after=1)

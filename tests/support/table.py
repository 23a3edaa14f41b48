"""A server, and the book behind it, so that a test can put sheets on its table."""

from collections.abc import Mapping
from typing import Any

from referee.ledger.store import Link
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.server import Server
from tests.support.some_deals import some_sheet


class Table:
    """A server, and the book that it has open."""

    def __init__(self, server: Server, book: Book) -> None:
        self.server = server
        self.book = book

    def sheet(self, slug: str, players: int, deals: int) -> Link:
        """The host's link to a new sheet with so many deals."""
        return self.put(some_sheet(slug, players, deals))

    def put(self, sheet: Mapping[str, Any]) -> Link:
        """The host's link to this sheet, which comes from a file."""
        return self.book.take_in(sheet_from(sheet))

    def address(self, link: Link, place: str = "") -> str:
        """Where a browser finds that sheet."""
        return f"{self.server.address}/s/{link.token}{place}"

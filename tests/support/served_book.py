"""A book that a server serves, so that a test can add sheets to it."""

from collections.abc import Mapping
from typing import Any

from referee.ledger.store import Link
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.server import Server
from tests.support.some_deals import some_sheet


class ServedBook:
    """A server and its book, which is open here, too."""

    def __init__(self, server: Server, book: Book) -> None:
        self.server = server
        self.book = book

    def sheet(self, slug: str, players: int, deals: int) -> Link:
        """Add a sheet with this many deals; returns its host link."""
        return self.put(some_sheet(slug, players, deals))

    def put(self, sheet: Mapping[str, Any]) -> Link:
        """Add a sheet from a sheet file; returns its host link."""
        return self.book.import_sheet(sheet_from(sheet))

    def address(self, link: Link, place: str = "") -> str:
        return f"{self.server.address}/s/{link.token}{place}"

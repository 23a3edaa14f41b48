"""Fixtures for the tests of sheets: a ledger, and a book."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.ledger.store import Ledger
from referee.sheets.book import Book


@pytest.fixture
def ledger(tmp_path: Path, book_address: str) -> Iterator[Ledger]:
    ledger = Ledger(book_address or tmp_path / "referee.sqlite")
    yield ledger
    ledger.close()


@pytest.fixture
def book(ledger: Ledger) -> Book:
    return Book(ledger)

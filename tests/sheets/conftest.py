"""Fixture for the tests of sheets: a book."""

import pytest

from referee.ledger.store import Ledger
from referee.sheets.book import Book


@pytest.fixture
def book(ledger: Ledger) -> Book:
    return Book(ledger)

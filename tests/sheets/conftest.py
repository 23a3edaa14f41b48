"""Fixture for the tests of sheets: a book."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.ledger.store import Ledger
from referee.sheets.book import Book


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """An empty book."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    yield Book(ledger)
    ledger.close()

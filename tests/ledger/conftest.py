"""Fixture for the tests of the ledger: an open ledger."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.store import Ledger
from referee.settings import DATABASE


@pytest.fixture
def ledger(tmp_path: Path, book_address: str) -> Iterator[Ledger]:
    """An empty ledger, which stays open."""
    with closing(Ledger(book_address or tmp_path / DATABASE)) as opened:
        yield opened

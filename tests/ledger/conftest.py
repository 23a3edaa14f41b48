"""Fixture for the tests of the ledger: an open ledger."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.store import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger, which stays open."""
    with closing(Ledger(tmp_path / "referee.sqlite")) as opened:
        yield opened

"""Fixtures: a book in memory, without a limit on new sheets."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from referee.settings import Settings
from referee.web.app import create_app
from tests.support.books import scratch


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory."""
    with scratch() as place:
        yield Path(place)


@pytest.fixture
def app(folder: Path) -> Flask:
    """The app on an empty book, without a limit on new sheets."""
    return create_app(Settings(instance=folder, sheets_an_hour=10**9))

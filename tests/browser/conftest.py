"""Servers for the browser tests."""

from collections.abc import Iterator

import pytest

from referee.ledger.store import Ledger
from referee.settings import SETTINGS_FILE
from referee.sheets.book import Book
from tests.support.browser_fixtures import PATIENCE, TakePhone
from tests.support.served_book import ServedBook
from tests.support.server import Server

__all__ = ["PATIENCE", "TakePhone"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server shared by all tests; those that stop it use `own_server`."""
    instance = tmp_path_factory.mktemp("evenings")
    (instance / SETTINGS_FILE).write_text("sheets_an_hour = 100000\n", encoding="utf-8")
    running = Server(instance)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def served(server: Server) -> Iterator[ServedBook]:
    """A running server, with its book open here."""
    ledger = Ledger(server.instance / "referee.sqlite")
    yield ServedBook(server, Book(ledger))
    ledger.close()

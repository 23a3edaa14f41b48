"""The server of the camera's browser tests."""

from collections.abc import Iterator

import pytest

from referee.settings import SETTINGS_FILE
from tests.support.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server that reads any number of photos."""
    instance = tmp_path_factory.mktemp("evenings")
    plenty = "sheets_an_hour = 100000\nphotos_an_hour = 100000\n"
    (instance / SETTINGS_FILE).write_text(plenty, encoding="utf-8")
    running = Server(instance)
    yield running
    running.stop()

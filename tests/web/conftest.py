"""A sheet to look at, and short ways to act on it."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import waitress
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.settings import Settings
from referee.web.http.connections import Connections
from referee.web.http.serving import attend, server_options

PARTIAL = {"HX-Request": "true", "HX-Request-Type": "partial"}


class Phone:
    """A phone that has opened a sheet through one of its links."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, place: str = "", **headers: str) -> TestResponse:
        """Open a page of the sheet."""
        return self.client.get(f"/s/{self.token}{place}", headers=headers)

    def post(self, place: str, fields: dict[str, object], **headers: str) -> TestResponse:
        """Send a form of the sheet."""
        return self.client.post(f"/s/{self.token}{place}", data=fields, headers=headers)

    def record(self, fields: dict[str, object], after: int, key: str = "") -> TestResponse:
        """Record an entry, having seen row `after`."""
        sent = {"after": after, "key": key or f"{self.token[:8]}-{after}", **fields}
        return self.post("/entries", sent)

    def link(self, role: str) -> str:
        """The token of a link that this phone may hand on."""
        page = self.get(f"/share?code={role}").text
        found = re.search(r'value="https?://[^"]+/s/([\w-]+)"', page)
        assert found is not None
        return found[1]

    def board(self) -> str:
        """The standings as the live board shows them."""
        return self.get("/board").text


def begin(client: FlaskClient, slug: str, players: list[str], **fields: object) -> Phone:
    """Begin a sheet and hold its host link; the first player deals."""
    answer = client.post(f"/new/{slug}", data={"name": players, "dealer": "0", **fields})
    assert answer.status_code == 303, answer.text
    return Phone(client, answer.headers["Location"].rsplit("/", 1)[1])


@pytest.fixture
def host(client: FlaskClient) -> Phone:
    """The host of a sheet of Multiple 9: Ann deals, so Ben begins."""
    return begin(client, "multiple-9", ["Ann", "Ben", "Cat"])


@pytest.fixture
def phone_with(app: object, host: Phone) -> Callable[[str], Phone]:
    """Another phone that opened the sheet through a link of this role."""

    def open_with(role: str) -> Phone:
        return Phone(host.client.application.test_client(), host.link(role))

    return open_with


@contextmanager
def serving(app: Any, folder: Path, opened: Connections, **options: Any) -> Iterator[int]:
    """The app behind a real socket, in a thread; gives its port. `options` are Waitress's."""
    settings = Settings(folder, host="127.0.0.1", port=0)
    server = waitress.create_server(app, map=opened, **{**server_options(settings), **options})
    thread = threading.Thread(target=attend, args=(server,), daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        with suppress(OSError):  # closed by the time the bell is rung
            server.trigger.pull_trigger(lambda: [one.close() for one in list(opened.values())])
        thread.join(timeout=20)
        server.task_dispatcher.shutdown()
    assert not thread.is_alive()

"""Open connections: held, heard, answered in order, whole, and at once where that takes no time."""

import http.client
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from referee.settings import Settings
from referee.sheets.book import Book
from referee.web import create_app
from referee.web.http.connections import READ, Connection, Connections
from referee.web.http.serving import opened_for
from tests.support.phone import begin
from tests.support.server import Server, serving

LARGE = b"9" * 5_000_000
PATIENCE = 20  # seconds

Plain = Callable[[dict[str, Any], Callable[..., object]], list[bytes]]


def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    """An app that answers with the path, or with five million nines."""
    body = LARGE if environ["PATH_INFO"] == "/large" else environ["PATH_INFO"].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def waiting(asked: threading.Event, go_on: threading.Event) -> Plain:
    """As `answer`, but for `/slow`, which says that it was asked and waits until it may go on."""

    def app(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            asked.set()
            assert go_on.wait(PATIENCE)
        return answer(environ, start_response)

    return app


def asking(*paths: str) -> bytes:
    """Requests for these, one right after the other."""
    return b"".join(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode() for path in paths)


def another_is_answered(port: int, times: int) -> None:
    """Somebody else asks so many times over one connection, and gets every answer."""
    other = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    for _ in range(times):
        other.request("GET", "/other")
        assert other.getresponse().read() == b"/other"
    other.close()


def until(client: socket.socket, end: bytes) -> bytes:
    """What comes, up to this end."""
    told = b""
    while not told.endswith(end):
        more = client.recv(65536)
        assert more, told
        told += more
    return told


@pytest.mark.parametrize("at_once", [False, True], ids=["by a thread", "at once"])
def test_what_is_asked_in_one_breath_is_answered_in_order(tmp_path: Path, at_once: bool) -> None:
    """Ten requests sent together, twice over one connection, get ten answers in order."""
    paths = [f"/{number}" for number in range(10)]
    with (
        serving(answer, tmp_path, Connections(lambda _: at_once)) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as client,
    ):
        for _ in range(2):
            client.sendall(asking(*paths))
            told = until(client, b"\r\n\r\n/9")
            bodies = [part[:2].decode() for part in told.split(b"\r\n\r\n")[1:]]
            assert bodies == paths


@pytest.mark.parametrize("at_once", [False, True], ids=["by a thread", "at once"])
def test_a_slow_reader_gets_all_of_it(tmp_path: Path, at_once: bool) -> None:
    """What a phone takes in sips waits for it, holds up nobody, and is followed by the next."""
    with (
        serving(answer, tmp_path, Connections(lambda _: at_once), threads=1) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as slow,
    ):
        slow.sendall(asking("/large"))
        another_is_answered(port, 3)
        reader = http.client.HTTPResponse(slow)
        reader.begin()
        assert reader.read() == LARGE
        slow.sendall(asking("/next"))
        until(slow, b"/next")


def test_who_hangs_up_is_forgotten(tmp_path: Path) -> None:
    """In the middle of a request, of an answer, or after it: nothing is left open."""
    opened = Connections(lambda _: False)
    with serving(answer, tmp_path, opened) as port:
        at_rest = len(opened)
        for sent in (b"", b"GET /", asking("/large"), asking("/a", "/large", "/b"), asking("/a")):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
                client.sendall(sent)
        give_up = time.monotonic() + PATIENCE
        last = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        while len(opened) > at_rest + 1:  # the one that asks here
            assert time.monotonic() < give_up
            last.request("GET", "/z")
            assert last.getresponse().read() == b"/z"
        last.close()


def test_boards_are_looked_at_while_every_thread_is_busy(tmp_path: Path) -> None:
    """The only thread waits for a slow page; who asks for news hears at once that there is none."""
    app = create_app(Settings(tmp_path))
    asked, go_on = threading.Event(), threading.Event()

    @app.get("/slow")
    def slow() -> str:
        asked.set()
        assert go_on.wait(PATIENCE)
        return "slow"

    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    with serving(app, tmp_path, opened_for(app), threads=1) as port:
        waiting = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        waiting.request("GET", "/slow")
        assert asked.wait(PATIENCE)
        phone = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for _ in range(5):  # over the same connection
            phone.request("GET", f"/s/{host.token}/board", headers={"HX-PTag": "host-0"})
            none = phone.getresponse()
            assert (none.status, none.read(), none.getheader("Connection")) == (304, b"", None)
        go_on.set()
        assert waiting.getresponse().read() == b"slow"
        phone.request("GET", f"/s/{host.token}/board", headers={"HX-PTag": "host-9"})
        assert phone.getresponse().status == 200
        for connection in (waiting, phone):
            connection.close()


def test_who_comes_after_another_is_heard(server: Server) -> None:
    """A connection that gets the number of one that was closed is watched like the first."""
    port = urlsplit(server.address).port
    for _ in range(20):
        phone = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        phone.request("GET", "/robots.txt")
        assert phone.getresponse().status == 200
        phone.close()


def test_who_says_more_before_the_answer_is_not_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next question lies there until the first is answered, and costs nothing meanwhile."""
    asked, go_on, heard = threading.Event(), threading.Event(), []
    hear = Connections._hear
    monkeypatch.setattr(
        Connections, "_hear", lambda self, *event: (heard.append(event), hear(self, *event))
    )

    with (
        serving(waiting(asked, go_on), tmp_path, Connections(lambda _: False)) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as hasty,
    ):
        hasty.sendall(asking("/slow"))
        assert asked.wait(PATIENCE)
        hasty.sendall(asking("/more"))
        another_is_answered(port, 50)
        assert max(Counter(number for number, events in heard if events == READ).values()) < 200
        go_on.set()
        until(hasty, b"/more")


def test_only_the_loop_closes(tmp_path: Path) -> None:
    """Gone in the middle of an answer, with a request behind it that waits to be asked for."""
    asked, go_on, closed = threading.Event(), threading.Event(), threading.Event()
    by_the_loop = []

    class Watched(Connections):
        def __delitem__(self, number: int) -> None:
            by_the_loop.append(self.is_here())
            super().__delitem__(number)
            closed.set()

    more = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    with serving(waiting(asked, go_on), tmp_path, Watched(lambda _: False)) as port:
        client = socket.create_connection(("127.0.0.1", port), PATIENCE)
        client.sendall(asking("/slow") + more)
        assert asked.wait(PATIENCE)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        go_on.set()
        assert closed.wait(PATIENCE)
    assert all(by_the_loop)


def test_what_goes_wrong_at_once_goes_the_ordinary_way(tmp_path: Path) -> None:
    """Where it cannot be told whether an answer takes no time, a thread gives it."""

    def fails(_: object) -> bool:
        raise MemoryError

    with (
        serving(answer, tmp_path, Connections(fails)) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as client,
    ):
        client.sendall(asking("/one", "/two"))
        until(client, b"/two")


def test_what_goes_wrong_in_the_loop_ends_one_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are answered on."""
    service = Connection.service

    def fails(self: Connection) -> None:
        if self.requests[0].path == "/bad":
            raise MemoryError
        service(self)

    monkeypatch.setattr(Connection, "service", fails)
    with (
        serving(answer, tmp_path, Connections(lambda _: True)) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as unlucky,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as other,
    ):
        unlucky.sendall(asking("/bad"))
        assert unlucky.recv(100) == b""
        other.sendall(asking("/good"))
        until(other, b"/good")


def test_a_poll_asks_the_book_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that is written while the answer is on its way is for the next poll to find."""
    app = create_app(Settings(tmp_path))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    asked, glance = [], Book.glance
    monkeypatch.setattr(
        Book, "glance", lambda self, token: asked.append(token) or glance(self, token)
    )
    with serving(app, tmp_path, opened_for(app)) as port:
        phone = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for _ in range(3):
            phone.request("GET", f"/s/{host.token}/board", headers={"HX-PTag": "host-0"})
            none = phone.getresponse()
            assert (none.status, none.read()) == (304, b"")
        phone.close()
    assert asked == [host.token] * 3


@pytest.mark.parametrize("name", ["unchanged", "Unchanged", "HTTP_unchanged"])
def test_no_phone_can_say_that_nothing_changed(tmp_path: Path, name: str) -> None:
    """What the loop found out is its own to say."""
    app = create_app(Settings(tmp_path))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    with serving(app, tmp_path, opened_for(app)) as port:
        phone = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        phone.request("GET", f"/s/{host.token}/board", headers={name: "yes"})
        assert phone.getresponse().status == 200
        phone.close()


def test_as_many_as_there_may_be(tmp_path: Path) -> None:
    """Beyond the limit a phone waits at the door, and gets in when another leaves."""
    opened = Connections(lambda _: False)
    with serving(answer, tmp_path, opened, connection_limit=4) as port:
        first, second, third = (
            http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE) for _ in range(3)
        )
        for phone in (first, second):  # beside them the door itself and the bell of the threads
            phone.request("GET", "/in")
            assert phone.getresponse().read() == b"/in"
        third.request("GET", "/later")
        first.request("GET", "/still")
        assert first.getresponse().read() == b"/still"
        assert len(opened) == 4
        second.close()
        assert third.getresponse().read() == b"/later"
        first.close()
        third.close()

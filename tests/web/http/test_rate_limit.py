"""Limits: sheets an hour, rows a sheet, and clients that hold on to the server."""

import socket
import subprocess
import sys
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.settings import Settings
from referee.web import create_app
from referee.web.http.rate_limit import FullError, RateLimit
from referee.web.http.serving import SILENT_SECONDS, opened_for
from tests.support.phone import begin
from tests.support.server import Server, serving

NEW = {"name": ["Ann", "Ben"], "dealer": "0"}


def test_sheets_an_hour(tmp_path: Path) -> None:
    """The third is refused with when to try again; no header makes another address of it."""
    client = create_app(Settings(tmp_path, sheets_an_hour=2)).test_client()
    assert client.post("/new/multiple-9", data={"name": ["Ann"]}).status_code == 422
    for _ in range(2):
        begin(client, "multiple-9", ["Ann", "Ben"])
    refused = client.post("/new/multiple-9", data=NEW, headers={"X-Forwarded-For": "192.0.2.9"})
    assert refused.status_code == 429
    assert "Try again in" in refused.text
    assert 3500 < int(refused.headers["Retry-After"]) <= 3601
    other = client.post("/new/multiple-9", data=NEW, environ_base={"REMOTE_ADDR": "192.0.2.9"})
    assert other.status_code == 303


def test_a_house_is_one_address(tmp_path: Path) -> None:
    """The many addresses of one IPv6 network count as one, another network as another."""
    client = create_app(Settings(tmp_path, sheets_an_hour=1)).test_client()
    statuses = [
        client.post("/new/multiple-9", data=NEW, environ_base={"REMOTE_ADDR": asks}).status_code
        for asks in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "", "somewhere")
    ]
    assert statuses == [303, 429, 303, 303, 303]


def test_the_window_slides() -> None:
    """Room comes back one by one, and who has not been here for long is forgotten."""
    now = [0.0]
    window = RateLimit(2, seconds=10, clock=lambda: now[0])
    for moment in (0.0, 4.0):
        now[0] = moment
        with window.one_more("Ann"):
            pass
    with pytest.raises(FullError) as full, window.one_more("Ann"):
        pass
    assert full.value.wait == 6
    now[0] = 10.0
    with window.one_more("Ann"):
        pass
    now[0] = 30.0
    with window.one_more("Ben"):
        pass
    assert list(window._times) == ["Ben"]


def test_what_fails_is_not_counted() -> None:
    """Only what succeeded takes up room."""
    window = RateLimit(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), window.one_more("Ann"):
            _ = 1 / 0
    with window.one_more("Ann"):
        pass


def test_a_full_sheet(tmp_path: Path) -> None:
    """Nothing is stored beyond the last row, and the page says why."""
    app = create_app(Settings(tmp_path, most_entries=1))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    assert host.record({"action": "out", "player": "Ben"}, 0).status_code == 303
    refused = host.record({"action": "out", "player": "Ann"}, 1)
    assert refused.status_code == 422
    assert "This sheet is full" in refused.text


def half_open(stack: ExitStack, address: str, sent: bytes) -> socket.socket:
    """A client that sends so much and then says nothing more."""
    parts = urlsplit(address)
    connection = stack.enter_context(socket.create_connection((parts.hostname, parts.port or 80)))
    connection.sendall(sent)
    return connection


@pytest.mark.parametrize(
    "sent",
    [b"", b"G", b"POST /new/multiple-9 HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\na"],
    ids=["silent", "header", "body"],
)
def test_half_open_clients_hold_up_nobody(server: Server, sent: bytes) -> None:
    """With 140 of them holding on, a page still comes, long before they are sent away."""
    with ExitStack() as stack:
        for _ in range(140):
            half_open(stack, server.address, sent)
        with urllib.request.urlopen(server.address, timeout=SILENT_SECONDS / 2) as page:
            assert page.status == 200


def test_too_large_a_header_or_upload_is_not_read(server: Server) -> None:
    """It is refused before it is there, and the connection is closed."""
    with ExitStack() as stack:
        for sent, status in (
            (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", b"431"),
            (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n", b"413"),
        ):
            client = half_open(stack, server.address, sent)
            client.settimeout(10)
            assert client.recv(100).split()[1] == status


def test_who_says_nothing_is_shown_out(tmp_path: Path) -> None:
    """A half-open client's connection is closed after a while, which gives its place back."""
    app = create_app(Settings(tmp_path))
    impatient = {"channel_timeout": 1, "cleanup_interval": 1}
    with serving(app, tmp_path, opened_for(app), **impatient) as port, ExitStack() as stack:
        client = half_open(stack, f"http://127.0.0.1:{port}", b"GET / HT")
        client.settimeout(10)
        assert client.recv(100) == b""


@pytest.mark.parametrize(
    ("soft", "hard", "connections"),
    [(256, 20000, 6000), (256, 1024, 824), (200, 200, 100), (20000, 20000, 6000)],
)
def test_as_many_connections_as_there_may_be_files(soft: int, hard: int, connections: int) -> None:
    """The system is asked for more open files where it gives few; what it refuses is heeded."""
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("this machine does not allow so many open files")
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from referee.web.http.serving import most_connections as most; print(most())"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(told.stdout) == connections

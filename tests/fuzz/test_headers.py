"""Raw bytes sent to a real server, which must answer or hang up, and go on serving."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct

from tests.fuzz.sound import fuzzed
from tests.support.books import begin_sheet
from tests.support.server import Server

ANSWERS_WITHIN = 15.0  # seconds; a header may take ten
SILENCE = 0.3  # seconds of silence after which the server seems to wait for more
HOST = b"Host: 127.0.0.1\r\n"
POST = b"POST /s/TOKEN/entries HTTP/1.1\r\n" + HOST
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
SENT = b"action=adjust&player=Ann&points=1&reason=x&after=0&key=k"
LENGTH = b"Content-Length: %d\r\n" % len(SENT)
BOUNDARY = b"--b\r\nContent-Disposition: form-data; name=key\r\n\r\nk\r\n--b--\r\n"
PATHS = (b"", b"/board", b"/form", b"/log", b"/sheet.json", b"/code/view.svg")
LINES = (b"GET /", b"HEAD /", b"OPTIONS *", b"GET http://127.0.0.1/", b"CONNECT a:1")
#: A request of each kind; `TOKEN` stands for a scoring link.
REQUESTS = (
    *(line + b" HTTP/1.1\r\n" + HOST + b"\r\n" for line in LINES),
    *(b"GET /s/TOKEN" + path + b" HTTP/1.1\r\n" + HOST + b"\r\n" for path in PATHS),
    POST + FORM + LENGTH + b"\r\n" + SENT,
    POST + FORM + b"Transfer-Encoding: chunked\r\n\r\n4\r\nkey=\r\n1\r\nk\r\n0\r\n\r\n",
    (POST + FORM + LENGTH + b"\r\n" + SENT) * 2 + b"GET / HTTP/1.0\r\n\r\n",
    b"POST /s/TOKEN/undo HTTP/1.1\r\n" + HOST
    + b"Content-Type: multipart/form-data; boundary=b\r\n"
    + b"Content-Length: %d\r\n\r\n" % len(BOUNDARY) + BOUNDARY,
)  # fmt: skip
#: Header fields to insert before the first one.
FIELDS = (
    *(b"Content-Length: 5", b"Content-Length: -1", b"Content-Length: 99999999999999999999"),
    *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", b"Expect: 100-continue"),
    *(b"Connection: upgrade\r\nUpgrade: websocket", b"Cookie: sheets=..a.; phone=\xff\x00"),
    *(b"Accept-Encoding: gzip;q=0, *", b'If-None-Match: W/"score-0", *', b"HX-PTag: score-0"),
    *(b"HX-Request: true\r\nHX-Request-Type: partial", b"Origin: null", b"Host: \xe2\x80\xae"),
    *(b"Range: bytes=0-1,9-", b"X: " + b"y" * 70_000, b"Sec-Fetch-Site: cross-site", b" folded"),
    *(b"Host: a b", b"Host: [::1", b"Host: ../x", b'Forwarded: for="', b"Referer: //"),
)
#: Bytes with a special meaning somewhere.
PIECES = (b"\0", b"\xff", b"\xc3", b"\r\n", b"%00", b"../", b'"', b"9" * 400, b"\xe2\x80\xae", b"")


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """A request with header fields inserted and bytes changed anywhere."""
    given = draw(st.sampled_from(REQUESTS))
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=2)):
        line, end, rest = given.partition(b"\r\n")
        given = line + end + field + end + rest
    for piece in draw(st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=3)):
        place = draw(st.integers(0, len(given)))
        given = given[:place] + piece + given[place + draw(st.sampled_from([0, 1, 4, 64])) :]
    return given


class Served(Struct):
    """A server, the scoring token of a sheet on it, and the lines it has printed."""

    place: tuple[str, int]
    token: bytes
    printed: list[str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server whose output is collected, so that a traceback is seen."""
    instance = tmp_path_factory.mktemp("served")
    token = begin_sheet(Path(instance)).encode()
    server = Server(instance)
    place = urlsplit(server.address)
    served = Served((place.hostname or "", place.port or 0), token, [])
    assert server.process.stdout is not None
    with server.process.stdout as printed:
        reader = threading.Thread(target=served.printed.extend, args=(printed,), daemon=True)
        reader.start()
        yield served
        server.stop()
        reader.join()


def answers(served: Served, given: bytes, patience: float = SILENCE) -> list[str]:
    """The status of each answer; [""] if the server hung up without one.

    After `patience` seconds of silence the sending side is closed, and the server must hang up.
    """
    received = b""
    with suppress(ConnectionError), socket.create_connection(served.place) as connection:
        connection.sendall(given)
        connection.settimeout(patience)
        with suppress(TimeoutError):
            while b"\r\n\r\n" not in received and (data := connection.recv(65536)):
                received += data
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        connection.settimeout(ANSWERS_WITHIN)  # a TimeoutError fails the test
        while data := connection.recv(65536):
            received += data
    lines = received.split(b"HTTP/1.")[1:]
    return [line[2:5].decode("latin-1") for line in lines] or [""]


@fuzzed(100)
@given(request=requests())
@example(request="GET /robots.txt?x=\u202e HTTP/1.1\r\nHost: a\r\n\r\n".encode())
def test_the_server_goes_on(served: Served, request: bytes) -> None:
    """It answers without a 500 or a traceback, and serves the next request."""
    said = answers(served, request.replace(b"TOKEN", served.token))
    assert "500" not in said
    assert answers(served, b"GET /robots.txt HTTP/1.0\r\n\r\n", ANSWERS_WITHIN) == ["200"]
    assert not [line for line in served.printed if "Traceback" in line or "panicked" in line]

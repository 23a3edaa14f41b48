"""Unusual requests each get an answer, and the server goes on."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.server import Server
from tests.web.serving.test_server import FORM, begun, connection_to, seconds_to_answer

NEW = f"POST /new/multiple-9 HTTP/1.1\r\nHost: x\r\n{FORM}\r\n".encode()
NAMES = b"name=Ann&name=Ben"
HOST = b"Host: x\r\n\r\n"
NO_HOSTS = (b"[:::::]", b"[::1", b"[1.2.3.4]", b"[.]", b"a:99999", b"a:b", b"::1")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server shared by these tests."""
    running = Server(tmp_path_factory.mktemp("wire"))
    yield running
    running.process.terminate()
    assert running.process.stdout is not None
    assert "Traceback" not in running.process.stdout.read()


def told(server: Server, sent: bytes) -> tuple[int, bytes]:
    """Send these bytes; returns the status and the page of the first answer."""
    with connection_to(server) as wire:
        with suppress(OSError):  # it hangs up before it has read everything
            wire.sendall(sent)
        answer = http.client.HTTPResponse(wire, method=sent.split(b" ")[0].decode("latin-1"))
        answer.begin()
        return answer.status, answer.read()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /robots.txt HTTP/1.1\r\n" + HOST, 200),
        (b"GET /robots.txt HTTP/1.0\r\n\r\n", 200),
        (b"GET http://x/robots.txt HTTP/1.1\r\n" + HOST, 200),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: \xff\xe9\r\nCookie: sheets=\xff; theme=\xe9\r\n" + HOST, 200),
        (b"GET /s/a/board HTTP/1.1\r\nHX-PTag: \xff\r\n" + HOST, 404),
        (b"GET /robots.txt?x=\xe2\x80\xae HTTP/1.1\r\n" + HOST, 200),
        (b"OPTIONS / HTTP/1.1\r\n" + HOST, 200),
        (b"OPTIONS * HTTP/1.1\r\n" + HOST, 404),
        (b"TRACE / HTTP/1.1\r\nCookie: secret\r\n" + HOST, 405),
        (b"PUT / HTTP/1.1\r\nContent-Length: 3\r\n" + HOST + b"abc", 405),
        (b"NONSENSE / HTTP/1.1\r\n" + HOST, 405),
        (b"GET //evil.example/ HTTP/1.1\r\n" + HOST, 404),
        (b"GET /../../etc/passwd HTTP/1.1\r\n" + HOST, 404),
        (b"GET /s/%00 HTTP/1.1\r\n" + HOST, 404),
        (b"GET /s/%ff%fe HTTP/1.1\r\n" + HOST, 404),
        (b"GET /s/%ed%a0%80 HTTP/1.1\r\n" + HOST, 404),
        (b"GET /s/%zz%4 HTTP/1.1\r\n" + HOST, 404),
        (b"GET /s/a%0d%0aX:y/more HTTP/1.1\r\n" + HOST, 404),
        (b"GET /new/multiple-9?name=%ed%a0%80&name=%ff%00 HTTP/1.1\r\n" + HOST, 200),
        (b"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n" + HOST, 200),
        (NEW + b"Content-Length: 17\r\n\r\n" + NAMES, 303),
        (NEW + b"Content-Length: 17\r\nContent-Length: 5\r\n\r\n" + NAMES, 400),
        (NEW + b"Transfer-Encoding: chunked\r\nContent-Length: 17\r\n\r\n0\r\n\r\n", 411),
        (NEW + b"Content-Length: 1073741824\r\n\r\n", 413),
        (NEW + b"Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: y\r\n" % n for n in range(300)) + HOST, 431),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 400_000 + b"\r\n" + HOST, 431),
        (b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + bytes(100), 400),
        *((b"GET / HTTP/1.1\r\nHost: %b\r\n\r\n" % host, 400) for host in NO_HOSTS),
    ],
)  # fmt: skip
def test_an_odd_request_is_answered_or_refused(served: Server, sent: bytes, status: int) -> None:
    """As the standard says, and never with a 500."""
    assert told(served, sent)[0] == status
    seconds_to_answer(served)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "doesn’t say which host it is for"),
        (NEW + b"Content-Length: 9999999\r\n\r\n", "Too much at once."),
        (NEW + b"Content-Length: 70000\r\n\r\n" + b"a" * 70_000, "Shorten what you typed"),
        (NEW + b"Transfer-Encoding: chunked\r\n\r\n", "doesn’t say how long it is"),
    ],
)
def test_a_refused_request_has_a_page(served: Server, sent: bytes, said: str) -> None:
    """It says what happened and what to do, with a link home."""
    page = told(served, sent)[1].decode()
    assert said in page
    assert '<a href="/"' in page


def test_a_form_with_deeply_nested_field_names(served: Server) -> None:
    """It is answered, and the server goes on."""
    sheet = begun(served).encode()
    for name in (b"a." * 30_000, b"hands." + b"0." * 30_000, b"player." * 9000, b"." * 60_000):
        for place in (b"entries", b"preview", b"settings"):
            body = b"action=out&after=0&key=k&" + name + b"=1"
            head = NEW.replace(b"/new/multiple-9", sheet + b"/" + place)
            assert told(served, head + b"Content-Length: %d\r\n\r\n" % len(body) + body)[0] in (
                200,
                422,
            )
    seconds_to_answer(served)


def test_the_server_can_listen_on_ipv6(tmp_path: Path) -> None:
    """The URL that it prints can be opened."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this machine has no IPv6")
    server = Server(tmp_path, "--host", "::1")
    try:
        assert server.address.startswith("http://[::1]:")
        seconds_to_answer(server, "/")
    finally:
        server.stop()

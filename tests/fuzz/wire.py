"""Headers: bytes on a socket to a real server, which must answer or hang up, and go on serving."""

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.fuzz.engine import Crash
from tests.fuzz.mutation import changed_bytes
from tests.support.evening import begin_sheets
from tests.support.scratch import scratch
from tests.support.server import Server

ANSWERS_WITHIN = 15.0  # seconds; a header may take ten
SILENCE = 0.3  # seconds after which a server that says nothing seems to wait for more
HOST = b"Host: 127.0.0.1\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
SENT = b"action=adjust&player=Ann&points=1&reason=x&after=0&key=k"
#: A header field in front of the first one, where a request has fields.
FIELDS = (
    *(b"Content-Length: 5", b"Content-Length: -1", b"Content-Length: 99999999999999999999"),
    *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", b"Expect: 100-continue"),
    *(b"Connection: upgrade\r\nUpgrade: websocket", b"Cookie: sheets=..a.; phone=\xff\x00"),
    *(b"Accept-Encoding: gzip;q=0, *", b'If-None-Match: W/"score-0", *', b"HX-PTag: score-0"),
    *(b"HX-Request: true\r\nHX-Request-Type: partial", b"Origin: null", b"Host: \xe2\x80\xae"),
    *(b"Range: bytes=0-1,9-", b"X: " + b"y" * 70_000, b"Sec-Fetch-Site: cross-site", b" folded"),
    *(b"Host: a b", b"Host: [::1", b"Host: ../x", b'Forwarded: for="', b"Referer: //"),
)


class Headers:
    """Requests as they are on the wire."""

    name = "headers"

    def seeds(self) -> Iterator[bytes]:
        """A request of each kind; `TOKEN` stands for a link that can score."""
        for line in (b"GET /", b"HEAD /", b"OPTIONS *", b"GET http://127.0.0.1/", b"CONNECT a:1"):
            yield line + b" HTTP/1.1\r\n" + HOST + b"\r\n"
        for path in (b"", b"/board", b"/form", b"/log", b"/sheet.json", b"/code/view.svg"):
            yield b"GET /s/TOKEN" + path + b" HTTP/1.1\r\n" + HOST + b"\r\n"
        length = b"Content-Length: %d\r\n" % len(SENT)
        post = b"POST /s/TOKEN/entries HTTP/1.1\r\n" + HOST + FORM
        yield post + length + b"\r\n" + SENT
        yield post + b"Transfer-Encoding: chunked\r\n\r\n4\r\nkey=\r\n1\r\nk\r\n0\r\n\r\n"
        yield (post + length + b"\r\n" + SENT) * 2 + b"GET / HTTP/1.0\r\n\r\n"
        boundary = b"--b\r\nContent-Disposition: form-data; name=key\r\n\r\nk\r\n--b--\r\n"
        multipart = b"Content-Type: multipart/form-data; boundary=b\r\n"
        size = b"Content-Length: %d\r\n\r\n" % len(boundary)
        yield b"POST /s/TOKEN/undo HTTP/1.1\r\n" + HOST + multipart + size + boundary

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """Bytes changed anywhere, or a field put in."""
        line, end, rest = one.partition(b"\r\n")
        if end and chance.random() < 0.4:
            return line + end + chance.choice(FIELDS) + end + rest
        return changed_bytes(one, other, chance)[:200_000]

    @contextmanager
    def running(self) -> Iterator[None]:
        """A server; what it prints is read, so that a traceback is seen."""
        with scratch() as folder:
            (token,) = begin_sheets(Path(folder), 1)
            self._token = token.encode()
            server = Server(Path(folder))
            place = urlsplit(server.address)
            self._place = (place.hostname or "", place.port or 0)
            self._printed: list[str] = []
            reader = threading.Thread(target=self._read, args=(server,), daemon=True)
            reader.start()
            try:
                yield
            finally:
                server.stop()
                reader.join()

    def _read(self, server: Server) -> None:
        assert server.process.stdout is not None
        with server.process.stdout as printed:
            self._printed.extend(printed)

    def tried(self, given: bytes) -> str:
        """The statuses that came back; the server then still answers others."""
        self._printed.clear()
        said = self._answers(given.replace(b"TOKEN", self._token))
        others = self._answers(b"GET /robots.txt HTTP/1.0\r\n\r\n", ANSWERS_WITHIN)
        if others != ["200"]:
            raise Crash(f"others are answered {others}")
        if "500" in said:
            raise Crash("answered 500")
        if any("Traceback" in line or "panicked" in line for line in self._printed):
            raise Crash("printed a traceback")
        return " ".join(said)

    def _answers(self, given: bytes, patience: float = SILENCE) -> list[str]:
        """The status of each answer; "" where the server hung up without one.

        A server that says nothing for so long is told that there is no more, and must hang up.
        """
        received = b""
        with suppress(ConnectionError), socket.create_connection(self._place) as connection:
            connection.sendall(given)
            connection.settimeout(patience)
            with suppress(TimeoutError):
                while b"\r\n\r\n" not in received and (data := connection.recv(65536)):
                    received += data
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            connection.settimeout(ANSWERS_WITHIN)
            try:
                while data := connection.recv(65536):
                    received += data
            except TimeoutError:
                raise Crash("neither answered nor hung up") from None
        lines = received.split(b"HTTP/1.")[1:]
        return [line[2:5].decode("latin-1") for line in lines] or [""]

"""A TCP proxy between phones and server that counts bytes and can cut connections."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Wire:
    """Forwards connections to a server, and counts the bytes of both directions."""

    def __init__(self, address: str) -> None:
        """Listen on a free port, and forward to the server at this address."""
        parts = urlsplit(address)
        self._to = (parts.hostname or "", parts.port or 80)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._cut = False
        self._left: int | None = None
        self.down = self.up = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def weigh(self) -> tuple[int, int]:
        """The bytes down and up since the last call."""
        with self._lock:
            weight, self.down, self.up = (self.down, self.up), 0, 0
        return weight

    def cut(self) -> None:
        """Block all traffic from now on, and shut open connections."""
        with self._lock:
            self._cut = True
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def cut_after(self, down: int) -> None:
        """Cut the wire after `down` more bytes from the server, even in mid-response."""
        with self._lock:
            self._left = down

    def mend(self) -> None:
        with self._lock:
            self._cut = False
            self._left = None

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(phone,), daemon=True).start()

    def _connect(self, phone: socket.socket) -> None:
        with phone, suppress(OSError), socket.create_connection(self._to) as server:
            with self._lock:
                if self._cut:
                    return
                self._open |= {phone, server}
            back = threading.Thread(target=self._pass_on, args=(server, phone, False), daemon=True)
            back.start()
            self._pass_on(phone, server, True)
            back.join()
            with self._lock:
                self._open -= {phone, server}

    def _pass_on(self, source: socket.socket, target: socket.socket, up: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data if up else self._first_of(data))
                with self._lock:
                    self.up += len(data) * up
                    self.down += len(data) * (not up)
                if self._left == 0:
                    self.cut()
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def _first_of(self, data: bytes) -> bytes:
        """The part of `data` that may still come down."""
        with self._lock:
            if self._left is None:
                return data
            first = data[: self._left]
            self._left -= len(first)
            return first


@contextmanager
def wire_to(address: str) -> Iterator[Wire]:
    """Open a wire to the server at `address`, and close it at the end."""
    wire = Wire(address)
    try:
        yield wire
    finally:
        wire.close()

"""Answers that nobody reads, and what they may hold.

Granian takes an answer whole and keeps what the system does not yet take, for as long as the
connection lasts; it neither limits that nor says how far it has got. The system does, on Linux:
whoever reads nothing for a while is cut off by the kernel, which holds no more than so many bytes
for each connection; and the connections of large answers are watched until they have been read.
Elsewhere, or for tighter limits, a proxy in front does it: docs/performance.md has the lines.
"""

import asyncio
import os
import socket
import struct
import sys
import threading
import time
from collections import Counter
from contextlib import suppress

from msgspec import Struct

from referee.web.http.connections import OWN_FILES, borrowed, duplicate, peers

if sys.platform == "linux":
    import termios
    from fcntl import ioctl

SYSTEM_BYTES = 256 * 1024  # that the system holds for a connection (Linux doubles it)
SILENT_SECONDS = 20  # in which a client has to take something

LARGE = 64 * 1024  # answers up to here are the system's at once
MOST_BYTES = 32 * 1024 * 1024  # of all large answers that have not been read to the end
PATIENCE = 30.0  # seconds for a large answer, however short its wire is
BYTES_A_SECOND = 8 * 1024  # and besides, so much time as this takes
LOOK_SECONDS = 1.0


class _Sent(Struct):
    """A large answer on its way: to whom, over which connection, how many bytes, until when."""

    address: str
    wire: socket.socket
    size: int
    until: float


class Unread:
    """The large answers of this process that have not been read to the end."""

    def __init__(
        self,
        most_bytes: int = MOST_BYTES,
        patience: float = PATIENCE,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        """Together they have no more than `most_bytes`; each has `patience` seconds and some."""
        self._most = most_bytes
        self._patience = patience
        self._look_seconds = look_seconds
        self._sent: list[_Sent] = []
        self._connections = _Connections()
        self._watch: asyncio.Task[None] | None = None

    @property
    def size(self) -> int:
        """The bytes of all of them."""
        return sum(one.size for one in self._sent)

    async def sending(self, client: str, size: int) -> None:
        """Note that `client` ("192.0.2.7:555") is about to be sent so many bytes.

        Where all together are too many, the oldest is cut off of the address that has most.
        """
        if sys.platform != "linux" or size <= LARGE:
            return
        wire = await asyncio.to_thread(self._connections.found, client)
        if wire is None:  # it has hung up
            return
        until = time.monotonic() + self._patience + size / BYTES_A_SECOND
        self._sent.append(_Sent(client.rpartition(":")[0], wire, size, until))
        while len(self._sent) > 1 and self.size > self._most:
            self._cut_off_the_oldest()
        if self._watch is None:
            self._watch = asyncio.ensure_future(self._look())

    def _cut_off_the_oldest(self) -> None:
        """Of the address that has most; but not the one that has just been added."""
        held = Counter[str]()
        for one in self._sent:
            held[one.address] += one.size
        oldest = max(self._sent[:-1], key=lambda one: held[one.address])
        self._sent.remove(oldest)
        _cut_off(oldest)

    async def _look(self) -> None:
        """Forget who has read all of theirs, cut off who takes too long."""
        while self._sent:
            await asyncio.sleep(self._look_seconds)
            now = time.monotonic()
            for one in list(self._sent):
                if _is_read(one.wire):
                    one.wire.close()
                elif one.until < now:
                    _cut_off(one)
                else:
                    continue
                self._sent.remove(one)
        self._watch = None


def limit_connections() -> None:
    """Let the system limit what it holds for each connection taken from now on, and how long.

    A connection is born with the options of the socket that listens. Granian makes that one and
    does not say which it is: it is the one in this process that listens.
    """
    if sys.platform != "linux":
        return
    for number in os.listdir(OWN_FILES):
        with suppress(OSError), borrowed(int(number)) as one:
            if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BYTES)
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_SECONDS * 1000)


class _Connections:
    """Which of this process's open files is the connection with whom.

    They are looked through only for a client that was not there the last time: with thousands of
    them, to do so for every answer would take longer than to make the answers.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers: dict[str, int] = {}

    def found(self, client: str) -> socket.socket | None:
        """The connection with this client, as a socket of our own; None where it is no more."""
        with self._lock:  # who waits here finds what another has just looked through
            mine = self._known(client)
            if mine is None:
                self._numbers = dict(peers())
                mine = self._known(client)
            return mine

    def _known(self, client: str) -> socket.socket | None:
        number = self._numbers.get(client)
        return None if number is None else duplicate(number, client)


def _is_read(wire: socket.socket) -> bool:
    """Whether the other side has taken all that the system holds, or is gone."""
    if sys.platform != "linux":
        return True
    try:
        wire.getpeername()
        held = ioctl(wire, termios.TIOCOUTQ, bytes(4))
    except OSError:
        return True
    return int.from_bytes(held, sys.byteorder) == 0


def _cut_off(one: _Sent) -> None:
    """End the connection at once, and with it what the system still holds of the answer."""
    with suppress(OSError):
        one.wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.wire.shutdown(socket.SHUT_RDWR)
    one.wire.close()

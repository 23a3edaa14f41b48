"""The connections of this process; where they are nearly too many, whoever has most loses some.

Granian takes so many and lets all others wait, however long the first hold theirs without asking
for anything. It does not say which there are, but Linux does.
"""

import asyncio
import os
import socket
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

OWN_FILES = "/proc/self/fd"

FULL, THINNED = 0.9, 0.8  # of all there may be: from here on they are thinned, to this
LOOK_SECONDS = 0.5
_SILENT = slice(52, 56)  # `tcpi_last_data_recv` in <linux/tcp.h>: milliseconds


class Crowd:
    """All connections of this process."""

    def __init__(self, most: int) -> None:
        """There may be `most` of them at once."""
        self._most = most
        self._answered: set[str] = set()
        self._watch: asyncio.Task[None] | None = None

    @contextmanager
    def answering(self, client: str) -> Iterator[None]:
        """What `client` ("192.0.2.7:555") asks has arrived: in here their connection stays."""
        self._answered.add(client)
        try:
            yield
        finally:
            self._answered.discard(client)

    def keep_room(self) -> None:
        """Look after them from now on."""
        if sys.platform == "linux":
            self._watch = asyncio.ensure_future(self._look())

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await asyncio.to_thread(self._thin)

    def _thin(self) -> None:
        """End as many as are too many, of whichever address has most, the longest silent first."""
        if len(os.listdir(OWN_FILES)) < FULL * self._most:
            return
        numbers = {client: number for client, number in peers() if client}
        by_address = defaultdict[str, list[tuple[int, str]]](list)
        for client, number in numbers.items():
            by_address[client.rpartition(":")[0]].append((_silent(number), client))
        ranked = [
            (place, silent, client)
            for those in by_address.values()
            for place, (silent, client) in enumerate(sorted(those))
            if client not in self._answered
        ]
        too_many = max(0, len(numbers) - int(THINNED * self._most))
        for _, _, client in sorted(ranked, reverse=True)[:too_many]:
            _end(numbers[client], client)


def _silent(number: int) -> int:
    """For how many milliseconds nothing has come over the connection with this number."""
    with suppress(OSError), borrowed(number) as one:
        told = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SILENT.stop)
        return int.from_bytes(told[_SILENT], sys.byteorder)
    return 0


def _end(number: int, client: str) -> None:
    """End the connection with this client, after what has been answered."""
    wire = duplicate(number, client)
    if wire is not None:
        with suppress(OSError), wire:
            wire.shutdown(socket.SHUT_RDWR)


def peers() -> Iterator[tuple[str, int]]:
    """The clients there are connections with, and the numbers of these files; the oldest last.

    A later one may be a duplicate that was made here.
    """
    for number in sorted(map(int, os.listdir(OWN_FILES)), reverse=True):
        with suppress(OSError), borrowed(number) as one:
            yield peer(one), number


def duplicate(number: int, client: str) -> socket.socket | None:
    """The connection with this client, if the file with this number is still that."""
    with suppress(OSError), borrowed(number) as one:
        if peer(one) != client:
            return None
        # Not `dup()`, which would make it wait for the other side wherever it is used.
        mine = socket.socket(fileno=os.dup(one.fileno()))
        if peer(mine) == client:  # and not another that got its number in between
            return mine
        mine.close()
    return None


@contextmanager
def borrowed(number: int) -> Iterator[socket.socket]:
    """The open file with this number as a socket; it stays open. Raises `OSError` for no socket."""
    one = socket.socket(fileno=number)
    try:
        yield one
    finally:
        one.detach()


def peer(one: socket.socket) -> str:
    """The client that this is connected with, as Granian calls it; "" for another kind of file."""
    if one.family not in (socket.AF_INET, socket.AF_INET6):
        return ""
    host, port = one.getpeername()[:2]
    return f"[{host}]:{port}" if one.family == socket.AF_INET6 else f"{host}:{port}"

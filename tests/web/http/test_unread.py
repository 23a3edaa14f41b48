"""What nobody reads is not kept for long, and never much of it."""

import asyncio
import os
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.web.http.unread import (
    LARGE,
    MOST_BYTES,
    SILENT_SECONDS,
    SYSTEM_BYTES,
    Unread,
    limit_connections,
)
from tests.support.plain_gateway import LARGE as FIVE_MILLION
from tests.support.plain_gateway import PATIENCE
from tests.support.server import Server
from tests.web.http.test_serving import another_is_answered, asking, wire_to

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems tell too little")

Wires = tuple[socket.socket, socket.socket]


@pytest.fixture(params=["127.0.0.1", "::1"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[[], Wires]]:
    """Makes connections within this process: our end, and the client's, which takes little."""
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with ExitStack() as stack:
        try:
            listener = stack.enter_context(socket.create_server((request.param, 0), family=family))
        except OSError:
            if family == socket.AF_INET:
                raise
            pytest.skip("this machine has no IPv6")
        limit_connections()

        def connected() -> Wires:
            client = stack.enter_context(socket.socket(family))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            client.connect(listener.getsockname()[:2])
            ours = stack.enter_context(listener.accept()[0])
            ours.setblocking(False)
            return ours, client

        yield connected


def name_of(client: socket.socket) -> str:
    """What Granian calls a client."""
    host, port = client.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_cut_off(client: socket.socket) -> bool:
    """Whether the other side has ended the connection, whatever is left to read."""
    poll = select.poll()
    poll.register(client, 0)
    return bool(poll.poll(0))


async def until(there: Callable[[], bool]) -> None:
    """Wait for what others do."""
    async with asyncio.timeout(PATIENCE):
        while not there():
            await asyncio.sleep(0.001)


def test_the_system_holds_little_and_not_for_long(connect: Callable[[], Wires]) -> None:
    """A connection is born with the limits of the socket that listens."""
    ours, _ = connect()
    # Linux doubles what is asked for.
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == 2 * SYSTEM_BYTES
    held = ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert held == SILENT_SECONDS * 1000


def test_beyond_the_limit_the_oldest_is_cut_off(connect: Callable[[], Wires]) -> None:
    """The last answer always has its room; small ones are not counted."""

    async def test() -> None:
        unread = Unread(most_bytes=5 * LARGE)
        wires = [connect() for _ in range(4)]
        for ours, client in wires:
            ours.send(b"9" * 100_000)
            await unread.sending(name_of(client), LARGE)
            await unread.sending(name_of(client), 2 * LARGE)
        assert unread.size == 4 * LARGE
        for ours, _ in wires[:2]:
            ours.close()
        await until(lambda: all(is_cut_off(client) for _, client in wires[:2]))
        assert not any(is_cut_off(client) for _, client in wires[2:])
        assert [ours.getblocking() for ours, _ in wires[2:]] == [False, False]
        await unread.sending(name_of(wires[3][1]), 9 * LARGE)
        assert unread.size == 9 * LARGE

    asyncio.run(test())


def test_thousands_of_answers_cost_no_look_through_thousands_of_files(
    connect: Callable[[], Wires], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All open files are looked through once, and again only for who has come since."""
    listed, looks = os.listdir, list[str]()

    def watched(path: str) -> list[str]:
        looks.append(path)
        return listed(path)

    monkeypatch.setattr(os, "listdir", watched)

    async def test() -> None:
        unread = Unread()
        wires = [connect() for _ in range(9)]
        for ours, client in wires * 3:
            ours.send(b"9" * 1000)
            await unread.sending(name_of(client), 2 * LARGE)
        assert len(looks) == 1
        for ours, client in (connect(), *wires):
            ours.send(b"9" * 1000)
            await unread.sending(name_of(client), 2 * LARGE)
        assert len(looks) == 2

    asyncio.run(test())


def test_what_was_read_is_forgotten(connect: Callable[[], Wires]) -> None:
    """So is who has hung up; who is still reading stays."""

    async def test() -> None:
        unread = Unread(look_seconds=0.001)
        (reads, reader), (waits, waiter), (left, leaver) = (connect() for _ in range(3))
        for ours, client in ((reads, reader), (waits, waiter), (left, leaver)):
            ours.send(b"9" * 100_000)
            await unread.sending(name_of(client), 2 * LARGE)
        leaver.close()
        got = 0
        while got < 100_000:
            got += len(reader.recv(65536))
        await until(lambda: unread.size == 2 * LARGE)
        assert not is_cut_off(waiter)
        while got < 200_000:
            got += len(waiter.recv(65536))
        await until(lambda: unread.size == 0)
        await unread.sending("192.0.2.7:1", 2 * LARGE)
        assert unread.size == 0, "nobody is there to be sent anything"

    asyncio.run(test())


def test_who_takes_too_long_is_cut_off(connect: Callable[[], Wires]) -> None:
    """Reading a little now and then does not help."""

    async def test() -> None:
        unread = Unread(patience=-1000, look_seconds=0.001)
        ours, client = connect()
        ours.send(b"9" * 100_000)
        await unread.sending(name_of(client), 2 * LARGE)
        client.recv(1)
        ours.close()
        await until(lambda: is_cut_off(client))
        assert unread.size == 0

    asyncio.run(test())


def test_clients_that_never_read_fill_no_memory(tmp_path: Path) -> None:
    """Of many large answers as many are held as there is room for; others are answered."""
    server = Server(tmp_path, program="tests.support.plain_gateway")
    room = MOST_BYTES // len(FIVE_MILLION)
    try:
        with ExitStack() as stack:
            clients = [stack.enter_context(wire_to(server)) for _ in range(3 * room)]
            for client in clients:
                client.sendall(asking("/large"))
            give_up = time.monotonic() + PATIENCE
            while sum(map(is_cut_off, clients)) < 2 * room:
                assert time.monotonic() < give_up
                another_is_answered(server)
            assert sum(map(is_cut_off, clients)) == 2 * room
    finally:
        server.stop()

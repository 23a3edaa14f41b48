"""Which connections are closed when there are too many."""

import socket
import sys
from collections import Counter
from contextlib import ExitStack

import pytest

from referee.web.serving.connections import make_room, silent_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who is silent")


def test_the_largest_holders_lose_those_silent_longest() -> None:
    """Small holders keep all of theirs; of the others the newest and the active stay."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        place = listener.getsockname()

        def connected(caller: str) -> socket.socket:
            wire = socket.create_connection(place, 10, source_address=(caller, 0))
            stack.enter_context(wire)
            accepted.append(stack.enter_context(listener.accept()[0]))
            return wire

        accepted = list[socket.socket]()
        many = [connected("127.0.0.1") for _ in range(10)]
        some = [connected("127.0.0.2") for _ in range(6)]
        few = [connected("127.0.0.3") for _ in range(2)]
        while silent_for(accepted[-1]) < 50:
            assert accepted[-1].fileno() > 0
        many[0].sendall(b"x")
        some[1].sendall(b"x")
        many.append(connected("127.0.0.1"))
        make_room(place[1], 10)
        ended = Counter[str]()
        for wire in (*many, *some, *few):
            wire.settimeout(0.2)
            try:
                assert wire.recv(1) == b""
                ended[wire.getsockname()[0]] += 1
                assert wire not in (many[0], some[1], many[-1])
            except TimeoutError:
                pass
        assert ended == {"127.0.0.1": 7, "127.0.0.2": 2}
        make_room(place[1], 10)
        assert listener.fileno() > 0, "what listens is no connection"

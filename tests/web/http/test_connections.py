"""Where connections are nearly too many, whoever has most of them loses some."""

import select
import socket
import sys
from contextlib import ExitStack

import pytest

from referee.web.http.connections import Crowd

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems tell too little")

MOST = 40


def test_whoever_has_most_loses_some() -> None:
    """Not somebody else; and nobody who is being answered."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

        def connected(caller: str) -> socket.socket:
            client = stack.enter_context(socket.socket())
            client.bind((caller, 0))
            client.connect(listener.getsockname())
            stack.enter_context(listener.accept()[0])
            return client

        asks, *greedy = [connected("127.0.0.1") for _ in range(MOST)]
        others = [connected("127.0.0.2") for _ in range(5)]
        crowd = Crowd(MOST)
        with crowd.answering(f"127.0.0.1:{asks.getsockname()[1]}"):
            crowd._thin()
        ended = select.poll()
        for one in (asks, *greedy, *others):
            ended.register(one, select.POLLRDHUP)
        lost = {number for number, _ in ended.poll(0)}
        assert len(lost) >= MOST // 5
        assert lost < {one.fileno() for one in greedy}

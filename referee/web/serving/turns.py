"""Threads in which everybody who asks has their turn."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Gone = Callable[[], Coroutine[Any, Any, None]]
Result = TypeVar("Result")


class GoneError(Exception):
    """Whoever asked has hung up while waiting."""


class Crew:
    """So many threads for one kind of work.

    While all of them are busy, others wait on the event loop, where they take no thread. One waits
    for each sender in turn: whoever sends fifty requests waits fifty times, the next sender once.
    """

    def __init__(self, threads: int) -> None:
        """Nobody waits yet."""
        self._idle = threads
        self._threads = ThreadPoolExecutor(threads)
        self._lines: dict[Hashable, deque[asyncio.Future[None]]] = {}

    async def do(self, sender: Hashable, gone: Gone, work: Callable[[], Result]) -> Result:
        """What `work` returns, done in a thread when it is this sender's turn.

        `gone()` ends when they hang up. Raises `GoneError` where they did so before their turn.
        """
        loop = asyncio.get_running_loop()
        hung_up = None
        if self._idle:
            self._idle -= 1
        else:
            called, hung_up = loop.create_future(), asyncio.ensure_future(gone())
            self._lines.setdefault(sender, deque()).append(called)
            await called
        try:
            if hung_up and not hung_up.cancel():  # which is to say that it has ended
                raise GoneError
            return await loop.run_in_executor(self._threads, work)
        finally:
            self._call_next()

    def _call_next(self) -> None:
        """Give the thread to the sender who is next; the rest of their line goes to the end."""
        if not self._lines:
            self._idle += 1
            return
        sender = next(iter(self._lines))
        line = self._lines.pop(sender)
        line.popleft().set_result(None)
        if line:
            self._lines[sender] = line

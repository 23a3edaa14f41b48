"""Two lanes for the work of requests: the short one is always free for what takes no time.

Every request begins in the short lane. Where it turns out to be long (`work.LongWork`, before
anything is stored) it begins again in the other one, in which one request is answered at a time:
Python computes one thing at a time anyway, and two at once would only both take twice as long and
leave a third of the time to everybody else. The others wait on the event loop, where they take no
thread, and in both lanes they have their turns by what they ask for: whoever sends fifty requests
for one sheet waits fifty times, and the next sheet only once.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from referee.ledger.file import BUSY_SECONDS, impatient
from referee.sheets.work import Allowance, ComeAgain, WorkEnded, begun_again

THREADS = 4  # of the short lane; more would only take turns
SHORT = 200  # entries played or shown; a tenth of a second, on a slow machine half of one
TURN_SECONDS = 20.0
MOST_WAITING = 500
PAUSE_SECONDS = 0.1  # until whoever found the book locked tries again

Answer = TypeVar("Answer")
Gone = Callable[[], Coroutine[Any, Any, None]]


class BusyError(Exception):
    """Too many wait for long work, or it took too long until it was somebody's turn."""


class GoneError(Exception):
    """Whoever asked has hung up while waiting."""


class Lanes:
    """The threads in which requests of one kind are answered."""

    def __init__(
        self, turn_seconds: float = TURN_SECONDS, most_waiting: int = MOST_WAITING
    ) -> None:
        """Long work begins within `turn_seconds`, or not at all; at most so many wait for it."""
        self._short = ThreadPoolExecutor(THREADS, thread_name_prefix="short")
        self._short_turns = Turns(None, None, THREADS)
        self._long = ThreadPoolExecutor(1, thread_name_prefix="long")
        self._turns = Turns(turn_seconds, most_waiting)

    @property
    def waiting(self) -> int:
        """How many wait for long work."""
        return self._turns.waiting

    async def answer(self, who: str, gone: Gone, work: Callable[[], Answer]) -> Answer:
        """What `work` returns; it may be called again and again, all but the last ended early.

        No thread waits for another program that writes in the book. Turns are taken by `who`;
        `gone()` ends when the client hangs up. Raises `BusyError`, and `GoneError` where nobody
        waits for the answer any more.
        """
        give_up = time.monotonic() + BUSY_SECONDS
        while time.monotonic() < give_up:
            with suppress(ComeAgain):
                return await self._answer(who, gone, partial(_to_begin_again, work))
            await asyncio.sleep(PAUSE_SECONDS)
        return await self._answer(who, gone, partial(_impatient, work))

    async def _answer(self, who: str, gone: Gone, work: Callable[[], Answer]) -> Answer:
        """As `answer`; the first of two calls of `work` ended early."""
        call = asyncio.get_running_loop().run_in_executor
        async with self._short_turns.turn(who, gone):
            short = await call(self._short, _within, Allowance(SHORT), work)
        if short:
            return short[0]
        async with self._turns.turn(who, gone):
            allowed = Allowance()
            long = call(self._long, _within, allowed, work)
            hung_up = asyncio.ensure_future(gone())
            either: set[asyncio.Future[Any]] = {long, hung_up}
            try:
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                allowed.wanted = long.done()
                if done := await long:
                    return done[0]
                raise GoneError
            finally:
                allowed.wanted = False
                hung_up.cancel()


def _impatient(work: Callable[[], Answer]) -> Answer:
    """What `work` returns if it does not have to wait for another program."""
    with impatient():
        return work()


def _to_begin_again(work: Callable[[], Answer]) -> Answer:
    """As `_impatient`; raises `ComeAgain` where it would have to wait."""
    with begun_again():
        return _impatient(work)


def _within(allowed: Allowance, work: Callable[[], Answer]) -> tuple[Answer] | tuple[()]:
    """What `work` returns, nothing where that is more than is allowed, or not wanted any more."""
    try:
        with allowed.in_force():
            return (work(),)
    except WorkEnded:
        return ()


class Turns:
    """So many at a time; who waits has a turn after one of everybody else."""

    def __init__(self, seconds: float | None, most_waiting: int | None, at_a_time: int = 1) -> None:
        """Nobody waits longer than so many `seconds`, and not more than so many; or with no end."""
        self._seconds = seconds
        self._most = most_waiting
        self._free = at_a_time
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(map(len, self._lines.values()))

    @asynccontextmanager
    async def turn(self, who: str, gone: Gone) -> AsyncIterator[None]:
        """The time in here is the turn of `who`. Raises `BusyError` and `GoneError`."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(who, gone)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, who: str, gone: Gone) -> None:
        if self._most is not None and self.waiting >= self._most:
            raise BusyError
        mine = asyncio.get_running_loop().create_future()
        hung_up = asyncio.ensure_future(gone())
        self._lines.setdefault(who, deque()).append(mine)
        try:
            await asyncio.wait(
                {mine, hung_up}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if mine.done():
                return
            raise GoneError if hung_up.done() else BusyError
        except BaseException:
            if mine.done():  # it came at the last moment
                self._next()
            else:
                self._leave(who, mine)
            raise
        finally:
            hung_up.cancel()

    def _leave(self, who: str, mine: "asyncio.Future[None]") -> None:
        line = self._lines[who]
        line.remove(mine)
        if not line:
            del self._lines[who]

    def _next(self) -> None:
        """Give the turn to the next who waits; the others of that line go to the end."""
        if not self._lines:
            self._free += 1
            return
        who, line = self._lines.popitem(last=False)
        line.popleft().set_result(None)
        if line:
            self._lines[who] = line

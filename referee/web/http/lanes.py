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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from referee.ledger.file import BUSY_SECONDS, impatient
from referee.sheets.work import Allowance, ComeAgain, WorkEnded, begun_again
from referee.web.http.turns import Gone, GoneError, Turns, Who

THREADS = 4  # of the short lane; more would only take turns
SHORT = 200  # entries played or shown; a tenth of a second, on a slow machine half of one
PAUSE_SECONDS = 0.1  # until whoever found the book locked tries again

Answer = TypeVar("Answer")


class Lanes:
    """The threads in which requests of one kind are answered."""

    def __init__(self) -> None:
        """However many wait, nobody is sent away."""
        self._short = ThreadPoolExecutor(THREADS, thread_name_prefix="short")
        self._short_turns = Turns(THREADS)
        self._long = ThreadPoolExecutor(1, thread_name_prefix="long")
        self._turns = Turns(1)

    @property
    def waiting(self) -> int:
        """How many wait for long work."""
        return self._turns.waiting

    async def answer(self, who: Who, gone: Gone, work: Callable[[], Answer]) -> Answer:
        """What `work` returns; it may be called again and again, all but the last ended early.

        No thread waits for another program that writes in the book. Turns are taken by `who`;
        `gone()` ends when the client hangs up. Raises `GoneError` where nobody waits any more.
        """
        give_up = time.monotonic() + BUSY_SECONDS
        while time.monotonic() < give_up:
            with suppress(ComeAgain):
                return await self._answer(who, gone, partial(_to_begin_again, work))
            await asyncio.sleep(PAUSE_SECONDS)
        return await self._answer(who, gone, partial(_impatient, work))

    async def _answer(self, who: Who, gone: Gone, work: Callable[[], Answer]) -> Answer:
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

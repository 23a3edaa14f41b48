"""What there is only so much of, shared out so that nobody keeps everybody else from it.

Who waits for a thread has a turn after one of everybody else: of each other address first, and of
one address, behind which a whole house may sit, of everything else that is asked for. What is sent
takes room in memory while it is on its way: whoever takes up most of it gives way.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

Gone = Callable[[], Coroutine[Any, Any, None]]


class Who(NamedTuple):
    """Who asks: from which address, and for what (a link to a sheet, or a page)."""

    address: str
    wants: str


class GoneError(Exception):
    """Whoever asked has hung up while waiting."""


class CrowdedError(Exception):
    """There was not room for everybody, and whoever this is raised for had most of it."""


class Turns:
    """So many at a time; the others wait, and have their turns."""

    def __init__(self, together: int) -> None:
        """So many have a turn at once."""
        self.free = together
        self._lines: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    @asynccontextmanager
    async def turn(self, who: Who, gone: Gone) -> AsyncIterator[None]:
        """The time in here is a turn of `who`; `gone()` ends when they hang up.

        Raises `GoneError` where they do so before it is their turn.
        """
        if self.free:
            self.free -= 1
        else:
            await self._wait(who, gone)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, who: Who, gone: Gone) -> None:
        called = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who.address, {}).setdefault(who.wants, deque()).append(called)
        hung_up = asyncio.ensure_future(gone())
        try:
            await asyncio.wait({called, hung_up}, return_when=asyncio.FIRST_COMPLETED)
            if not called.done():
                raise GoneError
        except BaseException:
            if not called.cancel():  # the turn came at the last moment
                self._pass_on()
            raise
        finally:
            hung_up.cancel()

    def _pass_on(self) -> None:
        """Call whoever is next and still waits."""
        while self._lines:
            called = self._next()
            if not called.done():
                called.set_result(None)
                return
        self.free += 1

    def _next(self) -> asyncio.Future[None]:
        """Who is next; the rest of their line goes to the end."""
        address, lines = next(iter(self._lines.items()))
        wants, line = next(iter(lines.items()))
        called = line.popleft()
        del self._lines[address], lines[wants]
        if line:
            lines[wants] = line
        if lines:
            self._lines[address] = lines
        return called


class _Stay(NamedTuple):
    address: str
    size: int
    deadline: asyncio.Timeout


class Room:
    """Bytes for what is on its way: it is through in time, or gives way to others."""

    def __init__(self, together: int) -> None:
        """All together have no more than so many bytes, whoever comes last aside."""
        self._together = together
        self._stays: list[_Stay] = []  # the oldest first

    @property
    def held(self) -> int:
        """How many bytes are taken."""
        return sum(stay.size for stay in self._stays)

    @asynccontextmanager
    async def stay(self, who: Who, size: int, seconds: float) -> AsyncIterator[None]:
        """So many bytes are for `who` in here, for so many `seconds`.

        Raises `TimeoutError`, and `CrowdedError` where it had to give way.
        """
        stay = _Stay(who.address, size, asyncio.timeout(seconds))
        self._make_way(size)
        self._stays.append(stay)
        try:
            async with stay.deadline:
                yield
        except TimeoutError:
            if stay not in self._stays:
                raise CrowdedError from None
            raise
        finally:
            if stay in self._stays:
                self._stays.remove(stay)

    def _make_way(self, size: int) -> None:
        """Send away as many as take up the room for so many bytes more, the largest first."""
        while self._stays and self.held + size > self._together:
            by_address = Counter[str]()
            for stay in self._stays:
                by_address[stay.address] += stay.size
            largest = max(self._stays, key=lambda stay: (by_address[stay.address], stay.size))
            self._stays.remove(largest)
            if not largest.deadline.expired():
                largest.deadline.reschedule(0)  # which is over

"""What there is only so much of, shared out so that nobody keeps everybody else from it.

Who waits has a turn after one of everybody else: of each other address first, and of one address,
behind which a whole house may sit, of everything else that is asked for. Nobody is sent away for
want of room; but what holds room while it is on its way gives way to others.
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


class CrowdedError(Exception):
    """There was not room for everybody, and whoever this is raised for had most of it."""


class GoneError(Exception):
    """Whoever asked has hung up while waiting."""


class _Waiting:
    def __init__(self, size: int) -> None:
        self.size = size
        self.called: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Turns:
    """So much at a time; for what there is no room at once, in turns."""

    def __init__(self, together: int) -> None:
        """All that have a turn have no more than `together`."""
        self.free = together
        self._lines: dict[str, dict[str, deque[_Waiting]]] = {}

    @property
    def wanted(self) -> int:
        """How much those want who wait."""
        return sum(
            one.size for lines in self._lines.values() for line in lines.values() for one in line
        )

    @asynccontextmanager
    async def turn(self, who: Who, gone: Gone, size: int = 1) -> AsyncIterator[None]:
        """The time in here is a turn of `who`; `gone()` ends when they hang up.

        Raises `GoneError` where they do so before it is their turn.
        """
        if self._lines or size > self.free:
            await self._wait(who, gone, size)
        else:
            self.free -= size
        try:
            yield
        finally:
            self._give_back(size)

    async def _wait(self, who: Who, gone: Gone, size: int) -> None:
        one = _Waiting(size)
        self._lines.setdefault(who.address, {}).setdefault(who.wants, deque()).append(one)
        hung_up = asyncio.ensure_future(gone())
        try:
            await asyncio.wait({one.called, hung_up}, return_when=asyncio.FIRST_COMPLETED)
            if not one.called.done():
                raise GoneError
        except BaseException:
            if one.called.done():  # the turn came at the last moment
                self._give_back(size)
            else:
                self._leave(who, one)
                self._give_back(0)  # perhaps nobody else has to wait
            raise
        finally:
            hung_up.cancel()

    def _leave(self, who: Who, one: _Waiting) -> None:
        lines = self._lines[who.address]
        lines[who.wants].remove(one)
        if not lines[who.wants]:
            del lines[who.wants]
        if not lines:
            del self._lines[who.address]

    def _give_back(self, size: int) -> None:
        """Call whoever is next, while there is room; the rest of their line goes to the end."""
        self.free += size
        while self._lines:
            address, lines = next(iter(self._lines.items()))
            wants, line = next(iter(lines.items()))
            one = line[0]
            if one.size > self.free:
                return
            self._leave(Who(address, wants), one)
            if wants in lines:
                lines[wants] = lines.pop(wants)
            if address in self._lines:
                self._lines[address] = self._lines.pop(address)
            self.free -= one.size
            one.called.set_result(None)


class Stay:
    """Something on its way, that takes room for so long."""

    def __init__(self, who: Who, size: int) -> None:
        self.who = who
        self.size = size
        self.deadline = asyncio.timeout(None)
        self.sent_away = False

    def arrived(self) -> None:
        """Let it stay for as long as it likes."""
        self.deadline.reschedule(None)


class Room:
    """Bytes for what is on its way: it is there in time, or gives way to others."""

    def __init__(self, together: int) -> None:
        """All together have no more than so many bytes."""
        self._turns = Turns(together)
        self._together = together
        self._on_their_way: list[Stay] = []  # the oldest first

    @property
    def held(self) -> int:
        """How many bytes are taken."""
        return self._together - self._turns.free

    @asynccontextmanager
    async def stay(self, who: Who, gone: Gone, size: int, seconds: float) -> AsyncIterator[Stay]:
        """So many bytes are for `who` in here, for `seconds`, unless they say that it `arrived`.

        Raises `TimeoutError`; `CrowdedError` where it had to give way; and `GoneError`.
        """
        self._make_way(size)
        async with self._turns.turn(who, gone, size):
            stay = Stay(who, size)
            self._on_their_way.append(stay)
            try:
                async with asyncio.timeout(seconds) as stay.deadline:
                    yield stay
            except TimeoutError:
                if stay.sent_away:
                    raise CrowdedError from None
                raise
            finally:
                self._on_their_way.remove(stay)

    def _make_way(self, size: int) -> None:
        """Send away as many as take up the room for so many bytes more, the largest first."""
        moving = [one for one in self._on_their_way if one.deadline.when() is not None]
        leaving = sum(one.size for one in moving if one.sent_away)
        lacking = size + self._turns.wanted - self._turns.free - leaving
        staying = [one for one in moving if not one.sent_away]
        while lacking > 0 and staying:
            held = Counter[str]()
            for one in staying:
                held[one.who.address] += one.size
            largest = max(staying, key=lambda one: (held[one.who.address], one.size))
            staying.remove(largest)
            lacking -= largest.size
            largest.sent_away = True
            largest.deadline.reschedule(asyncio.get_running_loop().time())

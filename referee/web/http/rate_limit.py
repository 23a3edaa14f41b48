"""How many sheets one address may begin in an hour."""

import ipaddress
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flask import request
from werkzeug.exceptions import TooManyRequests

HOUR = 3600


class FullError(Exception):
    """The limit is reached; `wait` is how many seconds it takes until there is room again."""

    def __init__(self, wait: float) -> None:
        self.wait = wait
        super().__init__(f"{wait:.0f} seconds to wait")


class RateLimit:
    """At most so many things by the same person within any stretch of `seconds`."""

    def __init__(
        self, most: int, seconds: float = HOUR, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock` gives seconds that only grow."""
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}

    @contextmanager
    def one_more(self, who: str) -> Iterator[None]:
        """Count one thing by `who`, unless what is done here fails. Raises `FullError`."""
        with self._lock:
            now = self._clock()
            self._forget(now - self._seconds)
            times = self._times.setdefault(who, deque())
            if len(times) >= self._most:
                raise FullError(times[0] + self._seconds - now)
            times.append(now)
        try:
            yield
        except BaseException:
            with self._lock:
                times = self._times.get(who, deque())
                if now in times:
                    times.remove(now)
            raise

    def _forget(self, before: float) -> None:
        for who, times in list(self._times.items()):
            while times and times[0] <= before:
                times.popleft()
            if not times:
                del self._times[who]


@contextmanager
def a_new_sheet(limit: RateLimit) -> Iterator[None]:
    """What begins a sheet goes in here; answers 429 where this address has begun too many."""
    try:
        with limit.one_more(_address()):
            yield
    except FullError as full:
        minutes = int(full.wait // 60) + 1
        when = "in a minute" if minutes == 1 else f"in {minutes} minutes"
        message = f"Many sheets were begun from this address within an hour. Try again {when}."
        raise TooManyRequests(message, retry_after=int(full.wait) + 1) from None


def _address() -> str:
    """Who asks, by the connection itself: a header could say anything.

    A house with IPv6 has a whole network of addresses; they count as one.
    """
    asked = request.remote_addr or ""
    try:
        address = ipaddress.ip_address(asked)
    except ValueError:
        return asked
    if address.version == 4:
        return asked
    return str(ipaddress.ip_network((address, 64), strict=False))

"""How many sheets a phone may begin, and how many photos it may have read, in an hour.

This keeps one phone from filling the book by accident. A program that makes up a cookie for every
request is another phone each time: a proxy in front tells those apart (docs/deploy).
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flask import request
from werkzeug.exceptions import TooManyRequests

from referee.rules.text import Text, say_many

HOUR = 3600


class RateLimit:
    """At most so many things by one phone within any hour; each process counts by itself."""

    def __init__(
        self, most: int, says: Callable[[int], Text], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`says` makes a sentence of the minutes to wait; `clock` gives seconds that only grow."""
        self._most, self._says, self._clock = most, says, clock
        self._lock = threading.Lock()
        self._done = deque[tuple[float, str]]()  # the oldest first

    @contextmanager
    def one_more(self, phone: str) -> Iterator[None]:
        """Count what is done in here, unless it fails; answers 429 where `phone` has had too many.

        Phones that hold nothing by which they are known, "", are one for each address.
        """
        sender = phone or request.remote_addr or ""
        with self._lock:
            over = self._clock() - HOUR
            while self._done and self._done[0][0] <= over:
                self._done.popleft()
            mine = [at for at, one in self._done if one == sender]
        if len(mine) >= self._most:
            wait = int(mine[0] - over)
            raise TooManyRequests(str(self._says(wait // 60 + 1)), retry_after=wait + 1)
        yield
        with self._lock:
            self._done.append((self._clock(), sender))


def too_many_sheets(minutes: int) -> Text:
    """What is said where no more sheets may be begun for so long."""
    return say_many(
        "Too many sheets were started here in the past hour. Try again in a minute.",
        "Too many sheets were started here in the past hour. Try again in {n} minutes.",
        n=minutes,
    )


def too_many_photos(minutes: int) -> Text:
    """What is said where no more photos are read for so long."""
    return say_many(
        "Too many photos were read here in the past hour. Tap the cards, or try again in a minute.",
        "Too many photos were read here in the past hour. Tap the cards, or try again in {n} "
        "minutes.",
        n=minutes,
    )

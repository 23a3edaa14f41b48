"""How many sheets one address may begin, and how many photos it may have read, in an hour.

Behind a proxy or a router a whole house, or the whole world, has one address. So where an address
is full, only those of its phones are refused that have had their share: whoever comes new has none.
"""

import ipaddress
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import request
from werkzeug.exceptions import TooManyRequests

from referee.ledger import privacy
from referee.rules.text import say_many

HOUR = 3600
BUSY_SECONDS = 10


class FullError(Exception):
    """The limit is reached; `wait` is how many seconds it takes until there is room again."""

    def __init__(self, wait: float) -> None:
        self.wait = wait
        super().__init__(f"{wait:.0f} seconds to wait")


class RateLimit:
    """At most so many things from one address within any stretch of `seconds`.

    A phone that has had less than its share, if the address is shared evenly, has one more anyway.
    """

    def __init__(
        self,
        most: int,
        seconds: float = HOUR,
        clock: Callable[[], float] = time.monotonic,
        counts: Path | None = None,
        what: str = "sheet",
    ) -> None:
        """`clock` gives seconds that only grow, the same to all processes.

        Processes that share the file `counts` count together; it lives no longer than they do.
        Limits of different things count each for itself, in the same file, over as many `seconds`.
        """
        self._most, self._seconds, self._clock, self._what = most, seconds, clock, what
        self._lock = threading.Lock()
        if counts is not None:
            privacy.make_file(counts)  # it holds addresses
        self._counts = sqlite3.connect(
            counts or ":memory:",
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        self._counts.execute("PRAGMA synchronous=OFF")
        self._counts.execute(
            "CREATE TABLE IF NOT EXISTS done "
            "(id INTEGER PRIMARY KEY, what TEXT, who TEXT, phone TEXT, at REAL)"
        )

    @contextmanager
    def one_more(self, who: str, phone: str = "") -> Iterator[None]:
        """Count one thing by a `phone` at the address `who`, unless what is done here fails.

        Phones that hold nothing by which they are known are one, "". Raises `FullError`.
        """
        counted = self._count(who, phone)
        try:
            yield
        except BaseException:
            with self._lock:
                self._counts.execute("DELETE FROM done WHERE id = ?", (counted,))
            raise

    def _count(self, who: str, phone: str) -> int:
        """Note that `phone` does one more now; returns the note's number."""
        now = self._clock()
        with self._alone() as counts:
            counts.execute("DELETE FROM done WHERE at <= ?", (now - self._seconds,))
            times, others, mine, first = counts.execute(
                "SELECT count(*), count(DISTINCT nullif(phone, ?3)), "
                "count(*) FILTER (WHERE phone = ?3), min(at) FILTER (WHERE phone = ?3) "
                "FROM done WHERE what = ?1 AND who = ?2",
                (self._what, who, phone),
            ).fetchone()
            if times >= self._most and mine and mine >= self._most // (others + 1):
                raise FullError(first + self._seconds - now)
            cursor = counts.execute(
                "INSERT INTO done (what, who, phone, at) VALUES (?, ?, ?, ?)",
                (self._what, who, phone, now),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    @contextmanager
    def _alone(self) -> Iterator[sqlite3.Connection]:
        """The counts, while no other thread or process looks at them."""
        with self._lock, self._counts:
            self._counts.execute("BEGIN IMMEDIATE")
            yield self._counts


@contextmanager
def a_new_sheet(limit: RateLimit, phone: str) -> Iterator[None]:
    """What begins a sheet goes in here; answers 429 where `phone` has begun too many."""
    try:
        with limit.one_more(_address(), phone):
            yield
    except FullError as full:
        says = say_many(
            "Too many sheets were started here in the past hour. Try again in a minute.",
            "Too many sheets were started here in the past hour. Try again in {n} minutes.",
            n=int(full.wait // 60) + 1,
        )
        raise TooManyRequests(str(says), retry_after=int(full.wait) + 1) from None


@contextmanager
def one_photo(limit: RateLimit, phone: str) -> Iterator[None]:
    """A photo is read in here; answers 429 where `phone` has had too many."""
    try:
        with limit.one_more(_address(), phone):
            yield
    except FullError as full:
        says = say_many(
            "Too many photos were read here in the past hour. Tap the cards, or try again in a "
            "minute.",
            "Too many photos were read here in the past hour. Tap the cards, or try again in {n} "
            "minutes.",
            n=int(full.wait // 60) + 1,
        )
        raise TooManyRequests(str(says), retry_after=int(full.wait) + 1) from None


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

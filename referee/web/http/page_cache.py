"""Pages that were made once and still hold, so that twenty phones cost little more than one.

A sheet's page follows from its rows, so it is kept under the link and the newest row, which is
read from the database for every request: a page of the row before is never found again. What is
kept has a gap wherever a form has its key, for no two forms may have the same.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from weakref import WeakValueDictionary

MOST_BYTES = 8_000_000


class PageCache:
    """The pages asked for last, those that nobody asked for longest let go."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Together they have no more than `most_bytes`."""
        #: Stands in a page that is made to be kept where a form's key will be; nobody can guess it.
        self.gap = secrets.token_urlsafe(24)
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pages: OrderedDict[Hashable, tuple[bytes, ...]] = OrderedDict()
        self._lock = threading.Lock()
        self._turns: WeakValueDictionary[Hashable, threading.Lock] = WeakValueDictionary()

    def page(self, key: Hashable, make: Callable[[], str]) -> bytes:
        """The page kept under `key`, or `make()` if there is none, with fresh keys in its gaps.

        Where several ask at once, it is made for the first, and the others wait for it.
        """
        parts = self._find(key)
        if parts is None:
            with self._turn(key):
                parts = self._find(key)
                if parts is None:
                    parts = tuple(make().encode().split(self.gap.encode()))
                    self._keep(key, parts)
        first, *others = parts
        return first + b"".join(new_key().encode() + other for other in others)

    def _find(self, key: Hashable) -> tuple[bytes, ...] | None:
        with self._lock:
            parts = self._pages.get(key)
            if parts is not None:
                self._pages.move_to_end(key)
            return parts

    def _turn(self, key: Hashable) -> threading.Lock:
        """A lock for the making of this page, the same for all who wait for it."""
        with self._lock:
            return self._turns.setdefault(key, threading.Lock())

    def _keep(self, key: Hashable, parts: tuple[bytes, ...]) -> None:
        with self._lock:
            self._bytes += _size(parts) - _size(self._pages.pop(key, ()))
            self._pages[key] = parts
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._pages.popitem(last=False)[1])


def new_key() -> str:
    """A key for a form that has not been sent yet."""
    return secrets.token_urlsafe(12)


def _size(parts: tuple[bytes, ...]) -> int:
    return sum(map(len, parts))

"""Pages that were made once and still hold, so that twenty phones cost little more than one.

A sheet's page follows from its rows, so it is cached under the link and the newest row, which is
read from the database for every request: a page of the row before is never found again. A cached
page has a gap wherever a form has its key, for no two forms may have the same.
"""

import secrets
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from weakref import WeakValueDictionary

from cachetools import LRUCache
from flask import Response

from referee.sheets.work import LongWork, is_limited, spend
from referee.web.http.compression import accepts_gzip
from referee.web.http.security import NOT_STORED
from referee.web.http.stitched_gzip import Stitched

MAX_BYTES = 8_000_000
KEY_LENGTH = 16
A_PAGE = 20  # to fill in its template takes about as long as to show so many entries
WAIT_SECONDS = 0.1
_VARY = f"{NOT_STORED['Vary']}, Accept-Encoding"


class PageCache:
    """The pages asked for most recently; the least recently used are dropped."""

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        """Together they have no more than `most_bytes`."""
        #: Stands in a cached page where a form's key will be; nobody can guess it.
        self.gap = secrets.token_urlsafe(24)
        self._pages: LRUCache[Hashable, Stitched] = LRUCache(most_bytes, lambda page: page.size)
        self._lock = threading.Lock()
        self._turns: WeakValueDictionary[Hashable, threading.Lock] = WeakValueDictionary()

    def answer(self, key: Hashable, make: Callable[[], str]) -> Response:
        """Answer the request at hand with the page under `key`, compressed if the browser likes."""
        page = self.page(key, make)
        keys = [new_key().encode() for _ in range(page.gaps)]
        zipped = accepts_gzip()
        answer = Response(page.zipped(keys) if zipped else page.plain(keys))
        answer.headers["Vary"] = _VARY
        if zipped:
            answer.headers["Content-Encoding"] = "gzip"
        return answer

    def page(self, key: Hashable, make: Callable[[], str]) -> Stitched:
        """The page cached under `key`, or `make()` if there is none; its gaps are for form keys.

        Where several ask at once, it is made for the first, and the others wait for it. To make
        one is work (`work.spend`), and so is to wait longer for somebody else's.
        """
        page = self._find(key)
        if page is None:
            spend(A_PAGE)
            with self._turn(key):
                page = self._find(key)
                if page is None:
                    parts = make().encode().split(self.gap.encode())
                    page = Stitched(parts, KEY_LENGTH)
                    self._store(key, page)
        return page

    def _find(self, key: Hashable) -> Stitched | None:
        with self._lock:
            return self._pages.get(key)

    @contextmanager
    def _turn(self, key: Hashable) -> Iterator[None]:
        """The time in here belongs to whoever makes this page; the others wait for it."""
        with self._lock:
            lock = self._turns.setdefault(key, threading.Lock())
        if not lock.acquire(timeout=WAIT_SECONDS if is_limited() else -1):
            raise LongWork
        try:
            yield
        finally:
            lock.release()

    def _store(self, key: Hashable, page: Stitched) -> None:
        with self._lock, suppress(ValueError):  # larger than the whole cache
            self._pages[key] = page


def new_key() -> str:
    """A key for a form that has not been sent yet: 96 random bits in 16 characters."""
    return secrets.token_urlsafe(KEY_LENGTH * 3 // 4)

"""Pages that were made once and still hold, so that twenty phones cost little more than one.

A sheet's page follows from its rows and is the same for all who hold its link, so it is cached
under the link and the newest row, which is read from the database for every request: a page of the
row before is never found again.
"""

import gzip
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from weakref import WeakValueDictionary

from cachetools import LRUCache
from deflate import gzip_compress
from flask import Response

from referee.web.answers.compression import accepts_gzip
from referee.web.answers.security import NOT_STORED

MAX_BYTES = 4_000_000  # of pages compressed, some 6 KB each: those of six hundred boards
LEVEL = 6  # only once a page
_VARY = f"{NOT_STORED['Vary']}, Accept-Encoding"


class PageCache:
    """The pages asked for most recently, compressed; the least recently used are dropped."""

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        """Together they have no more than `most_bytes`."""
        self._pages: LRUCache[Hashable, bytes] = LRUCache(most_bytes, len)
        self._lock = threading.Lock()
        self._making: WeakValueDictionary[Hashable, threading.Lock] = WeakValueDictionary()

    def answer(self, key: Hashable, make: Callable[[], str]) -> Response:
        """Answer the request at hand with the page under `key`, compressed if the browser likes."""
        page = self.page(key, make)
        zipped = accepts_gzip()
        answer = Response(page if zipped else gzip.decompress(page))
        answer.headers["Vary"] = _VARY
        if zipped:
            answer.headers["Content-Encoding"] = "gzip"
        return answer

    def page(self, key: Hashable, make: Callable[[], str]) -> bytes:
        """The page cached under `key`, or `make()` if there is none, as a gzip stream.

        Where several ask at once, it is made for the first, and the others wait for it.
        """
        page = self._find(key)
        if page is None:
            with self._lock:
                making = self._making.setdefault(key, threading.Lock())
            with making:
                page = self._find(key)
                if page is None:
                    page = bytes(gzip_compress(make().encode(), LEVEL))
                    self._store(key, page)
        return page

    def _find(self, key: Hashable) -> bytes | None:
        with self._lock:
            return self._pages.get(key)

    def _store(self, key: Hashable, page: bytes) -> None:
        with self._lock, suppress(ValueError):  # larger than the whole cache
            self._pages[key] = page

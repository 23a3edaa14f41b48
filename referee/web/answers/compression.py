"""Answers compressed for browsers that can read it: most anew, the pages of sheets once and kept.

Only gzip: at home the pages come over plain http, where browsers ask for nothing better, and a
proxy that adds TLS can add Brotli too. What a phone knows by its cookies cannot be guessed by the
length of answers (BREACH): browsers send them with nothing that another site asks for behind a
person's back.
"""

import gzip
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from weakref import WeakValueDictionary

from cachetools import LRUCache
from deflate import gzip_compress
from flask import Flask, Response, request

MIN_BYTES = 500  # below that the headers weigh more than what is gained
LEVEL = 3  # for everybody anew: hardly slower than 1, and the usual level takes twice as long
KEPT_LEVEL = 6  # only once a page
MAX_BYTES = 4_000_000  # of pages compressed, some 6 KB each: those of six hundred boards

_TEXTS = ("application/json", "application/manifest+json", "image/svg+xml")


def install(app: Flask) -> None:
    """Compress the answers of `app` where it is worth it."""
    app.after_request(_compressed)


def is_text(mimetype: str) -> bool:
    """Whether content of this type is text; pictures and the like are compressed already."""
    return mimetype.startswith("text/") or mimetype in _TEXTS


def accepts_gzip() -> bool:
    """Whether the browser that asks says that it can read gzip."""
    return request.accept_encodings["gzip"] > 0


def _compressed(answer: Response) -> Response:
    if "Content-Encoding" in answer.headers or answer.is_streamed:
        return answer
    if not is_text(answer.mimetype or "") or not accepts_gzip():
        return answer
    body = answer.get_data()
    if len(body) >= MIN_BYTES:
        answer.set_data(gzip.compress(body, LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        tag, _ = answer.get_etag()
        if tag is not None:  # the same page, but no longer the same bytes
            answer.set_etag(tag, weak=True)
    return answer


class PageCache:
    """Pages that were made once and still hold, so that twenty phones cost little more than one.

    A sheet's page follows from its rows and is the same for all who hold its link, so it is kept
    under the link and the newest row, which is read from the database for every request: a page of
    the row before is never found again. The least recently used are dropped.
    """

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        """Together they have no more than `most_bytes`, compressed."""
        self._pages: LRUCache[Hashable, bytes] = LRUCache(most_bytes, len)
        self._lock = threading.Lock()
        self._making: WeakValueDictionary[Hashable, threading.Lock] = WeakValueDictionary()

    def answer(self, key: Hashable, make: Callable[[], str]) -> Response:
        """Answer the request at hand with the page under `key`, compressed if the browser likes."""
        page = self.page(key, make)
        if not accepts_gzip():
            return Response(gzip.decompress(page))
        return Response(page, headers={"Content-Encoding": "gzip"})

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
                    page = bytes(gzip_compress(make().encode(), KEPT_LEVEL))
                    with self._lock, suppress(ValueError):  # larger than the whole cache
                        self._pages[key] = page
        return page

    def _find(self, key: Hashable) -> bytes | None:
        with self._lock:
            return self._pages.get(key)

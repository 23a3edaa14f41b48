"""Compress responses with gzip: most of them each time, pages of sheets once, in a cache.

Only gzip: over plain http browsers accept nothing better, and a proxy that adds TLS can add Brotli
too. The length of responses reveals nothing about cookies (BREACH), since browsers do not send our
cookies with requests that other sites make in the background.
"""

import gzip
import threading
import zlib
from collections.abc import Callable, Hashable
from functools import lru_cache

from cachetools import LRUCache, cached
from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

MIN_BYTES = 500  # smaller responses gain less than the extra headers cost
LEVEL = 4  # a fifth of a millisecond for a page; 6 takes 50 % longer to save 5 %
MAX_BYTES = 4_000_000  # of compressed pages, some 6 KB each: about six hundred boards

_IN_GZIP = 16 + zlib.MAX_WBITS  # tells zlib to add gzip's header and checksum
_TEXTS = ("application/json", "application/manifest+json", "image/svg+xml")


def install(app: Flask) -> None:
    """Compress the responses of `app` if that is worthwhile."""
    app.after_request(_compressed)


def is_text(mimetype: str) -> bool:
    """Whether `mimetype` is text; pictures and the like are compressed already."""
    return mimetype.startswith("text/") or mimetype in _TEXTS


def accepts_gzip() -> bool:
    """Whether the current request accepts gzip."""
    return _has_gzip(request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=64)  # phones send only a handful of different ones
def _has_gzip(encodings: str) -> bool:
    return parse_accept_header(encodings, Accept)["gzip"] > 0


def _compressed(answer: Response) -> Response:
    if answer.is_streamed or "Content-Encoding" in answer.headers:
        return answer
    body = answer.get_data()
    if len(body) >= MIN_BYTES and is_text(answer.mimetype or "") and accepts_gzip():
        answer.set_data(gzip.compress(body, LEVEL))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


class PageCache:
    """A cache of compressed pages, so that twenty phones cost little more than one.

    A sheet's page is the same for everyone with its link until a row is added. So its key has the
    link and the newest row, which is read from the database for each request: an outdated page is
    never served. The least recently used pages are dropped.
    """

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        """`page(key, make)` is the page for `key`, gzipped: one request makes it, others wait."""
        pages: LRUCache[Hashable, bytes] = LRUCache(most_bytes, len)
        self.page = cached(pages, lambda key, _: key, condition=threading.Condition())(_zipped)

    def answer(self, key: Hashable, make: Callable[[], str]) -> Response:
        """The response with the page cached under `key`, compressed if the browser accepts that."""
        page = self.page(key, make)
        if not accepts_gzip():
            return Response(zlib.decompress(page, _IN_GZIP))  # faster than the module gzip
        return Response(page, headers={"Content-Encoding": "gzip"})


def _zipped(_: Hashable, make: Callable[[], str]) -> bytes:
    return gzip.compress(make().encode(), LEVEL)

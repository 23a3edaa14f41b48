"""Answers are compressed on their way to a browser that says it can read them.

Only gzip, from the standard library: at home the pages come over plain http, where browsers ask
for nothing better, and a proxy that adds TLS can add Brotli too.

A note on BREACH: someone who can make a browser ask for pages again and again, and sees how long
the answers are, may guess a secret that is compressed together with words of their own choosing.
The secrets here are the sheets' links, which the phone has in a cookie or on its list. So an answer
that tells a link, or repeats something of a cookie, is not compressed where the address came with
words of somebody's choosing (`?…`). A link in the address itself is known to whoever chose that.
"""

import gzip
import re

from flask import Flask, Response, request

MIN_BYTES = 500  # below that the headers weigh more than what is gained
LEVEL = 3  # for everybody anew: hardly slower than 1, and the usual level takes twice as long

_SECRET = re.compile(r"[\w-]{16,}", re.ASCII)
_LINK = re.compile(rb"/[se]/([\w-]{16,})")
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
    if not is_text(answer.mimetype or ""):
        return answer
    body = answer.get_data()
    if len(body) < MIN_BYTES:
        return answer
    if "Accept-Encoding" not in answer.headers.get("Vary", ""):
        answer.vary.add("Accept-Encoding")
    if accepts_gzip() and not (request.query_string and _tells_a_secret(body)):
        answer.set_data(gzip.compress(body, LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        tag, _ = answer.get_etag()
        if tag is not None:  # the same page, but no longer the same bytes
            answer.set_etag(tag, weak=True)
    return answer


def _tells_a_secret(body: bytes) -> bool:
    """Whether a page tells something that only the phone that asks can know."""
    address = request.path.encode()
    if any(token not in address for token in _LINK.findall(body)):
        return True
    known = (part for value in request.cookies.values() for part in _SECRET.findall(value))
    return any(part.encode() in body for part in known)

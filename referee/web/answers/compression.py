"""Answers are compressed on their way to a browser that says it can read them.

Only gzip, from the standard library: at home the pages come over plain http, where browsers ask
for nothing better, and a proxy that adds TLS can add Brotli too.

What a phone knows by its cookies cannot be guessed by the length of answers (BREACH): browsers send
them with nothing that another site asks for behind a person's back.
"""

import gzip

from flask import Flask, Response, request

MIN_BYTES = 500  # below that the headers weigh more than what is gained
LEVEL = 3  # for everybody anew: hardly slower than 1, and the usual level takes twice as long

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
    if accepts_gzip():
        answer.set_data(gzip.compress(body, LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        tag, _ = answer.get_etag()
        if tag is not None:  # the same page, but no longer the same bytes
            answer.set_etag(tag, weak=True)
    return answer

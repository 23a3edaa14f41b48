"""How much may come along with a request: a form is small, and a few pages take a file."""

from flask import Flask, request

BODY_LIMIT = 64 * 1024  # bytes of a form; beyond it the app answers that it is too large
SHEET_LIMIT = 4 * 1024 * 1024  # of a sheet's file: one that is full has about one megabyte

#: The pages that take a file, by their path.
_FILES = {"/bring-in": SHEET_LIMIT}


def body_limit(path: str) -> int:
    """How many bytes may be sent to the page at `path`."""
    return _FILES.get(path, BODY_LIMIT)


def install(app: Flask) -> None:
    """Hold every request of `app` to these limits."""
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.before_request(_allow_files)


def _allow_files() -> None:
    request.max_content_length = body_limit(request.path)

"""What a phone remembers for us: cookies that no script reads.

Where the pages are reached over https, a cookie is sent over nothing else, and its name begins with
`__Host-`, by which browsers take it from this very host only and from nobody beside it in the same
domain. Over plain http there is no such thing; and cookies know no ports, so another program on
another port of the same host is sent ours.
"""

from typing import Literal

from flask import request
from werkzeug.wrappers import Response

KEPT_SECONDS = 400 * 86400  # browsers allow no more

_OURS_ALONE = "__Host-"


def cookie(name: str) -> str:
    """What the phone that asks has under this name, "" where it has nothing."""
    return request.cookies.get(_named(name), "")


def keep_cookie(
    answer: Response,
    name: str,
    value: str,
    seconds: int | None = KEPT_SECONDS,
    same_site: Literal["Lax", "Strict"] = "Lax",
) -> None:
    """Let the phone that asks have `value` under this name; None: until its browser is closed."""
    answer.set_cookie(
        _named(name),
        value,
        max_age=seconds,
        secure=request.is_secure,
        samesite=same_site,
        httponly=True,
    )


def drop_cookie(answer: Response, name: str) -> None:
    """Let the phone that asks forget what it has under this name."""
    keep_cookie(answer, name, "", seconds=0)


def _named(name: str) -> str:
    return _OURS_ALONE + name if request.is_secure else name

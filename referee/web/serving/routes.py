"""What views declare to the gateway: the kind of request they answer, and whether they write."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from referee.web.serving.bodies import FILE_SECONDS, SHEET_LIMIT, WRONG_FILE, Limits

View = TypeVar("View", bound=Callable[..., Any])


class Kind(Struct, frozen=True):
    """A kind of request, which decides the limits of its body and the threads that answer it.

    Without `limits` they are those of a form. With `threads` it has that many of its own.
    """

    name: str
    limits: Limits | None = None
    threads: int = 0


PLAIN = Kind("plain")
POLLED = Kind("polled")  # sent every few seconds; phones that have the newest board get a 304
LONG = Kind("long")  # usually plays through a whole sheet, or several
FILE = Kind("file", Limits(SHEET_LIMIT, WRONG_FILE, FILE_SECONDS))  # and plays it through


def declares(kind: Kind = PLAIN, *, writes: bool | None = None) -> Callable[[View], View]:
    """Mark the view of a route that is not plain, or whose method misleads about writing.

    By its method any form `writes`, and no page does. But some forms only ask something, and some
    pages make something when they are opened for the first time.
    """

    def marked(view: View) -> View:
        view.declared = kind, writes  # type: ignore[attr-defined]
        return view

    return marked


def declared_by(view: Callable[..., Any]) -> tuple[Kind, bool | None]:
    """The kind of request that a view answers, and whether it writes; None if its method says."""
    found: tuple[Kind, bool | None] = getattr(view, "declared", (PLAIN, None))
    return found

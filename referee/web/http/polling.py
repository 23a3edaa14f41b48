"""Is there anything new? What every live board asks every two seconds, and mostly there is not.

That answer is given before Flask is woken: it takes one statement in the database and no more.
Everything else, a board that did change and a link that was withdrawn, goes the ordinary way.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from referee.ledger.errors import LedgerError
from referee.ledger.store import Role
from referee.sheets.book import Book
from referee.web.http.security import NOT_STORED

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

# Set where a poll was found to be unchanged before it became a request to the app. No client can
# send it: the names of its fields come in capitals.
FOUND = "unchanged"
_BOARD = re.compile(r"/s/([\w-]+)/board")


def tag_of(role: Role, seq: int) -> str:
    """What stands for a board: for whom it is, and the newest row it shows."""
    return f"{role}-{seq}"


def tags_held(environ: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags of the boards that a request says it holds."""
    etags = environ.get("HTTP_IF_NONE_MATCH", "")
    # A proxy that compresses an answer makes its tag a weak one.
    plain = (tag.strip().removeprefix("W/").strip('"') for tag in etags.split(","))
    return (environ.get("HTTP_HX_PTAG", ""), *plain)


class Unchanged:
    """A WSGI app around another that answers for it where a board has not changed."""

    def __init__(self, app: "WSGIApplication", book: Book) -> None:
        """`book` has the sheets that `app` shows."""
        self._app = app
        self._book = book

    def __call__(self, environ: dict[str, Any], start_response: "StartResponse") -> Iterable[bytes]:
        """Answer, or let the app answer."""
        if f"HTTP_{FOUND}" in environ or self.answers(environ):
            start_response("304 NOT MODIFIED", list(NOT_STORED.items()))
            return ()
        return self._app(environ, start_response)

    def answers(self, environ: Mapping[str, str]) -> bool:
        """Whether this is such a question, and there is nothing new; part of `environ` will do."""
        asked = _BOARD.fullmatch(environ["PATH_INFO"])
        if asked is None or environ["REQUEST_METHOD"] != "GET":
            return False
        return self._is_held(asked[1], tags_held(environ))

    def _is_held(self, token: str, tags: tuple[str, ...]) -> bool:
        if not any(tags):
            return False
        try:
            glance = self._book.glance(token)
        except LedgerError:
            return False  # the app meets it too, and has a page for it
        if glance is None or glance.binned is not None:
            return False
        return tag_of(glance.link.role, glance.seq) in tags

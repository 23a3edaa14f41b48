"""Polling: what every live board asks every two seconds, mostly to hear that nothing is new.

That answer is given without Flask: it takes one statement in the database and no more.
Everything else, a board that did change and a link that was withdrawn, goes the ordinary way.
"""

import re

from referee.ledger.chain import Mark
from referee.ledger.errors import LedgerError
from referee.ledger.store import Role
from referee.sheets.book import Book

_BOARD = re.compile(r"/s/([\w-]+)/board", re.ASCII)
_OFTEN_CACHED = re.compile(r"/s/[\w-]+(/board|/form)?", re.ASCII)


def tag_of(role: Role, mark: Mark) -> str:
    """What stands for a board: for whom it is, and the newest row it shows.

    With the row goes its hash: after a backup is restored, row 12 may be another one.
    """
    return f"{role}-{mark}"


def tags_held(ptag: str | None, etags: str | None) -> list[str]:
    """The tags of the boards that a request holds, by its `HX-PTag` and its `If-None-Match`."""
    # A proxy that compresses an answer makes its tag a weak one.
    held = [tag.strip().removeprefix("W/").strip('"') for tag in (etags or "").split(",")]
    return [tag for tag in (ptag, *held) if tag]


def is_often_cached(path: str) -> bool:
    """Whether the page cache has this page more often than not."""
    return _OFTEN_CACHED.fullmatch(path) is not None


class Polls:
    """Tells a board that has not changed from every other request."""

    def __init__(self, book: Book) -> None:
        """`book` has the sheets whose boards are looked at."""
        self._book = book

    def unchanged(self, path: str, ptag: str | None, etags: str | None) -> bool:
        """Whether somebody who asks for `path`, holding boards with these tags, has the newest."""
        asked = _BOARD.fullmatch(path)
        if asked is None:
            return False
        held = tags_held(ptag, etags)
        if not held:
            return False
        try:
            glance = self._book.glance(asked[1])
        except LedgerError:
            return False  # the app meets it too, and has a page for it
        if glance is None or glance.trashed is not None:
            return False
        return tag_of(glance.link.role, glance.mark) in held

"""Polling: what every live board asks every two seconds, mostly to hear that nothing is new.

That answer is given without Flask: it takes one statement in the database and no more.
Everything else, a board that did change and a link that was withdrawn, goes the ordinary way.
"""

from collections.abc import Callable

from referee.ledger.chain import Mark
from referee.ledger.errors import LedgerError
from referee.ledger.store import Role
from referee.sheets.book import Book

#: Whether who holds boards with these tags, by `HX-PTag` and `If-None-Match`, has the newest.
Unchanged = Callable[[str, str | None, str | None], bool]


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


def unchanged_in(book: Book) -> Unchanged:
    """Tells the boards of this book's sheets, by their links, that have not changed."""

    def unchanged(token: str, ptag: str | None, etags: str | None) -> bool:
        held = tags_held(ptag, etags)
        if not held:
            return False
        try:
            glance = book.glance(token)
        except LedgerError:
            return False  # the app meets it too, and has a page for it
        if glance is None or glance.trashed is not None:
            return False
        return tag_of(glance.link.role, glance.mark) in held

    return unchanged

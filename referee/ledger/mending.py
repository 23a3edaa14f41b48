"""Going on with a ledger that lacks what was recorded in it, once its owner has said so."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from referee.ledger.backup import put_aside
from referee.ledger.beside import has_log, is_blank
from referee.ledger.ends import EndsFile, losses
from referee.ledger.errors import translated
from referee.ledger.file import no_file
from referee.ledger.read_only import opened
from referee.rules.text import Text


def take_as_it_is(book: Path) -> Sequence[Text]:
    """Take what the ledger at `book` holds for all that was recorded; returns what it lacks.

    Nothing in it is changed. Where it holds nothing at all, what is left of it beside is put
    aside, and it begins anew. Raises `LedgerError` where it cannot be read.
    """
    noted = EndsFile(book).read()
    if is_blank(book) and (noted or has_log(book)):
        put_aside(book)
        return [no_file()]
    with translated(book), closing(opened(book)) as connection:
        lost = list(losses(connection, noted))
    if lost:
        EndsFile(book).remove()
    return lost

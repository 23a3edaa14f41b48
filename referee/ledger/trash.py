"""When a sheet, or another document, was put in the trash and taken out."""

from typing import Literal

from referee.ledger.store import Ledger, add_row, lock_of


def trashed(ledger: Ledger, sheet: int) -> str | None:
    """When `sheet` was put in the trash; None if it is not there now."""
    query = "SELECT what, at FROM trash WHERE sheet = ? ORDER BY id DESC LIMIT 1"
    return next((at for what, at in ledger.engine.read(query, sheet) if what == "put"), None)


def note_trash(ledger: Ledger, sheet: int, what: Literal["put", "taken"], at: str) -> None:
    """Note that `sheet` was put in the trash or taken out, unless it already was."""
    with ledger.engine.writing(lock_of(sheet)) as writing:
        if (trashed(ledger, sheet) is not None) != (what == "put"):
            add_row(writing, "trash", {"sheet": sheet, "what": what, "at": at})

"""A sheet out of the book, as a file, and from a file into the book (`docs/sheet-format.md`)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.ledger.store import Draft, NewSheet, Role
from referee.sheets.files import Sheet, play_through, table_settings
from referee.sheets.hashes import head_of
from referee.sheets.history import Past, row_body
from referee.sheets.sheet import OpenSheet


def as_file(sheet: OpenSheet) -> dict[str, Any]:
    """What the file of a sheet says, its history with it."""
    return {
        "referee": 1,
        "game": sheet.head.game,
        "players": sheet.head.players,
        "dealer": sheet.head.dealer,
        "options": sheet.head.options,
        "entries": [msgspec.to_builtins(step.entry) for step in sheet.course.steps],
        "history": [msgspec.to_builtins(row) for row in sheet.history],
    }


def as_new(sheet: Sheet, links: Sequence[tuple[Role, str]], at: str) -> NewSheet:
    """A sheet that was read from a file, as one to begin with these links at this time.

    Without a history of its own it gets one, as if its entries had been recorded just now. Raises
    `IllegalEntry` or `NotationError` where an entry breaks a rule.
    """
    play_through(sheet.game, sheet.table, sheet.entries)
    history = sheet.history
    if history is None:
        history = tuple(
            Past(seq, "play", at, msgspec.to_builtins(entry))
            for seq, entry in enumerate(sheet.entries, start=1)
        )
    drafts = [
        Draft(row.kind, row_body(row), f"imported-{row.seq}", "host", row.at, row.target, row.by)
        for row in history
    ]
    head = head_of(sheet.game.slug, table_settings(sheet.table), history)
    return NewSheet(head.text(), links, at, drafts)

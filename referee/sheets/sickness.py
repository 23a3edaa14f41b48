"""A sheet that cannot be played through, and what is left to say of it.

It may have been written when the rules or the program were others, or the disk may have lost a part
of it. Such a sheet is told from every other fault, so that it stays alone: it is shown as it was
written, can be exported and put in the trash, and disturbs nobody.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.ledger.errors import LedgerError
from referee.ledger.salvage import Written, WrittenRow
from referee.ledger.store import Row
from referee.rules.core.decoding import known
from referee.rules.core.ruling import MalformedEntry, RefereeError
from referee.rules.registry import GAMES
from referee.rules.text import Text, say, typed
from referee.sheets.files import entry_of
from referee.sheets.history import Fate, Head, Past, in_force, settings_now
from referee.sheets.sheet import past_of


class SickSheetError(LedgerError):
    """Sheet number `sheet` cannot be played through; `why` says what stands in the way."""

    def __init__(self, sheet: int, error: Exception) -> None:
        self.sheet = sheet
        self.why = _why(error)
        super().__init__(say("This sheet can’t be played through: {why}", why=self.why))


def _why(error: Exception) -> Text:
    if isinstance(error, RefereeError | LedgerError):
        return typed(str(error))
    return say("a row of it isn’t as Referee writes it ({kind}).", kind=type(error).__name__)


def file_as_written(written: Written) -> dict[str, Any]:
    """A sheet as a file, without playing it: where all of it can be read, as a sheet file.

    That can be taken in again once the rules are as they were. Otherwise what could be read, each
    row with its `body` as text, to be mended by hand (`docs/reliability.md`, a sick sheet).
    """
    try:
        return _sheet_file(written)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, RecursionError):
        rows = [msgspec.to_builtins(row) for row in written.rows]
        return {"head": written.head, "begun": written.begun, "rows": rows}


def _sheet_file(written: Written) -> dict[str, Any]:
    begun = msgspec.json.decode(written.head, type=known(Head))
    history = [_past(row) for row in written.rows]
    now = settings_now(begun.settings, history)
    return {
        "referee": 1,
        "game": begun.game,
        "players": now.players,
        "dealer": now.dealer,
        "options": now.options,
        "entries": [_entry(begun.game, fate) for fate in in_force(history)],
        "history": msgspec.to_builtins(history),
    }


def _past(row: WrittenRow) -> Past:
    target = int(row.target) if row.target else None
    # Whether kind and role are any that there are is for `convert` to find out.
    read: Any = Row(row.seq, row.kind, target, row.body, "", row.role, row.at, row.by, row.hash)  # type: ignore[arg-type]
    return msgspec.convert(msgspec.to_builtins(past_of(read)), known(Past))


def _entry(slug: str, fate: Fate) -> dict[str, Any]:
    """An entry as it stands; as it was written, where the game cannot read it any more."""
    try:
        entry: dict[str, Any] = msgspec.to_builtins(entry_of(GAMES[slug], fate))
    except (KeyError, MalformedEntry):
        return fate.last
    return entry


def told(row: WrittenRow) -> Sequence[tuple[str, str]]:
    """What a row says, field by field; in one piece under no name where it cannot be taken apart.

    For people: what cannot be seen is replaced.
    """
    try:
        fields = msgspec.json.decode(row.body, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return [("", seen(row.body))]
    return [
        (seen(name), seen(value if isinstance(value, str) else msgspec.json.encode(value).decode()))
        for name, value in fields.items()
    ]


def seen(text: str) -> str:
    """Text as it can be shown: whatever cannot be seen is replaced by a sign that can."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)

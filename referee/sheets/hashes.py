"""The hashes that the rows of an exported sheet carry, and whether the rows are still theirs."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from referee.ledger.chain import Said, first_hash, row_hash
from referee.rules.text import Text, say
from referee.sheets.history import Past, SheetSettings, row_body, settings_at_start


class Head(Struct, frozen=True):
    """The game and the settings with which a sheet was begun, as the ledger has them."""

    game: str
    players: list[str]
    dealer: str
    options: dict[str, Any]

    @property
    def settings(self) -> SheetSettings:
        """The same without the game, which cannot change."""
        return SheetSettings(self.players, self.dealer, self.options)

    def text(self) -> str:
        """The head as the ledger has it: JSON text."""
        return msgspec.json.encode(self).decode()


def head_of(game: str, now: SheetSettings, rows: Sequence[Past]) -> Head:
    """The head of the sheet that has these rows and the settings of `now`."""
    begun = settings_at_start(now, rows)
    return Head(game, begun.players, begun.dealer, begun.options)


def last_hash(head: Head, rows: Sequence[Past]) -> str:
    """The hash that the chain of a sheet with this head and these rows comes to."""
    hash_ = first_hash(head.text())
    for row in rows:
        hash_ = row_hash(hash_, _said(row))
    return hash_


def hash_faults(head: Head, rows: Sequence[Past]) -> Iterator[Text]:
    """The rows that carry a hash which is not theirs; one that carries none may be anything."""
    before = first_hash(head.text())
    for row in rows:
        made = row_hash(before, _said(row))
        if row.hash not in ("", made):
            yield say("row {row} isn’t what was written, or doesn’t follow", row=row.seq)
        before = row.hash or made


def _said(row: Past) -> Said:
    return Said(row.seq, row.kind, row.target, row.at, row.by, row_body(row))

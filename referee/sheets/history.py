"""What the rows of a sheet come to: which entries count, and what has become of the others.

Nothing is ever erased. A row may void an earlier one, and be voided itself, which brings the
earlier one back; an amendment gives an entry another content and leaves its place in the order.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from referee.rules.entries import Reason
from referee.rules.table import NAME_LENGTH


class Past(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One row of a sheet's history: what was written when.

    A play and an amendment hold an `entry`; an amendment and a void name the row they change as
    `target`, and may say why. `by` is what the phone that wrote it called itself.
    """

    seq: Annotated[int, Meta(ge=1)]
    kind: Literal["play", "amend", "void"]
    at: Annotated[str, Meta(max_length=40)]
    entry: dict[str, Any] | None = None
    target: int | None = None
    reason: Reason = ""
    by: Annotated[str, Meta(max_length=NAME_LENGTH)] = ""


class Fate(Struct, frozen=True):
    """What has become of an entry: `last` is the content that counts, or the last it had.

    `voided` is the row that took it out, if one did; `amended` are the amendments that stand.
    """

    play: Past
    last: dict[str, Any]
    voided: Past | None
    amended: tuple[Past, ...]


def standing(rows: Sequence[Past]) -> set[int]:
    """The numbers of the rows that no standing row voids."""
    stands = {row.seq for row in rows}
    for row in reversed(rows):  # what voids a row is always younger than it
        if row.kind == "void" and row.seq in stands and row.target is not None:
            stands.discard(row.target)
    return stands


def fates(rows: Sequence[Past]) -> list[Fate]:
    """What has become of every entry ever made, in the order in which they were made."""
    stands = standing(rows)
    amended: dict[int, list[Past]] = {}
    voided: dict[int, Past] = {}
    for row in rows:
        if row.seq in stands and row.target is not None:
            if row.kind == "amend":
                amended.setdefault(row.target, []).append(row)
            else:
                voided[row.target] = row
    found = []
    for play in (row for row in rows if row.kind == "play"):
        changes = tuple(amended.get(play.seq, ()))
        last = (changes[-1] if changes else play).entry or {}
        found.append(Fate(play, last, voided.get(play.seq), changes))
    return found


def in_force(rows: Sequence[Past]) -> list[tuple[int, dict[str, Any]]]:
    """The entries that count, each with the number of the row it was first written in."""
    return [(fate.play.seq, fate.last) for fate in fates(rows) if fate.voided is None]


def row_faults(rows: Sequence[Past]) -> list[str]:
    """What cannot be right in a history, in words: numbers, targets, rows that lack a part."""
    faults: list[str] = []
    kinds = {row.seq: row.kind for row in rows}
    needs = {"play": (True, False), "amend": (True, True), "void": (False, True)}
    parts = {"play": "an entry", "amend": "an entry and a target", "void": "a target"}
    for place, row in enumerate(rows, start=1):
        if row.seq != place:
            faults.append(f"row {place} has the number {row.seq}")
        if (row.entry is not None, row.target is not None) != needs[row.kind]:
            faults.append(f"row {place} needs {parts[row.kind]} and nothing else")
        elif row.target is not None and (
            row.target not in standing(rows[: place - 1])
            or kinds[row.target] not in _CHANGEABLE[row.kind]
        ):
            faults.append(f"row {place} changes row {row.target}, which it cannot")
    return faults


_CHANGEABLE = {"amend": ("play",), "void": ("play", "amend", "void"), "play": ()}

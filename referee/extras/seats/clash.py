"""Figures that can't be true together: what they come to, and what each of those asked may see."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from referee.extras.seats.gathering import Part, merged
from referee.rules.core.ruling import Fault
from referee.rules.text import Text
from referee.sheets.sheet import OpenSheet
from referee.web.forms.decode import entries_sent


class Figure(Struct, frozen=True):
    """What one player said, or the number that those of several `players` come to."""

    players: Sequence[str]
    says: int | str


class Clash(Struct, frozen=True):
    """Figures that can't be true together, and `why`; empty where only one's own may be seen.

    Where all of them have a fixed total, `over` is by how much they exceed it, negative if they
    fall short; otherwise None.
    """

    why: Text
    figures: Sequence[Figure]
    over: int | None


def total_of(sheet: OpenSheet, parts: Mapping[str, Part]) -> int | None:
    """What everybody's numbers always come to in an entry of these parts; None if it varies."""
    action = merged(parts, sheet.state.table.players).get("action", "")
    kind = sheet.game.entries.get(action)
    return kind.total if kind else None


def numbers_in(sheet: OpenSheet, parts: Mapping[str, Part]) -> Mapping[str, int]:
    """The numbers in these parts, by player."""
    entry = entries_sent(merged(parts, sheet.state.table.players), sheet)[-1]
    return next((value for value in entry.values() if isinstance(value, dict)), {})


def clash_of(
    sheet: OpenSheet, parts: Mapping[str, Part], faults: Sequence[Fault], player: str = ""
) -> Clash:
    """The clash of these parts, as a `player` sees it who is among them, or else a scorekeeper.

    A player learns what the figures of the others come to, and no single one of several.
    """
    total = total_of(sheet, parts)
    if total is None:
        written = [Figure([one], part.written) for one, part in parts.items()]
        return Clash(faults[0].says, () if player else written, None)
    numbers = numbers_in(sheet, parts)
    groups = [[one] for one in numbers]
    if player in numbers:
        groups = [[one for one in numbers if one != player], [player]]
    figures = [Figure(group, sum(numbers[one] for one in group)) for group in groups]
    return Clash(faults[0].says, figures, sum(numbers.values()) - total)

"""Red nines that are written in another number: “25 + 9♦” is 34 points, and a red nine is held.

So they are tapped and typed, and so a correction has them. Entries keep the two numbers apart.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import inspect

from referee.rules.core.asking import RED_NINES, RedNines, types_of

_RED_NINE = re.compile(r"9(?:[♥♦]\ufe0e?|[HDR])", re.IGNORECASE)
_SIGN = "9♦"


def read_apart(text: str, points: int) -> tuple[str, int]:
    """The number in `text` with `points` for each red nine in it, and how many these are.

    The number may be a sum; it is empty where `text` has nothing else.
    """
    parts = [part.strip() for part in text.split("+")]
    plain = [part for part in parts if not _RED_NINE.fullmatch(part)]
    red_nines = len(parts) - len(plain)
    if not red_nines:
        return text, 0
    counted = [str(points)] * red_nines if points else []
    return "+".join(plain + counted), red_nines


def written(hand: Mapping[str, Any], wanted: inspect.StructType) -> dict[str, Any]:
    """A hand in numbers as a form has it: its red nines in the number that they are written in."""
    parts = dict(hand)
    for name, red_nines in counts_of(wanted):
        if held := parts.pop(name, 0):
            number = parts[red_nines.field] - held * red_nines.points
            parts[red_nines.field] = " + ".join([str(number)] * bool(number) + [_SIGN] * held)
    return parts


def counts_of(wanted: inspect.StructType) -> Iterator[tuple[str, RedNines]]:
    """The fields of a struct that count red nines, by name."""
    for field in wanted.fields:
        beside = types_of(field.type)[0].beside
        if RED_NINES in beside:
            yield field.encode_name, beside[RED_NINES]

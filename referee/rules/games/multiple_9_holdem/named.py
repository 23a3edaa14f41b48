"""Values by player, written in one line: `Ann:Q 5;Ben:K A`."""

import re
from collections.abc import Iterable

from referee.rules.core.decoding import SHARED_RULES
from referee.rules.core.ruling import Fault, MalformedEntry

_CHIPS = re.compile(r"[0-9]{1,12}")


def by_player(text: str, example: str) -> dict[str, str]:
    """What stands after each name, in the order written.

    Raises `MalformedEntry` for a part without a name and for a name that stands twice; `example`
    says how it is written.
    """
    found: dict[str, str] = {}
    faults = []
    for part in filter(str.strip, text.split(";")):
        name, colon, value = part.rpartition(":")
        name = name.strip()
        if not colon or not name:
            message = f"“{part.strip()[:40]}” does not say whose it is. Write {example}."
            faults.append(_unreadable(message))
        elif name in found:
            faults.append(_unreadable(f"{name[:40]} stands there twice."))
        found[name] = value.strip()
    if faults:
        raise MalformedEntry(faults)
    return found


def chips_by_player(text: str, example: str) -> dict[str, int]:
    """Chips by player; raises `MalformedEntry` as `by_player` does, and for what is no number."""
    written = by_player(text, example)
    faults = [
        _unreadable(f"{name[:40]}: “{value[:40]}” is not a number of chips. Write {example}.")
        for name, value in written.items()
        if not _CHIPS.fullmatch(value)
    ]
    if faults:
        raise MalformedEntry(faults)
    return {name: int(value) for name, value in written.items()}


def names(text: str) -> list[str]:
    """Names with commas between them."""
    return list(dict.fromkeys(filter(None, map(str.strip, re.split("[,;]", text)))))


def _unreadable(message: str) -> Fault:
    return Fault("unreadable-question", message, f"{SHARED_RULES}, the sheet file")


def joined(names: Iterable[str]) -> str:
    """Names as people say them: "Ann, Ben and Cat"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last

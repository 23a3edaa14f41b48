"""Values by player, written in one line: `Ann:Q 5;Ben:K A`, `Ann:2;Ben:-1`, `Ann,Ben`."""

import re
from collections.abc import Iterator

from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import Text, say

_NUMBER = re.compile(r"[-−]?[0-9]{1,12}")
_SHOWN = 40  # characters of what cannot be read


def by_player(text: str, example: str) -> dict[str, str]:
    """What stands after each name, in the order written.

    Raises `MalformedEntry` for a part without a name and for a name that stands twice; `example`
    shows how it is written.
    """
    found: dict[str, str] = {}
    faults = []
    for name, value in parts(text):
        if not name:
            faults.append(
                _unreadable(
                    say(
                        "“{part}” doesn’t say whose it is. Write {example}.",
                        part=value[:_SHOWN],
                        example=example,
                    )
                )
            )
        elif name in found:
            faults.append(_unreadable(say("{name} is named twice.", name=name[:_SHOWN])))
        found[name] = value
    if faults:
        raise MalformedEntry(faults)
    return found


def numbers_by_player(text: str, example: str, *, least: int = 0) -> dict[str, int]:
    """Whole numbers by player, none below `least`.

    Raises `MalformedEntry` as `by_player` does, and for every value that is no such number.
    """
    written = by_player(text, example)
    faults = [
        _unreadable(
            say(
                "{name}: “{value}” is not a number that fits here. Write {example}.",
                name=name[:_SHOWN],
                value=value[:_SHOWN],
                example=example,
            )
        )
        for name, value in written.items()
        if not _NUMBER.fullmatch(value) or _whole(value) < least
    ]
    if faults:
        raise MalformedEntry(faults)
    return {name: _whole(value) for name, value in written.items()}


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Each name with what stands after its colon; "" as the name where there is none."""
    for part in filter(str.strip, text.split(";")):
        name, _, value = part.rpartition(":")
        yield name.strip(), value.strip()


def names(text: str) -> list[str]:
    """Names with commas or semicolons between them, each once."""
    return list(dict.fromkeys(filter(None, map(str.strip, re.split("[,;]", text)))))


def _whole(value: str) -> int:
    return int(value.replace("−", "-"))


def _unreadable(says: Text) -> Fault:
    return shared_fault("unreadable-question", says, "file")

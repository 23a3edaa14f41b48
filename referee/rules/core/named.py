"""Values by player in one line, as one field of a question has them: `Ann:Q 5;Ben:K A`, `Ann,Ben`.

Turns are written in the same way, each player with the cards laid: `Ann:7S 8S;Ben:9S;Ann:4H`.
"""

import re
from collections.abc import Callable, Iterator

from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import NOTHING, Text, quoted, say

_SEPARATORS = re.compile(r"[;:,\s]+")
_NUMBER = re.compile(r"[-−–+]?[0-9]{1,12}")
_HYPHEN = str.maketrans("−–", "--")  # for a real minus sign, and a dash typed as one


def by_player(
    text: str, example: str, wrong: Callable[[str, str], Text] = lambda name, value: NOTHING
) -> dict[str, str]:
    """The value after each name, in the order written; `wrong` says what is wrong with one.

    Raises `MalformedEntry` for all parts without a name, all names given twice and all wrong
    values; its faults show by the `example` how to write them.
    """
    found: dict[str, str] = {}
    faults: list[Text] = []
    for name, value in named_values(text):
        if not name:
            faults.append(_nobodys(value, example))
        elif name in found:
            faults.append(say("{name} is named twice.", name=quoted(name)))
        elif says := wrong(quoted(name), value):
            faults.append(says)
        found[name] = value
    if faults:
        raise MalformedEntry(map(_unreadable, faults))
    return found


def turns_in_order(text: str, example: str) -> list[tuple[str, str]]:
    """Each turn's player and value; raises `MalformedEntry` for all parts without a name."""
    found = [(quoted(name), value) for name, value in named_values(text)]
    faults = [_nobodys(value, example) for name, value in found if not name]
    if faults:
        raise MalformedEntry(map(_unreadable, faults))
    return found


def numbers_by_player(text: str, example: str, *, least: int | None = 0) -> dict[str, int]:
    """Whole numbers by player, none below `least`; raises `MalformedEntry` as `by_player` does."""

    def wrong(name: str, value: str) -> Text:
        if not value:
            return say(
                "{name}’s number is missing. Write it like {example}.", name=name, example=example
            )
        if not _NUMBER.fullmatch(value):
            return say(
                "{name}: “{value}” isn’t a whole number. Write it like {example}.",
                name=name,
                value=quoted(value),
                example=example,
            )
        number = int(value.translate(_HYPHEN))
        if least is not None and number < least:
            return say("{name}: {n} is below {least}.", name=name, n=number, least=least)
        return NOTHING

    found = by_player(text, example, wrong)
    return {name: int(value.translate(_HYPHEN)) for name, value in found.items()}


def named_values(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name with the value after its colon; without a colon the name is ""."""
    for part in filter(str.strip, text.split(";")):
        name, _, value = part.rpartition(":")
        yield name.strip(), value.strip()


def without_separators(name: str) -> str:
    """A name with separators replaced by spaces."""
    return _SEPARATORS.sub(" ", name).strip()


def names(text: str) -> list[str]:
    """Names separated by commas or semicolons, each once."""
    return list(dict.fromkeys(filter(None, map(str.strip, re.split("[,;]", text)))))


def _nobodys(part: str, example: str) -> Text:
    return say(
        "“{part}” doesn’t say whose it is. Write it like {example}.",
        part=quoted(part),
        example=example,
    )


def _unreadable(says: Text) -> Fault:
    return shared_fault("unreadable-question", says, "file")

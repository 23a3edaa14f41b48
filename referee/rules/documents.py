"""Faults and rulings as documents: the plain JSON values of `docs/sheet-format.md`."""

import json
from collections.abc import Iterator
from typing import Any

from referee.rules.core.ruling import SHARED_SECTIONS, Fault, RefereeError, Ruling
from referee.rules.registry import GAMES
from referee.rules.text import Text, say

Place = tuple[str | int, ...]


def rule_name(game: str, section: str) -> Text:
    """The name of a section of the rules as a document shows it: "Nine Five Two, scoring".

    `game` is a slug, or "" for the sections of every game. A section without a heading gives the
    game's title alone, so that the ruling is not lost.
    """
    title = GAMES[game].title if game else say("Every game")
    heading = (GAMES[game].sections if game else SHARED_SECTIONS).get(section)
    return say("{game}, {section}", game=title, section=heading) if heading else title


def fault_document(fault: Fault) -> dict[str, str]:
    """A fault as plain JSON values, its sentence in the current language."""
    rule = str(rule_name(fault.game, fault.section))
    return {"code": fault.code, "message": fault.message, "rule": rule}


def ruling_document(ruling: Ruling) -> dict[str, Any]:
    """A ruling as `referee check --json` prints it."""
    return {
        "legal": ruling.legal,
        "faults": [fault_document(fault) for fault in ruling.faults],
        "detail": dict(ruling.detail),
    }


def error_document(error: RefereeError) -> dict[str, Any]:
    """What `--json` prints for a refused sheet or question."""
    faults = [fault_document(fault) for fault in error.faults]
    return {"error": {"entry": error.entry, "faults": faults}}


def keys_given_twice(text: str | bytes) -> list[Place]:
    """The paths (keys and list indexes) of duplicate keys, which make a JSON text ambiguous.

    Raises `ValueError` if it isn't JSON, and `RecursionError` if it is nested too deep.
    """
    doubled: list[tuple[dict[str, Any], list[str]]] = []

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            keys = [key for key, _ in pairs]
            doubled.append((value, [key for key in value if keys.count(key) > 1]))
        return value

    whole = json.loads(text, object_pairs_hook=made)
    if not doubled:
        return []
    names = {id(value): keys for value, keys in doubled}
    return [(*place, key) for place, value in _objects(whole) for key in names.get(id(value), ())]


def given_twice(place: Place) -> Text:
    """The sentence for a key that is given twice, by its path."""
    return say("“{name}” is given twice.", name=".".join(str(key) for key in place)[:80])


def _objects(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every object in a plain JSON value, preceded by its path."""
    if isinstance(value, dict):
        yield place, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _objects(inner, (*place, key))

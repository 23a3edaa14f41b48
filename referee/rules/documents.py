"""Faults and rulings as documents: the plain JSON values of `docs/sheet-format.md`."""

import json
from collections.abc import Iterator
from typing import Any

from referee.rules.core.ruling import SHARED_SECTIONS, Fault, RefereeError, Ruling
from referee.rules.registry import GAMES
from referee.rules.text import Text, say

Place = tuple[str | int, ...]


def rule_name(game: str, section: str) -> Text:
    """The name of a section of the rules of the game with this slug, "" for every game's.

    As faults carry it in a document: "Nine Five Two, scoring". A section without a heading, which
    the tests of the games find, must not cost anybody the ruling: then the name is the game's.
    """
    title = GAMES[game].title if game else say("Every game")
    heading = (GAMES[game].sections if game else SHARED_SECTIONS).get(section)
    return say("{game}, {section}", game=title, section=heading) if heading else title


def fault_document(fault: Fault) -> dict[str, str]:
    """A fault as it stands in a document."""
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
    """What `--json` prints where a sheet or a question is refused."""
    faults = [fault_document(fault) for fault in error.faults]
    return {"error": {"entry": error.entry, "faults": faults}}


def keys_given_twice(text: str | bytes) -> list[Place]:
    """Where in a JSON text a key is given again in the same object, as keys and places in lists.

    Which of the two a reader goes by is its own business, so the text has two meanings. Raises
    `ValueError` where it isn't JSON, and `RecursionError`.
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
    """What is wrong with the key there."""
    return say("“{name}” is given twice.", name=".".join(str(key) for key in place)[:80])


def _objects(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """All objects in a value of plain JSON types, and where each is."""
    if isinstance(value, dict):
        yield place, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _objects(inner, (*place, key))

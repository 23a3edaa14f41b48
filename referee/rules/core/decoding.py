"""Reading values of plain JSON types into the program's own, and saying what cannot be read."""

import json
from collections.abc import Iterator
from threading import Lock
from typing import Any, TypeVar

import msgspec

from referee.rules.core.field_reader import FieldReader, What
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import Text, say

T = TypeVar("T")
Place = tuple[str | int, ...]

_KNOWN: set[type[Any]] = set()
_ONE_AT_A_TIME = Lock()


def known(into: type[T]) -> type[T]:
    """`into`, once msgspec has all that it needs to know of it: for any type read in threads.

    It looks into a type when that is first read. Another thread that reads the same type meanwhile
    finds half of it, and the process dies of that.
    """
    if into not in _KNOWN:
        with _ONE_AT_A_TIME:
            msgspec.json.Decoder(into)
        _KNOWN.add(into)
    return into


def decode(value: Any, into: type[T], what: What, *, strict: bool = True) -> T:
    """`value`, made of plain JSON types, as the type `into`; raises `MalformedEntry`.

    `what` is being read: the section of the rules that a fault names. Only where it cannot be read
    is it gone through field by field, for everything that is wrong with it.
    """
    try:
        return msgspec.convert(value, known(into), strict=strict)
    except msgspec.ValidationError as error:
        reader = FieldReader(what, strict=strict)
        reader.fields(value, into)
        raise MalformedEntry(reader.faults or [_refused_whole(error, what)]) from None


def _refused_whole(error: msgspec.ValidationError, what: What) -> Fault:
    """Why values that can be read one by one were refused: they don't go together.

    The struct raised a `ValueError` of a text, in which the decoder has wrapped its own.
    """
    cause = error.__cause__
    said = cause.args[0] if isinstance(cause, ValueError) and cause.args else None
    says = said if isinstance(said, Text) else say("This can’t be read as it is written.")
    return shared_fault(f"unreadable-{what}", says, what)


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

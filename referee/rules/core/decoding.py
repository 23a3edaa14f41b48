"""Reading values of plain JSON types into the program's own, and saying what cannot be read."""

import re
from typing import Any, Literal, TypeVar

import msgspec

from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.text import NOTHING, Text, listed, say, say_many, typed

T = TypeVar("T")
What = Literal["entry", "question", "options", "sheet"]


def decode(value: Any, into: type[T], what: What, *, strict: bool = True) -> T:
    """`value`, made of plain JSON types, as the type `into`; raises `MalformedEntry`.

    `what` is being read: the section of the rules that a fault names.
    """
    try:
        return msgspec.convert(value, into, strict=strict)
    except msgspec.ValidationError as error:
        says = _sentence_of(error.__cause__) or _unreadable(str(error))
        raise MalformedEntry([shared_fault(f"unreadable-{what}", says, what)]) from None


def _sentence_of(refused: BaseException | None) -> Text:
    """The sentence with which a struct refuses values that don't go together, if it has one.

    It raises a `ValueError` of a text, in which the decoder has wrapped its own.
    """
    said = refused.args[0] if isinstance(refused, ValueError) and refused.args else None
    return said if isinstance(said, Text) else NOTHING


_KINDS = {
    "int": say("a whole number"),
    "bool": say("true or false"),
    "str": say("text"),
    "array": say("a list"),
    "object": say("an object of fields"),
    "null": say("nothing"),
    "float": say("a number with a fraction"),
}
_SHOWN = 40  # characters of a name or a value that cannot be read

_WRONG_KIND = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_TOO_MUCH = re.compile(r"Expected `(\w+)` (of length )?([<>]=) (-?[0-9]+)")
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING_FIELD = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_NO_CHOICE = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)


def _unreadable(said: str) -> Text:
    """What msgspec said, in words for somebody at a table."""
    what, _, path = said.rpartition(" - at `") if " - at `" in said else (said, "", "")
    place = _place(path)
    if found := _WRONG_KIND.fullmatch(what):
        wanted = listed([_kind(kind) for kind in found[1].split(" | ")], "or")
        got = _kind(found[2])
        return say("{place}: write {wanted}, not {got}.", place=place, wanted=wanted, got=got)
    if found := _TOO_MUCH.fullmatch(what):
        return _beyond(place, bool(found[2]), found[1], found[3], int(found[4]))
    if found := _UNKNOWN_FIELD.fullmatch(what):
        return say("There’s no field called “{field}” here.", field=found[1][:_SHOWN])
    if found := _MISSING_FIELD.fullmatch(what):
        return say("“{field}” is missing.", field=found[1])
    if found := _NO_CHOICE.fullmatch(what):
        value = found[1].strip("'")[:_SHOWN]
        return say("{place}: “{value}” isn’t one of the choices.", place=place, value=value)
    return say("{place}: {why}.", place=place, why=what.replace("`", ""))


def _beyond(place: Text, length: bool, kind: str, bound: str, limit: int) -> Text:
    """Says that a number is beyond its `limit`, or that so much of something is."""
    if not length:
        if bound == ">=":
            return say("{place}: write a number of at least {n}.", place=place, n=limit)
        return say("{place}: write a number of at most {n}.", place=place, n=limit)
    if kind == "str":
        return say_many(
            "{place}: write at most {n} character.",
            "{place}: write at most {n} characters.",
            n=limit,
            place=place,
        )
    return say("{place}: {n} at most.", place=place, n=limit)


def _place(path: str) -> Text:
    """The field that a path such as "$.hands[...].cards" leads to: "hands.cards"."""
    field = re.sub(r"\[[^]]*\]", "", path.rpartition("$")[2]).strip("`.")
    return typed(field) if field else say("This")


def _kind(name: str) -> Text:
    return _KINDS.get(name, typed(name))

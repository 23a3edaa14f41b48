"""Reading values of plain JSON types into the program's own, and saying what cannot be read."""

import re
from typing import Any, Literal, TypeVar

import msgspec

from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.text import NOTHING, Text, listed, say, typed

T = TypeVar("T")
What = Literal["entry", "question", "options", "sheet"]


def decode(value: Any, into: type[T], what: What, *, strict: bool = True) -> T:
    """`value`, made of plain JSON types, as the type `into`; raises `MalformedEntry`.

    `what` is being read: the section of the rules that a fault names.
    """
    try:
        return msgspec.convert(value, into, strict=strict)
    except msgspec.ValidationError as error:
        says = _own_words(error.__cause__) or _unreadable(str(error))
        raise MalformedEntry([shared_fault(f"unreadable-{what}", says, what)]) from None


def _own_words(refused: BaseException | None) -> Text:
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


def _unreadable(said: str) -> Text:
    """What the decoder said, in words for somebody at a table."""
    said, _, path = said.partition(" - at `$")
    where = path.strip("`.").removesuffix(".[...]")
    place = typed(where) if where else say("This")
    if found := re.fullmatch(r"Expected `([^`]*)`, got `([^`]*)`", said):
        wanted = listed([_kind(kind) for kind in found[1].split(" | ")], "or")
        return say(
            "{place}: write {wanted}, not {got}.", place=place, wanted=wanted, got=_kind(found[2])
        )
    if found := re.fullmatch(r"Object (contains unknown|missing required) field `(.*)`", said):
        if found[1] == "missing required":
            return say("“{field}” is missing.", field=found[2])
        return say("There is no field called “{field}” here.", field=found[2][:40])
    if found := re.fullmatch(r"Invalid enum value (.*)", said):
        return say("{place}: {value} is none of the choices.", place=place, value=found[1][:40])
    return say("{place}: {why}.", place=place, why=said.replace("`", ""))


def _kind(name: str) -> Text:
    return _KINDS.get(name, typed(name))

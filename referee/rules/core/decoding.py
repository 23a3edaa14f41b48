"""Reading values of plain JSON types into the program's own, and saying what cannot be read."""

import re
from typing import Any

import msgspec

from referee.rules.core.ruling import Fault, MalformedEntry

SHARED_RULES = "Every game"


def decode(value: Any, into: Any, what: str, *, strict: bool = True) -> Any:
    """`value`, made of plain JSON types, as the type `into`; raises `MalformedEntry`."""
    try:
        return msgspec.convert(value, into, strict=strict)
    except msgspec.ValidationError as error:
        fault = Fault(f"unreadable-{what}", _unreadable(str(error)), f"{SHARED_RULES}, the {what}")
        raise MalformedEntry([fault]) from None


_KINDS = {
    "int": "a whole number", "bool": "true or false", "str": "text", "array": "a list",
    "object": "an object of fields", "null": "nothing", "float": "a number with a fraction",
}  # fmt: skip


def _unreadable(said: str) -> str:
    """What the decoder said, in words for somebody at a table."""
    said, _, path = said.partition(" - at `$")
    where = path.strip("`.").removesuffix(".[...]") or "This"
    if found := re.fullmatch(r"Expected `([^`]*)`, got `([^`]*)`", said):
        wanted = " or ".join(_KINDS.get(kind, kind) for kind in found[1].split(" | "))
        return f"{where}: write {wanted}, not {_KINDS.get(found[2], found[2])}."
    if found := re.fullmatch(r"Object (contains unknown|missing required) field `(.*)`", said):
        if found[1] == "missing required":
            return f"“{found[2]}” is missing."
        return f"“{found[2][:40]}” is no field that is known here."
    if found := re.fullmatch(r"Invalid enum value (.*)", said):
        return f"{where}: {found[1][:40]} is none of the choices."
    return f"{where}: {said.replace('`', '')}."

"""Reading values of plain JSON types into the program's own, and saying what cannot be read."""

from typing import Any, TypeVar

import msgspec

from referee.rules.core.field_reader import FieldReader, What
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import Text, say

T = TypeVar("T")


def decode(value: Any, into: type[T], what: What, *, strict: bool = True) -> T:
    """`value`, made of plain JSON types, as the type `into`; raises `MalformedEntry`.

    `what` is being read: the section of the rules that a fault names. Only where it cannot be read
    is it gone through field by field, for everything that is wrong with it.
    """
    try:
        return msgspec.convert(value, into, strict=strict)
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

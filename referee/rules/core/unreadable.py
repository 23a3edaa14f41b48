"""The sentences for what cannot be read: which field it is, and what would be right there."""

from collections.abc import Iterable
from typing import Any

from msgspec import inspect

from referee.rules.text import BEYOND_COUNTING, NOTHING, Text, listed, say, say_many, typed

SHOWN = 40  # characters of what somebody wrote


def missing(field: Text) -> Text:
    """That nothing is said of a field that must be filled in."""
    if _is_question(field):
        return say("Still missing: {field}", field=field)
    return say("Still missing: {field}.", field=field)


def unknown_field(name: Any, place: Text) -> Text:
    """That there is no field of this name, in the hand or whatever else `place` is."""
    shown = str(name)[:SHOWN]
    if place:
        return say("“{field}” doesn’t belong in {place}. Leave it out.", field=shown, place=place)
    return say("“{field}” doesn’t belong here. Leave it out.", field=shown)


def not_wanted(place: Text, wanted: Text, value: Any) -> Text:
    """That something else is wanted than the `value` given, which is named where it can be."""
    given = _quoted(value)
    if _is_question(place):
        if given:
            return say(
                "{asked} Enter {wanted}, not {given}.", asked=place, wanted=wanted, given=given
            )
        return say("{asked} Enter {wanted}.", asked=place, wanted=wanted)
    if given:
        return say("{place}: enter {wanted}, not {given}.", place=place, wanted=wanted, given=given)
    return say("{place}: enter {wanted}.", place=place, wanted=wanted)


def _is_question(place: Text) -> bool:
    """Whether a field is called by a question, as some are that a judge asks for."""
    words = dict(place.values).get("words", place)
    return isinstance(words, Text) and words.template.endswith("?")


def beyond_limits(place: Text, wanted: inspect.Type, given: Any) -> Text:
    """That a number is too small or too large, or a text or list too long; else nothing."""
    match wanted:
        case inspect.IntType(ge=int(least)) if given < least:
            return not_wanted(place, say("a number of at least {n}", n=least), given)
        case inspect.IntType(le=int(most)) if given > most:
            return not_wanted(place, say("a number of at most {n}", n=most), given)
        case inspect.StrType(max_length=int(most)) if len(given) > most:
            return say_many(
                "{place}: write at most {n} character, not {given}.",
                "{place}: write at most {n} characters, not {given}.",
                n=most,
                place=place,
                given=len(given),
            )
        case inspect.ListType(max_length=int(most)) if len(given) > most:
            many = len(given)
            return say(
                "{place}: enter {most} at most, not {given}.", place=place, most=most, given=many
            )
    return NOTHING


def _quoted(given: Any) -> Text:
    """What was given, where it can be named in a sentence; nothing for what is nested."""
    if isinstance(given, str):
        return say("“{text}”", text=given[:SHOWN]) if given else NOTHING
    if isinstance(given, bool):
        return say("“true”") if given else say("“false”")
    if isinstance(given, int):
        return say("{number}", number=given) if abs(given) < BEYOND_COUNTING else NOTHING
    return typed(f"{given:.6g}") if isinstance(given, float) else NOTHING


def one_of(types: Iterable[inspect.Type]) -> Text:
    """Any one of several types in words."""
    words = list(dict.fromkeys(map(in_words, types)))
    return say("{kinds}", kinds=listed(words, "or"))


def in_words(wanted: inspect.Type) -> Text:  # noqa: PLR0911 - a line a type
    """What can stand where this type is wanted."""
    match wanted:
        case inspect.IntType():
            return say("a whole number")
        case inspect.FloatType():
            return say("a number")
        case inspect.BoolType():
            return say("true or false")
        case inspect.LiteralType(values=values):
            choices = [say("“{choice}”", choice=str(each)) for each in values if each != ""]
            return say("{choices}", choices=listed(choices, "or"))
        case inspect.DictType():
            return say("each player’s, by name")
        case inspect.ListType():
            return say("a list")
        case inspect.StructType():
            return say("fields with names, in braces")
    return say("text")

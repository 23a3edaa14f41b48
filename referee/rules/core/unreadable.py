"""The sentences for what cannot be read: which field it is, and what would be right there."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import inspect

from referee.rules.text import BEYOND_COUNTING, NOTHING, Text, listed, say, say_many, typed

SHOWN = 40  # characters of what somebody wrote


def missing(field: Text) -> Text:
    """That nothing is said of a field that must be filled in."""
    if _is_question(field):
        return say("Still missing: {field}", field=field)
    return say("Still missing: {field}.", field=field)


def no_fields() -> Text:
    """That something has no fields at all."""
    return say("Write this as fields with names, in braces.")


def unknown_field(name: Any, place: Text) -> Text:
    """That there is no field of this name, in the hand or whatever else `place` is."""
    shown = str(name)[:SHOWN]
    if place:
        return say("“{field}” doesn’t belong in {place}. Leave it out.", field=shown, place=place)
    return say("“{field}” doesn’t belong here. Leave it out.", field=shown)


def not_wanted(place: Text, wanted: Text, value: Any) -> Text:
    """That something else is wanted than the `value` given, which is named where it can be."""
    given = _in_words(value)
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


def no_choice(place: Text, choices: Sequence[Any], given: Any) -> Text:
    """That a value is none of the choices."""
    quoted = listed([say("“{choice}”", choice=str(each)) for each in choices if each != ""], "or")
    return not_wanted(place, say("{choices}", choices=quoted), given)


def beyond(place: Text, wanted: inspect.IntType, given: int) -> Text:
    """That a number is too small or too large; nothing where it is neither."""
    if wanted.ge is not None and given < wanted.ge:
        least = say("a number of at least {n}", n=wanted.ge)
        return not_wanted(place, least, given)
    if wanted.le is not None and given > wanted.le:
        most = say("a number of at most {n}", n=wanted.le)
        return not_wanted(place, most, given)
    return NOTHING


def too_long(place: Text, most: int, given: int) -> Text:
    """That a text has more characters than it may have."""
    return say_many(
        "{place}: write at most {n} character, not {given}.",
        "{place}: write at most {n} characters, not {given}.",
        n=most,
        place=place,
        given=given,
    )


def too_many(place: Text, most: int, given: int) -> Text:
    """That there are more of something than there may be."""
    return say("{place}: enter {most} at most, not {given}.", place=place, most=most, given=given)


def _in_words(given: Any) -> Text:
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
    words = list(dict.fromkeys(map(wanted_in_words, types)))
    return say("{kinds}", kinds=listed(words, "or"))


def wanted_in_words(wanted: inspect.Type) -> Text:  # noqa: PLR0911 - a line a type
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

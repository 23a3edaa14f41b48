"""Plain JSON values as the program's own types, and what cannot be read in words."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from referee.rules.core.decoding import What, decode
from referee.rules.core.ruling import MalformedEntry


class Hand(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody holds."""

    cards: Annotated[str, Meta(max_length=3)] = ""
    points: Annotated[int, Meta(ge=1, le=9)] = 1


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A field of every kind."""

    name: str
    out: bool = False
    rounds: Annotated[int, Meta(ge=1)] | None = None
    scoring: Literal["deals", "cards"] = "deals"
    hands: dict[str, Hand | int] = {}
    callers: Annotated[list[str], Meta(max_length=2)] = []


def refused(value: Any, *, strict: bool = True) -> str:
    """What is said of a value that cannot be read."""
    with pytest.raises(MalformedEntry) as found:
        decode(value, Asked, "options", strict=strict)
    (fault,) = found.value.faults
    assert (fault.code, fault.section, fault.game) == ("unreadable-options", "options", "")
    return fault.message


def test_what_can_be_read() -> None:
    """Every field in its place, nested ones too."""
    value = {"name": "Ann", "hands": {"Ben": {"cards": "K A"}, "Cat": 3}, "rounds": None}
    found = decode(value, Asked, "question")
    assert found == Asked("Ann", hands={"Ben": Hand("K A"), "Cat": 3})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"out": 1}, "out: write true or false, not a whole number."),
        ({"out": "true"}, "out: write true or false, not text."),
        ({"rounds": 1.5}, "rounds: write a whole number or nothing, not a number with a fraction."),
        ({"rounds": 0}, "rounds: write a number of at least 1."),
        ({"rounds": -(10**30)}, "rounds: write a number of at least 1."),
        ({"scoring": "points"}, "scoring: “points” isn’t one of the choices."),
        ({"scoring": "x" * 99}, f"scoring: “{'x' * 40}” isn’t one of the choices."),
        ({"scoring": 3}, "scoring: write text, not a whole number."),
        ({"hands": []}, "hands: write an object of fields, not a list."),
        (
            {"hands": {"Ann": None}},
            "hands: write a whole number or an object of fields, not nothing.",
        ),
        ({"hands": {"Ann": {"cards": "A 2 3"}}}, "hands.cards: write at most 3 characters."),
        ({"hands": {"Ann": {"points": 10}}}, "hands.points: write a number of at most 9."),
        ({"hands": {"Ann": {"points": 0}}}, "hands.points: write a number of at least 1."),
        ({"hands": {3: 3}}, "hands: write text, not a whole number."),
        ({"callers": ["Ann", 2]}, "callers: write text, not a whole number."),
        ({"callers": ["Ann", "Ben", "Cat"]}, "callers: 2 at most."),
        ({"callers": "Ann"}, "callers: write a list, not text."),
        ({"caller": "Ann"}, "There’s no field called “caller” here."),
        ({"x" * 99: 1}, f"There’s no field called “{'x' * 40}” here."),
        ({"\n`$": 1}, "There’s no field called “\\n`$” here."),
    ],
)  # fmt: skip
def test_what_cannot_be_read(fields: dict[Any, Any], message: str) -> None:
    """The field and what is to be written there, without a type or an index."""
    assert refused({"name": "Ann", **fields}) == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "“name” is missing."),
        ({"name": None}, "name: write text, not nothing."),
        (None, "This: write an object of fields, not nothing."),
        ([], "This: write an object of fields, not a list."),
        ("Ann", "This: write an object of fields, not text."),
        (True, "This: write an object of fields, not true or false."),
    ],
)
def test_what_is_not_even_an_object(value: Any, message: str) -> None:
    """There is no field to name."""
    assert refused(value) == message


def test_what_is_read_names_the_fault() -> None:
    """An entry, a question, house rules and a sheet have a code and a section each."""
    everything: tuple[What, ...] = ("entry", "question", "options", "sheet")
    for what in everything:
        with pytest.raises(MalformedEntry) as found:
            decode(None, Asked, what)
        (fault,) = found.value.faults
        assert (fault.code, fault.section) == (f"unreadable-{what}", what)


def test_forms_and_commands_write_everything_as_text() -> None:
    """Where it is not strict, numbers and truth values may be text."""
    written = {"name": "Ann", "out": "true", "rounds": "9", "hands": {"Ben": {"points": "3"}}}
    found = decode(written, Asked, "question", strict=False)
    assert found == Asked("Ann", True, 9, hands={"Ben": Hand(points=3)})
    message = refused({"name": "Ann", "rounds": "nine"}, strict=False)
    assert message == "rounds: write a whole number or nothing, not text."


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "out", "rounds", "scoring", "hands", "callers", "cards", "`$"]
            ),
            inside,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(values, st.booleans())
def test_any_value_is_read_or_refused(value: Any, strict: bool) -> None:
    """In words, without the signs of the decoder."""
    try:
        assert isinstance(decode(value, Asked, "options", strict=strict), Asked)
    except MalformedEntry as error:
        (fault,) = error.faults
        assert "Expected" not in fault.message
        assert "[" not in fault.message

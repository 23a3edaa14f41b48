"""Reading plain JSON values into structs, with the faults in words."""

import re
import subprocess
import sys
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from referee.rules.core.decoding import decode
from referee.rules.core.ruling import MalformedEntry
from referee.rules.text import say
from tests.support.concurrent_decoding import THREADS, TYPES


class Hand(Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[str, Meta(max_length=3)] = ""
    points: Annotated[int, Meta(ge=1, le=9)] = 1


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    out: bool = False
    rounds: Annotated[int, Meta(ge=1)] | None = None
    scoring: Literal["deals", "cards"] = "deals"
    hands: dict[str, Hand | int] = {}
    callers: Annotated[list[str], Meta(max_length=2)] = []


def refused(value: Any, *, strict: bool = True) -> str:
    """The sentences of the faults for a value that cannot be read."""
    with pytest.raises(MalformedEntry) as found:
        decode(value, Asked, "options", strict=strict)
    (fault,) = found.value.faults
    assert (fault.code, fault.section, fault.game) == ("unreadable-options", "options", "")
    return fault.message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"out": 1}, "Out: enter true or false, not 1."),
        ({"out": "true"}, "Out: enter true or false, not “true”."),
        ({"rounds": 1.5}, "Rounds: enter a whole number, not 1.5."),
        ({"rounds": True}, "Rounds: enter a whole number, not “true”."),
        ({"rounds": 0}, "Rounds: enter a number of at least 1, not 0."),
        ({"rounds": -(10**30)}, "Rounds: enter a number of at least 1."),
        ({"scoring": "points"}, "Scoring: enter “cards” or “deals”, not “points”."),
        ({"scoring": "x" * 99}, f"Scoring: enter “cards” or “deals”, not “{'x' * 40}…”."),
        ({"scoring": 3}, "Scoring: enter “cards” or “deals”, not 3."),
        ({"hands": []}, "Hands: enter each player’s, by name."),
        (
            {"hands": {"Ann": None}},
            "Hands: enter fields with names, in braces or a whole number.",
        ),
        ({"hands": {"Ann": {"cards": "A 2 3"}}}, "Cards: write at most 3 characters, not 5."),
        ({"hands": {"Ann": {"points": 10}}}, "Points: enter a number of at most 9, not 10."),
        ({"hands": {"Ann": {"points": 0}}}, "Points: enter a number of at least 1, not 0."),
        ({"hands": {"Ann": {"K": 0}}}, "“K” doesn’t belong in hands. Leave it out."),
        ({"hands": {3: 3}}, "Hands: enter text, not 3."),
        ({"callers": ["Ann", 2]}, "Callers: enter text, not 2."),
        ({"callers": ["Ann", "Ben", "Cat"]}, "Callers: enter 2 at most, not 3."),
        ({"callers": "Ann"}, "Callers: enter a list, not “Ann”."),
        ({"caller": "Ann"}, "“caller” doesn’t belong here. Leave it out."),
        ({"x" * 99: 1}, f"“{'x' * 40}…” doesn’t belong here. Leave it out."),
        ({"\n`$": 1}, "“\\n`$” doesn’t belong here. Leave it out."),
    ],
)  # fmt: skip
def test_unreadable_values(fields: dict[Any, Any], message: str) -> None:
    """The fault names the field and what to enter, without types or indexes."""
    assert refused({"name": "Ann", **fields}) == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "Still missing: name."),
        ({"name": None}, "Still missing: name."),
        (None, "Write this as fields with names, in braces."),
        ([], "Write this as fields with names, in braces."),
        ("Ann", "Write this as fields with names, in braces."),
    ],
)
def test_values_that_are_no_object(value: Any, message: str) -> None:
    """Where fields are needed, or other ones."""
    assert refused(value) == message


class Trade(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards for the same number of cards."""

    given: str
    taken: str

    def __post_init__(self) -> None:
        if len(self.given) != len(self.taken):
            raise ValueError(say("Trade as many cards for as many."))
        if not self.given:
            raise ValueError


@pytest.mark.parametrize(
    ("given", "taken", "message"),
    [
        ("K", "Q9", "Trade as many cards for as many."),
        ("", "", "This can’t be read as it is written."),
    ],
)
def test_values_that_do_not_go_together(given: str, taken: str, message: str) -> None:
    """If a struct raises `ValueError`, its sentence becomes the fault, or a plain one."""
    with pytest.raises(MalformedEntry) as found:
        decode({"given": given, "taken": taken}, Trade, "question")
    (fault,) = found.value.faults
    assert (fault.code, fault.section) == ("unreadable-question", "question")
    assert fault.message == message


def test_forms_and_commands_write_everything_as_text() -> None:
    """Unless it is strict, numbers and truth values may be text."""
    written = {"name": "Ann", "out": "true", "rounds": "9", "hands": {"Ben": {"points": "3"}}}
    found = decode(written, Asked, "question", strict=False)
    assert found == Asked("Ann", True, 9, hands={"Ben": Hand(points=3)})
    message = refused({"name": "Ann", "rounds": "nine"}, strict=False)
    assert message == "Rounds: enter a whole number, not “nine”."


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
    """Refused in words, without those of the decoder."""
    try:
        assert isinstance(decode(value, Asked, "options", strict=strict), Asked)
    except MalformedEntry as error:
        assert error.faults
        for fault in error.faults:
            said = re.sub("“.*”", "", fault.message, flags=re.DOTALL)  # a quote may hold anything
            assert "can’t be read" not in said  # without saying why
            assert "Expected" not in said
            assert "[" not in said


def test_several_threads_may_read_a_type_for_the_first_time() -> None:
    """Run in another process, which msgspec without `known` would crash."""
    command = [sys.executable, "-m", "tests.support.concurrent_decoding"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (0, f"{TYPES * THREADS}\n"), ended.stderr

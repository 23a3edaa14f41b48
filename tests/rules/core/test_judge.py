"""A judge: a question that is answered with no sheet, from fields that may be text."""

import pytest
from msgspec import Struct

from referee.rules.core.judge import Advice, Judge
from referee.rules.core.ruling import Fault, MalformedEntry, Ruling, shared_fault
from referee.rules.text import say, typed


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """Do these cards make so many points?"""

    cards: str = ""
    points: int = 0
    final: bool = False


def rule(asked: Question) -> Ruling:
    """They do, if there are as many of them."""
    made = len(asked.cards.split())
    faults = () if made == asked.points else (Fault("points", say("No."), "tiny", "score"),)
    return Ruling(faults, {"points": made, "final": asked.final}, (say("{n} points.", n=made),))


def advise(asked: Question) -> Advice | None:
    """Say how many there are, if there are any."""
    return Advice(typed(asked.cards)) if asked.cards else None


FULL = Judge("points", say("How many?"), Question, rule, advice=advise)
BARE = Judge("points", say("How many?"), Question, rule)


def test_fields_may_be_text() -> None:
    """As a form and a command line send them."""
    ruling = FULL.answer({"cards": "K A", "points": "2", "final": "true"})
    assert (ruling.legal, ruling.detail) == (True, {"points": 2, "final": True})
    assert FULL.answer({"cards": "K A", "points": 2, "final": True}) == ruling


def test_there_is_advice_where_a_judge_has_any() -> None:
    """And where it knows some."""
    assert FULL.advise({"cards": "K A"}) == Advice(typed("K A"))
    assert FULL.advise({}) is None
    assert BARE.advise({"cards": "K A"}) is None


def test_fields_that_cannot_be_read() -> None:
    """Refused in the same way, whatever is asked of the judge."""
    for ask in (FULL.answer, FULL.advise):
        with pytest.raises(MalformedEntry, match="Points: enter a whole number, not “nine”"):
            ask({"points": "nine"})
    with pytest.raises(MalformedEntry, match="“card” doesn’t belong here"):
        FULL.answer({"card": "K"})


def test_an_error_says_everything() -> None:
    """All its faults, one sentence after another."""
    faults = [shared_fault("one", say("One."), "end"), shared_fault("two", say("Two."), "end")]
    error = MalformedEntry(iter(faults))
    assert error.faults == tuple(faults)
    assert str(error) == "One. Two."
    assert error.entry is None

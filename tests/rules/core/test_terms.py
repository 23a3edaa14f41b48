"""What deals, rounds and hands are called in sentences, and points, counters and chips."""

from typing import get_args

import pytest

from referee.rules.core.terms import UNIT_HEADS, DealCalled, Unit, amount, numbered, of_deal
from referee.rules.text import Value, listed


@pytest.mark.parametrize(
    ("unit", "one", "many", "charted"),
    [
        ("point", "1 point", "12 points", "Points after each round"),
        ("counter", "1 counter", "12 counters", "Counters after each round"),
        ("chip", "1 chip", "12 chips", "Chips after each round"),
    ],
)
def test_what_is_counted(unit: Unit, one: str, many: str, charted: str) -> None:
    """Each game has one of three."""
    assert [str(amount(unit, 1)), str(amount(unit, 12))] == [one, many]
    assert str(of_deal("round", "after each", units=UNIT_HEADS[unit])) == charted


@pytest.mark.parametrize("called", get_args(DealCalled))
@pytest.mark.parametrize(
    ("sentence", "values", "said"),
    [
        ("head of a column", {}, "{Deal}"),
        ("record", {"number": 2}, "Record {deal} 2"),
        ("tap to record", {"number": 2}, "Tap to record {deal} 2"),
        ("go on with", {"number": 2}, "Go on with {deal} 2"),
        ("next", {"dealer": "Ann"}, "Next {deal}: Ann deals"),
        ("remove", {}, "Remove this {deal}"),
        ("stop", {}, "The game ends, and the {deal} in progress doesn’t count."),
        ("over after", {"number": 2}, "Game over after {deal} 2."),
        ("how many", {"n": 1}, "1 {deal}"),
        ("how many", {"n": 2}, "2 {deal}s"),
        ("best", {}, "Best {deal}"),
        ("whose", {"n": 1, "player": "Ann", "numbers": listed([3])}, "Ann, {deal} 3"),
        ("whose", {"n": 2, "player": "Ann", "numbers": listed([4, 5])}, "Ann, {deal}s 4 and 5"),
        ("takes the lead", {"number": 2, "player": "Ann"}, "{deal} 2: Ann takes the lead"),
    ],
)
def test_what_a_deal_is_called(
    called: DealCalled, sentence: str, values: dict[str, Value], said: str
) -> None:
    """A game that calls it a round or a hand does so wherever it is spoken of."""
    theirs = said.format(deal=called, Deal=called.capitalize())
    assert str(of_deal(called, sentence, **values)) == theirs


def test_a_deal_by_its_number() -> None:
    """And of how many, where that is fixed."""
    assert str(numbered("hand", 2)) == "Hand 2"
    assert str(numbered("round", 2, last=5)) == "Round 2 of 5"

"""What deals, rounds and hands are called in sentences, and points, counters and chips."""

import pytest

from referee.rules.core.terms import (
    DealCalled,
    Unit,
    after_each,
    amount,
    deals_played,
    ended_after,
    go_on_with,
    in_deals,
    numbered,
    takes_the_lead,
    tap_to_record,
    to_record,
)


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
    assert str(after_each(unit, "round")) == charted


@pytest.mark.parametrize(
    ("called", "said"),
    [
        (
            "deal",
            [
                "Deal 2",
                "Deal 2 of 5",
                "Record deal 2",
                "Tap to record deal 2",
                "Go on with deal 2",
                "Game over after deal 2.",
                "Points after each deal",
                "1 deal",
                "2 deals",
                "deal 2: Ann takes the lead",
            ],
        ),
        (
            "round",
            [
                "Round 2",
                "Round 2 of 5",
                "Record round 2",
                "Tap to record round 2",
                "Go on with round 2",
                "Game over after round 2.",
                "Points after each round",
                "1 round",
                "2 rounds",
                "round 2: Ann takes the lead",
            ],
        ),
        (
            "hand",
            [
                "Hand 2",
                "Hand 2 of 5",
                "Record hand 2",
                "Tap to record hand 2",
                "Go on with hand 2",
                "Game over after hand 2.",
                "Points after each hand",
                "1 hand",
                "2 hands",
                "hand 2: Ann takes the lead",
            ],
        ),
    ],
)
def test_what_a_deal_is_called(called: DealCalled, said: list[str]) -> None:
    """A game that calls it a round or a hand does so wherever it is spoken of."""
    assert [
        str(text)
        for text in (
            numbered(called, 2),
            numbered(called, 2, last=5),
            to_record(called, 2),
            tap_to_record(called, 2),
            go_on_with(called, 2),
            ended_after(called, 2),
            after_each("point", called),
            deals_played(called, 1),
            deals_played(called, 2),
            takes_the_lead(called, "Ann", 2),
        )
    ] == said


@pytest.mark.parametrize(
    ("called", "numbers", "said"),
    [
        ("deal", [3], "Ann, deal 3"),
        ("deal", [4, 5], "Ann, deals 4 and 5"),
        ("round", [3], "Ann, round 3"),
        ("round", [1, 9], "Ann, rounds 1 and 9"),
        ("hand", [2], "Ann, hand 2"),
        ("hand", [2, 3], "Ann, hands 2 and 3"),
    ],
)
def test_whose_deals_they_were(called: DealCalled, numbers: list[int], said: str) -> None:
    """A player with two of them is named once."""
    assert str(in_deals(called, "Ann", numbers)) == said

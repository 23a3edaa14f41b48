"""What deals are called in sentences."""

import pytest

from referee.rules.core.terms import DealCalled, in_deals


@pytest.mark.parametrize(
    ("called", "numbers", "said"),
    [
        ("deal", [3], "Ann, deal 3"),
        ("deal", [4, 5], "Ann, deals 4 and 5"),
        ("round", [1, 9], "Ann, rounds 1 and 9"),
        ("hand", [2], "Ann, hand 2"),
    ],
)
def test_whose_deals_they_were(called: DealCalled, numbers: list[int], said: str) -> None:
    """A player with two of them is named once."""
    assert str(in_deals(called, "Ann", numbers)) == said

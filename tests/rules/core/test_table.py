"""Lines, shares, counters on the move, and who is best."""

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.table import Line, change_by_player, equal_shares
from referee.rules.text import say

WHY = say("because")


def test_what_is_paid_to_another_has_two_sides() -> None:
    """The payer gives what the payee gains, and one line says it."""
    paid = Line("Ann", -3, say("3 cards"), to="Ben")
    assert change_by_player([paid], ["Ann", "Ben"]) == {"Ann": -3, "Ben": 3}
    assert str(paid.says) == "Ann pays Ben 3: 3 cards"
    assert paid.called({"Ben": "Cat"}).gains == (("Ann", -3), ("Cat", 3))


@settings(max_examples=200, deadline=None)
@given(st.integers(-1000, 1000), st.integers(1, 9))
def test_shares_are_equal_and_add_up(amount: int, players: int) -> None:
    """To the counter, none differing by more than one, the first never behind."""
    shares = list(equal_shares(amount, range(players)).values())
    assert sum(shares) == amount
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1

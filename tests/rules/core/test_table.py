"""Lines, equal shares, moves of counters, and the best scores."""

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.table import Line, change_by_player, equal_shares
from referee.rules.text import say


def test_a_payment_changes_two_scores() -> None:
    """The payer loses what the payee gains, in one line."""
    paid = Line("Ann", -3, say("3 cards"), to="Ben")
    assert change_by_player([paid], ["Ann", "Ben"]) == {"Ann": -3, "Ben": 3}
    assert str(paid.says) == "Ann pays Ben 3: 3 cards"
    assert paid.renamed({"Ben": "Cat"}).gains == (("Ann", -3), ("Cat", 3))


@settings(max_examples=200, deadline=None)
@given(st.integers(-1000, 1000), st.integers(1, 9))
def test_shares_are_equal_and_add_up(amount: int, players: int) -> None:
    """To the counter; they differ by one at most, the first getting more."""
    shares = list(equal_shares(amount, range(players)).values())
    assert sum(shares) == amount
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1

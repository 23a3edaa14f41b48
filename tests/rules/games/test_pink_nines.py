"""What holds for every sheet of Pink Nines."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.some_deals import NAMES, played


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 10), st.integers(1, 9), st.lists(st.integers(0, 9), min_size=1, max_size=10))
def test_each_winner_is_paid_the_ante_by_all_the_others(n: int, ante: int, won: list[int]) -> None:
    """The scores add up to 0, and after the last deal nothing is staked."""
    players = NAMES[:n]
    winners = [players[seat % n] for seat in won]
    outs = [{"action": "out", "player": name} for name in winners]
    state = played("pink-nines", players, *outs, ante=ante, deals=len(outs)).state
    assert (state.finished, state.pools) == (True, {"pool": 0})
    gains = {name: ante * (n * winners.count(name) - len(outs)) for name in players}
    assert state.totals == {name: 36 + gain for name, gain in gains.items()}

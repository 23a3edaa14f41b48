"""What holds for every sheet of Any Other Game."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.registry import GAMES
from tests.support.some_deals import played

GAME = GAMES["plain-score"]
NAMES = [f"Player {seat}" for seat in range(1, 17)]

#: The scores of a deal, by seat; a game takes as many of them as it has players.
deals = st.lists(st.lists(st.integers(-30, 30), min_size=16, max_size=16), max_size=8)
house_rules = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(0, 60),
        "deals": st.integers(0, 6),
        "lowest_wins": st.booleans(),
    },
)


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 16), house_rules, deals)
def test_points_are_added_up_to_the_end(
    n: int, options: dict[str, Any], wanted: list[list[int]]
) -> None:
    """It ends with the first deal that reaches the target, or the last one; the best scores win."""
    players = NAMES[:n]
    target, last = options.get("target", 0), options.get("deals", 0)
    state, over = played(GAME.slug, players, **options).state, 0
    for points in wanted:
        scored = {"action": "deal", "points": dict(zip(players, points, strict=False))}
        state, over = GAME.apply(state, GAME.read_entry(scored))[0], over + 1
        reached = bool(target) and max(state.scores) >= target
        assert state.finished == (reached or over == last)
        if state.finished:
            break
    sums = tuple(sum(points[seat] for points in wanted[:over]) for seat in range(n))
    assert state.scores == sums
    passed = over - state.finished
    assert (state.deal, state.dealer) == (passed + 1, passed % n)
    best = min(sums) if options.get("lowest_wins") else max(sums)
    leaders = tuple(seat for seat, score in enumerate(sums) if score == best)
    assert state.winners == (leaders if state.finished else ())
    standings = GAME.standings(state)
    assert [one.player for one in standings if one.rank == 1] == [players[seat] for seat in leaders]
    order = [one.score for one in standings]
    assert order == sorted(order, reverse=not options.get("lowest_wins"))
    to_go = [max(0, target - score) if target else None for score in order]
    assert [one.to_go for one in standings] == to_go

"""Counters on the move: none are made and none are lost, whatever is staked and swept."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.parts import FROM_POOL, Moves
from referee.rules.core.table import Line
from referee.rules.core.terms import STAKED
from referee.rules.text import say

NAMES = ("Ann", "Ben", "Cat", "Dan")
POOLS = ("red_nine", "red_ace")
WHY = say("because")

players = st.sampled_from(NAMES)
pools = st.sampled_from(POOLS)
amounts = st.integers(0, 50)
moves = st.lists(
    st.one_of(
        st.tuples(st.just("stake"), players, pools, amounts),
        st.tuples(st.just("sweep"), pools, players),
    ),
    max_size=12,
)
filled = st.dictionaries(pools, amounts)


def gained(lines: list[Line]) -> Counter[str]:
    """What each player gains in all."""
    total = Counter[str]()
    for line in lines:
        total[line.player] += line.points
    return total


@settings(max_examples=300, deadline=None)
@given(filled, moves)
def test_counters_are_conserved(before: dict[str, int], steps: list[tuple[Any, ...]]) -> None:
    """After every step, what left the pools is with the players, and the other way round."""
    there = dict(before)
    moved = Moves(there)
    for name, *wanted in steps:
        getattr(moved, name)(*wanted, WHY)
        assert gained(moved.lines).total() + sum(moved.pools.values()) == sum(before.values())
        assert all(amount >= 0 for amount in moved.pools.values())
    assert there == before


def test_a_stake_goes_into_its_pool() -> None:
    """On top of what is there; a stake of nothing is not noted."""
    moved = Moves({"red_nine": 4})
    moved.stake("Ann", "red_nine", 6, WHY)
    moved.stake("Ann", "red_ace", 3, WHY)
    moved.stake("Ben", "red_ace", 0, WHY)
    assert moved.lines == [Line("Ann", -6, WHY, STAKED), Line("Ann", -3, WHY, STAKED)]
    assert moved.pools == {"red_nine": 10, "red_ace": 3}


def test_a_pool_is_swept_once() -> None:
    """All of it goes to one player; after that nothing is there to be taken."""
    moved = Moves({"red_nine": 4, "red_ace": 2})
    moved.sweep("red_nine", "Ann", WHY)
    moved.sweep("red_nine", "Ben", WHY)
    moved.sweep("pool", "Ben", WHY)
    assert moved.lines == [Line("Ann", 4, WHY, FROM_POOL)]
    assert moved.pools == {"red_nine": 0, "red_ace": 2, "pool": 0}

"""Ratings follow the paper of Weng and Lin, for ties and tables of any size."""

import random
from collections.abc import Sequence
from itertools import combinations
from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.extras.clubs.ratings import Rating, rated, shown, unrated

MU, SIGMA = 25.0, 25 / 3
BETA, TAU, KAPPA = 12.5, SIGMA / 100, 0.0001


def by_hand(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Algorithm 1 of “A Bayesian approximation method for online ranking”, JMLR 12 (2011).

    Everybody is a team of one; before a game each variance grows by that of tau.
    """
    known = [(mu, sigma * sigma + TAU * TAU) for mu, sigma in before]
    people = range(len(known))
    after = []
    for i in people:
        (mu, variance), omega, delta = known[i], 0.0, 0.0
        for q in people:
            if q == i:
                continue
            c = sqrt(variance + known[q][1] + 2 * BETA * BETA)
            chance = 1 / (1 + exp((known[q][0] - mu) / c))
            came = 1.0 if places[q] > places[i] else 0.5 if places[q] == places[i] else 0.0
            omega += variance / c * (came - chance)
            delta += sqrt(variance) / c * variance / (c * c) * chance * (1 - chance)
        after.append((mu + omega, sqrt(variance * max(1 - delta, KAPPA))))
    return after


@given(
    rating=st.tuples(st.floats(-20, 70), st.floats(0.5, 10)),
    places=st.lists(st.integers(1, 5), min_size=2, max_size=10),
)
def test_equals_gain_the_same_and_order_is_kept(rating: Rating, places: list[int]) -> None:
    """For any ranking with ties of equally rated people, such as two firsts and a third."""
    after = [mu for mu, _ in rated([rating] * len(places), places)]
    for one, other in combinations(range(len(places)), 2):
        if places[one] == places[other]:
            assert after[one] == pytest.approx(after[other], abs=1e-9)
        elif places[one] < places[other]:
            assert after[one] > after[other]
        else:
            assert after[one] < after[other]


@pytest.mark.parametrize("seated", range(2, 11))
def test_the_library_rates_as_the_paper_does(seated: int) -> None:
    """For random people in random places, with ties and without."""
    chance = random.Random(seated)
    for ties in range(60):
        before = [(chance.uniform(5, 45), chance.uniform(0.5, 10)) for _ in range(seated)]
        scores = [chance.randint(0, ties // 6 or seated * 99) for _ in before]
        places = [1 + sum(other > score for other in scores) for score in scores]
        for found, wanted in zip(rated(before, places), by_hand(before, places), strict=True):
            assert found == pytest.approx(wanted, abs=1e-9), (before, places)


def test_a_tie_of_equals_changes_only_the_uncertainty() -> None:
    """It decreases a little."""
    assert unrated() == (MU, SIGMA)
    one, other = rated([unrated(), unrated()], [1, 1])
    assert one == other
    assert one[0] == MU
    assert one[1] < SIGMA


def test_a_player_alone_is_not_rated() -> None:
    """As in a game that all others left."""
    assert rated([(20.0, 3.0)], [1]) == [(20.0, 3.0)]
    assert rated([], []) == []


def test_a_page_shows_sixty_times_the_rating() -> None:
    """Without decimals."""
    assert shown((26.004, 1.0)) == (1560, 60)

"""What hold’em hands are worth, and their odds, compared with brute force."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from math import comb, prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import RANKS, VALUE, count_of
from referee.rules.games.multiple_9_holdem.hands import (
    all_hands,
    arrange,
    chances,
    compute_strengths,
    key_of,
    strength_table,
)
from referee.rules.games.multiple_9_holdem.judges import hand_judge
from referee.rules.games.multiple_9_holdem.showdown import possible_hands
from referee.rules.language import language, speaking
from tests.rules.cards.test_groups import is_group

PACK = [rank for rank in RANKS for _ in range(4)]
#: Of all 133,784,560 hands of seven cards, those with each number of nines (docs/rules.md §2,
#: census).
CENSUS = {
    0: 2_947_112, 1: 10_597_392, 2: 27_063_620, 3: 38_768_248, 4: 32_969_556,
    5: 16_116_132, 6: 4_549_232, 7: 714_980, 8: 56_252, 9: 2_036,
}  # fmt: skip

hands = st.permutations(PACK).map(lambda pack: pack[:7])


# --- strength


def test_the_shipped_strengths_follow_from_the_rules() -> None:
    """All 49,205 hands with 7,278 strengths, computed again."""
    keys = [key_of(hand) for hand in all_hands(RANKS)]
    assert len(set(keys)) == len(keys) == 49_205
    shipped = [strength_table()[key] for key in keys]
    assert len(set(shipped)) == 7_278
    assert shipped == compute_strengths()


def test_census() -> None:
    """The number of hands with each number of nines, as an exhaustive count found it."""
    nines_of: dict[int, int] = {}
    found: Counter[int] = Counter()
    for ranks in all_hands(RANKS):
        strength = strength_table()[key_of(ranks)]
        if strength not in nines_of:
            nines_of[strength] = arrange(ranks).nines
        ways = prod(comb(4, number) for number in Counter(ranks).values())
        found[nines_of[strength]] += ways
    assert found == CENSUS


@given(hands)
@settings(max_examples=60, deadline=None)
def test_an_arrangement_is_the_best_there_is(hand: list[str]) -> None:
    """It uses each card once, and no other choice of groups is better."""
    found = arrange(hand)
    cards = [rank for group in (*found.groups, *found.unused) for rank in group]
    assert Counter(cards) == Counter(hand)
    assert all(is_group(group) for group in found.groups)
    assert found.nines * 9 == sum(VALUE[rank] for group in found.groups for rank in group)
    assert found == arrange(sorted(hand))
    assert found.order == max(_every_order(hand))


def _every_order(hand: list[str]) -> Any:
    """The sort keys of all ways to take groups out of a hand."""
    seen: set[tuple[str, ...]] = set()
    todo = [tuple(sorted(hand))]
    total = sum(VALUE[rank] for rank in hand)
    while todo:
        rest = todo.pop()
        if rest in seen:
            continue
        seen.add(rest)
        left = Counter(rest)
        worth = [number * (14 if rank == "A" else VALUE[rank]) for rank, number in left.items()]
        nines = (total - sum(VALUE[rank] for rank in rest)) // 9
        yield nines, -len(left), tuple(sorted(worth, reverse=True))
        for size in range(1, len(rest) + 1):
            for group in set(itertools.combinations(rest, size)):
                if is_group(group):
                    todo.append(tuple(sorted((Counter(rest) - Counter(group)).elements())))


@pytest.mark.parametrize(
    ("tag", "made", "cards"), [("de", "2 Neuner", "2 Neunen"), ("he", "2 תשיעיות", "2 קלפי תשע")]
)
def test_nines_that_are_made_are_no_cards(tag: str, made: str, cards: str) -> None:
    """Each has its own word where a language has one."""
    with speaking(language(tag)):
        assert str(arrange(["10", "8"]).nines_in_words) == made
        assert str(count_of(2, "9")) == cards


# --- odds


@pytest.mark.parametrize("seed", range(3))
def test_odds_are_those_of_every_single_deal(seed: int) -> None:
    """Weighted ranks give the same odds as dealing every pair of cards."""
    pack = random.Random(seed).sample(PACK, 52)
    players = {"Ann": pack[:2], "Ben": pack[2:4], "Cat": pack[4:6]}
    flop, rest = pack[6:9], pack[9:]
    won: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    part: Counter[str] = Counter()
    deals = list(itertools.combinations(rest, 2))
    for turn_river in deals:
        orders = {
            name: arrange([*hole, *flop, *turn_river]).order for name, hole in players.items()
        }
        best = [name for name, order in orders.items() if order == max(orders.values())]
        for name in best:
            (won if len(best) == 1 else shared)[name] += 1
            part[name] += Fraction(1, len(best))  # type: ignore[assignment]
    found = chances(players, flop)
    for name in players:
        assert found[name].win == Fraction(won[name], len(deals))
        assert found[name].tie == Fraction(shared[name], len(deals))
        assert found[name].share == Fraction(part[name]) / len(deals)


@pytest.mark.parametrize("board", ["Q Q J J J", "Q Q Q J J", "Q Q Q Q J"])
def test_the_royal_hand_leaves_nobody_else_nine_nines(board: str) -> None:
    """So the odds do not depend on that house rule."""
    left = Counter(dict.fromkeys(RANKS, 4))
    left.subtract([*"QQQQJJJ"])
    others = set(itertools.combinations(left.elements(), 2))
    assert max(arrange([*board.split(), *hole]).nines for hole in others) == 8


@given(st.permutations(PACK), st.integers(2, 10), st.sampled_from([0, 3, 4, 5]))
@settings(max_examples=30, deadline=None)
def test_the_whole_pot_is_shared(pack: list[str], players: int, board: int) -> None:
    """The shares add up to one pot, even before the flop."""
    holes = {f"P{place}": pack[2 * place : 2 * place + 2] for place in range(players)}
    found = chances(holes, pack[40 : 40 + board])
    assert sum(chance.share for chance in found.values()) == 1
    assert all(chance.win <= chance.share <= chance.win + chance.tie for chance in found.values())


# --- what a player may hold


@pytest.mark.parametrize("seed", range(6))
def test_possible_hands_are_what_the_judge_says_of_each(seed: int) -> None:
    """Every two cards that the board leaves in the pack, once."""
    dealt = random.Random(seed).sample(PACK, 5)[: (5, 4, 3)[seed % 3]]
    found = {hand.cards: hand for hand in possible_hands(tuple(dealt))}
    left = list((Counter(PACK) - Counter(dealt)).elements())
    assert set(found) == {
        tuple(sorted(pair, key=RANKS.index)) for pair in itertools.combinations(left, 2)
    }
    for pair, hand in found.items():
        judged = hand_judge.answer({"hole": " ".join(pair), "board": " ".join(dealt)})
        assert hand.best.detail() == judged.detail

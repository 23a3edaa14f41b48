"""Splitting hands into groups, and the best discard, compared with brute force."""

from collections.abc import Sequence
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.groups import (
    Counts,
    best_discard,
    count_ranks,
    smallest_groups_in,
    split,
    total,
)

NOTHING = (0,) * len(RANKS)


def is_group(cards: Sequence[str]) -> bool:
    """One or two ranks, and a multiple of nine (docs/rules.md §1)."""
    return 1 <= len(set(cards)) <= 2 and sum(VALUE[rank] for rank in cards) % 9 == 0


def hands(most: int, size: int) -> st.SearchStrategy[Counts]:
    """Hands of up to `size` cards, no rank more than `most` times."""
    deck = [rank for rank in RANKS for _ in range(most)]
    few_ranks = st.lists(st.sampled_from(deck), max_size=size).filter(
        lambda cards: all(cards.count(rank) <= most for rank in cards)
    )
    some = st.permutations(deck).flatmap(
        lambda shuffled: st.integers(0, size).map(lambda number: shuffled[:number])
    )
    return st.one_of(few_ranks, some).map(count_ranks)


@cache
def groups_in(counts: Counts) -> tuple[Counts, ...]:
    """Every group of these cards that holds the lowest of them."""
    first = next(place for place, number in enumerate(counts) if number)
    found = []
    for second in range(len(counts)):
        for one in range(1, counts[first] + 1):
            for two in range(1, counts[second] + 1) if second != first else (0,):
                group = list(NOTHING)
                group[first] += one
                group[second] += two
                if total(tuple(group)) % 9 == 0:
                    found.append(tuple(group))
    return tuple(found)


@cache
def best_by_trying(counts: Counts) -> tuple[int, int]:
    """By brute force, the most cards that groups can use, and the most points with that number."""
    if not any(counts):
        return 0, 0
    first = next(place for place, number in enumerate(counts) if number)
    without = tuple(number - (place == first) for place, number in enumerate(counts))
    best = best_by_trying(without)
    for group in groups_in(counts):
        cards, points = best_by_trying(less(counts, group))
        best = max(best, (cards + sum(group), points + total(group)))
    return best


def less(counts: Counts, taken: Counts) -> Counts:
    return tuple(number - some for number, some in zip(counts, taken, strict=True))


@settings(max_examples=150, deadline=None)
@given(hands(4, 11) | hands(8, 11))
def test_a_hand_is_split_if_brute_force_can_split_it(hand: Counts) -> None:
    """The groups are valid and use every card; None if there are no such groups."""
    groups = split(hand)
    if groups is None:
        assert best_by_trying(hand)[0] < sum(hand)
    else:
        assert all(is_group(group) for group in groups)
        assert count_ranks(rank for group in groups for rank in group) == hand


@settings(max_examples=150, deadline=None)
@given(hands(4, 11) | hands(8, 11))
def test_no_discard_is_better_than_the_best_discard(hand: Counts) -> None:
    """It has as many cards, and of these as many points, as brute force finds."""
    best = best_discard(hand, True)
    found = sum(best), total(best)
    most = best_by_trying(hand)
    if most[1] == 9 and most[0] < sum(hand):  # a nine on its own, and not the last play
        assert found[1] != 9
        assert found[0] <= most[0]
    else:
        assert found == most


@settings(max_examples=100, deadline=None)
@given(hands(4, 8))
def test_a_lone_nine_is_laid_down_only_as_the_last_play(hand: Counts) -> None:
    """Otherwise the best discard is the best one of 18 or more."""
    best = best_discard(hand, False)
    legal = [
        cards
        for cards in parts(hand)
        if total(cards) >= 18 and best_by_trying(cards)[0] == sum(cards)
    ]
    found = max(((sum(cards), total(cards)) for cards in legal), default=(0, 0))
    assert (sum(best), total(best)) == found


def parts(hand: Counts) -> list[Counts]:
    found: list[Counts] = [()]
    for number in hand:
        found = [(*part, some) for part in found for some in range(number + 1)]
    return found


@settings(max_examples=150, deadline=None)
@given(hands(4, 52) | hands(8, 104))
def test_the_best_discard_of_any_hand_is_legal(hand: Counts) -> None:
    """It is part of the hand, splits into groups, and makes 18 or is the last play."""
    best = best_discard(hand, True)
    assert all(some <= number for some, number in zip(best, hand, strict=True))
    assert split(best) is not None
    assert not any(best) or total(best) >= 18 or best == hand


def test_a_whole_pack_is_split_except_for_one_card() -> None:
    """One pack makes 364, 4 more than a multiple of 9, so a four is left. Two packs leave an 8."""
    assert less((4,) * 13, best_discard((4,) * 13, True)) == count_ranks("4")
    assert less((8,) * 13, best_discard((8,) * 13, True)) == count_ranks("8")


def test_the_smallest_groups() -> None:
    """None contains another, and every group contains one of them."""
    deck = (4,) * len(RANKS)
    found = smallest_groups_in(deck)
    assert all(total(group) % 9 == 0 for group in found)
    assert not any(within(one, other) for one in found for other in found if one != other)
    every = {group for place in range(len(RANKS)) for group in groups_in(from_rank(place))}
    assert all(any(within(one, group) for one in found) for group in every)


def within(one: Counts, other: Counts) -> bool:
    return all(mine <= theirs for mine, theirs in zip(one, other, strict=True))


def from_rank(place: int) -> Counts:
    """Four cards of each rank, beginning with this one."""
    return (0,) * place + (4,) * (len(RANKS) - place)

"""Multiples of nine: splitting cards into groups of at most two ranks.

A group is one or more cards of at most two ranks whose values (ace 1 … king 13) add up to a
multiple of 9 (`docs/rules.md` §1). Hands are counted by rank: a `Counts` holds how many cards
of each of the thirteen ranks there are, aces first.
"""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.group_search import Counts, least_left, smallest_groups_in, split_all

__all__ = [
    "Counts",
    "Group",
    "best_discard",
    "count_ranks",
    "is_group",
    "ranks_of",
    "split",
    "total",
]

Group = tuple[str, ...]

_VALUES = tuple(VALUE[rank] for rank in RANKS)


def count_ranks(ranks: Iterable[str]) -> Counts:
    """How many cards of each rank there are among `ranks`, aces first."""
    counts = [0] * len(RANKS)
    for rank in ranks:
        counts[VALUE[rank] - 1] += 1
    return tuple(counts)


def ranks_of(counts: Counts) -> Group:
    """The cards that `counts` counts, highest rank first."""
    return tuple(
        rank
        for rank, number in zip(reversed(RANKS), reversed(counts), strict=True)
        for _ in range(number)
    )


def total(counts: Counts) -> int:
    """The added-up values of the cards, ace 1."""
    return sum(number * value for number, value in zip(counts, _VALUES, strict=True))


def is_group(ranks: Iterable[str]) -> bool:
    """Whether these cards by themselves are one group."""
    cards = tuple(ranks)
    return bool(cards) and len(set(cards)) <= 2 and sum(VALUE[rank] for rank in cards) % 9 == 0


def split(counts: Counts) -> tuple[Group, ...] | None:
    """The cards as groups that use up every one of them, or None where that cannot be done.

    The groups come highest total first, each group's cards highest first. Among the splits of a
    hand one with few groups is preferred: two groups of the same two ranks are shown as one.
    """
    if total(counts) % 9:
        return None
    found = split_all(counts)
    return None if found is None else _tidy(found)


def best_discard(counts: Counts, nine_as_last_play: bool) -> Counts:
    """The cards of a hand that can be laid down at once: the most, of these the highest total.

    All of the hand may go if it splits into groups (a lone nine only if `nine_as_last_play`);
    part of it only if it makes 18 or more. Nothing at all is the answer where nothing can go.
    """
    laid = _less(counts, least_left(counts))
    if total(laid) != 9 or (nine_as_last_play and laid == counts):
        return laid
    return _best_beyond_a_nine(counts)


def _best_beyond_a_nine(counts: Counts) -> Counts:
    """The best discard that makes 18 or more, of a hand whose best is a nine on its own.

    It holds some smallest group, and the rest of it is the best of what that group leaves.
    """
    best = (0,) * len(RANKS)
    for group in smallest_groups_in(counts):
        rest = _less(counts, group)
        laid = _less(counts, least_left(rest))
        if total(laid) >= 18:
            best = max(best, laid, key=lambda cards: (sum(cards), total(cards), cards))
    return best


def _less(counts: Counts, taken: Counts) -> Counts:
    return tuple(number - some for number, some in zip(counts, taken, strict=True))


def _tidy(groups: Iterable[Counts]) -> tuple[Group, ...]:
    merged: list[Counts] = []
    for group in sorted(groups, key=lambda counts: -sum(1 for number in counts if number)):
        for place, other in enumerate(merged):
            together = tuple(a + b for a, b in zip(group, other, strict=True))
            if sum(1 for number in together if number) <= 2:
                merged[place] = together
                break
        else:
            merged.append(group)
    strongest_first = sorted(merged, key=lambda counts: (total(counts), counts[::-1]), reverse=True)
    return tuple(ranks_of(counts) for counts in strongest_first)

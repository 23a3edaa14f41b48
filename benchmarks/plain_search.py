"""The yardstick: the plain way to split cards into groups, a memoised search over rank counts."""

from functools import cache
from itertools import combinations
from time import thread_time

VALUES = range(1, 14)


@cache
def _groups(counts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Every group that can be taken from these cards, smallest or not."""
    found = []
    ranks = [rank for rank, number in enumerate(counts) if number]
    for pair in [*((rank,) for rank in ranks), *combinations(ranks, 2)]:
        amounts: list[tuple[int, ...]] = [()]
        for rank in pair:
            amounts = [(*some, n) for some in amounts for n in range(1, counts[rank] + 1)]
        for amount in amounts:
            total = sum(n * VALUES[rank] for rank, n in zip(pair, amount, strict=True))
            if total % 9 == 0:
                group = [0] * 13
                for rank, n in zip(pair, amount, strict=True):
                    group[rank] = n
                found.append(tuple(group))
    return tuple(found)


@cache
def can_be_split(counts: tuple[int, ...]) -> bool:
    """Whether the cards can be split into groups with none left over."""
    if not any(counts):
        return True
    return any(
        can_be_split(tuple(all_ - used for all_, used in zip(counts, group, strict=True)))
        for group in _groups(counts)
    )


def best_discard(counts: tuple[int, ...], seconds: float) -> tuple[int, int]:
    """How many cards can be laid down at most, and their highest total.

    Raises `TimeoutError` if that takes too long.
    """
    forget()
    return _best(counts, 0, thread_time() + seconds)


@cache
def _best(counts: tuple[int, ...], laid: int, deadline: float) -> tuple[int, int]:
    """The best of these cards, given the points `laid` so far (9 stands for all below 18)."""
    if thread_time() > deadline:
        raise TimeoutError
    may_stop = laid != 9 or not any(counts)
    best = (0, 0) if may_stop else (-99, 0)
    for group in _groups(counts):
        points = sum(n * value for n, value in zip(group, VALUES, strict=True))
        rest = tuple(all_ - used for all_, used in zip(counts, group, strict=True))
        cards, more = _best(rest, min(laid + points, 18), deadline)
        best = max(best, (cards + sum(group), more + points))
    return best


def forget() -> None:
    """Clear the cache, so that the next hand is measured by itself."""
    _best.cache_clear()
    _groups.cache_clear()
    can_be_split.cache_clear()

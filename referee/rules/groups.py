"""Multiples of nine: splitting cards into groups of at most two ranks.

A group is one or more cards of at most two ranks whose values (ace 1 … king 13) add up to a
multiple of 9 (`rules.md` §1, definitions). Hands are counted by rank: a `Counts` holds how many
cards of each of the thirteen ranks there are, aces first.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.rules.cards import RANKS, VALUE

Counts = tuple[int, ...]
Group = tuple[str, ...]

MOST_OF_A_RANK = 8  # two packs
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
    found = _split(counts)
    return None if found is None else _tidy(found)


def best_discard(counts: Counts, nine_as_last_play: bool) -> Counts:
    """The cards of a hand that can be laid down at once: the most, of these the highest total.

    All of the hand may go if it splits into groups (a lone nine only if `nine_as_last_play`);
    part of it only if it makes 18 or more. Nothing at all is the answer where nothing can go.
    """
    hand_total = total(counts)
    for kept in range(sum(counts) + 1):
        for rest in sorted(_hands_within(counts, kept), key=total):
            laid_total = hand_total - total(rest)
            if laid_total % 9 or (laid_total < 18 and not (kept == 0 and nine_as_last_play)):
                continue
            laid = tuple(all_ - left for all_, left in zip(counts, rest, strict=True))
            if _split(laid) is not None:
                return laid
    return (0,) * len(RANKS)


def _hands_within(counts: Counts, size: int, place: int = 0) -> Iterator[Counts]:
    """Every way to choose `size` of the cards, as counts (of the ranks from `place` on)."""
    if place == len(counts):
        if size == 0:
            yield ()
        return
    for number in range(min(counts[place], size) + 1):
        for rest in _hands_within(counts, size - number, place + 1):
            yield (number, *rest)


def _smallest_groups() -> tuple[tuple[Counts, ...], ...]:
    """For each rank, the groups that hold it and hold no smaller group."""
    amounts = range(MOST_OF_A_RANK + 1)
    by_rank: list[list[Counts]] = [[] for _ in RANKS]
    for first in range(len(RANKS)):
        for second in range(first, len(RANKS)):
            found: list[tuple[int, int]] = []
            for one in amounts:
                for two in amounts if second > first else (0,):
                    value = one * _VALUES[first] + two * _VALUES[second]
                    if value == 0 or value % 9 or any(a <= one and b <= two for a, b in found):
                        continue
                    found.append((one, two))
            for one, two in found:
                group = [0] * len(RANKS)
                group[first], group[second] = one, (two if second > first else one)
                if tuple(group) not in by_rank[first] and one:
                    by_rank[first].append(tuple(group))
                if tuple(group) not in by_rank[second] and (two or second == first):
                    by_rank[second].append(tuple(group))
    return tuple(tuple(groups) for groups in by_rank)


# Inside the search a hand is one whole number: five bits a rank, the top one of them kept clear,
# so that "does this group fit into what is left" is a subtraction and a look at those bits.
_BITS = 5
_CLEAR = sum(1 << (_BITS * place + _BITS - 1) for place in range(len(RANKS)))


def _packed(counts: Counts) -> int:
    return sum(number << (_BITS * place) for place, number in enumerate(counts))


def _unpacked(packed: int) -> Counts:
    field = (1 << _BITS) - 1
    return tuple((packed >> (_BITS * place)) & field for place in range(len(RANKS)))


#: For each rank its bits and the smallest groups that hold it; ranks with few such groups first,
#: because what can be laid in few ways shows soonest that it cannot be laid at all.
_GROUPS_WITH = sorted(
    (
        (((1 << _BITS) - 1) << (_BITS * place), tuple(_packed(group) for group in groups))
        for place, groups in enumerate(_smallest_groups())
    ),
    key=lambda entry: len(entry[1]),
)


@lru_cache(maxsize=4096)
def _split(counts: Counts) -> tuple[Counts, ...] | None:
    """Some split into smallest groups: every group is made of such, so none is missed."""
    if total(counts) % 9:
        return None
    found = _search(_packed(counts), set())
    return None if found is None else tuple(_unpacked(group) for group in found)


def _search(left: int, hopeless: set[int]) -> tuple[int, ...] | None:
    if not left:
        return ()
    if left in hopeless:
        return None
    groups = next(groups for bits, groups in _GROUPS_WITH if left & bits)
    guarded = left | _CLEAR
    for group in groups:
        if (guarded - group) & _CLEAR == _CLEAR:
            found = _search(left - group, hopeless)
            if found is not None:
                return (group, *found)
    hopeless.add(left)
    return None


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

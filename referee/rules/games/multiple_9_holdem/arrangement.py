"""How a hand is arranged: which of its cards make nines, and which are left unused.

A hand is the two cards a player holds and the five on the board. Any part of it may be split into
groups of at most two ranks that add up to a multiple of 9; what matters is the best way to do so
(`rules.md` §2): the most nines, then the fewest unused ranks, then the unused ranks themselves,
cards of a rank added up and an ace counting 14, the highest compared first.

Inside, cards are counted in one number, four bits a rank (`Packed`), aces lowest.
"""

from collections.abc import Iterable

from msgspec import Struct

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.groups import Counts, Group, split, total

Packed = int
#: How good what is left over is, better ones higher: the points left over (fewer are more nines),
#: the number of ranks, their values from the top, and the cards left over themselves.
Leftover = tuple[int, int, tuple[int, ...], Packed]

UNUSED_ACE = 14
LARGEST_GROUP = 7
MOST_OF_A_RANK = 4
_BITS = 4
_ONE_EACH = sum(1 << _BITS * place for place in range(len(RANKS)))
_GUARD = _ONE_EACH << (_BITS - 1)  # stays set where nothing had to be borrowed


class Arrangement(Struct, frozen=True):
    """A hand at its best.

    `groups` are the cards used, the largest group first; `unused` the cards left over, a rank
    each, with their added-up `values`, the highest first.
    """

    nines: int
    groups: tuple[Group, ...]
    unused: tuple[Group, ...]
    values: tuple[int, ...]

    @property
    def order(self) -> tuple[int, int, tuple[int, ...]]:
        """Compares arrangements: the higher wins, equals share."""
        return self.nines, -len(self.unused), self.values

    def detail(self) -> dict[str, object]:
        """The arrangement as the judges give it."""
        return {
            "nines": self.nines,
            "groups": [list(group) for group in self.groups],
            "unused": [list(cards) for cards in self.unused],
            "values": list(self.values),
        }

    def __str__(self) -> str:
        """The arrangement in words: "5 nines (10 + 4 + 4, J + 7, 9), 2 unused"."""
        words = "no nine"
        if self.nines:
            sums = ", ".join(" + ".join(group) for group in self.groups)
            words = f"{self.nines} nine{'s' * (self.nines > 1)} ({sums})"
        if self.unused:
            words += f", {', '.join(' + '.join(cards) for cards in self.unused)} unused"
        return words


def arrange(ranks: Iterable[str]) -> Arrangement:
    """The best arrangement of a hand of up to seven cards, no rank more than four times."""
    packed = pack(ranks)
    _, _, values, left = best_leftover(packed, {})
    used = unpack(packed - left)
    return Arrangement(
        nines=total(used) // 9,
        groups=_groups(used),
        unused=_unused(unpack(left)),
        values=values,
    )


def pack(ranks: Iterable[str]) -> Packed:
    """Cards counted by rank in one number."""
    return sum(1 << _BITS * (VALUE[rank] - 1) for rank in ranks)


def unpack(packed: Packed) -> Counts:
    """How many cards of each rank there are, aces first."""
    return tuple(packed >> _BITS * place & 7 for place in range(len(RANKS)))


def best_leftover(hand: Packed, known: dict[Packed, Leftover]) -> Leftover:
    """What is left over when `hand` is used at its best; `known` remembers smaller hands.

    Every group is made of groups that hold no smaller one, so taking those out one after the
    other, in every way, until none can be taken misses nothing.
    """
    found = known.get(hand)
    if found is None:
        guarded = hand | _GUARD
        options = [
            best_leftover(rest & ~_GUARD, known)
            for group in _SMALLEST_GROUPS
            if (rest := guarded - group) & _GUARD == _GUARD
        ]
        found = known[hand] = max(options) if options else _left_over(hand)
    return found


def _left_over(cards: Packed) -> Leftover:
    counts = unpack(cards)
    values = sorted(
        (
            number * (UNUSED_ACE if place == 1 else place)
            for place, number in enumerate(counts, start=1)
            if number
        ),
        reverse=True,
    )
    return -total(counts), -len(values), tuple(values), cards


def _groups_without_smaller() -> tuple[Packed, ...]:
    """Groups of up to seven cards, four of a rank at most, that hold no smaller group."""
    groups: list[Packed] = []
    for first in range(len(RANKS)):
        for second in range(first, len(RANKS)):
            smallest: list[tuple[int, int]] = []
            for one in range(MOST_OF_A_RANK + 1):
                for two in range(MOST_OF_A_RANK + 1) if second > first else (0,):
                    value = one * (first + 1) + two * (second + 1)
                    if not value or value % 9 or one + two > LARGEST_GROUP:
                        continue
                    if not any(a <= one and b <= two for a, b in smallest):
                        smallest.append((one, two))
            groups.extend(one << _BITS * first | two << _BITS * second for one, two in smallest)
    return tuple(dict.fromkeys(groups))


_SMALLEST_GROUPS = _groups_without_smaller()


def _groups(used: Counts) -> tuple[Group, ...]:
    """The cards used, split into groups; nines, which need no partner, by themselves."""
    nine = VALUE["9"] - 1
    others = tuple(0 if place == nine else number for place, number in enumerate(used))
    groups = [*(split(others) or ()), *([("9",) * used[nine]] if used[nine] else [])]
    return tuple(
        sorted(
            groups,
            key=lambda group: (
                sum(VALUE[rank] for rank in group),
                len(group),
                [VALUE[rank] for rank in group],
            ),
            reverse=True,
        )
    )


def _unused(left: Counts) -> tuple[Group, ...]:
    ranks = [(rank,) * number for rank, number in zip(RANKS, left, strict=True) if number]
    return tuple(sorted(ranks, key=lambda cards: (_unused_value(cards), cards), reverse=True))


def _unused_value(cards: Group) -> int:
    return sum(UNUSED_ACE if rank == "A" else VALUE[rank] for rank in cards)

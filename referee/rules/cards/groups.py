"""Multiples of nine: splitting cards into groups of at most two ranks.

The values in a group (ace 1 … king 13) add up to a multiple of 9 (`docs/rules.md` §1, definitions).
A `Counts` holds how many cards of each of the thirteen ranks there are, aces first.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.text import Listed, Printed, listed

Counts = tuple[int, ...]  # of cards of each rank, aces first
Group = tuple[str, ...]

_VALUES = tuple(VALUE[rank] for rank in RANKS)


def count_ranks(ranks: Iterable[str]) -> Counts:
    """How many cards of each rank there are among `ranks`, aces first."""
    found = Counter(ranks)
    return tuple(found[rank] for rank in RANKS)


def ranks_of(counts: Counts) -> Group:
    """The ranks of the cards in `counts`, one a card, highest first."""
    return tuple(
        rank
        for rank, number in zip(reversed(RANKS), reversed(counts), strict=True)
        for _ in range(number)
    )


def total(counts: Counts) -> int:
    """The sum of the cards' values, ace 1."""
    return sum(number * value for number, value in zip(counts, _VALUES, strict=True))


def added_up(groups: Iterable[Group]) -> Listed:
    """Each group as a sum: "10+4+4, J+7, and 9"."""
    return listed(Printed("+".join(group)) for group in groups)


def split(counts: Counts) -> tuple[Group, ...] | None:
    """The cards split into groups with none left over, or None; groups and cards highest first."""
    hand = _packed(counts)
    found = None if total(counts) % 9 else _Search(hand).lay(hand, 0)
    if found is None:
        return None
    groups = [*found.groups, *_within_families(hand - sum(found.groups))]
    return _tidy(map(_unpacked, groups))


def best_discard(counts: Counts, nine_as_last_play: bool) -> Counts:
    """The best legal discard from a hand: the most cards, of these the highest total.

    The whole hand may go if it splits into groups (a lone nine only if `nine_as_last_play`), part
    of it only if it makes 18 or more. Empty if nothing can go.
    """
    laid = _less(counts, least_left(counts))
    if total(laid) != 9 or (nine_as_last_play and laid == counts):
        return laid
    # The best of 18 or more is a smallest group and the best discard of what that group leaves.
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
    """The groups, merged as long as each has at most two ranks, highest total first."""
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


# --- the search: the fewest cards left when the rest of a hand is laid down in groups
#
# The ranks fall into families by what they are modulo 9: A, 10 and 8 are 1, 1 and -1; 2, J and 7
# are 2, 2 and -2; 4, K and 5 are 4, 4 and -4; 3, Q and 6 are 3, 3 and -3; a 9 is 0. **A family that
# adds up to a multiple of 9 can always be split into groups**: pair each card with its opposite
# while there are both; the rest has two ranks at most and its sum is still a multiple of 9, so it
# is one group. The search only has to find the cards left over and the groups that join two
# families until every family adds up.
#
# Inside the search a hand is one integer, seven bits a rank, in the order of the powers of two
# modulo 9: 1 2 4 8 7 5, then 10 J K, which are 1 2 4 again. As 2^7 = 2 modulo 9, the field of a
# rank weighs what the rank is worth, and a masked hand modulo 9 is the sum of its cards.

Packed = int

MAX_OF_A_RANK = 8  # two packs

_FIELD = 7
_PLACE = {value: place for place, value in enumerate((1, 2, 4, 8, 7, 5, 10, 11, 13, 6, 3, 9, 12))}
_CARD = {value: 1 << _FIELD * _PLACE[value] for value in _VALUES}
_BITS = {value: card * ((1 << _FIELD) - 1) for value, card in _CARD.items()}
#: The top bit of every field, always clear in a hand. Set before a group is subtracted, it stays
#: set where nothing is borrowed; so a group fits if all top bits stay set.
_TOP_BITS = sum(card << _FIELD - 1 for card in _CARD.values())

#: Two ranks alike modulo 9 and their opposite.
_FAMILIES = ((1, 10, 8), (2, 11, 7), (4, 13, 5), (3, 12, 6))
_FAMILY_BITS = tuple(sum(_BITS[value] for value in family) for family in _FAMILIES)
_ONES, _TWOS, _FOURS, _THREES = _FAMILY_BITS
_NINES = 9

# The cards left over are an integer too, the smaller the better: it orders first by their number,
# then by their points, then by how many aces, twos … there are (so that the best is unique).
_CARDS_AT, _POINTS_AT, _DIGIT = 80, 65, 5
_COST_OF = {
    value: (1 << _CARDS_AT) + (value << _POINTS_AT) + (1 << _DIGIT * (13 - value))
    for value in _VALUES
}
_WITH_REMAINDER = [sum(_BITS[v] for v in _VALUES if v % 9 == r) for r in range(9)]
_LEAST_ONE = [0, *(_COST_OF[remainder] for remainder in range(1, 9))]
_LEAST_TWO = [0, *((2 << _CARDS_AT) + (max(2, r) << _POINTS_AT) for r in range(1, 9))]


class Found(NamedTuple):
    """A way to lay down a hand: the cards left, and the groups taken before families add up."""

    left: int
    groups: tuple[Packed, ...]


class _Step(NamedTuple):
    """A step of the search: a rank to be used up before the ranks of later steps."""

    value: int
    bits: Packed
    groups: tuple[Packed, ...]


def least_left(counts: Counts) -> Counts:
    """The cards left when as many as possible are laid down in groups, even a lone nine.

    The fewest cards; of these the fewest points; of these the fewest aces, twos and so on.
    """
    hand = _packed(counts)
    search = _Search(hand)
    found = None
    spare_cards = 0
    while found is None:
        spare_cards += 1
        found = search.lay(hand, (spare_cards << _CARDS_AT) - 1)
    left = found.left
    while left and (better := search.lay(hand, left - 1)):
        left = better.left
    return tuple(left >> _DIGIT * (13 - value) & (1 << _DIGIT) - 1 for value in _VALUES)


def smallest_groups_in(counts: Counts) -> list[Counts]:
    """The groups within these cards that contain no smaller group."""
    return [_unpacked(group) for group in _fitting(_packed(counts))]


def _packed(counts: Counts) -> Packed:
    return sum(number * _CARD[value] for number, value in zip(counts, _VALUES, strict=True))


def _unpacked(packed: Packed) -> Counts:
    return tuple((packed & _BITS[value]) // _CARD[value] for value in _VALUES)


def _within_families(hand: Packed) -> Iterable[Packed]:
    """The groups of a hand in which every family adds up to a multiple of 9."""
    if nines := hand & _BITS[_NINES]:
        yield nines
    for (*alike, opposite), bits in zip(_FAMILIES, _FAMILY_BITS, strict=True):
        for value in alike if hand & _BITS[opposite] else ():
            pairs = min((hand & _BITS[rank]) // _CARD[rank] for rank in (value, opposite))
            if group := pairs * (_CARD[value] + _CARD[opposite]):
                hand -= group
                yield group
        if rest := hand & bits:
            yield rest


class _Search:
    """A search for ways to lay down one hand; `lay` remembers which parts are hopeless."""

    def __init__(self, hand: Packed) -> None:
        self._steps = _steps(hand)
        self._hopeless: dict[Packed, int] = {}

    def lay(self, hand: Packed, spare: int, at: int = 0) -> Found | None:
        """Lay down `hand` with at most `spare` left, or return None; `at` is the step reached."""
        ones, twos, fours = (hand & _ONES) % 9, (hand & _TWOS) % 9, (hand & _FOURS) % 9
        remainder = (ones + twos + fours + (hand & _THREES) % 3 * 3) % 9
        if not (ones or twos or fours or remainder):
            return Found(0, ())
        one_may_do = hand & _WITH_REMAINDER[remainder]
        if spare < (_LEAST_ONE if one_may_do else _LEAST_TWO)[remainder]:
            return None
        if self._hopeless.get(hand, -1) >= spare:
            return None
        while not hand & self._steps[at].bits:
            at += 1
        # One or two spare cards can be chosen in few ways, so they are chosen first. With more
        # there would be too many ways: cards of a rank are spared only at the rank's own step.
        if 0 < spare >> _CARDS_AT <= 2:
            found = self._spare_any(hand, spare, at)
        else:
            found = self._lay_or_spare(hand, spare, at)
        if found is None:
            self._hopeless[hand] = spare
        return found

    def _lay_or_spare(self, hand: Packed, spare: int, at: int) -> Found | None:
        value, _, groups = self._steps[at]
        with_top_bits = hand | _TOP_BITS
        for group in groups:
            if (with_top_bits - group) & _TOP_BITS == _TOP_BITS:
                found = self.lay(hand - group, spare, at)
                if found is not None:
                    return Found(found.left, (group, *found.groups))
        return self._spare(hand, value, spare, at)

    def _spare_any(self, hand: Packed, spare: int, at: int) -> Found | None:
        for step in self._steps[at:]:
            if hand & step.bits and (found := self._spare(hand, step.value, spare, at)):
                return found
        return None

    def _spare(self, hand: Packed, value: int, spare: int, at: int) -> Found | None:
        cost = _COST_OF[value]
        if spare < cost:
            return None
        found = self.lay(hand - _CARD[value], spare - cost, at)
        return None if found is None else Found(found.left + cost, found.groups)


def _steps(hand: Packed) -> list[_Step]:
    """The ranks in the order they are used up, each with its groups of ranks still left.

    Ranks with few groups come first, as they show a dead end soonest. The threes come last, as they
    always add up when all the rest do; a 9 needs no step.
    """
    groups = _fitting(hand)
    ranks = [value for value in _VALUES if hand & _BITS[value] and value != _NINES]
    ways = {value: sum(1 for group in groups if group & _BITS[value]) for value in ranks}
    steps = []
    for value in sorted(ranks, key=lambda value: (value % 3 == 0, ways[value])):
        mine = tuple(group for group in groups if group & _BITS[value])
        steps.append(_Step(value, _BITS[value], mine))
        groups = [group for group in groups if not group & _BITS[value]]
    return steps


def _fitting(hand: Packed) -> list[Packed]:
    """The groups within this hand that contain no smaller group."""
    with_top_bits = hand | _TOP_BITS
    return [group for group in _SMALLEST_GROUPS if (with_top_bits - group) & _TOP_BITS == _TOP_BITS]


def _smallest_groups() -> tuple[Packed, ...]:
    """Every group that contains no smaller group, those of few cards first."""
    groups: set[tuple[int, Packed]] = set()
    amounts = range(MAX_OF_A_RANK + 1)
    for first in _VALUES:
        for second in range(first + 1, len(_VALUES) + 1):
            smallest: list[tuple[int, int]] = []
            for one in amounts:
                for two in amounts:
                    points = one * first + two * second
                    if not points or points % 9:
                        continue
                    if not any(a <= one and b <= two for a, b in smallest):
                        smallest.append((one, two))
                        groups.add((one + two, one * _CARD[first] + two * _CARD[second]))
    return tuple(group for _, group in sorted(groups))


_SMALLEST_GROUPS = _smallest_groups()

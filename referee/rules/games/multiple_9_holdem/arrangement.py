"""The best arrangement of a hand: which of its cards make nines, and which are left unused.

A hand is the two cards a player holds and the five on the board. Any part of it may be split into
groups of at most two ranks that add up to a multiple of 9. The best arrangement (`docs/rules.md`
§2) has the most nines, then the fewest unused ranks, then the highest unused values, compared from
the top; cards of a rank are added up, and an ace counts 14.

Internally a hand is one integer (`Packed`) that counts cards in four bits a rank, aces lowest.
"""

from collections.abc import Iterable

from msgspec import Struct

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.groups import Counts, Group, smallest_groups_in, split, total
from referee.rules.text import Text, listed, say, say_many

Packed = int
#: The cards left over as a sort key, better ones higher: minus their points (fewer mean more
#: nines), minus their number of ranks, the values of these from the top, and the cards themselves.
Leftover = tuple[int, int, tuple[int, ...], Packed]

UNUSED_ACE = 14
_MAX_OF_A_RANK = 4
_BITS = 4
_ONE_EACH = sum(1 << _BITS * place for place in range(len(RANKS)))
_TOP_BITS = _ONE_EACH << (_BITS - 1)  # stay set where a subtraction borrows nothing


class Arrangement(Struct, frozen=True):
    """The best arrangement of a hand.

    `groups` are the cards used, the largest group first. `unused` are the cards left over, by rank,
    and `values` the sum of each rank, both highest first.
    """

    nines: int
    groups: tuple[Group, ...]
    unused: tuple[Group, ...]
    values: tuple[int, ...]

    @property
    def order(self) -> tuple[int, int, tuple[int, ...]]:
        """Sort key: the higher arrangement wins, equal ones share."""
        return self.nines, -len(self.unused), self.values

    @property
    def nines_in_words(self) -> Text:
        """How many nines it makes: "5 nines", "no nines"."""
        return say_many("{n} nine", "{n} nines", n=self.nines) if self.nines else say("no nines")

    def detail(self) -> dict[str, object]:
        """The arrangement as the detail of a ruling."""
        return {
            "nines": self.nines,
            "groups": list(map(list, self.groups)),
            "unused": list(map(list, self.unused)),
            "values": list(self.values),
        }

    def in_words(self) -> Text:
        """The arrangement in words: "5 nines (10+4+4, J+7, and 9), left over: 2"."""
        words = self.nines_in_words
        if self.groups:
            words = say(
                "{nines} ({groups})", nines=words, groups=listed(map("+".join, self.groups))
            )
        if self.unused:
            unused = listed(map("+".join, self.unused))
            words = say("{nines}, left over: {unused}", nines=words, unused=unused)
        return words


def arrange(ranks: Iterable[str]) -> Arrangement:
    """The best arrangement of a hand of up to seven cards, no rank more than four times."""
    packed = pack(ranks)
    _, _, values, left = best_leftover(packed, {})
    used = unpack(packed - left)
    unused = [(rank,) * number for rank, number in zip(RANKS, unpack(left), strict=True) if number]
    return Arrangement(
        nines=total(used) // 9,
        groups=_groups(used),
        unused=tuple(sorted(unused, key=lambda cards: (_left_value(cards), cards), reverse=True)),
        values=values,
    )


def pack(ranks: Iterable[str]) -> Packed:
    """Count cards by rank in one integer."""
    return sum(1 << _BITS * (VALUE[rank] - 1) for rank in ranks)


def unpack(packed: Packed) -> Counts:
    """How many cards of each rank there are, aces first."""
    return tuple(packed >> _BITS * place & 7 for place in range(len(RANKS)))


def best_leftover(hand: Packed, known: dict[Packed, Leftover]) -> Leftover:
    """The cards left over by the best arrangement of `hand`; `known` caches smaller hands.

    Every group consists of groups that contain no smaller one, so it is enough to try removing
    those, in every order, until none is left.
    """
    found = known.get(hand)
    if found is None:
        with_top_bits = hand | _TOP_BITS
        options = [
            best_leftover(rest & ~_TOP_BITS, known)
            for group in _SMALLEST_GROUPS
            if (rest := with_top_bits - group) & _TOP_BITS == _TOP_BITS
        ]
        found = known[hand] = max(options) if options else _left_over(hand)
    return found


def _left_over(cards: Packed) -> Leftover:
    counts = unpack(cards)
    values = [_left_value((rank,)) * n for rank, n in zip(RANKS, counts, strict=True) if n]
    return -total(counts), -len(values), tuple(sorted(values, reverse=True)), cards


def _left_value(cards: Group) -> int:
    """The sum of unused cards of one rank, an ace counting 14."""
    return sum(UNUSED_ACE if rank == "A" else VALUE[rank] for rank in cards)


#: The groups from one pack that contain no smaller group.
_SMALLEST_GROUPS = tuple(
    sum(number << _BITS * place for place, number in enumerate(group))
    for group in smallest_groups_in((_MAX_OF_A_RANK,) * len(RANKS))
)


def _groups(used: Counts) -> tuple[Group, ...]:
    """The used cards split into groups, the largest first; all 9s are a group of their own."""
    nine = VALUE["9"] - 1
    groups = list(split((*used[:nine], 0, *used[nine + 1 :])) or ())
    if used[nine]:
        groups.append(("9",) * used[nine])

    def strength(group: Group) -> tuple[int, int, list[int]]:
        values = [VALUE[rank] for rank in group]
        return sum(values), len(values), values

    return tuple(sorted(groups, key=strength, reverse=True))

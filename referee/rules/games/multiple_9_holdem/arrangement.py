"""How a hand is arranged: which of its cards make nines, and which are left unused.

A hand is the two cards a player holds and the five on the board. Any part of it may be split into
groups of at most two ranks that add up to a multiple of 9; what matters is the best way to do so
(`docs/rules.md` §2): the most nines, then the fewest unused ranks, then what is unused, cards of a
rank added up and an ace counting 14, the highest compared first.

Inside, cards are counted in one number, four bits a rank (`Packed`), aces lowest.
"""

from collections.abc import Iterable

from msgspec import Struct

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.group_search import smallest_groups_in
from referee.rules.cards.groups import Counts, Group, split, total
from referee.rules.text import Text, listed, say, say_many

Packed = int
#: How good what is left over is, better ones higher: the points left over (fewer are more nines),
#: the number of ranks, their values from the top, and the cards left over themselves.
Leftover = tuple[int, int, tuple[int, ...], Packed]

UNUSED_ACE = 14
MAX_OF_A_RANK = 4
_BITS = 4
_ONE_EACH = sum(1 << _BITS * place for place in range(len(RANKS)))
_TOP_BITS = _ONE_EACH << (_BITS - 1)  # stays set where nothing had to be borrowed


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

    def in_words(self) -> Text:
        """The arrangement in words: "5 nines (10+4+4, J+7, and 9), left over: 2"."""
        nines = say_many("{n} nine", "{n} nines", n=self.nines) if self.nines else say("no nines")
        groups, unused = listed(map("+".join, self.groups)), listed(map("+".join, self.unused))
        if self.groups and self.unused:
            return say(
                "{nines} ({groups}), left over: {unused}",
                nines=nines,
                groups=groups,
                unused=unused,
            )
        if self.unused:
            return say("{nines}, left over: {unused}", nines=nines, unused=unused)
        return say("{nines} ({groups})", nines=nines, groups=groups) if self.groups else nines


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
    values = sorted(
        (
            number * (UNUSED_ACE if place == 1 else place)
            for place, number in enumerate(counts, start=1)
            if number
        ),
        reverse=True,
    )
    return -total(counts), -len(values), tuple(values), cards


def _pack_counts(counts: Counts) -> Packed:
    return sum(number << _BITS * place for place, number in enumerate(counts))


#: The groups of one pack's cards that hold no smaller group.
_SMALLEST_GROUPS = tuple(map(_pack_counts, smallest_groups_in((MAX_OF_A_RANK,) * len(RANKS))))


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

"""What hands of seven cards are worth, and the exact chances of known ones (`docs/rules.md` §2).

Any part of the seven may be split into groups of at most two ranks that add up to a multiple of 9.
The best arrangement has the most nines, then the fewest unused ranks, then the highest unused
values, compared from the top; cards of a rank are added up, and an ace counts 14.

Suits never matter, so there are 49,205 hands of seven ranks, of 7,278 different strengths. The
file `strengths.bin` has the strengths in the order of `all_hands`. If the rules change, make it
again with

    python -m referee.rules.games.multiple_9_holdem.hands > strengths.bin
"""

import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement
from math import comb, lcm
from typing import TypeVar

from msgspec import Struct

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.groups import (
    Counts,
    Group,
    added_up,
    smallest_groups_in,
    split,
    total,
)
from referee.rules.games.multiple_9_holdem.entries import BOARD_CARDS, COPIES, HOLE_CARDS
from referee.rules.text import Text, say, say_many

#: A hand as one integer that counts cards in four bits a rank, aces lowest.
Packed = int
#: The cards left over as a sort key, better ones higher: minus their points (fewer mean more
#: nines), minus their number of ranks, the values of these from the top, and the cards themselves.
Leftover = tuple[int, int, tuple[int, ...], Packed]

UNUSED_ACE = 14
_BITS = 4
_ONE_EACH = sum(1 << _BITS * place for place in range(len(RANKS)))
_TOP_BITS = _ONE_EACH << (_BITS - 1)  # stay set where a subtraction borrows nothing


class Arrangement(Struct, frozen=True):
    """The best arrangement of a hand: the `groups` used, largest first, and the `unused` cards.

    `unused` has a group for each rank, and `values` the sum of each; both are highest first.
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
        """How many nines it makes: "5 nines", "no nines".

        `count_of` counts cards of rank 9, for which many languages have another word.
        """
        return say_many("1 nine", "{n} nines", n=self.nines) if self.nines else say("no nines")

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
            words = say("{nines} ({groups})", nines=words, groups=added_up(self.groups))
        if self.unused:
            unused = added_up(self.unused)
            words = say("{nines}, left over: {unused}", nines=words, unused=unused)
        return words


def arrange(ranks: Iterable[str], known: dict[Packed, Leftover] | None = None) -> Arrangement:
    """The best arrangement of a hand of up to seven cards, no rank more than four times.

    `known` is as in `best_leftover`, for many hands that share cards.
    """
    packed = pack(ranks)
    _, _, values, left = best_leftover(packed, {} if known is None else known)
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
    """The sum of unused cards of one rank; an ace counts 14."""
    return sum(UNUSED_ACE if rank == "A" else VALUE[rank] for rank in cards)


#: The groups from one pack that contain no smaller group.
_SMALLEST_GROUPS = tuple(
    sum(number << _BITS * place for place, number in enumerate(group))
    for group in smallest_groups_in((COPIES,) * len(RANKS))
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


# --- strengths

C = TypeVar("C")

HAND_CARDS = HOLE_CARDS + BOARD_CARDS
#: The key of a card by rank. No two hands of seven cards have the same sum of keys, and the sums
#: are small enough to index an array, several times as fast as a dictionary.
KEYS = dict(
    zip(
        RANKS,
        (0, 1, 5, 22, 98, 453, 2_031, 8_698, 22_854, 83_661, 262_349, 636_345, 1_479_181),
        strict=True,
    )
)


def key_of(ranks: Iterable[str]) -> int:
    """The sum of the cards' keys."""
    return sum(KEYS[rank] for rank in ranks)


def strengths(hole: int, boards: Iterable[int]) -> list[int]:
    """The strength of the hole cards on each board, all given by their keys; 0 is the weakest."""
    table = strength_table()
    return [table[hole + board] for board in boards]


@cache
def strength_table() -> "array[int]":
    """The strength of every hand of seven cards, indexed by its key; other places mean nothing.

    Takes 16 MB, from the first question about odds on.
    """
    shipped = zlib.decompress(files(__package__).joinpath("strengths.bin").read_bytes())
    table = array("H", bytes(2 * (key_of("KKKKQQQ") + 1)))  # no hand has a greater key
    for keys, (number,) in zip(
        all_hands(KEYS.values()), struct.iter_unpack("<H", shipped), strict=True
    ):
        table[sum(keys)] = number
    return table


def all_hands(of: Iterable[C]) -> Iterator[tuple[C, ...]]:
    """Every hand of seven ranks, in a fixed order; `of` are the ranks, or a value for each."""
    for hand in combinations_with_replacement(of, HAND_CARDS):
        if not (hand[0] == hand[4] or hand[1] == hand[5] or hand[2] == hand[6]):  # a rank has four
            yield hand


def compute_strengths() -> list[int]:
    """The strength of every hand in the order of `all_hands`, computed from the rules."""
    known: dict[Packed, Leftover] = {}
    orders = []
    for ranks in all_hands(RANKS):
        hand = pack(ranks)
        minus_points, *leftover, _ = best_leftover(hand, known)
        orders.append((total(unpack(hand)) + minus_points, *leftover))
    place = {order: number for number, order in enumerate(sorted(set(orders)))}
    return [place[order] for order in orders]


# --- odds


class Chances(Struct, frozen=True):
    """A hand's chance to win alone, its chance to tie, and its expected share of the pot."""

    win: Fraction
    tie: Fraction
    share: Fraction


def chances(hands: Mapping[str, Sequence[str]], board: Sequence[str]) -> dict[str, Chances]:
    """The chances of each of `hands` (two ranks by player) over all boards that can still come."""
    named = [*board, *(rank for hand in hands.values() for rank in hand)]
    left = {rank: COPIES - named.count(rank) for rank in RANKS}
    keys, ways = _boards(left, BOARD_CARDS - len(board))
    on_board = key_of(board)
    columns = [strengths(key_of(hand) + on_board, keys) for hand in hands.values()]
    whole = lcm(*range(1, len(hands) + 1))  # a pot that any number of hands can share evenly
    wins, ties, shares = ([0] * len(hands) for _ in range(3))
    for row, weight in zip(zip(*columns, strict=True), ways, strict=True):
        best = max(row)
        sharing = row.count(best)
        if sharing == 1:
            wins[row.index(best)] += weight
            continue
        portion = weight * (whole // sharing)
        for place, strength in enumerate(row):
            if strength == best:
                ties[place] += weight
                shares[place] += portion
    number = sum(ways)
    return {
        player: Chances(
            Fraction(wins[place], number),
            Fraction(ties[place], number),
            Fraction(wins[place] * whole + shares[place], number * whole),
        )
        for place, player in enumerate(hands)
    }


def _boards(left: Mapping[str, int], size: int) -> tuple[list[int], list[int]]:
    """The keys of all boards of `size` cards from those `left` by rank, and the ways to deal each.

    Weighted by these ways, the boards count as all deals of single cards do.
    """
    # keys[n] and ways[n] are those of n cards of the ranks seen so far.
    keys: list[list[int]] = [[0], *([] for _ in range(size))]
    ways: list[list[int]] = [[1], *([] for _ in range(size))]
    for rank, number in left.items():
        key = KEYS[rank]
        for cards in range(size, 0, -1):  # downward, so that a rank is added only once
            for taken in range(1, min(number, cards) + 1):
                added, choices = taken * key, comb(number, taken)
                keys[cards] += [added + other for other in keys[cards - taken]]
                ways[cards] += [choices * other for other in ways[cards - taken]]
    return keys[size], ways[size]


if __name__ == "__main__":
    computed = compute_strengths()
    sys.stdout.buffer.write(zlib.compress(struct.pack(f"<{len(computed)}H", *computed), 9))

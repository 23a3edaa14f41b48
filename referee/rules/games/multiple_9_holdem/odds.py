"""The strength of seven cards, and the exact chances of known hands.

Suits never matter, so there are 49,205 hands of seven ranks, of 7,278 different strengths. The
file `strengths.bin` has the strengths in the order of `all_hands`. If the rules in `arrangement`
change, make it again with

    python -m referee.rules.games.multiple_9_holdem.odds > strengths.bin

A hand is looked up by its key: the sum of its cards' keys, which is different for every hand. So
the keys of hole cards and board can be added.
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

from referee.rules.cards.cards import RANKS
from referee.rules.cards.groups import total
from referee.rules.games.multiple_9_holdem.arrangement import (
    Leftover,
    Packed,
    best_leftover,
    pack,
    unpack,
)
from referee.rules.games.multiple_9_holdem.entries import BOARD_CARDS, COPIES

C = TypeVar("C")

SEVEN = 7
#: The key of a card by rank: the smallest for which no two hands of up to seven cards have the same
#: sum. Sums are small enough to index an array, several times as fast as a dictionary.
KEYS = dict(
    zip(
        RANKS,
        (0, 1, 5, 22, 98, 453, 2_031, 8_698, 22_854, 83_661, 262_349, 636_345, 1_479_181),
        strict=True,
    )
)


# --- strengths


def key_of(ranks: Iterable[str]) -> int:
    """The sum of the cards' keys."""
    return sum(KEYS[rank] for rank in ranks)


def strengths(hole: int, boards: Iterable[int]) -> list[int]:
    """The strength of the hole cards on each board; all are given by their keys.

    0 is the weakest hand; equal hands have equal strengths.
    """
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
    for hand in combinations_with_replacement(of, SEVEN):
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
    """The chances of each of `hands` (two ranks by player) over all boards that can still come.

    No rank may be named more than four times: there is one pack.
    """
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

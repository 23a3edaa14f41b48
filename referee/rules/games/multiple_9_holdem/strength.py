"""How strong seven cards are, as one number, looked up in a table.

Suits never matter, so there are 49,205 hands of seven ranks, of 7,278 different strengths. What is
shipped beside this module are those of all hands in order. It is made again, should the rules of
`arrangement` change, by

    python -m referee.rules.games.multiple_9_holdem.strength > strengths.bin

A hand is looked up by its key: the sum of the keys of its cards, which is different for every hand,
so the keys of hole cards and boards can simply be added.
"""

import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement
from typing import TypeVar

from referee.rules.cards.cards import RANKS
from referee.rules.cards.groups import total
from referee.rules.games.multiple_9_holdem.arrangement import (
    Leftover,
    Packed,
    best_leftover,
    pack,
    unpack,
)

C = TypeVar("C")

SEVEN = 7
#: The key of a card: for each rank the least that leaves no two hands of up to seven cards with the
#: same sum. So small that the sum can be a place in an array, which is found several times as fast
#: as an entry of a dictionary.
KEYS = dict(
    zip(
        RANKS,
        (0, 1, 5, 22, 98, 453, 2_031, 8_698, 22_854, 83_661, 262_349, 636_345, 1_479_181),
        strict=True,
    )
)
_HIGHEST = ("K", "K", "K", "K", "Q", "Q", "Q")  # no hand has a greater key


def key_of(ranks: Iterable[str]) -> int:
    """The key of some cards; keys of cards that come together add up."""
    return sum(KEYS[rank] for rank in ranks)


def strengths(hole: int, boards: Iterable[int]) -> list[int]:
    """The strength of the hole cards with the key `hole` on each of the boards with these keys.

    0 is the weakest hand there is; equal hands have equal strengths.
    """
    table = strength_table()
    return [table[hole + board] for board in boards]


@cache
def strength_table() -> "array[int]":
    """The strength of every seven cards, at the place that is their key; in between nothing counts.

    It takes 16 MB, from the first question about odds on.
    """
    packed = files(__package__).joinpath("strengths.bin").read_bytes()
    numbers = array("H")
    numbers.frombytes(zlib.decompress(packed))
    if sys.byteorder == "big":
        numbers.byteswap()
    table = array("H", bytes(numbers.itemsize * (key_of(_HIGHEST) + 1)))
    for keys, number in zip(all_hands(KEYS.values()), numbers, strict=True):
        table[sum(keys)] = number
    return table


def all_hands(of: Iterable[C]) -> Iterator[tuple[C, ...]]:
    """Every hand of seven `of` these ranks, or of what stands for them, in a fixed order."""
    for hand in combinations_with_replacement(of, SEVEN):
        if not (hand[0] == hand[4] or hand[1] == hand[5] or hand[2] == hand[6]):  # a rank has four
            yield hand


def compute_strengths() -> list[int]:
    """The strength of every hand, in that order, from the rules and without the table."""
    known: dict[Packed, Leftover] = {}
    orders = []
    for ranks in all_hands(RANKS):
        hand = pack(ranks)
        minus_points, *leftover, _ = best_leftover(hand, known)
        orders.append((total(unpack(hand)) + minus_points, *leftover))
    place = {order: number for number, order in enumerate(sorted(set(orders)))}
    return [place[order] for order in orders]


def _shipped() -> bytes:
    numbers = array("H", compute_strengths())
    if sys.byteorder == "big":
        numbers.byteswap()
    return zlib.compress(numbers.tobytes(), 9)


if __name__ == "__main__":
    sys.stdout.buffer.write(_shipped())

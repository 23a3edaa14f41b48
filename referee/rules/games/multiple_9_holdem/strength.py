"""How strong seven cards are, as one number, looked up in a table.

Suits never matter, so there are 49,205 hands of seven ranks, of 7,278 different strengths. The
table is shipped beside this module. It is made again, should the rules of `arrangement` change, by

    python -m referee.rules.games.multiple_9_holdem.strength > strengths.bin

A hand is looked up by its key: the sum of the keys of its cards, which is different for every hand,
so the keys of hole cards and boards can simply be added.
"""

import sys
import zlib
from array import array
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from referee.rules.cards.cards import RANKS
from referee.rules.cards.groups import total
from referee.rules.games.multiple_9_holdem.arrangement import (
    MAX_OF_A_RANK,
    Leftover,
    Packed,
    best_leftover,
    pack,
    unpack,
)

SEVEN = 7
#: The key of a card. Five is one more than the cards of a rank, so no two hands share a sum.
KEYS = {rank: (MAX_OF_A_RANK + 1) ** place for place, rank in enumerate(RANKS)}


def key_of(ranks: Iterable[str]) -> int:
    """The key of some cards; keys of cards that come together add up."""
    return sum(KEYS[rank] for rank in ranks)


def strengths(hole: int, boards: Iterable[int]) -> list[int]:
    """The strength of the hole cards with the key `hole` on each of the boards with these keys.

    0 is the weakest hand there is; equal hands have equal strengths.
    """
    return list(map(strength_table().__getitem__, map(hole.__add__, boards)))


@cache
def strength_table() -> dict[int, int]:
    """The strength of every seven cards, by their key."""
    packed = files(__package__).joinpath("strengths.bin").read_bytes()
    numbers = array("H")
    numbers.frombytes(zlib.decompress(packed))
    if sys.byteorder == "big":
        numbers.byteswap()
    # One number object for each strength, not for each hand: looked up at random in a table of
    # some megabytes, what counts is how much of it the processor has at hand.
    shared = tuple(range(max(numbers) + 1))
    keys = keys_of_all_hands(SEVEN)
    return {key: shared[number] for key, number in zip(keys, numbers, strict=True)}


@cache
def keys_of_all_hands(size: int, ranks: int = len(RANKS)) -> tuple[int, ...]:
    """The key of every hand of `size` cards of the lowest `ranks` ranks, in a fixed order."""
    if size == 0 or ranks == 0:
        return () if size else (0,)
    key = KEYS[RANKS[ranks - 1]]
    return tuple(
        number * key + rest
        for number in range(min(MAX_OF_A_RANK, size) + 1)
        for rest in keys_of_all_hands(size - number, ranks - 1)
    )


def ranks_of_key(key: int) -> list[str]:
    """The cards that have this key, aces first."""
    return [rank for rank in RANKS for _ in range(key // KEYS[rank] % (MAX_OF_A_RANK + 1))]


def compute_strengths() -> list[int]:
    """The strength of every hand, in that order, from the rules and without the table."""
    known: dict[Packed, Leftover] = {}
    orders = []
    for key in keys_of_all_hands(SEVEN):
        hand = pack(ranks_of_key(key))
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

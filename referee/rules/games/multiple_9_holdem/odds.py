"""The chances of known hands, exact: every board that can still come is looked at.

Boards are taken as ranks, each with the number of ways it can be dealt from the cards not named,
which is the same as running through every deal of single cards.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, lcm

from msgspec import Struct

from referee.rules.cards.cards import RANKS
from referee.rules.games.multiple_9_holdem.sections import BOARD_CARDS, COPIES
from referee.rules.games.multiple_9_holdem.strength import KEYS, key_of, strengths


class Chances(Struct, frozen=True):
    """Of one hand: to win alone, to share the best hand, and the share of the pot to expect."""

    win: Fraction
    tie: Fraction
    share: Fraction


def chances(hands: Mapping[str, Sequence[str]], board: Sequence[str]) -> dict[str, Chances]:
    """The chances of each of `hands` (ranks of two cards, by player) on `board`, once complete.

    The ranks come from one pack: no rank may be named more than four times.
    """
    named = [*board, *(rank for hand in hands.values() for rank in hand)]
    left = {rank: COPIES - named.count(rank) for rank in RANKS}
    keys, ways = boards(left, BOARD_CARDS - len(board))
    on_board = key_of(board)
    columns = [strengths(key_of(hand) + on_board, keys) for hand in hands.values()]
    whole = lcm(*range(1, len(hands) + 1))  # a pot that can be shared evenly among any number
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
    total = sum(ways)
    return {
        player: Chances(
            Fraction(wins[place], total),
            Fraction(ties[place], total),
            Fraction(wins[place] * whole + shares[place], total * whole),
        )
        for place, player in enumerate(hands)
    }


def boards(left: Mapping[str, int], size: int) -> tuple[list[int], list[int]]:
    """The keys of all boards of `size` cards from the cards `left` by rank, and their ways."""
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

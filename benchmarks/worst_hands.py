"""Hands of Multiple 9 that take long to rule on, and the search that finds them.

    python -m benchmarks.worst_hands [SECONDS]

climbs from random hands to ones that need more and more steps, with a fixed seed, and prints the
worst of each kind; WORST keeps what longer searches have found.
"""

import random
import sys
from time import monotonic

from referee.rules.cards import groups
from referee.rules.cards.cards import RANKS
from referee.rules.cards.groups import best_discard, ranks_of

Counts = tuple[int, ...]

#: By packs: the cards of a hand by rank, aces first.
WORST: dict[int, tuple[Counts, ...]] = {
    1: (
        (2, 2, 1, 3, 1, 0, 1, 3, 0, 3, 2, 1, 1),
        (2, 2, 1, 4, 1, 0, 1, 2, 0, 1, 1, 1, 4),
        (4, 2, 1, 2, 0, 0, 1, 4, 0, 2, 2, 1, 1),
        (4, 2, 1, 1, 1, 0, 1, 3, 0, 4, 1, 1, 1),
        (0, 2, 1, 3, 1, 0, 4, 2, 3, 1, 2, 1, 3),
        (4, 2, 1, 3, 1, 0, 3, 3, 0, 3, 2, 1, 1),
        (3, 0, 1, 4, 2, 0, 4, 1, 2, 2, 2, 1, 4),
        (4, 2, 1, 3, 0, 0, 1, 3, 1, 4, 2, 3, 4),
    ),
    2: (
        (3, 2, 1, 3, 1, 0, 1, 3, 0, 2, 2, 1, 1),
        (3, 2, 1, 1, 1, 0, 1, 3, 0, 2, 2, 1, 3),
        (3, 1, 1, 3, 2, 0, 2, 2, 0, 2, 1, 1, 2),
        (4, 2, 1, 5, 0, 0, 2, 3, 0, 1, 5, 1, 5),
        (4, 5, 3, 3, 0, 0, 2, 2, 1, 4, 5, 1, 3),
        (3, 6, 6, 7, 2, 8, 2, 3, 0, 3, 6, 7, 8),
        (3, 5, 8, 7, 1, 7, 2, 3, 1, 4, 5, 5, 6),
        (0, 7, 7, 8, 7, 0, 8, 6, 7, 6, 6, 8, 7),
    ),
}

KINDS = ((1, range(1, 21)), (1, range(21, 53)), (2, range(1, 21)), (2, range(21, 105)))
STALE = 60


def steps(counts: Counts) -> int:
    """The number of hands that the search for the best discard visits."""
    taken = 0
    lay = groups._Search.lay

    def counted(*arguments: object) -> object:
        nonlocal taken
        taken += 1
        return lay(*arguments)  # type: ignore[arg-type]

    groups._Search.lay = counted  # type: ignore[assignment, method-assign]
    try:
        best_discard(counts, False)
    finally:
        groups._Search.lay = lay  # type: ignore[method-assign]
    return taken


def climb(chance: random.Random, packs: int, sizes: range, seconds: float) -> tuple[int, Counts]:
    """The worst hand found within the time, and its number of steps."""
    end = monotonic() + seconds
    worst: tuple[int, Counts] = (0, ())
    while monotonic() < end:
        hand = random_hand(chance, packs, sizes)
        now = (steps(hand), hand)
        stale = 0
        while stale < STALE and monotonic() < end:
            other = changed(chance, now[1], packs, sizes)
            then = (steps(other), other)
            stale = 0 if then[0] > now[0] else stale + 1
            now = then if then[0] >= now[0] else now
        worst = max(worst, now)
    return worst


def random_hand(chance: random.Random, packs: int, sizes: range) -> Counts:
    """A random hand of a few or many ranks."""
    size = chance.choice(sizes)
    least = -(-size // (4 * packs))
    ranks = chance.sample(range(len(RANKS)), chance.randint(least, len(RANKS)))
    cards = chance.sample(ranks * (4 * packs), size)
    return tuple(cards.count(rank) for rank in range(len(RANKS)))


def changed(chance: random.Random, hand: Counts, packs: int, sizes: range) -> Counts:
    """The hand with one or two cards added, removed or exchanged."""
    counts = list(hand)
    for _ in range(chance.choice((1, 1, 2))):
        taken, put = (chance.randrange(len(counts)) for _ in range(2))
        out, into = chance.choice(((True, True), (True, False), (False, True)))
        if out and counts[taken] and (into or sum(counts) > sizes.start):
            counts[taken] -= 1
        if into and counts[put] < 4 * packs and (sum(counts) < sizes.stop - 1):
            counts[put] += 1
    return tuple(counts)


def main() -> None:
    """Search each kind for a while and print the worst."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    chance = random.Random(9)
    for packs, sizes in KINDS:
        taken, hand = climb(chance, packs, sizes, seconds)
        cards = " ".join(ranks_of(hand))
        print(f"{packs} {taken:>6} steps  {hand},  # {sum(hand)} cards: {cards}")


if __name__ == "__main__":
    main()

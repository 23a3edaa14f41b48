"""Rulings of Multiple 9, from the question's fields to the ruling, compared to a plain search.

Hands are drawn with a fixed seed; `worst_hands` keeps the worst that were found by a search. A
discard is asked about as the page does: the ruling, and what would be better if it is illegal.
"""

import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial

from benchmarks import plain_search
from benchmarks.clock import cpu_milliseconds
from benchmarks.rows import Aim, Row
from benchmarks.worst_hands import WORST
from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.groups import count_ranks, ranks_of, total
from referee.rules.games.multiple_9.discards import counted
from referee.rules.registry import GAMES

JUDGES = GAMES["multiple-9"].judges
LARGE, PATIENCE = 150, 10  # milliseconds, seconds
Hand = tuple[str, ...]


def rows(short: bool) -> Iterator[Row]:
    """Single rulings, the worst ones, the plain search, and many at once."""
    number = 60 if short else 1000
    to_20 = [*random_hands(number, range(1, 21), 1, 1), *random_hands(number, range(1, 21), 2, 2)]
    worst = [ranks_of(counts) for found in WORST.values() for counts in found]
    large = [
        *random_hands(number, range(21, 53), 1, 3),
        *random_hands(number, range(21, 105), 2, 4),
        *(hand for hand in worst if len(hand) > 20),
    ]
    yield median_row(to_20)
    yield worst_row(large)
    yield beside_the_plain_search(6 if short else 60, 2 if short else PATIENCE)
    yield claims_a_second(400 if short else 4000)


def random_hands(number: int, sizes: range, packs: int, seed: int) -> list[Hand]:
    """Hands from one or two packs, of all sizes."""
    chance = random.Random(seed)
    return [tuple(chance.sample(RANKS * (4 * packs), chance.choice(sizes))) for _ in range(number)]


def ask(hand: Hand) -> None:
    """Ask whether these cards are a legal discard, and for advice if they are none."""
    packs = 2 if max(map(hand.count, hand)) > 4 else 1
    question = {"cards": " ".join(hand), "packs": packs}
    if not JUDGES["discard"].answer(question).legal:
        JUDGES["discard"].advise(question)


def median_row(hands: Iterable[Hand]) -> Row:
    """The median of all hands."""
    taken = statistics.median(cpu_milliseconds(partial(ask, hand)) for hand in hands)
    what = "`discard`, to 20 cards, random: median"
    return Row(what, f"{taken:.2f} ms", aim=Aim(0.5, "ms", timed=True), value=taken)


def worst_row(hands: Iterable[Hand]) -> Row:
    """The slowest hand; slow ones are measured again for a median."""
    slowest = sorted(hands, key=lambda hand: cpu_milliseconds(lambda: ask(hand)), reverse=True)[:20]
    taken = max(cpu_milliseconds(partial(ask, hand), 5) for hand in slowest)
    what = "`discard`, of 21 to 104 cards, random and worst found: worst"
    return Row(what, f"{taken:.1f} ms", aim=Aim(LARGE, "ms", timed=True), value=taken)


def beside_the_plain_search(number: int, patience: float) -> Row:
    """The best discard of hands of 16 to 20 cards by both searches, checked to be equal."""
    ours, theirs = [], []
    for hand in random_hands(number, range(16, 21), 1, 5):
        question = {"hand": " ".join(hand)}
        counts = count_ranks(hand)
        found: list[tuple[int, int]] = []

        def plain(counts: tuple[int, ...] = counts, found: list[tuple[int, int]] = found) -> None:
            found.append(plain_search.best_discard(counts, patience))

        try:
            theirs.append(cpu_milliseconds(plain))
        except TimeoutError:
            continue
        ours.append(cpu_milliseconds(partial(JUDGES["hand"].answer, question), 5))
        detail = JUDGES["hand"].answer(question).detail
        laid = counted(str(detail["best"]))
        assert found == [(sum(laid), total(laid))], hand
    return _beside(ours, theirs, number, patience)


def _beside(ours: list[float], theirs: list[float], number: int, patience: float) -> Row:
    what = "`hand`, 16 to 20 cards: median of those the yardstick finishes"
    if not ours:
        return Row(what, "", f"none of {number} in {patience} s")
    ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
    return Row(
        what,
        f"{statistics.median(ours):.2f} ms",
        f"{statistics.median(theirs):.0f} ms, plain search",
        f"{ratio:.0f} times",
        Aim(20, "times", least=True),
        ratio,
    )


def claims_a_second(number: int) -> Row:
    """Discards ruled on by `referee check … --lines`, the start of the program included.

    CPU time of the program, so that other programs do not count.
    """
    drawn = random_hands(20 * number, range(1, 13), 1, 6)
    claims = [hand for hand in drawn if sum(map(VALUE.__getitem__, hand)) % 9 == 0][:number]
    lines = "".join(json.dumps({"cards": " ".join(hand)}) + "\n" for hand in claims)
    command = [sys.executable, "-m", "referee", "check", "multiple-9", "discard", "--lines"]

    def check() -> float:
        before = os.times()
        answer = subprocess.run(command, input=lines.encode(), capture_output=True, check=True)
        assert len(answer.stdout.splitlines()) == number
        after = os.times()
        return sum(after[2:4]) - sum(before[2:4])  # of the program started, user and system

    rate = number / statistics.median(check() for _ in range(3))
    what = "claims a second by `check --lines`, to 12 cards"
    return Row(what, f"{rate:.0f}", aim=Aim(2000, least=True, timed=True), value=rate)

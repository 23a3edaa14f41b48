"""Rulings on discards of Multiple 9, beside a plain search.

Hands are drawn with a fixed seed.
"""

import json
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator

from benchmarks import plain_search
from benchmarks.clock import median_seconds, seconds
from benchmarks.rows import Row
from referee.rules import groups
from referee.rules.cards import RANKS, VALUE


def rows(short: bool) -> Iterator[Row]:
    """Claims through the command line, and splits beside the plain search."""
    yield claims_a_second(400 if short else 4000, 300 if short else 2000)
    ours, theirs = beside_the_plain_search()
    yield Row(
        "Splitting 8-12 cards",
        f"{ours:.3f} ms",
        f"{theirs:.3f} ms",
        f"{theirs / ours:.1f} times faster",
        "",
        None,
    )


def hands(number: int, sizes: range, seed: int) -> list[list[str]]:
    """Hands from one pack that make a multiple of 9: those that are not ruled on at a glance."""
    chance = random.Random(seed)
    found: list[list[str]] = []
    while len(found) < number:
        hand = chance.sample(RANKS * 4, chance.choice(sizes))
        if sum(VALUE[rank] for rank in hand) % 9 == 0:
            found.append(hand)
    return found


def claims_a_second(number: int, target: int) -> Row:
    """Discards ruled on by `referee check … --lines`, the start of the program included."""
    lines = "".join(
        json.dumps({"cards": " ".join(hand)}) + "\n" for hand in hands(number, range(1, 13), 1)
    )
    command = [sys.executable, "-m", "referee", "check", "multiple-9", "discard", "--lines"]

    def ask() -> None:
        answer = subprocess.run(command, input=lines.encode(), capture_output=True, check=True)
        assert len(answer.stdout.splitlines()) == number

    rate = number / median_seconds(ask, 3)
    return Row(
        "Claims a second by `check --lines`, to 12 cards",
        f"{rate:.0f}",
        "",
        "",
        f"≥ {target}",
        rate >= target,
    )


def beside_the_plain_search() -> tuple[float, float]:
    """Median milliseconds a hand of 8 to 12 cards takes us, and the plain search."""
    ours, theirs = [], []
    for hand in hands(60, range(8, 13), 2):
        counts = groups.count_ranks(hand)
        groups._split.cache_clear()
        plain_search.forget()
        ours.append(seconds(lambda counts=counts: groups.split(counts)))
        theirs.append(seconds(lambda counts=counts: plain_search.can_be_split(counts)))
        assert (groups.split(counts) is not None) == plain_search.can_be_split(counts), hand
    return statistics.median(ours) * 1000, statistics.median(theirs) * 1000

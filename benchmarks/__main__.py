"""Measure rulings beside a yardstick in the same run, and print a table of ratios.

Hands are drawn with a fixed seed. Each figure is the median of several runs.
"""

import json
import platform
import random
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

from benchmarks import plain
from referee.rules import groups
from referee.rules.cards import RANKS, VALUE
from referee.rules.registry import GAMES

RUNS = 3
TEN = "A:Q 5;B:K A;C:A 2;D:10 2;E:6 9;F:4 4;G:8 2;H:10 7;I:8 7;J:K K"


def hands(number: int, sizes: range, seed: int) -> list[list[str]]:
    """Hands from one pack that make a multiple of 9: those that are not ruled on at a glance."""
    chance = random.Random(seed)
    found: list[list[str]] = []
    while len(found) < number:
        hand = chance.sample(RANKS * 4, chance.choice(sizes))
        if sum(VALUE[rank] for rank in hand) % 9 == 0:
            found.append(hand)
    return found


def seconds(work: Callable[[], object]) -> float:
    """The median time that `work` takes."""
    times = []
    for _ in range(RUNS):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return statistics.median(times)


def claims_a_second() -> float:
    """Discards ruled on by `referee check … --lines`, the start of the program included."""
    number = 4000
    lines = "".join(
        json.dumps({"cards": " ".join(hand)}) + "\n" for hand in hands(number, range(1, 13), 1)
    )
    command = [sys.executable, "-m", "referee", "check", "multiple-9", "discard", "--lines"]

    def ask() -> None:
        answer = subprocess.run(command, input=lines.encode(), capture_output=True, check=True)
        assert len(answer.stdout.splitlines()) == number

    return number / seconds(ask)


def beside_the_plain_search() -> tuple[float, float]:
    """Median milliseconds a hand of 8 to 12 cards takes us, and the plain search."""
    ours, theirs = [], []
    for hand in hands(60, range(8, 13), 2):
        counts = groups.count_ranks(hand)
        groups._split.cache_clear()
        plain.forget()
        began = perf_counter()
        mine = groups.split(counts) is not None
        between = perf_counter()
        yours = plain.can_be_split(counts)
        theirs.append(perf_counter() - between)
        ours.append(between - began)
        assert mine == yours, hand
    return statistics.median(ours) * 1000, statistics.median(theirs) * 1000


def odds(question: dict[str, str]) -> float:
    """Milliseconds for exact odds in a running process."""
    judge = GAMES["multiple-9-holdem"].judges["odds"]
    judge.answer(question)
    return seconds(lambda: judge.answer(question)) * 1000


def main() -> None:
    """Print the table."""
    ours, theirs = beside_the_plain_search()
    rows = [
        ("Multiple 9: claims a second, --lines, to 12 cards", f"{claims_a_second():.0f}", "≥ 2000"),
        ("… splitting 8–12 cards", f"{ours:.3f} ms", f"plain search {theirs:.3f} ms"),
        ("… as a ratio", f"{theirs / ours:.1f} times faster", ""),
        ("Odds, ten known hands before the flop", f"{odds({'hands': TEN}):.1f} ms", "< 300 ms"),
        (
            "Odds, two hands and the flop",
            f"{odds({'hands': 'A:K K;B:8 7', 'board': 'J 7 9'}):.2f} ms",
            "< 20 ms",
        ),
    ]
    print(f"Python {platform.python_version()}, {platform.machine()}, median of {RUNS}")
    for what, figure, beside in rows:
        print(f"{what:<52} {figure:>20}   {beside}")


if __name__ == "__main__":
    main()

"""Hands and odds of Multiple 9 Hold'em."""

from collections.abc import Iterator

from benchmarks.clock import median_seconds
from benchmarks.rows import Row
from referee.rules.registry import GAMES

TEN = "A:Q 5;B:K A;C:A 2;D:10 2;E:6 9;F:4 4;G:8 2;H:10 7;I:8 7;J:K K"
TWO = "A:K K;B:8 7"


def rows(short: bool) -> Iterator[Row]:
    """Exact odds."""
    slack = 3 if short else 1
    yield odds("Odds, ten known hands before the flop", {"hands": TEN}, 60, slack)
    yield odds("Odds, two hands before the flop", {"hands": TWO}, 15, slack)
    yield odds("Odds, two hands and the flop", {"hands": TWO, "board": "J 7 9"}, 5, slack)


def odds(what: str, question: dict[str, str], target: int, slack: int) -> Row:
    """Milliseconds for exact odds in a running process."""
    judge = GAMES["multiple-9-holdem"].judges["odds"]
    judge.answer(question)
    taken = median_seconds(lambda: judge.answer(question)) * 1000
    return Row(what, f"{taken:.2f} ms", "", "", f"≤ {target} ms", taken <= target * slack)

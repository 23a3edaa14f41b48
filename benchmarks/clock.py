"""Taking the time."""

import statistics
from collections.abc import Callable
from time import perf_counter


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes once."""
    began = perf_counter()
    work()
    return perf_counter() - began


def median_seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median time that `work` takes."""
    return statistics.median(seconds(work) for _ in range(runs))

"""Timers."""

import statistics
from collections.abc import Callable
from time import perf_counter, thread_time


def seconds(work: Callable[[], object]) -> float:
    """The seconds that `work` takes once."""
    began = perf_counter()
    work()
    return perf_counter() - began


def cpu_milliseconds(work: Callable[[], object], runs: int = 1) -> float:
    """The median CPU time of this thread; other programs on the machine do not count."""

    def once() -> float:
        began = thread_time()
        work()
        return (thread_time() - began) * 1000

    return statistics.median(once() for _ in range(runs))

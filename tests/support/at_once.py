"""Run the same work in several threads at the same moment."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

WRITERS = 8

T = TypeVar("T")


def at_once(work: Callable[[int], T]) -> list[T]:
    """Run `work(writer)` in all threads at the same moment; returns the results in order."""
    gate = threading.Barrier(WRITERS, timeout=30)

    def started(writer: int) -> T:
        gate.wait()
        return work(writer)

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(started, range(WRITERS)))

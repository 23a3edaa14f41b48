"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(true: Callable[[], Found | None], within: float = 60, pause: float = 0.01) -> Found:
    """Wait until this is true, and return it.

    Fails if it is still false when asked that many seconds later.
    """
    began = asked = time.monotonic()
    while not (found := true()):
        assert asked - began < within
        time.sleep(pause)
        asked = time.monotonic()
    return found

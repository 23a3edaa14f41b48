"""Wait for what another thread or process does."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(ask: Callable[[], Found | None], within: float = 60, pause: float = 0.01) -> Found:
    """The first true answer of `ask`, which is called again and again.

    Fails after `within` seconds, with that many seconds of `pause` between two calls.
    """
    began = asked = time.monotonic()
    while not (found := ask()):
        assert asked - began < within
        time.sleep(pause)
        asked = time.monotonic()
    return found

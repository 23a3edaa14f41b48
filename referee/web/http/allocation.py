"""How the C library deals out memory, where it is GNU's, which can be told (`man 3 mallopt`)."""

import ctypes
import sys
from collections.abc import Callable

_M_ARENA_MAX = -8  # as <malloc.h> has it


def share_one_arena() -> None:
    """Let all threads have their memory from one place, before they begin.

    Otherwise each has a place of its own, where what it gives back lies idle while the others ask
    for more. They would hardly meet there: Python computes in one thread at a time.
    """
    mallopt = _gnu("mallopt")
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give back to the system what is free now, and would otherwise be kept for later."""
    malloc_trim = _gnu("malloc_trim")
    if malloc_trim is not None:
        malloc_trim(0)


def _gnu(name: str) -> Callable[..., int] | None:
    """The function of this name; None where the C library is another."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None

"""How far long work is: told, step by step, to whoever watches, if anybody does."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Thing = TypeVar("Thing")

#: Is told how much is done, and of how much.
Watcher = Callable[[int, int], None]

_watcher: ContextVar[Watcher] = ContextVar("watcher", default=lambda _done, _of: None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell `watcher` how far the work in this block is; one part of it may follow another."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def tell(done: int, of: int) -> None:
    """Say that so much is done, of so much."""
    _watcher.get()(done, of)


def steps(things: Sequence[Thing]) -> Iterator[Thing]:
    """Yield these things, and tell after each how many were worked on."""
    for done, thing in enumerate(things, start=1):
        yield thing
        tell(done, len(things))

"""The progress of long work, reported step by step to a watcher, if there is one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Thing = TypeVar("Thing")

#: Called with how much is done, and of how much.
Watcher = Callable[[int, int], None]

_watcher: ContextVar[Watcher] = ContextVar("watcher", default=lambda _done, _of: None)


@contextmanager
def reporting_to(watcher: Watcher) -> Iterator[None]:
    """Report to `watcher` how far the work in this block is; each part of it counts from 0."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def report(done: int, of: int) -> None:
    """Report that `done` of `of` is done."""
    _watcher.get()(done, of)


def steps(things: Sequence[Thing]) -> Iterator[Thing]:
    """Yield these things, and report after each how many are done."""
    for done, thing in enumerate(things, start=1):
        yield thing
        report(done, len(things))

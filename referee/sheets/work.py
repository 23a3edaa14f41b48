"""Long work is announced, so that nobody who asks for little has to wait behind it.

Most answers take milliseconds; to play through or show thousands of entries takes seconds. What
does that says beforehand how many entries there are (`spend`), and at each of them whether it is to
go on (`go_on`). Who must not be kept up allows only so many (`Allowance`), and has the work done
elsewhere where they are not enough. Nobody else, such as the command line, has a limit.

Nor does anybody wait in here for another program that writes in the book: the work is begun again
a moment later (`ComeAgain`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Self


class WorkEnded(BaseException):
    """The work is not to be done here, or no longer wanted; nothing has been stored.

    Not an `Exception`: nothing is wrong, and no handler of errors is to take it for one.
    """


class LongWork(WorkEnded):
    """More work than is allowed here."""


class ComeAgain(BaseException):
    """Another program is writing in the book; nothing has been stored, and it is to be tried again.

    Not an `Exception`, as `WorkEnded` says.
    """


class Allowance:
    """How much work may be done: on so many entries, and until nobody wants it any more."""

    def __init__(self, entries: float = float("inf")) -> None:
        self.left = entries
        self.wanted = True

    @contextmanager
    def in_force(self) -> Iterator[Self]:
        """No more than this may be done in here."""
        before = _allowance.set(self)
        try:
            yield self
        finally:
            _allowance.reset(before)


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)
_comes_again: ContextVar[bool] = ContextVar("comes_again", default=False)


@contextmanager
def begun_again() -> Iterator[None]:
    """Whoever finds the book locked in here ends with `ComeAgain`, for all of it is begun again."""
    before = _comes_again.set(True)
    try:
        yield
    finally:
        _comes_again.reset(before)


def come_again() -> None:
    """Raise `ComeAgain`, where somebody will begin again."""
    if _comes_again.get():
        raise ComeAgain


def spend(entries: int) -> None:
    """Announce work on so many entries. Raises `LongWork` where that is too much here."""
    allowed = _allowance.get()
    if allowed is None:
        return
    if entries > allowed.left:
        raise LongWork
    allowed.left -= entries


def take_long() -> None:
    """Announce long work without entries. Raises `LongWork` where little is allowed."""
    if is_limited():
        raise LongWork


def go_on() -> None:
    """Raise `WorkEnded` where nobody wants the work any more."""
    allowed = _allowance.get()
    if allowed is not None and not allowed.wanted:
        raise WorkEnded


def is_limited() -> bool:
    """Whether only so much work is allowed here."""
    allowed = _allowance.get()
    return allowed is not None and allowed.left != float("inf")

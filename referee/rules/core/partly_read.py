"""Entries of which only some could be read, so that the rest can be ruled on all the same.

Of an entry with an unknown player, an unreadable card or a missing field the rules see what could
be read. A rule that asks for anything else has nothing to say: `NotRead` ends it, and the next rule
has its turn.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from referee.rules.core.ruling import Fault

S = TypeVar("S")
E = TypeVar("E")
T = TypeVar("T")

Rule = Callable[[S, E], Iterable[Fault]]


class NotRead(Exception):
    """A rule has asked for a field that could not be read."""


class PartlyRead:
    """An entry with those fields that could be read; any other raises `NotRead`."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self._fields[name]
        except KeyError:
            raise NotRead(name) from None


class SomeByPlayer(dict[str, Any]):
    """What could be read, by player; `unread` are those of whom something else was said."""

    def __init__(self, read: Mapping[str, Any], unread: Iterable[str]) -> None:
        super().__init__(read)
        self.unread = frozenset(unread)


class SomeOfAList(list[Any]):
    """What could be read of a list that has more in it."""


def unread_in(values: Mapping[str, Any]) -> frozenset[str]:
    """The players about whom a field says something that could not be read."""
    return values.unread if isinstance(values, SomeByPlayer) else frozenset()


def all_read(values: Collection[Any]) -> bool:
    """Whether these are all the values of a field, so that they can be looked at together."""
    return not isinstance(values, SomeByPlayer | SomeOfAList)


def if_read(ask: Callable[[], T]) -> T | None:
    """What `ask` finds in an entry, or None where that could not be read."""
    with suppress(NotRead):
        return ask()
    return None


def ruled(state: S, entry: E, *rules: Rule[S, E]) -> Iterator[Fault]:
    """What each of the `rules` finds, as far as the entry could be read."""
    for rule in rules:
        with suppress(NotRead):
            yield from rule(state, entry)

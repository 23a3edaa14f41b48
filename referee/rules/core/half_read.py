"""Entries of which only some could be read: the rules see that, and say what is wrong with it.

A field that could not be read is not there, nor is what could not be read of a list or of what is
said by player. A rule that asks for such a field has nothing to say: `NotRead` ends it, and the
next rule has its turn.
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


class HalfRead:
    """An entry with those fields that could be read; any other raises `NotRead`."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self._fields[name]
        except KeyError:
            raise NotRead(name) from None


class SomeByPlayer(dict[str, Any]):
    """The values that could be read, by player, where others could not.

    Something is said of a player who is `in` it; the value is there only if it could be read.
    """

    def __init__(self, read: Mapping[str, Any], unread: Iterable[str]) -> None:
        super().__init__(read)
        self._named = {*read, *unread}

    def __contains__(self, player: object) -> bool:
        return player in self._named

    def __bool__(self) -> bool:
        return True


class SomeOfAList(list[Any]):
    """The values of a list that could be read, where others could not."""

    def __bool__(self) -> bool:
        return True


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

"""What a game does with one kind of entry: the rules by which something is wrong, and its play.

The rules are also asked about an entry of which only some could be read. A field that could not be
read is not there, nor is what could not be read of a list or of what is said by player. A rule that
asks for such a field has nothing to say: `NotRead` ends it, and the next rule has its turn.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Generic, TypeVar

from referee.rules.core.entries import Entry
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.core.table import State

S = TypeVar("S", bound=State[Any])
E = TypeVar("E", bound=Entry)
T = TypeVar("T")

#: The state after an entry and what it scored. The lines are already counted in the scores.
Played = tuple[S, list[Line]]

Rule = Callable[[S, E], Iterable[Fault]]


class EntryKind(Generic[S, E]):
    """A kind of entry: its type, what it does, and the rules by which something is wrong with it.

    `play` is given entries in which no rule found a fault. It and the rules know that the players
    named are on the sheet and that the game is not over. Rules are also asked about an entry of
    which only some could be read : strangers are left out of it like everything else.

    An entry that `begins` is part of the play: once one is made, the deal has begun. What an entry
    `by_hand` scores adds up hand by hand: with some of them missing, `play` says what the others
    come to.
    """

    def __init__(
        self,
        entry: type[E],
        play: Callable[[S, E], Played[S]],
        *rules: Rule[S, E],
        begins: bool = True,
        by_hand: bool = False,
    ) -> None:
        self.entry = entry
        self.play = play
        self.rules = rules
        self.begins = begins
        self.by_hand = by_hand

    @property
    def action(self) -> str:
        """What `action` is in an entry of this kind."""
        return str(self.entry.__struct_config__.tag)


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

"""What a game does with one kind of entry, in one place: what is wrong with it, what it does."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from referee.rules.core.entries import Entry
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.core.table import State

S = TypeVar("S", bound=State[Any])
E = TypeVar("E", bound=Entry)

#: The state after an entry and what it scored. The lines are already counted in the scores.
Played = tuple[S, list[Line]]


def no_faults(state: State[Any], entry: Entry) -> Iterable[Fault]:
    """For entries that are legal whenever their players are known."""
    return ()


class EntryKind(Struct, Generic[S, E], frozen=True):
    """A kind of entry: its type, what it does, and what can be wrong with it.

    `play` is given entries in which `faults` found nothing. Both know that the players named are
    on the sheet and that the game is not over. `faults` may be asked about an entry of which only
    some could be read (`partly_read`): strangers are left out of it like everything else. An entry
    that `begins` is part of the play: once one is made, the deal has begun. What an entry `by_hand`
    scores adds up hand by hand: with some of them missing, `play` says what the others come to.
    """

    entry: type[E]
    play: Callable[[S, E], Played[S]]
    faults: Callable[[S, E], Iterable[Fault]] = no_faults
    begins: bool = True
    by_hand: bool = False

    @property
    def action(self) -> str:
        """What `action` is in an entry of this kind."""
        return str(self.entry.__struct_config__.tag)

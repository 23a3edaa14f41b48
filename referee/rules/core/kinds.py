"""What a game does with one kind of entry, in one place: what is wrong with it, what it does."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from referee.rules.core.entries import Entry
from referee.rules.core.half_read import Rule
from referee.rules.core.lines import Line
from referee.rules.core.table import State

S = TypeVar("S", bound=State[Any])
E = TypeVar("E", bound=Entry)

#: The state after an entry and what it scored. The lines are already counted in the scores.
Played = tuple[S, list[Line]]


class EntryKind(Generic[S, E]):
    """A kind of entry: its type, what it does, and the rules by which something is wrong with it.

    `play` is given entries in which no rule found a fault. It and the rules know that the players
    named are on the sheet and that the game is not over. Rules are also asked about an entry of
    which only some could be read (`half_read`): strangers are left out of it like everything else.

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

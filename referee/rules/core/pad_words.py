"""What a game adds to the score pad besides its lines: how the deal in progress stands."""

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from referee.rules.core.entries import Entry
from referee.rules.core.lines import Line
from referee.rules.core.table import State
from referee.rules.text import Text

S = TypeVar("S", bound=State[Any])


class PadWords(ABC, Generic[S]):
    """The part of a game that the pad asks. Every answer is a few letters, by player's name."""

    def told(self, before: S, entry: Entry, lines: Sequence[Line]) -> object | None:
        """What the felt tells of a deal that `entry` has just ended, for the game's `told.html`.

        None where the row of the pad says it all.
        """
        return None

    def so_far(self, state: S) -> Mapping[str, Text]:
        """What stands in small in the row of the deal in progress: "3 tricks"."""
        return {}

    def beside_total(self, state: S) -> Mapping[str, Text]:
        """What stands under a player's total in the deal in progress: "needs 9", "12 in front".

        Where a game says nothing of a player, the pad says how far the target is.
        """
        return {}

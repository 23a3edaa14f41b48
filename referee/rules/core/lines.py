"""Lines: what an entry does to the score, item by item; and the pools that counters lie in."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import msgspec

from referee.rules.text import NOTHING, Sum, Text, say

P = TypeVar("P", bound=Hashable)  # a player: a name or a seat

Pools = Mapping[str, int]
NO_POOLS: Pools = MappingProxyType({})


class Line(msgspec.Struct, frozen=True, gc=False):
    """One item of an entry's breakdown: `points` is what `player` gains (negative: gives up).

    They are points, counters or chips: whatever the game is played for. Where they are paid `to`
    another player, that one gains what this one gives up. `reason` is a sentence without its
    player; without one the line only has something to say on the score pad.

    On the pad `short` stands beside the amount: "9 staked". `worked` is written instead of a bare
    number: "(2 + 2) × 2", "11 for 9". A line of 0 points is told there by these words alone.

    A line that `opens` is a stake or a blind of the deal that is in progress after the entry; any
    other line belongs to the deal in which the entry was made.
    """

    player: str
    points: int
    reason: Text
    short: Text = NOTHING
    worked: Text | Sum = NOTHING
    to: str = ""
    opens: bool = False

    @property
    def says(self) -> Text:
        """The line in a sentence; of what is paid to another it has the amount, too."""
        if not self.to:
            return say("{player}: {reason}", player=self.player, reason=self.reason)
        return say(
            "{player} pays {other} {n}: {reason}",
            player=self.player,
            other=self.to,
            n=-self.points,
            reason=self.reason,
        )

    @property
    def gains(self) -> tuple[tuple[str, int], ...]:
        """Whom it brings how much."""
        mine = (self.player, self.points)
        return (mine, (self.to, -self.points)) if self.to else (mine,)

    def called(self, renamed: Mapping[str, str]) -> "Line":
        """The same with other names: `renamed` maps old ones to new."""
        names = {name: renamed.get(name, name) for name in (self.player, self.to)}
        return msgspec.structs.replace(self, player=names[self.player], to=names[self.to])


def note(player: str, words: Text) -> Line:
    """A line that changes no score: it puts a word into the player's cell on the pad."""
    return Line(player, 0, NOTHING, words)


def change_by_player(lines: Iterable[Line], players: Iterable[str]) -> dict[str, int]:
    """The sum of the `lines` of each of `players`, 0 included, in the order of `players`.

    The lines are about nobody else.
    """
    change = dict.fromkeys(players, 0)
    for line in lines:
        for player, points in line.gains:
            change[player] += points
    return change


def equal_shares(amount: int, order: Sequence[P]) -> dict[P, int]:
    """`amount` divided equally; what does not divide goes one each to the first of `order`.

    Nobody stands in `order` twice, and it is not empty. At the table it is clockwise from the
    left of the dealer or the button.
    """
    share, odd = divmod(amount, len(order))
    return {player: share + (place < odd) for place, player in enumerate(order)}

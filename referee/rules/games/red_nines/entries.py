"""What is written down in Red Nines (20th century): who went out, what the others still held."""

from collections.abc import Collection
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import RedNineText
from referee.rules.cards.cards import RANKS_AND_RED_NINES, Card, is_red_nine
from referee.rules.cards.hands import ShownHands, read_hands
from referee.rules.core.asking import called, red_nines_in
from referee.rules.core.entries import Count, Entry, Player
from referee.rules.games.red_nines.pack import POINTS
from referee.rules.text import say


class Counted(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers: its `points` before doubling, each of its `red_nines` counted 9."""

    points: Annotated[
        Count, called(say("points"), lambda player: say("{player}’s points", player=player))
    ]
    red_nines: Annotated[
        Count,
        called(say("red nines"), lambda player: say("{player}’s red nines", player=player)),
        red_nines_in("points", points=POINTS["9"]),
    ]

    @property
    def rest(self) -> int:
        """The points that are not in red nines."""
        return self.points - POINTS["9"] * self.red_nines

    @property
    def cards_at_least(self) -> int:
        """The fewest cards this hand can have."""
        return self.red_nines + (self.rest > 0)


class Out(Entry, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held.

    `announced`: whether the red nine was, which counts only by house rule.
    """

    player: Annotated[Player, called(say("who went out"))]
    red_nine: Annotated[bool, called(say("whether it was on a red nine"))] = False
    announced: Annotated[bool, called(say("whether that was announced"))] = True
    hands: Annotated[
        dict[Player, RedNineText | Counted],
        called(
            say("the hands"),
            lambda player: say("{player}’s hand", player=player),
            wanted=say("cards, or points and how many red nines"),
        ),
    ] = {}


def shown_hands(entry: Out) -> ShownHands[Counted]:
    """The hands of an entry; raises `NotationError`."""
    return read_hands(entry.hands, RANKS_AND_RED_NINES, count)


def count(cards: Collection[Card]) -> Counted:
    """A hand of these cards as numbers."""
    points = sum(POINTS[card.rank] for card in cards)
    return Counted(points, sum(map(is_red_nine, cards)))

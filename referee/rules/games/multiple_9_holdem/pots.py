"""What lies in which pot, and who can win it (`docs/rules.md` §2, betting)."""

from collections.abc import Collection, Hashable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from referee.rules.text import Text, say

P = TypeVar("P", bound=Hashable)  # a player: a name or a seat


class Pot(Struct, Generic[P], frozen=True):
    """Chips in the middle and those who can win them."""

    amount: int
    players: tuple[P, ...]


def uncalled(paid: Mapping[P, int]) -> dict[P, int]:
    """What nobody has matched of the chips `paid` in a hand; it goes back. At most one player."""
    most, *others = sorted(paid.values(), reverse=True) or [0]
    matched = max(others, default=0)
    return {
        player: chips - matched
        for player, chips in paid.items()
        if chips == most and most > matched
    }


def layers(paid: Mapping[P, int], folded: Collection[P]) -> list[Pot[P]]:
    """The pots that the chips `paid` make, the main pot first, in layers of equal contributions.

    Chips of the folded stay in but cannot win. Layers with the same players are one pot, and a
    layer that only the folded have reached goes with the pot below it.
    """
    pots: list[Pot[P]] = []
    below = 0
    for level in sorted(set(paid.values()) - {0}):
        amount = sum(min(chips, level) - min(chips, below) for chips in paid.values())
        players = tuple(
            player for player, chips in paid.items() if chips >= level and player not in folded
        )
        pots = add_layer(pots, Pot(amount, players))
        below = level
    return pots


def add_layer(pots: list[Pot[P]], layer: Pot[P]) -> list[Pot[P]]:
    """`pots` with one more layer on top, joined to the last of them where it is the same pot."""
    if pots and layer.players in (pots[-1].players, ()):
        last = pots[-1]
        return [*pots[:-1], Pot(last.amount + layer.amount, last.players)]
    return [*pots, layer]


def pot_names(number: int) -> list[Text]:
    """What this `number` of pots are called, the main pot first."""
    if number < 2:
        return [say("the pot")] * number
    if number == 2:
        return [say("the main pot"), say("the side pot")]
    return [say("the main pot"), *(say("side pot {n}", n=n) for n in range(1, number))]

"""The hands shown when somebody has gone out: each as cards, or as what was counted in it.

The faults made here name the section "score", which a game that asks for them must have.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from referee.rules.cards.cards import Card, Notation, reading_cards
from referee.rules.core.kinds import if_read
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.text import Text, say

C = TypeVar("C", bound=Struct)  # a hand as numbers


class ShownHands(Struct, Generic[C], frozen=True):
    """Hands by player: `cards` has those that were written as cards, `counted` has them all."""

    cards: Mapping[str, tuple[Card, ...]]
    counted: Mapping[str, C]

    @property
    def all_cards(self) -> tuple[Card, ...]:
        """Every card that was written."""
        return tuple(card for hand in self.cards.values() for card in hand)


def read_hands(
    hands: Mapping[str, str | C], notation: Notation, count: Callable[[tuple[Card, ...]], C]
) -> ShownHands[C]:
    """The hands in an entry, those that are texts read as cards and then counted with `count`.

    Raises `NotationError` for everything in them that is no card.
    """
    cards = typed_hands(hands, notation)
    counted = {
        player: count(cards[player]) if isinstance(hand, str) else hand
        for player, hand in hands.items()
    }
    return ShownHands(cards, counted)


def typed_hands(hands: Mapping[str, object], notation: Notation) -> dict[str, tuple[Card, ...]]:
    """The hands, by player, that are written as cards; raises `NotationError` for all at once."""
    with reading_cards() as reader:
        return {
            player: reader.cards(hand, notation, _hand_of(player))
            for player, hand in hands.items()
            if isinstance(hand, str)
        }


@lru_cache(maxsize=256)
def _hand_of(player: str) -> Text:
    """Where a fault in it is said to be. Nearly every hand that is read has none."""
    return say("{player}’s hand", player=player)


class WentOut(Protocol):
    """An entry that says who went out, whether on a red nine, and what the others hold."""

    @property
    def player(self) -> str:
        """Who went out."""

    @property
    def red_nine(self) -> bool:
        """Whether it was on a red nine."""

    @property
    def hands(self) -> Mapping[str, object]:
        """What everybody else still held."""


def out_on_red_nine(entry: WentOut) -> str | None:
    """Who went out on a red nine, as far as that could be read."""
    return if_read(lambda: entry.player if entry.red_nine else None)


def hand_faults(
    fault: MakeFault, players: Iterable[str], entry: WentOut, held: Mapping[str, int], most: int
) -> Iterable[Fault]:
    """Everybody but the winner must show 1 to `most` cards; `held` counts those of the `entry`.

    Where it was not read who won, nobody's hand need be missing or empty.
    """
    winner = if_read(lambda: entry.player)
    if winner and winner in held:
        says = say("{player} went out, so can’t hold any cards.", player=winner)
        yield fault("winner-holds", says, "score")
    for player in players:
        if player == winner:
            continue
        if player not in held:
            if winner and player not in entry.hands:
                says = say("{player}’s cards are missing.", player=player)
                yield fault("hand-missing", says, "score").lacking("hand")
        elif held[player] == 0 and winner:
            says = say("{player} didn’t go out, so must hold at least one card.", player=player)
            yield fault("hand-empty", says, "score")
        elif held[player] > most:
            says = say(
                "{player} was dealt {most} cards, but holds {n} here.",
                player=player,
                most=most,
                n=held[player],
            )
            yield fault("too-many-cards", says, "score")

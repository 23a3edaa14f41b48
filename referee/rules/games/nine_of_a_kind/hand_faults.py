"""Why cards cannot be a hand of nine from the deck (`docs/rules.md` §3)."""

from collections.abc import Collection, Iterable

from referee.rules.cards.cards import Card, card_name, repeated
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.games.nine_of_a_kind.hands import HAND
from referee.rules.text import Text, say, say_many


def hand_faults(
    fault: MakeFault, cards: Collection[Card], player: str | None = None
) -> Iterable[Fault]:
    """Why these cannot be nine cards of a hand: that of `player`, or one that is asked about."""
    if len(cards) != HAND:
        yield fault("hand-size", _no_hand(len(cards), player), "deal").lacking("more")
    yield from twice_faults(fault, cards)


def _no_hand(number: int, player: str | None) -> Text:
    if player is None:
        return say_many(
            "That’s {n} card; a hand has {hand}.",
            "That’s {n} cards; a hand has {hand}.",
            n=number,
            hand=HAND,
        )
    return say_many(
        "{player} has {n} card; a hand has {hand}.",
        "{player} has {n} cards; a hand has {hand}.",
        n=number,
        player=player,
        hand=HAND,
    )


def twice_faults(fault: MakeFault, cards: Iterable[Card]) -> Iterable[Fault]:
    """Cards that stand there more than once."""
    for card in repeated(cards):
        says = say("{card:C} appears more than once, but there’s only one.", card=card_name(card))
        yield fault("card-twice", says, "deck")

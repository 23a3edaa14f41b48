"""Cards that change hands before a deal of Nine Five Two (`docs/rules.md` §7, the exchange).

Pure arithmetic of cards: nothing here knows a sheet, and seats are places in clockwise order,
from 0.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from referee.rules.cards.cards import FRENCH_SUITS, Card
from referee.rules.games.nine_five_two.terms import HEIGHT


class Step(Struct, frozen=True):
    """The player in seat `up` may give cards `to` others: pairs of a seat and how many.

    With `in_all`, that is how many there are to be divided freely, and each may get all of them.
    """

    up: int
    to: tuple[tuple[int, int], ...]
    in_all: int | None = None


def exchange_steps(
    scores: Sequence[int], targets: Sequence[int], *, free: bool = False
) -> tuple[Step, ...]:
    """Who gives how many cards to whom, in order.

    `scores` are those of the last deal, by seat, and add up to 0: a player up by n gives n cards.
    `targets` are the tricks each seat needs in the coming deal; between two who were up alike
    the larger goes first. One player up serves both of the others in a single step: each with as
    many as that one was down, or with `free` as that player likes.
    """
    up = sorted(
        (seat for seat, score in enumerate(scores) if score > 0),
        key=lambda seat: (-scores[seat], -targets[seat]),
    )
    down = [seat for seat, score in enumerate(scores) if score < 0]
    if len(up) == 1 and len(down) > 1 and free:
        (giver,) = up
        return (Step(giver, tuple((seat, scores[giver]) for seat in down), scores[giver]),)
    if len(up) == 1:
        return (Step(up[0], tuple((seat, -scores[seat]) for seat in down)),)
    return tuple(Step(seat, ((down[0], scores[seat]),)) for seat in up)


def handed_back(hand: Sequence[Card], given: Sequence[Card]) -> tuple[Card, ...]:
    """What goes back for the cards `given` to `hand`: as many of each suit, the highest there are.

    The given cards are in the hand by then, so one that nothing beats comes straight back. Given
    one by one or all together, the same cards return. Highest first within the suits.
    """
    held = highest_first((*hand, *given))
    back: list[Card] = []
    for suit in FRENCH_SUITS:
        number = sum(card.suit == suit for card in given)
        back.extend([card for card in held if card.suit == suit][:number])
    return tuple(back)


def highest_first(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in the order spades, hearts, diamonds, clubs, each suit from the ace down."""
    return tuple(
        sorted(cards, key=lambda card: (FRENCH_SUITS.index(card.suit), -HEIGHT[card.rank]))
    )


def shown_from_kitty(returned: Iterable[Card], kitty: Iterable[Card]) -> tuple[Card, ...]:
    """The kitty cards that a dealer who gave `returned` back has to show, in the kitty's order.

    A card is shown if it is higher than the lowest card that went back in its suit. By house rule
    the cards received are compared instead.
    """
    lowest: dict[str, int] = {}
    for card in returned:
        lowest[card.suit] = min(HEIGHT[card.rank], lowest.get(card.suit, len(HEIGHT)))
    return tuple(card for card in kitty if HEIGHT[card.rank] > lowest.get(card.suit, len(HEIGHT)))

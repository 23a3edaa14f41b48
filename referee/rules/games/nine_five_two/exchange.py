"""The exchange of cards before a deal of Nine Five Two (`docs/rules.md` §7)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from referee.rules.cards.cards import FRENCH_SUITS, Card
from referee.rules.games.nine_five_two.tricks import highest_first
from referee.rules.text import Text, Value, listed, say, say_many


class ExchangeStep(Struct, frozen=True):
    """Cards that the player in seat `up` may give; `to` has pairs of a seat and a number.

    With `in_all`, that many cards are divided freely, and one player may get them all.
    """

    up: int
    to: tuple[tuple[int, int], ...]
    in_all: int | None = None


def exchange_steps(
    scores: Sequence[int], targets: Sequence[int], *, free: bool
) -> tuple[ExchangeStep, ...]:
    """The steps of the exchange, in order.

    `scores` are those of the last deal, by seat, and add up to 0: a player up by n may give n
    cards. `targets` are the tricks each seat needs in the coming deal; of two players equally up,
    the one with the larger target goes first. A single player up gives to all who were down in one
    step: as many cards to each as they were down or, with `free`, as that player likes.
    """
    up = sorted(
        (seat for seat, score in enumerate(scores) if score > 0),
        key=lambda seat: (-scores[seat], -targets[seat]),
    )
    down = [seat for seat, score in enumerate(scores) if score < 0]
    if len(up) == 1 and len(down) > 1 and free:
        (giver,) = up
        return (ExchangeStep(giver, tuple((seat, scores[giver]) for seat in down), scores[giver]),)
    if len(up) == 1:
        return (ExchangeStep(up[0], tuple((seat, -scores[seat]) for seat in down)),)
    return tuple(ExchangeStep(seat, ((down[0], scores[seat]),)) for seat in up)


# --- in sentences


def exchange_says(
    steps: Sequence[ExchangeStep], names: Sequence[str], scores: Sequence[int], *, must: bool
) -> Iterator[Text]:
    """The exchange in sentences, in order; `must`: whether every card has to be given."""
    if not steps:
        yield say("Everyone took exactly the tricks they needed, so no cards are exchanged.")
        return
    for place, step in enumerate(steps):
        player, up, cards = names[step.up], scores[step.up], _to_each(step, names, must=must)
        if must:
            gives = say("{player} ({up} up) must give {cards}", player=player, up=up, cards=cards)
        else:
            gives = say("{player} ({up} up) may give {cards}", player=player, up=up, cards=cards)
        if step.in_all is not None:
            yield say("{gives}, divided freely, both at once.", gives=gives)
        elif len(step.to) > 1:
            yield say("{gives}, both at once.", gives=gives)
        elif len(steps) == 1:
            yield say("{gives}.", gives=gives)
        elif place == 0:
            yield say("First {gives}.", gives=gives)
        else:
            yield say("Then {gives}.", gives=gives)
    yield say(
        "For each card, the highest of its suit comes back, even if it’s the card just given."
    )


def exchange_on_card(
    steps: Sequence[ExchangeStep], names: Sequence[str], *, must: bool
) -> Iterator[Text]:
    """The exchange as steps of the deal card, in order; none if no cards are exchanged."""
    for step in steps:
        player, cards = names[step.up], _to_each(step, names, must=must)
        if must:
            yield say("{player} gives {cards}", player=player, cards=cards)
        else:
            yield say("{player} may give {cards}", player=player, cards=cards)


def _to_each(step: ExchangeStep, names: Sequence[str], *, must: bool) -> Value:
    """The cards for each player in a step: "Ben up to 3 cards and Cat 1 card"."""

    def cards(number: int) -> Text:
        if must or number == 1:
            return say_many("{n} card", "{n} cards", n=number)
        return say_many("up to {n} card", "up to {n} cards", n=number)

    if step.in_all is not None:
        players = listed(names[seat] for seat, _ in step.to)
        return say("{players} {cards} in all", players=players, cards=cards(step.in_all))
    return listed(
        say("{player} {cards}", player=names[seat], cards=cards(number)) for seat, number in step.to
    )


# --- what goes back


def handed_back(hand: Sequence[Card], given: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that go back for those `given` to `hand`: the highest of each suit, one for one.

    A given card counts as part of the hand, so one that nothing beats comes straight back. Giving
    cards one by one or all together makes no difference.
    """
    held = highest_first((*hand, *given))
    back: list[Card] = []
    for suit in FRENCH_SUITS:
        number = sum(card.suit == suit for card in given)
        back.extend([card for card in held if card.suit == suit][:number])
    return tuple(back)

"""The exchange of Nine Five Two in sentences, as the deal card and the referee say it."""

from collections.abc import Iterator, Sequence

from referee.rules.games.nine_five_two.exchange import Step
from referee.rules.text import Text, Value, listed, say, say_many


def exchange_says(
    steps: Sequence[Step], names: Sequence[str], scores: Sequence[int], *, must: bool
) -> Iterator[Text]:
    """The exchange in sentences, in order; `must`: whether all the cards have to be given.

    `names` and the `scores` of the last deal are by seat.
    """
    if not steps:
        yield say("Everyone took exactly the tricks they needed, so no cards are exchanged.")
        return
    for place, step in enumerate(steps):
        up = scores[step.up]
        if step.in_all is not None:
            yield _freely(step, names, up, must=must)
        elif len(step.to) > 1:
            yield _to_both(step, names, up, must=must)
        elif len(steps) == 1:
            yield _to_one(step, names, up, must=must)
        elif place == 0:
            yield _first(step, names, up, must=must)
        else:
            yield _then(step, names, up, must=must)
    yield say(
        "For each card, the highest of its suit comes back, even if it’s the card just given."
    )


def swaps(steps: Sequence[Step], names: Sequence[str], *, must: bool) -> Iterator[Text]:
    """The exchange as steps of the deal card, in order; none where no cards are exchanged."""
    for step in steps:
        player = names[step.up]
        if step.in_all is None:
            gives: Value = listed(
                say("{player} {cards}", player=names[seat], cards=_cards(number, must=must))
                for seat, number in step.to
            )
        else:
            gives = say(
                "{players} {cards} in all",
                players=listed(names[seat] for seat, _ in step.to),
                cards=_cards(step.in_all, must=must),
            )
        if must:
            yield say("{player} gives {gives}", player=player, gives=gives)
        else:
            yield say("{player} may give {gives}", player=player, gives=gives)


def _to_both(step: Step, names: Sequence[str], up: int, *, must: bool) -> Text:
    """The only player who was up gives cards to both of the others."""
    (one, some), (other, more) = step.to
    values: dict[str, Value] = {
        "player": names[step.up],
        "up": up,
        "one": names[one],
        "some": _cards(some, must=must),
        "other": names[other],
        "more": _cards(more, must=must),
    }
    if must:
        return say(
            "{player} ({up} up) must give {one} {some} and {other} {more}, both at once.", **values
        )
    return say(
        "{player} ({up} up) may give {one} {some} and {other} {more}, both at once.", **values
    )


def _freely(step: Step, names: Sequence[str], up: int, *, must: bool) -> Text:
    """The only player who was up divides the cards between the others."""
    values: dict[str, Value] = {
        "player": names[step.up],
        "up": up,
        "others": listed(names[seat] for seat, _ in step.to),
        "cards": _cards(up, must=must),
    }
    if must:
        return say(
            "{player} ({up} up) must give {others} {cards} in all, divided freely, both at once.",
            **values,
        )
    return say(
        "{player} ({up} up) may give {others} {cards} in all, divided freely, both at once.",
        **values,
    )


def _to_one(step: Step, names: Sequence[str], up: int, *, must: bool) -> Text:
    """The only player who was up gives cards to the only one who was down."""
    values = _giving(step, names, up, must=must)
    if must:
        return say("{player} ({up} up) must give {to} {cards}.", **values)
    return say("{player} ({up} up) may give {to} {cards}.", **values)


def _first(step: Step, names: Sequence[str], up: int, *, must: bool) -> Text:
    """The first of two players who were up."""
    values = _giving(step, names, up, must=must)
    if must:
        return say("First {player} ({up} up) must give {to} {cards}.", **values)
    return say("First {player} ({up} up) may give {to} {cards}.", **values)


def _then(step: Step, names: Sequence[str], up: int, *, must: bool) -> Text:
    """The second of two players who were up."""
    values = _giving(step, names, up, must=must)
    if must:
        return say("Then {player} ({up} up) must give {to} {cards}.", **values)
    return say("Then {player} ({up} up) may give {to} {cards}.", **values)


def _giving(step: Step, names: Sequence[str], up: int, *, must: bool) -> dict[str, Value]:
    ((seat, number),) = step.to
    cards = _cards(number, must=must)
    return {"player": names[step.up], "up": up, "to": names[seat], "cards": cards}


def _cards(number: int, *, must: bool) -> Text:
    if must or number == 1:
        return say_many("{n} card", "{n} cards", n=number)
    return say_many("up to {n} card", "up to {n} cards", n=number)

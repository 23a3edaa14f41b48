"""What scores are counted in, and what a deal with its play is called at the table."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec.structs import replace

from referee.rules.text import Text, Value, say, say_many

Unit = Literal["point", "counter", "chip"]
DealCalled = Literal["deal", "round", "hand"]

#: The pad's word for what was put in for a deal: "9 staked".
STAKED = say("staked")

#: The unit as a column heading.
UNIT_HEADS: Mapping[Unit, Text] = {
    "point": say("Points"),
    "counter": say("Counters"),
    "chip": say("Chips"),
}
_AMOUNTS: Mapping[Unit, Text] = {
    "point": say_many("{n} point", "{n} points", n=1),
    "counter": say_many("{n} counter", "{n} counters", n=1),
    "chip": say_many("{n} chip", "{n} chips", n=1),
}

#: Each sentence in three wordings, for games that say deal, round or hand.
_OF_A_DEAL: Mapping[str, tuple[Text, Text, Text]] = {
    "head of a column": (say("Deal"), say("Round"), say("Hand")),
    "by number": (say("Deal {number}"), say("Round {number}"), say("Hand {number}")),
    "by number of": (
        say("Deal {number} of {last}"),
        say("Round {number} of {last}"),
        say("Hand {number} of {last}"),
    ),
    "record": (
        say("Record deal {number}"),
        say("Record round {number}"),
        say("Record hand {number}"),
    ),
    "tap to record": (
        say("Tap to record deal {number}"),
        say("Tap to record round {number}"),
        say("Tap to record hand {number}"),
    ),
    "go on with": (
        say("Go on with deal {number}"),
        say("Go on with round {number}"),
        say("Go on with hand {number}"),
    ),
    "next": (
        say("Next deal: {dealer} deals"),
        say("Next round: {dealer} deals"),
        say("Next hand: {dealer} deals"),
    ),
    "remove": (say("Remove this deal"), say("Remove this round"), say("Remove this hand")),
    "stop": (
        say("The game ends, and the deal in progress doesn’t count."),
        say("The game ends, and the round in progress doesn’t count."),
        say("The game ends, and the hand in progress doesn’t count."),
    ),
    "over after": (
        say("Game over after deal {number}."),
        say("Game over after round {number}."),
        say("Game over after hand {number}."),
    ),
    "after each": (
        say("{units} after each deal"),
        say("{units} after each round"),
        say("{units} after each hand"),
    ),
    "how many": (
        say_many("{n} deal", "{n} deals", n=1),
        say_many("{n} round", "{n} rounds", n=1),
        say_many("{n} hand", "{n} hands", n=1),
    ),
    "best": (say("Best deal"), say("Best round"), say("Best hand")),
    "whose": (
        say_many("{player}, deal {numbers}", "{player}, deals {numbers}", n=1),
        say_many("{player}, round {numbers}", "{player}, rounds {numbers}", n=1),
        say_many("{player}, hand {numbers}", "{player}, hands {numbers}", n=1),
    ),
    "win entered first": (
        say("{player}’s win was entered first, as deal {number}."),
        say("{player}’s win was entered first, as round {number}."),
        say("{player}’s win was entered first, as hand {number}."),
    ),
    "entered first": (
        say("deal {number} was entered first."),
        say("round {number} was entered first."),
        say("hand {number} was entered first."),
    ),
    "takes the lead": (
        say("deal {number}: {player} takes the lead"),
        say("round {number}: {player} takes the lead"),
        say("hand {number}: {player} takes the lead"),
    ),
    "loses the lead": (
        say_many(
            "deal {number}: {leaders} loses the lead to {player}",
            "deal {number}: {leaders} lose the lead to {player}",
            n=1,
        ),
        say_many(
            "round {number}: {leaders} loses the lead to {player}",
            "round {number}: {leaders} lose the lead to {player}",
            n=1,
        ),
        say_many(
            "hand {number}: {leaders} loses the lead to {player}",
            "hand {number}: {leaders} lose the lead to {player}",
            n=1,
        ),
    ),
}


def amount(unit: Unit, n: int) -> Text:
    """An amount with its unit: "1 counter", "12 chips"."""
    return replace(_AMOUNTS[unit], values=(("n", n),))


def of_deal(called: DealCalled, sentence: str, **values: Value) -> Text:
    """A sentence of `_OF_A_DEAL` with its values; `n` chooses singular or plural."""
    text = _OF_A_DEAL[sentence][get_args(DealCalled).index(called)]
    return replace(text, values=tuple(values.items()))


def numbered(called: DealCalled, number: int, last: int | None = None) -> Text:
    """A deal by its number, with the last if that is fixed: "Round 4", "Deal 2 of 5"."""
    if last is None:
        return of_deal(called, "by number", number=number)
    return of_deal(called, "by number of", number=number, last=last)

"""What scores are counted in, and what a deal with its play is called at the table."""

from collections.abc import Sequence
from typing import Literal

from referee.rules.text import Text, listed, say, say_many

Unit = Literal["point", "counter", "chip"]
DealCalled = Literal["deal", "round", "hand"]

#: What stands on the pad beside what was put in for a deal: "9 staked".
STAKED = say("staked")

#: The unit as the head of a column.
UNIT_HEADS: dict[Unit, Text] = {
    "point": say("Points"),
    "counter": say("Counters"),
    "chip": say("Chips"),
}

#: A deal as the head of a column.
DEAL_HEADS: dict[DealCalled, Text] = {
    "deal": say("Deal"),
    "round": say("Round"),
    "hand": say("Hand"),
}

#: The button that removes all that was recorded of a deal.
REMOVE: dict[DealCalled, Text] = {
    "deal": say("Remove this deal"),
    "round": say("Remove this round"),
    "hand": say("Remove this hand"),
}

#: What stopping a game does.
STOPS: dict[DealCalled, Text] = {
    "deal": say("The game ends, and the deal in progress doesn’t count."),
    "round": say("The game ends, and the round in progress doesn’t count."),
    "hand": say("The game ends, and the hand in progress doesn’t count."),
}


def amount(unit: Unit, n: int) -> Text:
    """So much of a unit: "1 counter", "12 chips"."""
    match unit:
        case "point":
            return say_many("{n} point", "{n} points", n=n)
        case "counter":
            return say_many("{n} counter", "{n} counters", n=n)
        case "chip":
            return say_many("{n} chip", "{n} chips", n=n)


def numbered(called: DealCalled, number: int, last: int | None = None) -> Text:
    """A deal by its number, and of how many where that is fixed: "Round 4", "Deal 2 of 5"."""
    if last is None:
        match called:
            case "deal":
                return say("Deal {number}", number=number)
            case "round":
                return say("Round {number}", number=number)
            case "hand":
                return say("Hand {number}", number=number)
    match called:
        case "deal":
            return say("Deal {number} of {last}", number=number, last=last)
        case "round":
            return say("Round {number} of {last}", number=number, last=last)
        case "hand":
            return say("Hand {number} of {last}", number=number, last=last)


def to_record(called: DealCalled, number: int) -> Text:
    """What the button says that records a deal."""
    match called:
        case "deal":
            return say("Record deal {number}", number=number)
        case "round":
            return say("Record round {number}", number=number)
        case "hand":
            return say("Record hand {number}", number=number)


def next_deal(called: DealCalled, dealer: str) -> Text:
    """What the button says that leads from a deal that is over to the next."""
    match called:
        case "deal":
            return say("Next deal: {dealer} deals", dealer=dealer)
        case "round":
            return say("Next round: {dealer} deals", dealer=dealer)
        case "hand":
            return say("Next hand: {dealer} deals", dealer=dealer)


def tap_to_record(called: DealCalled, number: int) -> Text:
    """What the next row of the score pad says."""
    match called:
        case "deal":
            return say("Tap to record deal {number}", number=number)
        case "round":
            return say("Tap to record round {number}", number=number)
        case "hand":
            return say("Tap to record hand {number}", number=number)


def go_on_with(called: DealCalled, number: int) -> Text:
    """What that row says once something of its deal has been written down."""
    match called:
        case "deal":
            return say("Go on with deal {number}", number=number)
        case "round":
            return say("Go on with round {number}", number=number)
        case "hand":
            return say("Go on with hand {number}", number=number)


def ended_after(called: DealCalled, number: int) -> Text:
    """That the game is over, and after how many deals."""
    match called:
        case "deal":
            return say("Game over after deal {number}.", number=number)
        case "round":
            return say("Game over after round {number}.", number=number)
        case "hand":
            return say("Game over after hand {number}.", number=number)


def after_each(unit: Unit, called: DealCalled) -> Text:
    """What the chart shows: the score after each deal."""
    units = UNIT_HEADS[unit]
    match called:
        case "deal":
            return say("{units} after each deal", units=units)
        case "round":
            return say("{units} after each round", units=units)
        case "hand":
            return say("{units} after each hand", units=units)


def deals_played(called: DealCalled, n: int) -> Text:
    """How many deals a game had: "9 deals", "1 hand"."""
    match called:
        case "deal":
            return say_many("{n} deal", "{n} deals", n=n)
        case "round":
            return say_many("{n} round", "{n} rounds", n=n)
        case "hand":
            return say_many("{n} hand", "{n} hands", n=n)


def in_deals(called: DealCalled, player: str, numbers: Sequence[int]) -> Text:
    """Whose deals they were and which: "Ben, deal 3", "Ann, deals 4 and 5"."""
    n, which = len(numbers), listed(numbers)
    match called:
        case "deal":
            return say_many(
                "{player}, deal {numbers}",
                "{player}, deals {numbers}",
                n=n,
                player=player,
                numbers=which,
            )
        case "round":
            return say_many(
                "{player}, round {numbers}",
                "{player}, rounds {numbers}",
                n=n,
                player=player,
                numbers=which,
            )
        case "hand":
            return say_many(
                "{player}, hand {numbers}",
                "{player}, hands {numbers}",
                n=n,
                player=player,
                numbers=which,
            )


def takes_the_lead(called: DealCalled, player: str, number: int) -> Text:
    """In which deal somebody took the lead for good."""
    match called:
        case "deal":
            return say("deal {number}: {player} takes the lead", player=player, number=number)
        case "round":
            return say("round {number}: {player} takes the lead", player=player, number=number)
        case "hand":
            return say("hand {number}: {player} takes the lead", player=player, number=number)


#: The deal that brought somebody most.
BEST_DEAL: dict[DealCalled, Text] = {
    "deal": say("Best deal"),
    "round": say("Best round"),
    "hand": say("Best hand"),
}

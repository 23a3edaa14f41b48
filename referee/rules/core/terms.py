"""What scores are counted in, and what a deal with its play is called at the table."""

from typing import Literal

from referee.rules.text import Text, say, say_many

Unit = Literal["point", "counter", "chip"]
DealCalled = Literal["deal", "round", "hand"]

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


def tap_to_record(called: DealCalled, number: int) -> Text:
    """What the next row of the score pad says."""
    match called:
        case "deal":
            return say("Tap to record deal {number}", number=number)
        case "round":
            return say("Tap to record round {number}", number=number)
        case "hand":
            return say("Tap to record hand {number}", number=number)


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

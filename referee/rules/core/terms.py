"""What scores are counted in, and what a deal with its play is called at the table."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from referee.rules.text import Text, Value, listed, say, say_many

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


def amount(unit: Unit, n: int) -> Text:
    """So much of a unit: "1 counter", "12 chips"."""
    match unit:
        case "point":
            return say_many("{n} point", "{n} points", n=n)
        case "counter":
            return say_many("{n} counter", "{n} counters", n=n)
        case "chip":
            return say_many("{n} chip", "{n} chips", n=n)


# --- the same sentences, of a deal, a round and a hand

OfADeal = Mapping[DealCalled, Text]


def _each(deal: Text, round_: Text, hand: Text) -> OfADeal:
    return {"deal": deal, "round": round_, "hand": hand}


#: A deal as the head of a column.
DEAL_HEADS = _each(say("Deal"), say("Round"), say("Hand"))

#: The button that removes all that was recorded of a deal.
REMOVE = _each(say("Remove this deal"), say("Remove this round"), say("Remove this hand"))

#: What stopping a game does.
STOPS = _each(
    say("The game ends, and the deal in progress doesn’t count."),
    say("The game ends, and the round in progress doesn’t count."),
    say("The game ends, and the hand in progress doesn’t count."),
)

#: The deal that brought somebody most.
BEST_DEAL = _each(say("Best deal"), say("Best round"), say("Best hand"))

# Sentences without their values.
_NUMBERED = _each(say("Deal {number}"), say("Round {number}"), say("Hand {number}"))
_NUMBERED_OF = _each(
    say("Deal {number} of {last}"), say("Round {number} of {last}"), say("Hand {number} of {last}")
)
_TO_RECORD = _each(
    say("Record deal {number}"), say("Record round {number}"), say("Record hand {number}")
)
_NEXT = _each(
    say("Next deal: {dealer} deals"),
    say("Next round: {dealer} deals"),
    say("Next hand: {dealer} deals"),
)
_TAP_TO_RECORD = _each(
    say("Tap to record deal {number}"),
    say("Tap to record round {number}"),
    say("Tap to record hand {number}"),
)
_GO_ON_WITH = _each(
    say("Go on with deal {number}"),
    say("Go on with round {number}"),
    say("Go on with hand {number}"),
)
_ENDED_AFTER = _each(
    say("Game over after deal {number}."),
    say("Game over after round {number}."),
    say("Game over after hand {number}."),
)
_AFTER_EACH = _each(
    say("{units} after each deal"), say("{units} after each round"), say("{units} after each hand")
)
_PLAYED = _each(
    say_many("{n} deal", "{n} deals", n=1),
    say_many("{n} round", "{n} rounds", n=1),
    say_many("{n} hand", "{n} hands", n=1),
)
_WHOSE = _each(
    say_many("{player}, deal {numbers}", "{player}, deals {numbers}", n=1),
    say_many("{player}, round {numbers}", "{player}, rounds {numbers}", n=1),
    say_many("{player}, hand {numbers}", "{player}, hands {numbers}", n=1),
)
_LEADS = _each(
    say("deal {number}: {player} takes the lead"),
    say("round {number}: {player} takes the lead"),
    say("hand {number}: {player} takes the lead"),
)


def _said(text: Text, **values: Value) -> Text:
    return replace(text, values=tuple(values.items()))


def numbered(called: DealCalled, number: int, last: int | None = None) -> Text:
    """A deal by its number, and of how many where that is fixed: "Round 4", "Deal 2 of 5"."""
    if last is None:
        return _said(_NUMBERED[called], number=number)
    return _said(_NUMBERED_OF[called], number=number, last=last)


def to_record(called: DealCalled, number: int) -> Text:
    """What the button says that records a deal."""
    return _said(_TO_RECORD[called], number=number)


def next_deal(called: DealCalled, dealer: str) -> Text:
    """What the button says that leads from a deal that is over to the next."""
    return _said(_NEXT[called], dealer=dealer)


def tap_to_record(called: DealCalled, number: int) -> Text:
    """What the next row of the score pad says."""
    return _said(_TAP_TO_RECORD[called], number=number)


def go_on_with(called: DealCalled, number: int) -> Text:
    """What that row says once something of its deal has been written down."""
    return _said(_GO_ON_WITH[called], number=number)


def ended_after(called: DealCalled, number: int) -> Text:
    """That the game is over, and after how many deals."""
    return _said(_ENDED_AFTER[called], number=number)


def after_each(unit: Unit, called: DealCalled) -> Text:
    """What the chart shows: the score after each deal."""
    return _said(_AFTER_EACH[called], units=UNIT_HEADS[unit])


def deals_played(called: DealCalled, n: int) -> Text:
    """How many deals a game had: "9 deals", "1 hand"."""
    return _said(_PLAYED[called], n=n)


def in_deals(called: DealCalled, player: str, numbers: Sequence[int]) -> Text:
    """Whose deals they were and which: "Ben, deal 3", "Ann, deals 4 and 5"."""
    return _said(_WHOSE[called], n=len(numbers), player=player, numbers=listed(numbers))


def takes_the_lead(called: DealCalled, player: str, number: int) -> Text:
    """In which deal somebody took the lead for good."""
    return _said(_LEADS[called], player=player, number=number)

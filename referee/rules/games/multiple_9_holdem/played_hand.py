"""A hand whose betting was not followed: what it came to, as the players tell it."""

from collections.abc import Iterable

from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.games.multiple_9_holdem.entries import PlayedHand
from referee.rules.games.multiple_9_holdem.sections import fault
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import say, say_many


def played_hand_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """Why the hand cannot have come to this."""
    if state.actions:
        says = say("The betting of this hand is on the sheet already: play on, or call it off.")
        yield fault("hand-begun", says, "chips")
    for player in entry.won:
        if player in entry.lost:
            says = say("{player} either won or lost chips, not both.", player=player)
            yield fault("won-and-lost", says, "chips")
    for player in dict.fromkeys((*entry.won, *entry.lost)):
        held = state.stakes.held[state.seat(player)]
        lost = entry.lost.get(player, 0)
        if not held:
            says = say("{player} had no chips and wasn’t in this hand.", player=player)
            yield fault("not-in-hand", says, "chips")
        elif lost > held:
            says = say_many(
                "{player} had {n} chip and can’t lose {lost}.",
                "{player} had {n} chips and can’t lose {lost}.",
                n=held,
                player=player,
                lost=lost,
            )
            yield fault("more-than-stack", says, "chips")
    won, lost = sum(entry.won.values()), sum(entry.lost.values())
    if won != lost:
        says = say("{won} won, but {lost} lost: the two must match.", won=won, lost=lost)
        yield fault("unequal", says, "chips")
    if not entry.won and not entry.lost:
        says = say("Say who won and who lost. Enter 0 if the pot was split evenly.")
        yield fault("nobody-won", says, "chips")


def played_hand_lines(state: HoldemState, entry: PlayedHand) -> list[Line]:
    """What everybody won or lost; the blinds, which are part of it, go back first."""
    return [
        *(
            Line(state.name(seat), paid, say("blind returned: the result includes it"))
            for seat, paid in enumerate(state.spot.paid)
            if paid
        ),
        *(Line(player, chips, say("won")) for player, chips in entry.won.items()),
        *(Line(player, -chips, say("lost")) for player, chips in entry.lost.items()),
    ]

"""The result of a hand whose betting was not recorded, as the players enter it."""

from collections.abc import Iterable

from referee.rules.core.entries import all_read, if_read
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line
from referee.rules.games.multiple_9_holdem.entries import PlayedHand
from referee.rules.games.multiple_9_holdem.faults import fault
from referee.rules.games.multiple_9_holdem.state import HoldemState, posted
from referee.rules.text import listed, say, say_many


def begun_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """A fault if betting on this hand is already recorded."""
    if state.begun:
        says = say("This hand’s betting is already on the sheet: play on, or call the hand off.")
        yield fault("hand-begun", says, "chips")


def player_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """The faults of each player's winnings and losses."""
    all_won, all_lost = if_read(lambda: entry.won) or {}, if_read(lambda: entry.lost) or {}
    for player in all_won:
        if player in all_lost:
            says = say("{player} either won or lost chips, not both.", player=player)
            yield fault("won-and-lost", says, "chips")
    for player in dict.fromkeys((*all_won, *all_lost)):
        held = state.stakes.held[state.seat(player)]
        lost = all_lost.get(player, 0)
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


def sum_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """The faults of all winnings and losses together."""
    if not (all_read(entry.won) and all_read(entry.lost)):
        return
    won, lost = sum(entry.won.values()), sum(entry.lost.values())
    if won != lost:
        says = say_many(
            "{won} won, but {lost} lost: {n} chip is missing.",
            "{won} won, but {lost} lost: {n} chips are missing.",
            n=abs(won - lost),
            won=won,
            lost=lost,
        )
        yield fault("unequal", says, "chips")
    elif entry.won or entry.lost:
        yield from _uncovered_faults(state, entry)
        yield from _blind_faults(state, entry)
    else:
        says = say("Say who won and who lost. Enter 0 if the pot was split evenly.")
        yield fault("nobody-won", says, "chips").lacking("more")


def _uncovered_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """A fault if players won more than their stacks can cover.

    From each opponent a player can win at most the chips they held before the hand; so players
    with at most `most` chips can together win at most that many from each of the others.
    """
    held = _dealt_in(state)
    gain = {name: entry.won.get(name, 0) - entry.lost.get(name, 0) for name in held}
    for most in sorted(set(held.values()))[:-1]:
        short = [name for name, chips in held.items() if chips <= most]
        gained = sum(gain[name] for name in short)
        covered = most * (len(held) - len(short))
        if gained > covered:
            says = say_many(
                "{players} can’t have won {gained} from the others: {n} chip in front covers "
                "{covered} at most.",
                "{players} can’t have won {gained} from the others: {n} chips in front cover "
                "{covered} at most.",
                n=most,
                players=listed(short),
                gained=gained,
                covered=covered,
            )
            yield fault("not-covered", says, "pots")
            return


def _blind_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """A fault for each player who did not win, yet lost less than the blind and ante posted.

    Not if somebody was short of chips, or lost more than a winner's whole stack, as the rest may
    have come back in a side pot; nor for players who broke even by sharing a pot too small for a
    chip each.
    """
    held, blinds = _dealt_in(state), state.stakes.blinds
    if min(held.values()) < blinds.big + blinds.ante:
        return
    stacks = [chips for name, chips in held.items() if name in entry.won]
    if stacks and max(entry.lost.values(), default=0) > min(stacks):
        return
    lines = posted(state)
    due = {line.player: 0 for line in lines}
    for line in lines:
        due[line.player] -= line.points
    lost = {name: entry.lost.get(name, 0) for name in held}
    shared = sum(min(chips, due.get(name, 0)) for name, chips in lost.items())
    too_small = shared < sum(chips == 0 for chips in lost.values())
    for player, chips in due.items():
        if player in entry.won or lost[player] >= chips or (too_small and not lost[player]):
            continue
        says = say(
            "{player} posted {due} and didn’t win, so has lost at least {due}, not {lost}.",
            player=player,
            due=chips,
            lost=lost[player],
        )
        yield fault("blind-lost", says, "blinds")


def _dealt_in(state: HoldemState) -> dict[str, int]:
    """The players dealt in, by seat, and the chips each held before the blinds."""
    return {state.name(seat): chips for seat, chips in enumerate(state.stakes.held) if chips}


def is_half_told(state: HoldemState, entry: PlayedHand) -> bool:
    """Whether a player dealt in is not named yet, so that the sums may still differ."""
    return not _dealt_in(state).keys() <= {*entry.won, *entry.lost}


def played_hand_lines(state: HoldemState, entry: PlayedHand) -> list[Line]:
    """The lines of the result; posted blinds go back first, as the result includes them."""
    back = say("blind returned: the result includes it")
    if state.stakes.blinds.ante:
        back = say("blinds and antes returned: the result includes them")
    paid = state.spot.paid
    return [
        *(Line(state.name(seat), chips, back) for seat, chips in enumerate(paid) if chips),
        *(Line(player, chips, say("won")) for player, chips in entry.won.items()),
        *(Line(player, -chips, say("lost")) for player, chips in entry.lost.items()),
    ]

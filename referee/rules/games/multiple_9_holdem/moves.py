"""Whether a move of the player who acts is legal, what it costs, and how it is told."""

from collections.abc import Iterable

from referee.rules.core.ruling import Fault
from referee.rules.games.multiple_9_holdem.betting import FIXED_LIMIT_RAISES, NoRaise, Turn
from referee.rules.games.multiple_9_holdem.board import not_yet
from referee.rules.games.multiple_9_holdem.entries import Bet
from referee.rules.games.multiple_9_holdem.sections import fault
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import Text, say, say_many


def amount_faults(state: HoldemState, bet: Bet) -> Iterable[Fault]:
    """An amount where there is nothing to say how much of."""
    if bet.move != "raise" and bet.to is not None:
        yield fault("to-without-raise", say("Only a bet or a raise needs an amount."), "betting")


def turn_faults(state: HoldemState, bet: Bet) -> Iterable[Fault]:
    """Why this player cannot move so now."""
    turn = state.spot.turn
    if turn is None:
        return [not_yet(state)]
    if state.seat(bet.player) != turn.seat:
        return [fault("out-of-turn", _out_of_turn(state, bet.player, turn), "betting")]
    return _faults_in_turn(state, bet, turn)


def cost(state: HoldemState, bet: Bet) -> int:
    """What a legal move costs the player, in chips."""
    turn = state.spot.turn
    assert turn is not None
    if bet.move == "raise":
        return (bet.to or 0) - state.spot.bets[turn.seat]
    return turn.call if bet.move == "call" else 0


def in_words(state: HoldemState, bet: Bet) -> Text:
    """What a legal move was: "raised to 50, all in"."""
    turn = state.spot.turn
    assert turn is not None
    all_in = cost(state, bet) == turn.stack
    if bet.move == "fold":
        return say("folded")
    if bet.move == "check":
        return say("checked")
    if bet.move == "call":
        return say("called, all in") if all_in else say("called")
    to = bet.to or 0
    if any(state.spot.bets):
        return say("raised to {to}, all in", to=to) if all_in else say("raised to {to}", to=to)
    return say("bet {to}, all in", to=to) if all_in else say("bet {to}", to=to)


def _out_of_turn(state: HoldemState, player: str, turn: Turn) -> Text:
    acts = state.name(turn.seat)
    seat = state.seat(player)
    if not state.stakes.held[seat]:
        return say(
            "{player} has no chips and sits out. It’s {acts}’s turn.", player=player, acts=acts
        )
    if seat not in state.spot.live:
        return say("{player} has folded. It’s {acts}’s turn.", player=player, acts=acts)
    if not state.spot.stacks[seat]:
        return say(
            "{player} is all in and has nothing to do. It’s {acts}’s turn.",
            player=player,
            acts=acts,
        )
    return say("It’s {acts}’s turn, not {player}’s.", player=player, acts=acts)


def _faults_in_turn(state: HoldemState, bet: Bet, turn: Turn) -> Iterable[Fault]:
    if bet.move == "check" and turn.call:
        says = say("{player} can’t check: it’s {call} to call.", player=bet.player, call=turn.call)
        yield fault("cannot-check", says, "betting")
    if bet.move == "call" and not turn.call:
        says = say("There’s nothing for {player} to call: check instead.", player=bet.player)
        yield fault("nothing-to-call", says, "betting")
    if bet.move == "raise":
        yield from _raise_faults(state, bet, turn)


def _raise_faults(state: HoldemState, bet: Bet, turn: Turn) -> Iterable[Fault]:
    all_in = state.spot.bets[turn.seat] + turn.stack
    if turn.no_raise is not None:
        yield fault("no-raise", _why_no_raise(state, turn.no_raise, turn), "betting")
    elif bet.to is None:
        says = say("Say how much: {player}’s total on this street.", player=bet.player)
        yield fault("raise-to", says, "betting")
    elif bet.to > all_in:
        says = say(
            "{to}? {player} can go up to {all_in} here, all in.",
            player=bet.player,
            all_in=all_in,
            to=bet.to,
        )
        yield fault("more-than-stack", says, "betting")
    elif turn.least is not None and bet.to < turn.least:
        says = _too_small(state, bet.to, turn.least, all_in=turn.least == all_in)
        yield fault("raise-too-small", says, "betting")
    elif turn.most is not None and bet.to > turn.most:
        yield fault("raise-too-big", _too_big(state, bet.to, turn.most), "betting")


def _too_small(state: HoldemState, to: int, least: int, *, all_in: bool) -> Text:
    if any(state.spot.bets):
        if all_in:
            return say("{to}? The smallest raise here is to {least}, all in.", least=least, to=to)
        return say("{to}? The smallest raise here is to {least}.", least=least, to=to)
    if all_in:
        return say("{to}? The smallest bet here is {least}, all in.", least=least, to=to)
    return say("{to}? The smallest bet here is {least}.", least=least, to=to)


def _too_big(state: HoldemState, to: int, most: int) -> Text:
    fixed = state.stakes.structure == "fixed-limit"
    if any(state.spot.bets):
        if fixed:
            return say("{to}? At fixed limit, raise to {most} here.", most=most, to=to)
        return say("{to}? At pot limit, the biggest raise here is to {most}.", most=most, to=to)
    if fixed:
        return say("{to}? At fixed limit, bet {most} here.", most=most, to=to)
    return say("{to}? At pot limit, the biggest bet here is {most}.", most=most, to=to)


def _why_no_raise(state: HoldemState, reason: NoRaise, turn: Turn) -> Text:
    player = state.name(turn.seat)
    match reason:
        case "covered":
            return say_many(
                "{player} has {n} chip and needs it to call: call or fold.",
                "{player} has {n} chips and needs them all to call: call or fold.",
                n=turn.stack,
                player=player,
            )
        case "alone":
            return say("Nobody is left to call a raise by {player}.", player=player)
        case "cap":
            return say("This street has had its {n} bets and raises.", n=FIXED_LIMIT_RAISES)
        case "short":
            return say(
                "{player} has already acted, and the last raise was all in for less than a full "
                "raise: call or fold.",
                player=player,
            )

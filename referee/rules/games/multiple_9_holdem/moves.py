"""What comes next in a hand, and whether a move of the player who acts is legal."""

from collections.abc import Iterable

from referee.rules.core.ruling import Fault
from referee.rules.games.multiple_9_holdem.betting import (
    BOARD_SIZES,
    FIXED_LIMIT_RAISES,
    STREETS,
    NoRaise,
    Turn,
)
from referee.rules.games.multiple_9_holdem.sections import fault
from referee.rules.games.multiple_9_holdem.sheet import Bet, Sheet


def next_board(state: Sheet) -> str:
    """The cards that come next: "Now the flop, three cards"."""
    number = BOARD_SIZES[state.street + 1] - len(state.board)
    cards = "three cards" if number == 3 else "one card"
    return f"Now the {STREETS[state.street + 1]}, {cards}"


def not_yet(state: Sheet) -> Fault:
    """Why an entry must wait: for a bet, the board or the showdown."""
    turn = state.spot.turn
    if turn is not None:
        return fault("betting-open", f"{state.name(turn.seat)} must act first.", "betting")
    if state.due == "board":
        return fault("board-due", f"{next_board(state)}: enter it first.", "board")
    message = "The board is complete and the betting over: enter the hands shown."
    return fault("show-due", message, "showdown")


def move_faults(state: Sheet, bet: Bet) -> list[Fault]:
    """All that is wrong with a move."""
    turn = state.spot.turn
    if turn is None:
        return [not_yet(state)]
    if state.seat(bet.player) != turn.seat:
        return [fault("out-of-turn", _out_of_turn(state, bet.player, turn), "betting")]
    return list(_faults_in_turn(state, bet, turn))


def cost(state: Sheet, bet: Bet) -> int:
    """What a legal move costs the player, in chips."""
    turn = state.spot.turn
    assert turn is not None
    if bet.move == "raise":
        return (bet.to or 0) - state.spot.bets[turn.seat]
    return turn.call if bet.move == "call" else 0


def in_words(state: Sheet, bet: Bet) -> str:
    """What a legal move was: "raised to 50, all-in"."""
    turn = state.spot.turn
    assert turn is not None
    if bet.move in ("fold", "check"):
        return f"{bet.move}ed"
    verb = "bet" if not any(state.spot.bets) else "raised to"
    words = "called" if bet.move == "call" else f"{verb} {bet.to}"
    return f"{words}, all-in" if cost(state, bet) == turn.stack else words


def _out_of_turn(state: Sheet, player: str, turn: Turn) -> str:
    acts = state.name(turn.seat)
    seat = state.seat(player)
    if not state.stakes.held[seat]:
        return f"{player} has no chips and sits out; it is {acts}’s turn."
    if seat not in state.spot.live:
        return f"{player} has folded; it is {acts}’s turn."
    if not state.spot.stacks[seat]:
        return f"{player} is all-in and need not act; it is {acts}’s turn."
    return f"It is {acts}’s turn, not {player}’s."


def _faults_in_turn(state: Sheet, bet: Bet, turn: Turn) -> Iterable[Fault]:
    if bet.move != "raise" and bet.to is not None:
        message = f"Only a raise says how high; {bet.player} is to {bet.move}."
        yield fault("to-without-raise", message, "betting")
    if bet.move == "check" and turn.call:
        message = f"{bet.player} cannot check: it costs {turn.call} to call."
        yield fault("cannot-check", message, "betting")
    if bet.move == "call" and not turn.call:
        message = f"There is nothing for {bet.player} to call: check instead."
        yield fault("nothing-to-call", message, "betting")
    if bet.move == "raise":
        yield from _raise_faults(state, bet, turn)


def _raise_faults(state: Sheet, bet: Bet, turn: Turn) -> Iterable[Fault]:
    all_in = state.spot.bets[turn.seat] + turn.stack
    if turn.no_raise is not None:
        yield fault("no-raise", _why_no_raise(state, turn.no_raise, turn), "betting")
    elif bet.to is None:
        message = "Say what the raise is to: the player’s total on this street."
        yield fault("raise-to", message, "betting")
    elif bet.to > all_in:
        message = f"{bet.player} can bring {all_in} to this street at most, all-in; not {bet.to}."
        yield fault("more-than-stack", message, "betting")
    elif turn.least is not None and bet.to < turn.least:
        rest = ", all-in" if turn.least == all_in else ""
        message = f"A raise must be to {turn.least} at least{rest}; this one is to {bet.to}."
        yield fault("raise-too-small", message, "betting")
    elif turn.most is not None and bet.to > turn.most:
        limit = "fixed limit" if turn.most == turn.least else "pot limit"
        message = f"A raise is to {turn.most} at most here, at {limit}; this one is to {bet.to}."
        yield fault("raise-too-big", message, "betting")


def _why_no_raise(state: Sheet, reason: NoRaise, turn: Turn) -> str:
    name = state.name(turn.seat)
    if reason == "covered":
        return f"{name} has {turn.stack} chips and needs them all to call: call, or fold."
    if reason == "alone":
        return f"Nobody is left who could call a raise by {name}."
    if reason == "cap":
        return f"This street has had its {FIXED_LIMIT_RAISES} bets and raises."
    return (
        f"The last raise was an all-in for less than a full raise, and {name} has acted before: "
        "call, or fold."
    )

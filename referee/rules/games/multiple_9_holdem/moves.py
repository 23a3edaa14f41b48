"""Faults of bets and of board cards, and the line of a bet (`docs/rules.md` §2)."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS_ONLY, read_cards
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line
from referee.rules.games.multiple_9_holdem.betting import FIXED_LIMIT_RAISES, Turn
from referee.rules.games.multiple_9_holdem.entries import Bet, BoardCards
from referee.rules.games.multiple_9_holdem.faults import fault, number_or_none, rank_faults
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import NOTHING, Text, say, say_many


def not_yet(state: HoldemState) -> Fault:
    """The fault that a bet, the board or the showdown comes first."""
    turn = state.spot.turn
    if turn is not None:
        says = say("{player} must act first.", player=state.name(turn.seat))
        return fault("betting-open", says, "betting")
    if state.due == "board":
        says = {
            "flop": say("The flop comes first: enter its three cards."),
            "turn": say("The turn comes first: enter its card."),
            "river": say("The river comes first: enter its card."),
        }[state.next_street]
        return fault("board-due", says, "board")
    says = say("The board is complete and the betting is over: enter the hands shown.")
    return fault("show-due", says, "showdown")


# --- the board


def board_ranks(entry: BoardCards) -> list[str]:
    """The ranks entered; raises `NotationError` naming everything that is no card."""
    return [card.rank for card in read_cards(entry.cards, RANKS_ONLY)]


def board_faults(state: HoldemState, entry: BoardCards) -> Iterable[Fault]:
    """The faults of these board cards; raises `NotationError`."""
    if state.due != "board":
        yield not_yet(state)
    ranks = board_ranks(entry)
    if state.due == "board" and len(ranks) != state.cards_due:
        entered = number_or_none(len(ranks))
        says = {
            "flop": say("The flop is three cards; you entered {n}.", n=entered),
            "turn": say("The turn is one card; you entered {n}.", n=entered),
            "river": say("The river is one card; you entered {n}.", n=entered),
        }[state.next_street]
        yield fault("board-cards", says, "board").lacking("more")
    yield from rank_faults([*state.board, *ranks])


# --- bets


def bet_line(state: HoldemState, bet: Bet) -> Line:
    """The line of a legal move: its cost (negative), and "raised to 50, all in"."""
    turn = state.spot.turn
    assert turn is not None
    cost, short = 0, NOTHING
    match bet.move:
        case "fold":
            did, short = say("folded"), say("fold")
        case "check":
            did = say("checked")
        case "call":
            cost, did = turn.call, say("called")
        case "raise":
            to = bet.to or 0
            cost = to - turn.bet
            did = say("raised to {to}", to=to) if turn.opened else say("bet {to}", to=to)
    if cost == turn.stack:
        did = say("{did}, all in", did=did)
    return Line(bet.player, -cost, did, short)


def amount_faults(state: HoldemState, bet: Bet) -> Iterable[Fault]:
    """A fault if a fold, check or call has an amount."""
    if bet.move != "raise" and bet.to is not None:
        yield fault("to-without-raise", say("Only a bet or a raise needs an amount."), "betting")


def turn_faults(state: HoldemState, bet: Bet) -> Iterable[Fault]:
    """The faults of this move at this point."""
    turn = state.spot.turn
    if turn is None:
        yield not_yet(state)
    elif state.seat(bet.player) != turn.seat:
        yield fault("out-of-turn", _out_of_turn(state, bet.player, turn), "betting")
    elif bet.move == "check" and turn.call:
        says = say("{player} can’t check: it’s {call} to call.", player=bet.player, call=turn.call)
        yield fault("cannot-check", says, "betting")
    elif bet.move == "call" and not turn.call:
        says = say("There’s nothing for {player} to call: check instead.", player=bet.player)
        yield fault("nothing-to-call", says, "betting")
    elif bet.move == "raise":
        yield from _raise_faults(state, bet, turn)


def _out_of_turn(state: HoldemState, player: str, turn: Turn) -> Text:
    acts, seat = state.name(turn.seat), state.seat(player)
    if not state.stakes.held[seat]:
        return say(
            "{player} has no chips and sits out. It’s {acts}’s turn.", player=player, acts=acts
        )
    if seat in state.spot.folded:
        return say("{player} has folded. It’s {acts}’s turn.", player=player, acts=acts)
    if not state.spot.stacks[seat]:
        return say(
            "{player} is all in and has nothing to do. It’s {acts}’s turn.",
            player=player,
            acts=acts,
        )
    return say("It’s {acts}’s turn, not {player}’s.", player=player, acts=acts)


def _raise_faults(state: HoldemState, bet: Bet, turn: Turn) -> Iterable[Fault]:
    if turn.least is None or turn.most is None:
        yield fault("no-raise", _why_no_raise(bet.player, turn), "betting")
    elif bet.to is None:
        says = say("Say how much: {player}’s total on this street.", player=bet.player)
        yield fault("raise-to", says, "betting")
    elif bet.to > turn.all_in:
        says = say(
            "{to}? {player} can go up to {all_in} here, all in.",
            player=bet.player,
            all_in=turn.all_in,
            to=bet.to,
        )
        yield fault("more-than-stack", says, "betting")
    elif bet.to < turn.least:
        right = say("The smallest bet here is {least}", least=turn.least)
        if turn.opened:
            right = say("The smallest raise here is to {least}", least=turn.least)
        if turn.least == turn.all_in:
            right = say("{right}, all in", right=right)
        yield fault("raise-too-small", say("{to}? {right}.", to=bet.to, right=right), "betting")
    elif bet.to > turn.most:
        fixed = state.stakes.structure == "fixed-limit"
        yield fault("raise-too-big", _too_big(bet.to, turn.most, fixed, turn.opened), "betting")


def _too_big(to: int, most: int, fixed: bool, opened: bool) -> Text:
    if fixed and opened:
        return say("{to}? At fixed limit, raise to {most} here.", most=most, to=to)
    if fixed:
        return say("{to}? At fixed limit, bet {most} here.", most=most, to=to)
    if opened:
        return say("{to}? At pot limit, the biggest raise here is to {most}.", most=most, to=to)
    return say("{to}? At pot limit, the biggest bet here is {most}.", most=most, to=to)


def _why_no_raise(player: str, turn: Turn) -> Text:
    match turn.no_raise:
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
        case _:
            return say(
                "{player} has already acted, and the last raise was all in for less than a full "
                "raise: call or fold.",
                player=player,
            )

"""Faults and lines of bets, board cards, and results of whole hands (`docs/rules.md` §2)."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS_ONLY, read_cards
from referee.rules.core.entries import all_read, if_read
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line
from referee.rules.games.multiple_9_holdem.betting import FIXED_LIMIT_RAISES, Turn
from referee.rules.games.multiple_9_holdem.entries import (
    Bet,
    BoardCards,
    PlayedHand,
    fault,
    number_or_none,
    rank_faults,
)
from referee.rules.games.multiple_9_holdem.state import HoldemState, posted
from referee.rules.text import NOTHING, Text, listed, say, say_many


def not_yet(state: HoldemState) -> Fault:
    """The fault that a bet, the board or the showdown comes first."""
    turn = state.betting.turn
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
    if state.due == "board" and len(ranks) not in state.cards_due:
        entered = number_or_none(len(ranks))
        says = {
            "flop": say("The flop is three cards; you entered {n}.", n=entered),
            "turn": say("The turn is one card; you entered {n}.", n=entered),
            "river": say("The river is one card; you entered {n}.", n=entered),
        }[state.next_street]
        if state.runs_out and len(ranks) > state.cards_due[-1]:
            says = say(
                "The board has five cards, so at most {most} more; you entered {n}.",
                most=state.cards_due[-1],
                n=entered,
            )
        yield fault("board-cards", says, "board").lacking("more")
    yield from rank_faults([*state.board, *ranks])


# --- bets


def bet_line(state: HoldemState, bet: Bet) -> Line:
    """The line of a legal move: its cost (negative), and "raised to 50, all in"."""
    turn = state.betting.turn
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
    turn = state.betting.turn
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
    if seat in state.betting.folded:
        return say("{player} has folded. It’s {acts}’s turn.", player=player, acts=acts)
    if not state.betting.stacks[seat]:
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


# --- the result of a whole hand whose betting was not recorded


def begun_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """A fault if betting on this hand is already recorded."""
    if state.begun:
        says = say("This hand’s betting is already on the sheet: play on, or call the hand off.")
        yield fault("hand-begun", says, "chips")


def player_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """The faults of each player's winnings and losses."""
    all_won, all_lost = if_read(lambda: entry.won) or {}, if_read(lambda: entry.lost) or {}
    for player in all_won:
        if player in all_lost and all_won.get(player, 1) and all_lost.get(player, 1):
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
        unequal = fault("unequal", says, "chips")
        # While a player dealt in is not named yet the sums may still differ.
        all_told = _dealt_in(state).keys() <= {*entry.won, *entry.lost}
        yield unequal if all_told else unequal.lacking("hand")
    elif entry.won or entry.lost:
        yield from _uncovered_faults(state, entry)
        yield from _blind_faults(state, entry)
    else:
        says = say("Say who won and who lost. Enter 0 if the pot was split evenly.")
        yield fault("nobody-won", says, "chips").lacking("more")


def _uncovered_faults(state: HoldemState, entry: PlayedHand) -> Iterable[Fault]:
    """A fault if players won more than their stacks can cover.

    From each opponent a player can win at most the chips they held before the hand; so players with
    at most `most` chips can together win at most that many from each of the others.
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

    No fault if anybody dealt in held less than blind and ante, or lost more than a winner's whole
    stack: the rest may have come back in a side pot. Nor for a player who lost nothing if all
    losses, each counted up to that player's stack, are fewer chips than there are players without a
    loss: they may have shared a pot too small for a chip each.
    """
    held, blinds = _dealt_in(state), state.stakes.blinds
    if min(held.values()) < blinds.big + blinds.ante:
        return
    winners = {name for name in entry.won if not entry.lost.get(name)}
    stacks = [chips for name, chips in held.items() if name in winners]
    if stacks and max(entry.lost.values(), default=0) > min(stacks):
        return
    due: dict[str, int] = {}
    for line in posted(state):
        due[line.player] = due.get(line.player, 0) - line.points
    without_loss = sum(not entry.lost.get(name) for name in held)
    for player, chips in due.items():
        lost = entry.lost.get(player, 0)
        if player in winners or lost >= chips:
            continue
        if not lost and sum(min(n, held[player]) for n in entry.lost.values()) < without_loss:
            continue
        says = say(
            "{player} posted {due} and didn’t win, so has lost at least {due}, not {lost}.",
            player=player,
            due=chips,
            lost=lost,
        )
        yield fault("blind-lost", says, "blinds")


def _dealt_in(state: HoldemState) -> dict[str, int]:
    """The players dealt in, by seat, and the chips each held before the blinds."""
    return {state.name(seat): chips for seat, chips in enumerate(state.stakes.held) if chips}


def played_hand_lines(state: HoldemState, entry: PlayedHand) -> list[Line]:
    """The lines of the result; posted blinds go back first, as the result includes them."""
    back = say("blind returned: the result includes it")
    if state.stakes.blinds.ante:
        back = say("blinds and antes returned: the result includes them")
    paid = state.betting.paid
    return [
        *(Line(state.name(seat), chips, back) for seat, chips in enumerate(paid) if chips),
        *(Line(player, chips, say("won")) for player, chips in entry.won.items()),
        *(Line(player, -chips, say("lost")) for player, chips in entry.lost.items()),
    ]

"""The hand in progress on a screen: the deal card, and the words below the totals."""

from collections.abc import Mapping

from referee.rules.core.parts import Pad, Steps
from referee.rules.core.table import Need
from referee.rules.games.multiple_9_holdem.betting import Spot, Turn
from referee.rules.games.multiple_9_holdem.showdown import hand_won
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import NOTHING, Text, say, say_many, say_number


def _card(state: HoldemState, steps: Steps) -> Steps:
    """The deal card: what comes next and, until somebody has acted, the blinds."""
    if state.begun:
        return (_next_step(state),)
    stakes, blinds = state.stakes, state.stakes.blinds
    small, big = stakes.blind_seats
    posts = say(
        "{small} posts {paid_small}, {big} posts {paid_big}",
        small=state.name(small),
        paid_small=min(blinds.small, max(0, stakes.held[small] - blinds.ante)),
        big=state.name(big),
        paid_big=min(blinds.big, max(0, stakes.held[big] - blinds.ante)),
    )
    antes = (say("Everyone antes {ante}", ante=blinds.ante),) if blinds.ante else ()
    return (*steps, *antes, posts, say("Two cards each, face down"), _next_step(state))


def _next_step(state: HoldemState) -> Text:
    """What comes next: a bet, cards, or the showdown."""
    turn = state.spot.turn
    if turn is not None:
        return _to_act(state.name(turn.seat), turn)
    if state.due == "show":
        return say("The betting is over: everyone still in shows or mucks")
    return {
        "flop": say("Now the flop: three cards"),
        "turn": say("Now the turn: one card"),
        "river": say("Now the river: one card"),
    }[state.next_street]


def _to_act(player: str, turn: Turn) -> Text:
    """What a player can do: "Ann to act: 2 to call, or raise to 4–200"."""
    if turn.call:
        move = say("{call} to call", call=turn.call)
    else:
        move = say("nothing to call") if turn.no_raise else say("check")
    if turn.least is None or turn.most is None:
        return say("{player} to act: {move}", player=player, move=move)
    to = say_number(turn.least)
    if turn.least != turn.most:
        to = say("{least}–{most}", least=turn.least, most=turn.most)
    raises = turn.call or turn.opened
    more = say("raise to {to}", to=to) if raises else say("bet {to}", to=to)
    return say("{player} to act: {move}, or {more}", player=player, move=move, more=more)


def _needs(state: HoldemState) -> tuple[Need, ...]:
    """The bet in front of each player still in."""
    return tuple(
        Need(state.name(seat), chips, say_many("chip in front", "chips in front", n=chips))
        for seat, chips in enumerate(state.spot.bets)
        if seat in state.spot.live
    )


def _beside_total(state: HoldemState) -> Mapping[str, Text]:
    """Each player's bet, or that they are folded, all in or out of chips."""
    return {state.name(seat): _in_front(state.spot, seat) for seat in range(len(state.spot.stacks))}


def _in_front(spot: Spot, seat: int) -> Text:
    if not spot.stakes.held[seat]:
        return say("out of chips")
    if seat in spot.folded:
        return say("folded")
    if not spot.stacks[seat]:
        return say("all in")
    return say("{chips} in front", chips=spot.bets[seat]) if spot.bets[seat] else NOTHING


PAD = Pad(
    card=_card,
    needs=_needs,
    lying_open=lambda state: state.board,
    beside_total=_beside_total,
    told=hand_won,
)

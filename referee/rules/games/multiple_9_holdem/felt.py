"""What a screen shows of a hand: what lies on the table, and what the player who acts can do."""

from typing import Literal

from msgspec import Struct

from referee.rules.games.multiple_9_holdem.betting import MoveName, NoRaise, Street
from referee.rules.games.multiple_9_holdem.board import next_board
from referee.rules.games.multiple_9_holdem.pots import Pot
from referee.rules.games.multiple_9_holdem.state import Due, HoldemState
from referee.rules.text import NOTHING, Text, say


class BettingOptions(Struct, frozen=True):
    """What the player who acts can do, in chips; the amounts of `betting.Turn` by name.

    `bet` is what lies before the player on this street, so a raise to `least` costs
    `least - bet`. `opened` tells whether there is a bet on this street to raise.
    """

    player: str
    stack: int
    bet: int
    call: int
    least: int | None
    most: int | None
    no_raise: NoRaise | None
    pot: int
    opened: bool

    @property
    def moves(self) -> tuple[MoveName, ...]:
        """The legal moves."""
        middle: MoveName = "call" if self.call else "check"
        return ("fold", middle) if self.least is None else ("fold", middle, "raise")

    @property
    def all_in(self) -> int:
        """The total on this street that takes all the player's chips."""
        return self.bet + self.stack


class Place(Struct, frozen=True):
    """A player at the table: chips behind, chips on this street, chips paid in this hand."""

    player: str
    stack: int
    bet: int
    paid: int
    status: Literal["in", "all-in", "folded", "out"]


class Felt(Struct, frozen=True):
    """What lies on the table: for the page, which draws it.

    `due` is what comes next; `pots` are without the bets of this street.
    """

    street: Street
    board: tuple[str, ...]
    due: Due
    places: tuple[Place, ...]
    pots: tuple[Pot[str], ...]
    small_blind: str
    big_blind: str


def felt(state: HoldemState) -> Felt:
    """The board, the pots and the bets of the hand in progress."""
    small, big = state.stakes.blind_seats
    return Felt(
        street=state.street,
        board=state.board,
        due=state.due,
        places=tuple(_place(state, seat) for seat in range(len(state.scores))),
        pots=tuple(
            Pot(pot.amount, tuple(state.name(seat) for seat in pot.players))
            for pot in state.spot.pots
        ),
        small_blind=state.name(small),
        big_blind=state.name(big),
    )


def in_front(place: Place) -> Text:
    """What stands under a player's stack on the score pad: "12 in front", "folded"."""
    match place.status:
        case "out":
            return say("out of chips")
        case "folded":
            return say("folded")
        case "all-in":
            return say("all in")
        case "in":
            return say("{chips} in front", chips=place.bet) if place.bet else NOTHING


def betting_options(state: HoldemState) -> BettingOptions | None:
    """What the player who acts can do; None while nobody is to bet."""
    turn = state.spot.turn
    if turn is None or state.finished:
        return None
    return BettingOptions(
        player=state.name(turn.seat),
        stack=turn.stack,
        bet=state.spot.bets[turn.seat],
        call=turn.call,
        least=turn.least,
        most=turn.most,
        no_raise=turn.no_raise,
        pot=state.pot,
        opened=any(state.spot.bets),
    )


def next_step(state: HoldemState) -> Text:
    """What comes next, for the deal card."""
    options = betting_options(state)
    if options is not None:
        return _to_act(options)
    if state.due == "board":
        return next_board(state)
    return say("The betting is over: everyone still in shows or mucks")


def _to_act(options: BettingOptions) -> Text:  # noqa: PLR0911 - a sentence for each choice
    player, call, least, most = options.player, options.call, options.least, options.most
    if least is None or most is None:
        if call:
            return say("{player} to act: {call} to call", player=player, call=call)
        return say("{player} to act: nothing to call", player=player)
    only_one = least == most
    if call:
        if only_one:
            return say(
                "{player} to act: {call} to call, or raise to {to}",
                player=player,
                call=call,
                to=least,
            )
        return say(
            "{player} to act: {call} to call, or raise to {least}–{most}",
            player=player,
            call=call,
            least=least,
            most=most,
        )
    if options.opened:
        if only_one:
            return say("{player} to act: check, or raise to {to}", player=player, to=least)
        return say(
            "{player} to act: check, or raise to {least}–{most}",
            player=player,
            least=least,
            most=most,
        )
    if only_one:
        return say("{player} to act: check, or bet {to}", player=player, to=least)
    return say(
        "{player} to act: check, or bet {least}–{most}",
        player=player,
        least=least,
        most=most,
    )


def _place(state: HoldemState, seat: int) -> Place:
    spot = state.spot
    return Place(
        player=state.name(seat),
        stack=spot.stacks[seat],
        bet=spot.bets[seat],
        paid=spot.paid[seat],
        status=_status(state, seat),
    )


def _status(state: HoldemState, seat: int) -> Literal["in", "all-in", "folded", "out"]:
    if not state.stakes.held[seat]:
        return "out"
    if seat not in state.spot.live:
        return "folded"
    return "in" if state.spot.stacks[seat] else "all-in"

"""The betting of one hand, played by pokerkit.

A thin adapter: it knows seats and chips, pokerkit knows hold'em. One pokerkit `State` is one hand
and cannot take anything back, so what has been done is replayed into a new one each time. Cards
are dealt face down and unknown, none is burned, and the showdown is ours: hands are ranked by
rules that pokerkit does not have.
"""

from typing import Literal

from msgspec import Struct
from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    Mode,
    Opening,
    Street,
)
from pokerkit import State as PokerState

from referee.rules.games.multiple_9_holdem.pots import Pot, add_layer

MoveName = Literal["fold", "check", "call", "raise"]
Structure = Literal["no-limit", "pot-limit", "fixed-limit"]
#: What keeps a player from raising: all chips are needed to call; nobody is left to call a raise;
#: the limit of raises is reached; the last raise was an all-in for less, and he has acted before.
NoRaise = Literal["covered", "alone", "cap", "short"]

#: Cards on the board after the deals so far: nothing, the flop, the turn, the river.
STREETS = ("before the flop", "flop", "turn", "river")
BOARD_SIZES = (0, 3, 4, 5)
FIXED_LIMIT_RAISES = 4  # a bet and three raises a street
_UNKNOWN = "??"
_STRUCTURES = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}


class Stakes(Struct, frozen=True):
    """How a hand is set out: chips by seat before the blinds, the button, blinds, structure."""

    held: tuple[int, ...]
    button: int
    small: int
    big: int
    structure: Structure

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats with chips, clockwise from the left of the button: the order of play."""
        number = len(self.held)
        around = (((self.button + step) % number) for step in range(1, number + 1))
        return tuple(seat for seat in around if self.held[seat])

    @property
    def blind_seats(self) -> tuple[int, int]:
        """Who posts the small and the big blind; with two players the button posts the small."""
        first, second, *more = self.seats
        return (first, second) if more else (second, first)


class Move(Struct, frozen=True):
    """What the player did whose turn it was; `to` is the total on this street of a raise."""

    name: MoveName
    to: int = 0


class Dealt(Struct, frozen=True):
    """The cards of the next street were put on the board."""


Action = Move | Dealt


class Turn(Struct, frozen=True):
    """What the player in `seat` can do. Chips: `call` is what a call costs, 0 for a check.

    `least` and `most` are what a raise may bring the total on this street to, None where raising
    is closed; `no_raise` says why. `stack` is what the player has left.
    """

    seat: int
    stack: int
    call: int
    least: int | None
    most: int | None
    no_raise: NoRaise | None


class Spot(Struct, frozen=True):
    """How a hand stands. Chips by seat: `stacks` behind, `bets` on this street, `paid` in all.

    `live` are the seats still in. `turn` is None where the betting of the street is over.
    """

    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    live: tuple[int, ...]
    pots: tuple[Pot[int], ...]
    turn: Turn | None


class _Hand(PokerState):
    """A pokerkit hand in which a player may fold who could check: silly, but not against rules."""

    def verify_folding(self) -> None:
        if self.actor_index is None:
            raise ValueError("nobody is to act")


def replay(stakes: Stakes, actions: tuple[Action, ...]) -> Spot:
    """Set out a hand and do all `actions` again, which are known to be legal."""
    hand = _set_out(stakes)
    acted: set[int] = set()
    for action in actions:
        actor = hand.actor_index
        if isinstance(action, Dealt):
            # When all are all-in, pokerkit waits for a showdown, and deals no more: nor need it.
            if hand.can_deal_board(_UNKNOWN):
                hand.deal_board(_UNKNOWN * (hand.board_dealing_count or 0))
            acted.clear()
            continue
        assert actor is not None
        acted.add(actor)
        if action.name == "fold":
            hand.fold()
        elif action.name == "raise":
            hand.complete_bet_or_raise_to(action.to)
        else:
            hand.check_or_call()
    return _spot(stakes, hand, acted)


def _set_out(stakes: Stakes) -> _Hand:
    fixed = stakes.structure == "fixed-limit"
    streets = tuple(
        Street(
            False,  # no card is burned
            () if cards else (False, False),
            cards,
            False,
            Opening.POSITION,
            stakes.big * (2 if fixed and place >= 2 else 1),
            FIXED_LIMIT_RAISES if fixed else None,
        )
        for place, cards in enumerate((0, 3, 1, 1))
    )
    players = len(stakes.seats)
    hand = _Hand(
        (Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING),
        Deck.STANDARD,
        (),  # hands are ranked by our rules
        streets,
        _STRUCTURES[stakes.structure],
        False,
        0,
        (stakes.small, stakes.big),
        0,
        tuple(stakes.held[seat] for seat in stakes.seats),
        players,
        mode=Mode.CASH_GAME,
    )
    for _ in range(players):
        hand.deal_hole(_UNKNOWN * 2)
    return hand


def _spot(stakes: Stakes, hand: _Hand, acted: set[int]) -> Spot:
    """`hand` by seat. Its chips are counted: none may have been made or lost."""
    seats = stakes.seats
    assert sum(hand.stacks) + hand.total_pot_amount == sum(stakes.held)

    def by_seat(chips: list[int]) -> tuple[int, ...]:
        found = [0] * len(stakes.held)
        for seat, number in zip(seats, chips, strict=True):
            found[seat] = number
        return tuple(found)

    stacks = by_seat(hand.stacks)
    pots: list[Pot[int]] = []
    for pot in hand.pots:
        layer = Pot(pot.amount, tuple(seats[place] for place in pot.player_indices))
        pots = add_layer(pots, layer)
    return Spot(
        stacks=stacks,
        bets=by_seat(hand.bets),
        paid=tuple(held - left for held, left in zip(stakes.held, stacks, strict=True)),
        live=tuple(seat for seat, still in zip(seats, hand.statuses, strict=True) if still),
        pots=tuple(pots),
        turn=_turn(seats, hand, acted),
    )


def _turn(seats: tuple[int, ...], hand: _Hand, acted: set[int]) -> Turn | None:
    place = hand.actor_index
    if place is None:
        return None
    no_raise = _no_raise(hand, place, acted)
    return Turn(
        seat=seats[place],
        stack=hand.stacks[place],
        call=hand.checking_or_calling_amount or 0,
        least=None if no_raise else hand.min_completion_betting_or_raising_to_amount,
        most=None if no_raise else hand.max_completion_betting_or_raising_to_amount,
        no_raise=no_raise,
    )


def _no_raise(hand: _Hand, place: int, acted: set[int]) -> NoRaise | None:
    street = hand.street
    assert street is not None
    highest = max(hand.bets)
    facing = highest - hand.bets[place]
    if hand.stacks[place] <= facing:
        return "covered"
    if not any(
        other != place and still and hand.stacks[other] + hand.bets[other] > highest
        for other, still in enumerate(hand.statuses)
    ):
        return "alone"
    if hand.completion_betting_or_raising_count == street.max_completion_betting_or_raising_count:
        return "cap"
    # pokerkit takes an all-in below the street's least bet, where it is the first of the street,
    # for a full bet; by our rules only a full bet or raise lets players raise again who have acted.
    full = max(
        hand.completion_betting_or_raising_amount, street.min_completion_betting_or_raising_amount
    )
    if place in acted and facing < full:
        return "short"
    return None if hand.can_complete_bet_or_raise_to() else "short"

"""The betting of one hand, played by pokerkit.

A thin adapter: it knows seats and chips, pokerkit knows hold'em. One pokerkit `State` is one hand
and cannot take anything back, so what has been done is replayed into a new one each time. Cards
are dealt face down and unknown, and none is burned. The showdown is not played here: pokerkit does
not rank hands by their nines.
"""

from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, Street
from pokerkit import State as PokerState

from referee.rules.games.multiple_9_holdem.betting import (
    FIXED_LIMIT_RAISES,
    Action,
    Dealt,
    NoRaise,
    Spot,
    Stakes,
    Turn,
)
from referee.rules.games.multiple_9_holdem.pots import Pot, add_layer

_UNKNOWN = "??"
_STRUCTURES = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}


class _Hand(PokerState):
    """A hand in which players may fold when they could check: unwise, but within the rules."""

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
        (),  # pokerkit ranks no hands
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
    # for a full bet; here only a full bet or raise lets players raise again who have acted.
    full = max(
        hand.completion_betting_or_raising_amount, street.min_completion_betting_or_raising_amount
    )
    if place in acted and facing < full:
        return "short"
    return None if hand.can_complete_bet_or_raise_to() else "short"

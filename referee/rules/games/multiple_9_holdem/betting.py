"""The betting of a hand: turns, moves and pots (`docs/rules.md` §2, betting), by seats from 0."""

from collections.abc import Collection, Mapping
from typing import Generic, Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.table import P
from referee.rules.text import Text, say

MoveName = Literal["fold", "check", "call", "raise"]
Structure = Literal["no-limit", "pot-limit", "fixed-limit"]
#: Why a player cannot raise: a call takes all their chips; nobody is left to call a raise; the
#: street has had its raises; or they have acted, and the last raise was an all-in for less.
NoRaise = Literal["covered", "alone", "cap", "short"]

FIXED_LIMIT_RAISES = 4  # a bet and three raises a street; before the flop the big blind is the bet
_TURN = 2  # the street from which fixed-limit bets double


# --- pots


class Pot(Struct, Generic[P], frozen=True):
    """Chips in the middle, and the players who can win them."""

    amount: int
    players: tuple[P, ...]


def uncalled(paid: Mapping[P, int]) -> dict[P, int]:
    """The chips `paid` that nobody has matched, to be returned; at most one player has any."""
    most, *others = sorted(paid.values(), reverse=True) or [0]
    matched = max(others, default=0)
    return {
        player: chips - matched
        for player, chips in paid.items()
        if chips == most and most > matched
    }


def layers(paid: Mapping[P, int], folded: Collection[P]) -> list[Pot[P]]:
    """The main pot and the side pots, in this order, made by the chips `paid` in a hand.

    Each layer of equal contributions is a pot; layers that the same players can win are one. Chips
    of players who folded stay in; a layer that only they have reached joins the pot below.
    """
    pots: list[Pot[P]] = []
    below = 0
    for level in sorted(set(paid.values()) - {0}):
        amount = sum(min(chips, level) - min(chips, below) for chips in paid.values())
        players = tuple(
            player for player, chips in paid.items() if chips >= level and player not in folded
        )
        if pots and players in (pots[-1].players, ()):
            pots[-1] = Pot(pots[-1].amount + amount, pots[-1].players)
        else:
            pots.append(Pot(amount, players))
        below = level
    return pots


def pot_names(number: int) -> list[Text]:
    """The names of this `number` of pots, the main pot first."""
    if number < 2:
        return [say("the pot")] * number
    if number == 2:
        return [say("the main pot"), say("the side pot")]
    return [say("the main pot"), *(say("side pot {n}", n=n) for n in range(1, number))]


# --- a hand


class Blinds(Struct, frozen=True):
    """The small and the big blind of a hand, and everybody's ante, in chips."""

    small: int
    big: int
    ante: int = 0


class Stakes(Struct, frozen=True):
    """How a hand begins: chips by seat before anything was paid, button, blinds and limit."""

    held: tuple[int, ...]
    button: int
    blinds: Blinds
    structure: Structure

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats with chips, clockwise from the left of the button: the order of play."""
        number = len(self.held)
        around = (((self.button + step) % number) for step in range(1, number + 1))
        return tuple(seat for seat in around if self.held[seat])

    @property
    def blind_seats(self) -> tuple[int, int]:
        """The seats of the small and the big blind; heads-up the button, if dealt in, is small."""
        first, second, *more = self.seats
        return (second, first) if second == self.button and not more else (first, second)


class Turn(Struct, frozen=True):
    """What the player in `seat` can do; amounts are in chips.

    `stack` is what they have left, `bet` what they have bet on this street, `call` the cost of a
    call, 0 for a check. A raise is to a bet of `least` to `most`; both are None if they cannot
    raise, and `no_raise` says why. `opened`: somebody has bet on this street, a blind included.
    """

    seat: int
    stack: int
    bet: int
    call: int
    least: int | None
    most: int | None
    no_raise: NoRaise | None
    opened: bool

    @property
    def all_in(self) -> int:
        """The bet that takes all the player's chips."""
        return self.bet + self.stack


class Betting(Struct, frozen=True):
    """The betting of a hand so far.

    Chips by seat: `stacks` left, `bets` on this street, `paid` in all. On this `street` (0 before
    the flop) `price` is the bet to match, `full_raise` the size of the last full bet or raise,
    `raises` the number of bets and raises, `acted` the seats that have acted, and `turn_from` the
    seat from which to look for the next turn.
    """

    stakes: Stakes
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    price: int = 0
    full_raise: int = 0
    raises: int = 0
    turn_from: int = 0
    street: int = 0
    folded: frozenset[int] = frozenset()
    acted: frozenset[int] = frozenset()

    # --- moves

    def move(self, name: MoveName, to: int) -> "Betting":
        """The betting after a move by the player to act; `to` is the bet after a raise."""
        turn = self.turn
        assert turn is not None
        seat = turn.seat
        if name == "fold":
            after = replace(self, folded=self.folded | {seat})
        elif name == "raise":
            after = replace(
                self._with_bet(seat, to - turn.bet),
                full_raise=max(self.full_raise, to - self.price),
                price=to,
                raises=self.raises + 1,
            )
        else:
            after = self._with_bet(seat, turn.call)
        return replace(after, acted=self.acted | {seat}, turn_from=self._after(seat))._collected()

    def begin_street(self) -> "Betting":
        """The betting at the start of the next street, once its cards are dealt."""
        street, blinds = self.street + 1, self.stakes.blinds
        doubled = self.stakes.structure == "fixed-limit" and street >= _TURN
        return replace(
            self,
            street=street,
            full_raise=blinds.big * (2 if doubled else 1),
            raises=0,
            acted=frozenset(),
            turn_from=self.stakes.seats[0],
        )._collected()

    def _with_bet(self, seat: int, chips: int) -> "Betting":
        """The betting with `chips` added to a player's bet, or all they have left."""
        chips = min(chips, self.stacks[seat])
        return replace(
            self,
            stacks=_changed(self.stacks, seat, -chips),
            bets=_changed(self.bets, seat, chips),
            paid=_changed(self.paid, seat, chips),
        )

    def _collected(self) -> "Betting":
        """The betting with bets collected and uncalled chips returned, once nobody has to act.

        A last player left takes them all: see `showdown.uncontested_lines`.
        """
        if len(self.live) == 1 or self.acts is not None:
            return self
        betting = replace(self, price=0, bets=(0,) * len(self.bets))
        for seat, chips in self.uncalled.items():
            betting = replace(
                betting,
                stacks=_changed(betting.stacks, seat, chips),
                paid=_changed(betting.paid, seat, -chips),
            )
        return betting

    # --- the hand so far

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not folded, from the left of the button."""
        return tuple(seat for seat in self.stakes.seats if seat not in self.folded)

    @property
    def uncalled(self) -> dict[int, int]:
        """The chips that nobody has matched, by seat; at most one seat has any."""
        return uncalled(self._paid_in_order())

    @property
    def pots(self) -> list[Pot[int]]:
        """The pots, without the bets of this street."""
        paid = self._paid_in_order().items()
        return layers({seat: chips - self.bets[seat] for seat, chips in paid}, self.folded)

    @property
    def turn(self) -> Turn | None:
        """What the player to act can do; None once the street's betting is over."""
        seat = self.acts
        if seat is None:
            return None
        stack, bet, call = self.stacks[seat], self.bets[seat], self._to_call(seat)
        no_raise = self._no_raise(seat)
        least = self.price + self.full_raise
        most = {
            "no-limit": bet + stack,
            "pot-limit": max(least, self.price + call + sum(self.paid)),
            "fixed-limit": least,
        }[self.stakes.structure]
        return Turn(
            seat=seat,
            stack=stack,
            bet=bet,
            call=min(stack, call),
            least=None if no_raise else min(bet + stack, least),
            most=None if no_raise else min(bet + stack, most),
            no_raise=no_raise,
            opened=any(self.bets),
        )

    def _paid_in_order(self) -> dict[int, int]:
        """Chips paid, by seat from the left of the button: the order in which odd chips go."""
        return {seat: self.paid[seat] for seat in self.stakes.seats}

    def _after(self, seat: int) -> int:
        seats = self.stakes.seats
        return seats[(seats.index(seat) + 1) % len(seats)]

    def _to_call(self, seat: int) -> int:
        return max(0, self.price - self.bets[seat])

    @property
    def acts(self) -> int | None:
        """The next seat with chips that has not acted or not matched the price, or None."""
        live = self.live
        able = [seat for seat in live if self.stacks[seat]]
        if len(live) < 2 or not able:
            return None
        if len(able) == 1 and self.bets[able[0]] == max(self.bets[seat] for seat in live):
            return None
        seats = self.stakes.seats
        begin = seats.index(self.turn_from)
        return next(
            (
                seat
                for seat in (*seats[begin:], *seats[:begin])
                if seat in able and (seat not in self.acted or self._to_call(seat))
            ),
            None,
        )

    def _no_raise(self, seat: int) -> NoRaise | None:
        facing = self._to_call(seat)
        if self.stacks[seat] <= facing:
            return "covered"
        others = [other for other in self.live if other != seat]
        if all(self.bets[other] + self.stacks[other] <= self.price for other in others):
            return "alone"
        capped = self.stakes.structure == "fixed-limit" and self.raises >= FIXED_LIMIT_RAISES
        if capped and len(others) > 1:
            return "cap"
        # Only a full bet or raise, or several short ones that make one, reopens the betting.
        return "short" if seat in self.acted and facing < self.full_raise else None


def begin(stakes: Stakes) -> Betting:
    """The betting of a hand after antes and blinds are posted."""
    blinds = stakes.blinds
    nothing = (0,) * len(stakes.held)
    paid = tuple(min(chips, blinds.ante) for chips in stakes.held)
    stacks = tuple(held - ante for held, ante in zip(stakes.held, paid, strict=True))
    small, big = stakes.blind_seats
    betting = Betting(stakes, stacks, nothing, paid)._with_bet(small, blinds.small)
    betting = betting._with_bet(big, blinds.big)
    # The big blind is the first bet of its street, and must be called in full even if the player
    # in that seat could post only part of it.
    return replace(
        betting, price=blinds.big, full_raise=blinds.big, raises=1, turn_from=betting._after(big)
    )._collected()


def _changed(chips: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*chips[:seat], chips[seat] + by, *chips[seat + 1 :])

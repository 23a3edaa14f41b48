"""The betting of one hand, street by street (`docs/rules.md` §2, betting).

What has been done is played again from the beginning each time: a hand is short, and nothing has
to be taken back.
"""

from referee.rules.games.multiple_9_holdem.betting import (
    FIXED_LIMIT_RAISES,
    Action,
    Dealt,
    Move,
    NoRaise,
    Spot,
    Stakes,
    Turn,
)
from referee.rules.games.multiple_9_holdem.pots import layers, uncalled

_TURN = 2  # from this street on a fixed limit is doubled


def replay(stakes: Stakes, actions: tuple[Action, ...]) -> Spot:
    """Set out a hand and do all `actions` again, which are known to be legal."""
    hand = _Hand(stakes)
    for action in actions:
        if isinstance(action, Dealt):
            hand.deal()
        else:
            hand.move(action)
    return hand.spot()


class _Hand:
    """A hand being played. Chips by seat: `stacks` behind, `bets` on this street, `paid` in all.

    `price` is what everybody's bet on this street must come to, `full` the size of the last full
    bet or raise. `raises` counts bets and raises of the street, which is `over` once nobody is to
    act any more; `acted` are the seats that have acted in it.
    """

    def __init__(self, stakes: Stakes) -> None:
        self.stakes = stakes
        self.stacks = list(stakes.held)
        self.bets = [0] * len(stakes.held)
        self.paid = [0] * len(stakes.held)
        self.folded: set[int] = set()
        self.acted: set[int] = set()
        self.street = 0
        self.over = False
        for seat in stakes.seats:
            self._pay(seat, stakes.ante)
        for seat, blind in zip(stakes.blind_seats, (stakes.small, stakes.big), strict=True):
            self._bet(seat, blind)
        # The big blind is the first bet of its street, and all of it is to be called, whatever
        # the player in that seat could post.
        self.price = self.full = stakes.big
        self.raises = 1
        self.next = self._after(stakes.blind_seats[1])
        self._close_if_over()

    # --- what is done

    def move(self, move: Move) -> None:
        """What the player does whose turn it is."""
        seat = self._to_act()
        assert seat is not None
        if move.name == "fold":
            self.folded.add(seat)
        elif move.name == "raise":
            self.full = max(self.full, move.to - self.price)
            self._bet(seat, move.to - self.bets[seat])
            self.price = move.to
            self.raises += 1
        else:
            self._bet(seat, self._to_call(seat))
        self.acted.add(seat)
        self.next = self._after(seat)
        self._close_if_over()

    def deal(self) -> None:
        """Cards have come onto the board: a new street begins."""
        self.street += 1
        self.over = False
        self.price = self.raises = 0
        self.full = self._unit
        self.acted.clear()
        self.next = self.stakes.seats[0]
        self._close_if_over()

    def _pay(self, seat: int, chips: int) -> int:
        """Into the middle with so many chips, or all there are; how many they were."""
        chips = min(chips, self.stacks[seat])
        self.stacks[seat] -= chips
        self.paid[seat] += chips
        return chips

    def _bet(self, seat: int, chips: int) -> None:
        self.bets[seat] += self._pay(seat, chips)

    def _close_if_over(self) -> None:
        """Where nobody is to act any more, the bets are collected and what is uncalled goes back.

        The last player left takes all of it, see `showdown.uncontested_lines`.
        """
        if self._to_act() is not None:
            return
        self.over = True
        if len(self._live) == 1:
            return
        self.bets = [0] * len(self.bets)
        for seat, chips in uncalled(self._paid_in_order()).items():
            self.stacks[seat] += chips
            self.paid[seat] -= chips

    # --- where it stands

    def spot(self) -> Spot:
        """The hand as it stands; its chips are counted, as none may be made or lost."""
        assert sum(self.stacks) + sum(self.paid) == sum(self.stakes.held)
        collected = {seat: paid - self.bets[seat] for seat, paid in self._paid_in_order().items()}
        return Spot(
            stacks=tuple(self.stacks),
            bets=tuple(self.bets),
            paid=tuple(self.paid),
            live=self._live,
            pots=tuple(layers(collected, self.folded)),
            turn=self._turn(),
        )

    @property
    def _unit(self) -> int:
        """The least bet of the street."""
        doubled = self.stakes.structure == "fixed-limit" and self.street >= _TURN
        return self.stakes.big * (2 if doubled else 1)

    @property
    def _live(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.stakes.seats if seat not in self.folded)

    def _paid_in_order(self) -> dict[int, int]:
        """What was paid, from the left of the button, as odd chips are given out."""
        return {seat: self.paid[seat] for seat in self.stakes.seats}

    def _after(self, seat: int) -> int:
        seats = self.stakes.seats
        return seats[(seats.index(seat) + 1) % len(seats)]

    def _to_call(self, seat: int) -> int:
        return max(0, self.price - self.bets[seat])

    def _to_act(self) -> int | None:
        """Whose turn it is: the next who has chips and has not acted, or not matched the price."""
        if self.over:
            return None
        live = self._live
        able = [seat for seat in live if self.stacks[seat]]
        if len(live) < 2 or not able or (len(able) == 1 and self._has_matched(able[0])):
            return None
        seats = self.stakes.seats
        begin = seats.index(self.next)
        return next(
            (
                seat
                for seat in (*seats[begin:], *seats[:begin])
                if seat in able and (seat not in self.acted or self._to_call(seat))
            ),
            None,
        )

    def _has_matched(self, seat: int) -> bool:
        """Whether nobody else who is in has bet more on this street."""
        return self.bets[seat] >= max(self.bets[other] for other in self._live if other != seat)

    def _turn(self) -> Turn | None:
        seat = self._to_act()
        if seat is None:
            return None
        stack, call = self.stacks[seat], self._to_call(seat)
        no_raise = self._no_raise(seat)
        all_in = self.bets[seat] + stack
        least = self.price + self.full
        most = {
            "no-limit": all_in,
            "pot-limit": max(least, self.price + call + sum(self.paid)),
            "fixed-limit": least,
        }[self.stakes.structure]
        return Turn(
            seat=seat,
            stack=stack,
            call=min(stack, call),
            least=None if no_raise else min(all_in, least),
            most=None if no_raise else min(all_in, most),
            no_raise=no_raise,
        )

    def _no_raise(self, seat: int) -> NoRaise | None:
        facing = self._to_call(seat)
        if self.stacks[seat] <= facing:
            return "covered"
        if not any(
            self.bets[other] + self.stacks[other] > self.price
            for other in self._live
            if other != seat
        ):
            return "alone"
        capped = self.stakes.structure == "fixed-limit" and self.raises >= FIXED_LIMIT_RAISES
        if capped and len(self._live) > 2:
            return "cap"
        # Only a full bet or raise, or several short ones that make one, opens the betting again.
        return "short" if seat in self.acted and facing < self.full else None

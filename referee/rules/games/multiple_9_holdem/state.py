"""What a sheet of the gambling version remembers, and how chips move when a hand goes on."""

from typing import Literal

from msgspec.structs import replace

from referee.rules.core.table import Line, State, change_by_player
from referee.rules.games.multiple_9_holdem.betting import Blinds, Spot, Stakes, begin
from referee.rules.games.multiple_9_holdem.entries import HouseRules
from referee.rules.text import Text, say

Street = Literal["flop", "turn", "river"]

#: What comes onto a board of so many cards.
NEXT_STREET: dict[int, Street] = {0: "flop", 3: "turn", 4: "river"}
NO_HAND = Spot(Stakes((), 0, Blinds(1, 2), "no-limit"), (), (), ())


class HoldemState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet in the middle of a hand: the ranks on the board, and how the betting stands.

    `blinds` are those of the next hand, where they have been raised; `stakes` has those of this.
    """

    blinds: Blinds | None = None
    board: tuple[str, ...] = ()
    spot: Spot = NO_HAND

    @property
    def stakes(self) -> Stakes:
        """How the hand was set out."""
        return self.spot.stakes

    @property
    def next_street(self) -> Street:
        """What comes onto the board next; raises `KeyError` after the river."""
        return NEXT_STREET[len(self.board)]

    @property
    def cards_due(self) -> int:
        """How many cards come onto the board next."""
        return 1 if self.board else 3

    @property
    def due(self) -> Literal["bet", "board", "show"]:
        """What comes next."""
        if self.spot.turn is not None:
            return "bet"
        return "board" if len(self.board) in NEXT_STREET else "show"

    @property
    def pot(self) -> int:
        """The chips in the middle, bets of this street included."""
        return self.pools.get("pot", 0)

    def at(self, spot: Spot) -> "HoldemState":
        """The same sheet with its hand at `spot`."""
        return replace(self, spot=spot, scores=spot.stacks, pools={"pot": sum(spot.paid)})


def set_out(state: HoldemState, held: tuple[int, ...], blinds: Blinds) -> HoldemState:
    """The hand of `state` at its beginning, when everybody had `held` before the `blinds`."""
    stakes = Stakes(held, state.dealer, blinds, state.table.options.structure)
    return replace(state, board=()).at(begin(stakes))


def posted(state: HoldemState) -> list[Line]:
    """What everybody puts in before the cards are dealt, as the hand has been set out."""
    stakes, blinds = state.stakes, state.stakes.blinds
    small, big = stakes.blind_seats
    dues = [(seat, blinds.ante, say("ante")) for seat in stakes.seats]
    dues += [(small, blinds.small, say("small blind")), (big, blinds.big, say("big blind"))]
    left = list(stakes.held)
    lines = []
    for seat, due, reason in dues:
        paid = min(due, left[seat])
        left[seat] -= paid
        if paid:
            lines.append(Line(state.name(seat), -paid, reason))
    return lines


def balanced(
    before: HoldemState, lines: list[Line], after: HoldemState, reason: Text, *, opens: bool = False
) -> list[Line]:
    """`lines`, and for what else the stacks have changed by, lines with this `reason`."""
    told = change_by_player(lines, before.table.players)
    rest = [
        Line(player, now - then - told[player], reason, opens=opens)
        for player, then, now in zip(before.table.players, before.scores, after.scores, strict=True)
        if now - then != told[player]
    ]
    return [*lines, *rest]

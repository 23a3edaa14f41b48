"""The state of the gambling version, and the lines for blinds and returned chips."""

from typing import Literal

from msgspec.structs import replace

from referee.rules.core.table import Line, State, change_by_player
from referee.rules.games.multiple_9_holdem.betting import Blinds, Spot, Stakes, begin
from referee.rules.games.multiple_9_holdem.entries import HouseRules
from referee.rules.text import Text, say

Street = Literal["flop", "turn", "river"]

#: The next street, by the number of cards on the board.
NEXT_STREET: dict[int, Street] = {0: "flop", 3: "turn", 4: "river"}
NO_HAND = Spot(Stakes((), 0, Blinds(1, 2), "no-limit"), (), (), ())


class HoldemState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet in the middle of a hand: the ranks on the board, and the betting so far.

    `blinds` are those of the next hand, if they were raised; those of this hand are in `stakes`.
    """

    blinds: Blinds | None = None
    board: tuple[str, ...] = ()
    spot: Spot = NO_HAND

    @property
    def stakes(self) -> Stakes:
        """How the hand began."""
        return self.spot.stakes

    @property
    def next_street(self) -> Street:
        """The street to come; raises `KeyError` after the river."""
        return NEXT_STREET[len(self.board)]

    @property
    def cards_due(self) -> int:
        """How many cards come onto the board next."""
        return 1 if self.board else 3

    @property
    def due(self) -> Literal["bet", "board", "show"]:
        """Whether a bet, board cards or the showdown comes next."""
        if self.spot.turn is not None:
            return "bet"
        return "board" if len(self.board) in NEXT_STREET else "show"

    @property
    def pot(self) -> int:
        """The chips in the middle, bets of this street included."""
        return self.pools.get("pot", 0)

    def at(self, spot: Spot) -> "HoldemState":
        """This state with its hand at `spot`, and the stacks and pot to match."""
        return replace(self, spot=spot, scores=spot.stacks, pools={"pot": sum(spot.paid)})


def set_out(state: HoldemState, held: tuple[int, ...], blinds: Blinds) -> HoldemState:
    """Begin a hand in which each seat has `held` chips before these `blinds` are posted."""
    stakes = Stakes(held, state.dealer, blinds, state.table.options.structure)
    return replace(state, board=()).at(begin(stakes))


def posted(state: HoldemState) -> list[Line]:
    """The lines of antes and blinds, as posted when the hand began."""
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
    """`lines`, and lines with this `reason` for any further change of the stacks."""
    told = change_by_player(lines, before.table.players)
    rest = [
        Line(player, now - then - told[player], reason, opens=opens)
        for player, then, now in zip(before.table.players, before.scores, after.scores, strict=True)
        if now - then != told[player]
    ]
    return [*lines, *rest]

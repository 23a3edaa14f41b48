"""A round of 9 of a Kind in progress (`docs/rules.md` §3)."""

from referee.rules.core.table import State
from referee.rules.games.nine_of_a_kind.hands import DECK, HAND
from referee.rules.games.nine_of_a_kind.house_rules import HouseRules


class NineOfAKindState(State[HouseRules], frozen=True, kw_only=True):
    """`forfeits` are the seats that called falsely in this round, in order, with the points left.

    The points are those that count, 0 unless a house rule says so.
    """

    forfeits: tuple[tuple[int, int], ...] = ()

    @property
    def forfeited(self) -> frozenset[int]:
        """The seats that called falsely in this round."""
        return frozenset(seat for seat, _ in self.forfeits)

    @property
    def holding(self) -> list[str]:
        """The players who are still in the round, in seating order."""
        players = enumerate(self.table.players)
        return [player for seat, player in players if seat not in self.forfeited]

    @property
    def center(self) -> int:
        """How many cards lie in the center, the hands of false calls among them."""
        return len(DECK) - HAND * len(self.holding)

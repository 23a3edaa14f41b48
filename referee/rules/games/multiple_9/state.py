"""A deal of Multiple 9 as far as it is followed: hands by size, the stock and the discards."""

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS
from referee.rules.cards.groups import Counts
from referee.rules.core.table import State
from referee.rules.games.multiple_9.house_rules import HouseRules

NO_CARDS: Counts = (0,) * len(RANKS)


class Multiple9State(State[HouseRules], frozen=True, kw_only=True):
    """How many cards each seat holds, which seats have drawn, the stock and the discards.

    `discards` lie face up, counted by rank. `shuffled` are the discards that were last made into
    a new stock, `since` the cards drawn from it. `idle` counts turns in a row that could neither
    draw nor discard; `won` is the seat that has gone out, until the next deal begins: the cards of
    the others may still be to be counted.
    """

    held: tuple[int, ...] = ()
    drawn: frozenset[int] = frozenset()
    stock: int = 0
    discards: Counts = NO_CARDS
    shuffled: Counts = NO_CARDS
    since: int = 0
    turn: int = 0
    idle: int = 0
    won: int | None = None

    def draw(self) -> "Multiple9State":
        """The table after a card was drawn; an empty stock is first made anew of the discards."""
        if self.nothing_to_draw:
            return self
        if self.stock:
            return replace(self, stock=self.stock - 1, since=self.since + 1)
        stock = sum(self.discards) - 1
        return replace(self, stock=stock, discards=NO_CARDS, shuffled=self.discards, since=1)

    @property
    def out_of_reach(self) -> Counts:
        """Cards of each rank that cannot be in a hand: discards, and what the stock must hold.

        Of what was shuffled into the stock no more can have left it than was drawn since.
        """
        hidden = (max(0, number - self.since) for number in self.shuffled)
        return tuple(lying + under for lying, under in zip(self.discards, hidden, strict=True))

    @property
    def nothing_to_draw(self) -> bool:
        """Whether stock and discards are both gone."""
        return self.stock == 0 and not any(self.discards)

"""What is agreed, written down and asked in Multiple 9: house rules, entries, questions."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.rules.cards.cards import RANKS, RankText
from referee.rules.cards.groups import Counts
from referee.rules.core.entries import Count, Entry, Player
from referee.rules.core.table import Options, State

NO_CARDS: Counts = (0,) * len(RANKS)

Packs = Annotated[
    Literal[1, 2],
    Meta(
        title="Packs",
        description="Two packs shuffled together seat up to 16 and have eight cards of a rank.",
    ),
]
NineOut = Annotated[
    Literal["sets", "cards"],
    Meta(
        title="A lone nine as the last play",
        description="The source says one thing in one place and the other in another. Usual is "
        "what its examples show.",
        extra={"choices": {"sets": "one or two sets", "cards": "a 9, or two cards only"}},
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `target` 0 plays on without end; left out it follows `scoring`."""

    target: Annotated[
        Count | None,
        Meta(
            title="Play to",
            description="The source keeps no score. 0 plays on for as long as you like.",
            extra={"usual": "5 deals won; 100 points where cards are counted"},
        ),
    ] = None
    packs: Packs = 1
    nine_out: NineOut = "sets"
    scoring: Annotated[
        Literal["deals", "cards"],
        Meta(
            title="A deal won scores",
            description="Counted cards make close deals cheap and early ones dear: an ace is 1, a "
            "king 13.",
            extra={"choices": {"deals": "one point", "cards": "the cards left with the others"}},
        ),
    ] = "deals"

    def in_words(self, players: int) -> dict[str, str]:
        """What is played to."""
        what = "deals won" if self.scoring == "deals" else "points"
        return {"target": f"{self.goal} {what}" if self.goal else "no end"}

    @property
    def goal(self) -> int:
        """The score that wins, 0 for none."""
        if self.target is not None:
            return self.target
        return 5 if self.scoring == "deals" else 100


class Turn(Entry, frozen=True, tag="turn"):
    """`player` drew (unless `drew` is false) and laid down `cards`, perhaps none."""

    player: Player
    cards: RankText = ""
    drew: bool = True


class Out(Entry, frozen=True, tag="out"):
    """`player` won a deal whose turns were not followed; `left`: what the others hold."""

    player: Player
    left: dict[Player, RankText] = {}


class Left(Entry, frozen=True, tag="left"):
    """What the others hold after a turn emptied a hand, where cards score."""

    left: dict[Player, RankText]


class Sheet(State, frozen=True, kw_only=True):
    """A deal as far as it is followed: cards held, seats that have drawn, stock and discards.

    `shuffled` are the discards that were last shuffled into a new stock, `since` the cards drawn
    from it. `idle` counts turns in a row that could neither draw nor discard; `won` is the seat
    that has gone out while the cards of the others are still to be counted.
    """

    held: tuple[int, ...] = ()
    drawn: frozenset[int] = frozenset()
    stock: int = 0
    pile: Counts = NO_CARDS
    shuffled: Counts = NO_CARDS
    since: int = 0
    turn: int = 0
    idle: int = 0
    won: int | None = None

    def draw(self) -> "Sheet":
        """The table after a card was drawn; an empty stock is first made anew of the discards."""
        if self.nothing_to_draw:
            return self
        if self.stock:
            return replace(self, stock=self.stock - 1, since=self.since + 1)
        stock = sum(self.pile) - 1
        return replace(self, stock=stock, pile=NO_CARDS, shuffled=self.pile, since=1)

    @property
    def out_of_reach(self) -> Counts:
        """Cards of each rank that cannot be in a hand: discards, and what the stock must hold.

        Of what was shuffled into the stock no more can have left it than was drawn since.
        """
        left = (max(0, number - self.since) for number in self.shuffled)
        return tuple(lying + hidden for lying, hidden in zip(self.pile, left, strict=True))

    @property
    def nothing_to_draw(self) -> bool:
        """Whether stock and discards are both gone."""
        return self.stock == 0 and not any(self.pile)


class DiscardQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be laid down?"""

    cards: Annotated[RankText, Meta(title="Cards laid down")] = ""
    hand: Annotated[RankText, Meta(title="The whole hand, if you like")] = ""
    final: Annotated[bool, Meta(title="It is my last play")] = False
    packs: Packs = 1
    nine_out: NineOut = "sets"


class HandQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What can this hand lay down?"""

    hand: Annotated[RankText, Meta(title="Your hand")] = ""
    packs: Packs = 1
    nine_out: NineOut = "sets"

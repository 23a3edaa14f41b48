"""House rules, entries, and what a sheet of the gambling version remembers and shows."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.rules.cards.cards import RankText
from referee.rules.core.entries import Entry, Player, Positive
from referee.rules.core.table import Options, State
from referee.rules.games.multiple_9_holdem.betting import (
    BOARD_SIZES,
    STREETS,
    Action,
    MoveName,
    NoRaise,
    Spot,
    Stakes,
    Structure,
)
from referee.rules.games.multiple_9_holdem.pots import Pot

#: Chips of a size that can come together in one stack.
Chips = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]
Due = Literal["bet", "board", "show"]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules."""

    stack: Annotated[
        Positive,
        Meta(
            title="Chips each to begin with",
            description="The source names no number. More can be bought between hands.",
        ),
    ] = 200
    small_blind: Annotated[
        Positive,
        Meta(
            title="Small blind",
            description="Put in by the player left of the button, or by the button where only "
            "two play.",
        ),
    ] = 1
    big_blind: Annotated[
        Positive | None,
        Meta(
            title="Big blind",
            description="Put in by the player after that; it is the smallest bet as well.",
            extra={"usual": "twice the small blind"},
        ),
    ] = None
    structure: Annotated[
        Structure,
        Meta(
            title="Betting",
            description="The source says only: as in Texas hold’em. At fixed limit bets and raises "
            "are the big blind, and twice that on the turn and the river; four of them a street.",
            extra={
                "choices": {
                    "no-limit": "no limit",
                    "pot-limit": "pot limit",
                    "fixed-limit": "fixed limit",
                }
            },
        ),
    ] = "no-limit"
    royal: Annotated[
        bool,
        Meta(
            title="Q Q Q Q J J J beats other hands of nine nines",
            description="The source likens it to a royal flush, but ranks hands in a way that "
            "leaves it level with them.",
        ),
    ] = False

    def in_words(self, players: int) -> dict[str, str]:
        """The big blind."""
        return {"big_blind": str(self.big)}

    @property
    def big(self) -> int:
        """The big blind, in chips."""
        return 2 * self.small_blind if self.big_blind is None else self.big_blind


class Bet(Entry, frozen=True, tag="bet"):
    """`player` folds, checks, calls, or raises; `to` is his total on this street after a raise."""

    player: Player
    move: MoveName
    to: Chips | None = None


class BoardCards(Entry, frozen=True, tag="board"):
    """The flop, the turn or the river."""

    cards: RankText


class Show(Entry, frozen=True, tag="show"):
    """The hole cards of everybody still in; no cards: mucked."""

    hands: dict[Player, RankText]


class PlayedHand(Entry, frozen=True, tag="hand"):
    """A hand whose betting was not followed: what each won or lost, blinds included."""

    won: dict[Player, Chips]
    lost: dict[Player, Chips]


class Sheet(State, frozen=True, kw_only=True):
    """A hand as far as it is followed: how it was set out, what was done, and where that led."""

    stakes: Stakes = Stakes((), 0, 1, 2, "no-limit")
    actions: tuple[Action, ...] = ()
    board: tuple[str, ...] = ()
    spot: Spot = Spot((), (), (), (), (), None)

    @property
    def street(self) -> int:
        """How many times cards have come onto the board."""
        return BOARD_SIZES.index(len(self.board))

    @property
    def due(self) -> Due:
        """What comes next."""
        if self.spot.turn is not None:
            return "bet"
        return "board" if self.street + 1 < len(STREETS) else "show"

    @property
    def pot(self) -> int:
        """The chips in the middle, bets of this street included."""
        return self.pools.get("pot", 0)


class BettingOptions(Struct, frozen=True):
    """What the player who acts can do, in chips; the amounts of `betting.Turn` by name.

    `bet` is what lies before the player on this street, so a raise to `least` costs
    `least - bet`.
    """

    player: str
    stack: int
    bet: int
    call: int
    least: int | None
    most: int | None
    no_raise: NoRaise | None
    pot: int

    @property
    def moves(self) -> tuple[MoveName, ...]:
        """The legal moves."""
        middle: MoveName = "call" if self.call else "check"
        return ("fold", middle) if self.least is None else ("fold", middle, "raise")


class Place(Struct, frozen=True):
    """A player at the table: chips behind, chips on this street, chips paid in this hand."""

    player: str
    stack: int
    bet: int
    paid: int
    status: Literal["in", "all-in", "folded", "out"]


class Felt(Struct, frozen=True):
    """What lies on the table: for the page, which draws it.

    `street` in words, `due` what comes next; `pots` without the bets of this street.
    """

    street: str
    board: tuple[str, ...]
    due: Due
    places: tuple[Place, ...]
    pots: tuple[Pot[str], ...]
    small_blind: str
    big_blind: str

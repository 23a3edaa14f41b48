"""The optional parts of a game: its deals, its counters, who is out, whose turn it is, its pad.

A game names those parts in which it is not like most games, and in each what is its own. Where a
function returns (state, lines), the lines are already counted in the scores of that state.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import Entry, Played
from referee.rules.core.table import (
    NO_POOLS,
    Line,
    Need,
    O,
    Pools,
    S,
    State,
    Table,
    equal_shares,
    scored,
)
from referee.rules.core.terms import STAKED
from referee.rules.text import Text, say

POOL_SHARE = say("pool share")

Steps = tuple[Text, ...]


def as_it_is(state: S) -> Played[S]:
    """The state unchanged, and no lines."""
    return state, []


def _left_of_the_dealer(state: State[Any]) -> int:
    return state.table.left_of(state.dealer)


class Deals(Struct, Generic[S, O], frozen=True):
    """How many deals there are, who deals them, and how each begins.

    `agreed` is how many were agreed on, 0 or None where no number was; then the game is over when
    everybody has dealt, if they deal `once`. What a deal scores may `build` on the deal before it
    or on who deals it. `begin` sets out the deal that `deal` and `dealer` of a state name, paying
    its stakes; `again` begins it again, when its stakes stay paid and none are paid anew.
    """

    agreed: Callable[[O], int | None] = lambda options: None
    once: bool = False
    build: bool = False
    next_dealer: Callable[[S], int] = _left_of_the_dealer
    begin: Callable[[S], Played[S]] = as_it_is
    again: Callable[[S], Played[S]] = as_it_is

    def last(self, table: Table[O]) -> int | None:
        """How many deals a game that begins at this table has, where that is fixed."""
        return self.agreed(table.options) or (len(table.players) if self.once else None)

    def last_from(self, state: S) -> int | None:
        """The number of the last deal as things stand: people may have come and gone."""
        if state.finished:
            return state.deal
        agreed = self.agreed(state.table.options)
        if agreed or not self.once:
            return agreed or None
        still_to_deal = {name for name in state.table.players if name not in state.dealt}
        order = state.table.clockwise_from(state.dealer)
        places = [place for place, seat in enumerate(order) if state.name(seat) in still_to_deal]
        return state.deal + max(places, default=0)

    def played_out(self, state: S, over: int) -> bool:
        """Whether the last deal is over, `over` being so many of them."""
        agreed = self.agreed(state.table.options)
        if agreed:
            return over >= agreed
        return self.once and state.dealt.issuperset(state.table.players)


def shared_out(state: S, order: Sequence[str]) -> Played[S]:
    """What lies in the pools is divided as one sum; odd counters go one each to the first."""
    lines = [
        Line(player, share, say("share of what was left in the pools"), POOL_SHARE)
        for player, share in equal_shares(sum(state.pools.values()), order).items()
        if share
    ]
    return replace(scored(state, lines), pools=dict.fromkeys(state.pools, 0)), lines


def _counted(state: S, lines: list[Line]) -> Played[S]:
    return scored(state, lines), lines


class Counters(Struct, Generic[S], frozen=True):
    """Stakes and pools: how counters or chips go there and come back.

    `each` is what everybody begins with, nothing in a game that is played for points. `pools` has
    the words for each, by its key in the sheet format. What was put in for a deal is `staked` on
    the pad, if it is told apart from the rest. `take_back` gives the stakes of the deal that is
    about to begin to those who paid them; where play stops, `call_off` ends the deal in progress,
    which otherwise only begins again. `wind_up` divides what lies in the pools when the game is
    over, those seated being in order from the dealer's left. `change` counts the lines of a penalty
    or a purchase. `if_stopped` says what stopping comes to.
    """

    each: Callable[[Any], int] = lambda options: 0
    pools: Mapping[str, Text] = {}
    staked: Text = STAKED
    take_back: Callable[[S], Played[S]] = as_it_is
    call_off: Callable[[S], Played[S]] | None = None
    wind_up: Callable[[S, Sequence[str]], Played[S]] = shared_out
    change: Callable[[S, list[Line]], Played[S]] = _counted
    if_stopped: Text = say(
        "The game isn’t over. What’s in the pools is shared equally here, with odd counters "
        "going one each from the dealer’s left."
    )


class Elimination(Struct, Generic[S], frozen=True):
    """Whether a player is `out` of the game: then that one leaves, and keeps what is held.

    It is asked after each deal, after a penalty between two deals, and of somebody who joins.
    Where everybody would be out at once, nobody is, and the result may say who has won. The game
    ends, as if its last deal were over, when fewer are left than can begin it, or than `fewest`
    where fewer play on.
    """

    out: Callable[[S, str], bool] = lambda state, player: False
    fewest: int | None = None

    def of(self, state: S) -> list[str]:
        """Those seated who are out, never everybody."""
        out = [player for player in state.table.players if self.out(state, player)]
        return out if len(out) < len(state.table.players) else []


def _everybody(state: State[Any]) -> tuple[int, ...]:
    return tuple(range(len(state.table.players)))


class Turns(Struct, Generic[S], frozen=True):
    """The seat that `acts`, where turns are followed, and those still `in_play` in the deal."""

    acts: Callable[[S], int | None] = lambda state: None
    in_play: Callable[[S], tuple[int, ...]] = _everybody


class Pad(Struct, Generic[S], frozen=True):
    """What a game adds to the score pad and to the deal card.

    The deal card: `card` makes it of how the deal is set out, a line on it and then the steps;
    `needs` are numbers for it, a player each; `behind` is the section of the rules behind a step
    where there is more to say; the cards `lying_open` are those written down, which a photo may
    show again.

    The score pad, in a few letters by player's name: `so_far` in the row of the deal in progress
    ("3 tricks"); `beside_total` under the total ("needs 9"), where a game that says nothing of a
    player leaves it to the target; `told` is what the game's `told.html` shows of the deal that an
    entry has just ended, None where the row says it all.
    """

    card: Callable[[S, Steps], Steps] = lambda state, steps: steps
    needs: Callable[[S], tuple[Need, ...]] = lambda state: ()
    behind: Callable[[S], Mapping[Text, str]] = lambda state: {}
    lying_open: Callable[[S], tuple[str, ...]] = lambda state: ()
    so_far: Callable[[S], Mapping[str, Text]] = lambda state: {}
    beside_total: Callable[[S], Mapping[str, Text]] = lambda state: {}
    told: Callable[[S, Entry, Sequence[Line]], object | None] = lambda before, entry, lines: None


FROM_POOL = say("pool")


class Moves:
    """Collects what one entry moves, item by item, and keeps the pools in step.

    `lines` says what each player gains (positive) or gives (negative), `pools` what lies in each
    pool afterwards: whatever leaves a player arrives at another or in a pool. Amounts are whole
    counters; the pools that were handed in stay as they were.
    """

    def __init__(self, pools: Pools = NO_POOLS) -> None:
        self.lines: list[Line] = []
        self.pools = dict(pools)

    def stake(
        self, player: str, pool: str, amount: int, reason: Text, short: Text = STAKED
    ) -> None:
        """`player` puts `amount` counters into `pool`, or takes them back where it is negative.

        Nothing is noted where it is 0.
        """
        if amount:
            self.lines.append(Line(player, -amount, reason, short))
            self.pools[pool] = self.pools.get(pool, 0) + amount

    def sweep(self, pool: str, player: str, reason: Text, short: Text = FROM_POOL) -> None:
        """`player` takes all that lies in `pool`; nothing is noted where it is empty."""
        amount = self.pools.get(pool, 0)
        self.pools[pool] = 0
        if amount:
            self.lines.append(Line(player, amount, reason, short))

    def made(self, state: S) -> Played[S]:
        """The state after these moves, and their lines."""
        return replace(scored(state, self.lines), pools=self.pools), self.lines

"""The optional parts of a game: goal, deals, counters, elimination, turns, hole, pad and feats.

Where a function returns (state, lines), that state's scores already include the lines.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import Entry, Played
from referee.rules.core.table import (
    Line,
    O,
    Pools,
    S,
    Table,
    best_scores,
    equal_shares,
    scored,
)
from referee.rules.core.terms import STAKED
from referee.rules.text import NOTHING, Text, say

POOL_SHARE = say("pool share")
_POOL_SHARED = say("share of what was left in the pools")

Steps = tuple[Text, ...]


def as_it_is(state: S) -> Played[S]:
    """The state unchanged, and no lines."""
    return state, []


class Goal(Struct, Generic[S, O], frozen=True):
    """How a game is won: by the best score, which is the lowest where the `lowest_wins`.

    The game ends when somebody's score has reached the `target`, if there is one. Players who are
    level then play on unless victory is `shared`. `won` are the seats that have won by another rule
    of the game, whatever the scores.
    """

    target: Callable[[O], int | None] = lambda options: None
    lowest_wins: Callable[[O], bool] = lambda options: False
    shared: bool = False
    won: Callable[[S], tuple[int, ...]] = lambda state: ()

    def winners(self, state: S, *, played_out: bool) -> tuple[int, ...]:
        """The winning seats; empty while the game goes on.

        Once it is `played_out` (no further deals) there is at least one: equals share.
        """
        won, options = self.won(state), state.table.options
        if won:
            return won
        target = self.target(options)
        best = best_scores(state.scores, lowest=self.lowest_wins(options))
        reached = target is not None and max(state.scores) >= target
        return best if played_out or (reached and (self.shared or len(best) == 1)) else ()


class Deals(Struct, Generic[S, O], frozen=True):
    """How many deals there are, who deals them, and how each begins.

    `agreed` is how many were agreed on, 0 or None for no number; without one, and with `once`, the
    game is over when everybody has dealt. `even`: all deals are worth the same. With `builds`, a
    deal's score may depend on the deal before it or on its dealer. `packs` is how many packs, and
    so copies of a card, there are for a number of players. `begin` sets out the deal that
    `deal` and `dealer` of a state name and pays its stakes; `again` sets it out once more, its
    stakes already paid.
    """

    agreed: Callable[[O], int | None] = lambda options: None
    once: bool = False
    even: Callable[[O], bool] = lambda options: False
    builds: bool = False
    packs: Callable[[O, int], int] = lambda options, players: 1
    next_dealer: Callable[[S], int] = lambda state: state.table.left_of(state.dealer)
    begin: Callable[[S], Played[S]] = as_it_is
    again: Callable[[S], Played[S]] = as_it_is

    def last(self, table: Table[O]) -> int | None:
        """How many deals a game that begins at this table will have; None if not fixed."""
        return self.agreed(table.options) or (len(table.players) if self.once else None)

    def last_from(self, state: S) -> int | None:
        """The number of the last deal with the players as they are now; None if not fixed."""
        if state.finished:
            return state.deal
        agreed = self.agreed(state.table.options)
        if agreed or not self.once:
            return agreed or None
        still_to_deal = {name for name in state.table.players if name not in state.dealt}
        order = state.table.clockwise_from(state.dealer)
        places = [place for place, seat in enumerate(order) if state.name(seat) in still_to_deal]
        return state.deal + max(places, default=0)

    def played_out(self, state: S, deals_over: int) -> bool:
        """Whether the last deal is over, once `deals_over` deals are."""
        agreed = self.agreed(state.table.options)
        if agreed:
            return deals_over >= agreed
        return self.once and state.dealt.issuperset(state.table.players)


def shared_out(state: S, order: Sequence[str]) -> Played[S]:
    """Divide the pools as one sum; odd counters go one each to the first in `order`."""
    lines = [
        Line(player, share, _POOL_SHARED, POOL_SHARE, word=say("share"))
        for player, share in equal_shares(sum(state.pools.values()), order).items()
        if share
    ]
    return replace(scored(state, lines), pools=dict.fromkeys(state.pools, 0)), lines


def _counted(state: S, lines: list[Line]) -> Played[S]:
    return scored(state, lines), lines


class Counters(Struct, Generic[S], frozen=True):
    """Stakes and pools: how counters or chips are put in and paid back.

    `each` is what every player begins with, 0 in a game played for points. `pools` has the words
    for each pool, by its key in the sheet format. `staked` is the pad's word for what was put in
    for a deal, if it is shown by itself. `take_back` returns the stakes of the deal about to
    begin; `call_off` ends the deal in progress when play stops, by default as `Deals.again` does.
    `wind_up` divides the pools when the game is over, among players in order from the dealer's
    left. `change` counts the lines of a penalty or a purchase. `if_stopped` is the sentence on
    dividing the pools of a game that stops early.
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
    """Whether a player is `out` of the game; they leave, and keep their score.

    This is checked after each deal, void ones too, after a penalty between two deals, and when a
    player joins. If everybody would be out at once, nobody is, and `Goal.won` may name the winner.
    The game ends, as if its last deal were over, when fewer are left than it needs to begin.
    """

    out: Callable[[S, str], bool] | None = None

    def players_out(self, state: S) -> list[str]:
        """The names of seated players who are out; empty if that would be everybody."""
        if self.out is None:
            return []
        out = [player for player in state.table.players if self.out(state, player)]
        return out if len(out) < len(state.table.players) else []


class Turns(Struct, Generic[S], frozen=True):
    """The seat whose turn it is (`acts`), where known, and those still `in_play` in the deal.

    Where one form takes the turns of several players, `several` is the type of what is sent, and
    `moves` turns it into the entries to record.
    """

    several: type[Entry] | None = None
    moves: Callable[[S, Mapping[str, Any]], list[Mapping[str, Any]]] = lambda state, sent: [sent]
    acts: Callable[[S], int | None] = lambda state: None
    in_play: Callable[[S], tuple[int, ...]] = lambda state: tuple(range(len(state.table.players)))


class Hole(Struct, Generic[S], frozen=True):
    """Cards that each player holds hidden until a showdown: how many `cards`, 0 for none.

    `shows` are the seats that show them now, or muck, in the order of play.
    """

    cards: int = 0
    shows: Callable[[S], tuple[int, ...]] = lambda state: ()


class Pad(Struct, Generic[S], frozen=True):
    """What a game adds to the score pad and to the deal card.

    Deal card: `card` makes its text from that of the plan, a line on the deal and then its steps;
    `behind` maps a step to its section of the rules; `lying_open` are the cards on the table, as
    entered so far.

    Score pad, in a few letters by player's name: `so_far` in the row of the deal in progress ("3
    tricks"); `beside_total` under the total ("needs 9"), by default the points to the target.

    `told` is what the game's `told.html` shows about the deal that an entry has just ended, or
    None.
    """

    card: Callable[[S, Steps], Steps] = lambda state, steps: steps
    behind: Callable[[S], Mapping[Text, str]] = lambda state: {}
    lying_open: Callable[[S], tuple[str, ...]] = lambda state: ()
    so_far: Callable[[S], Mapping[str, Text]] = lambda state: {}
    beside_total: Callable[[S], Mapping[str, Text]] = lambda state: {}
    told: Callable[[S, Entry, Sequence[Line]], object | None] = lambda before, entry, lines: None


class Feats(Struct, Generic[S], frozen=True):
    """What can be counted of somebody’s games besides the score: tricks made, cards caught with.

    `of` yields a player and a feat each time that an entry shows one; it is given the state before
    the entry, and its lines. `called` has the words for each feat.
    """

    called: Mapping[str, Text] = {}
    of: Callable[[S, Entry, Sequence[Line]], Iterable[tuple[str, str]]] = (
        lambda before, entry, lines: ()
    )


FROM_POOL = say("pool")


class Moves:
    """Collects what players pay into and take from pools in one entry, in whole counters.

    The pools passed in are not changed.
    """

    def __init__(self, pools: Pools) -> None:
        self.lines: list[Line] = []
        self.pools = dict(pools)

    def stake(
        self, player: str, pool: str, amount: int, reason: Text, short: Text = STAKED
    ) -> None:
        """`player` puts `amount` counters into `pool`, or takes them back if negative."""
        if amount:
            self.lines.append(Line(player, -amount, reason, short))
            self.pools[pool] = self.pools.get(pool, 0) + amount

    def sweep(
        self,
        pool: str,
        player: str,
        reason: Text,
        short: Text = FROM_POOL,
        word: Text = NOTHING,
    ) -> None:
        """`player` takes the whole `pool`; an empty pool makes no line."""
        amount = self.pools.get(pool, 0)
        self.pools[pool] = 0
        if amount:
            self.lines.append(Line(player, amount, reason, short, word=word))

    def made(self, state: S) -> Played[S]:
        """The state after these moves, and their lines."""
        return replace(scored(state, self.lines), pools=self.pools), self.lines

"""Counters on the move: stakes, pools and sweeps; none are ever made or lost on the way."""

from referee.rules.core.lines import NO_POOLS, Line, Pools
from referee.rules.core.terms import STAKED
from referee.rules.text import Text, say

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

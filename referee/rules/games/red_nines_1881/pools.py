"""The two pools of Red Nines (1881) (`docs/rules.md` §4, pools): staked, swept, left at the end."""

from collections.abc import Mapping

from referee.rules.core.parts import FROM_POOL, POOL_SHARE, Moves
from referee.rules.core.table import Pools
from referee.rules.games.red_nines_1881.house_rules import HouseRules
from referee.rules.text import Text, say

NAMES: Mapping[str, Text] = {"red_nine": say("red-nine pool"), "red_ace": say("red-ace pool")}

FOR_ACES = say("for aces")  # on the score pad, beside what was swept

_STAKED = {
    "red_nine": say("stake in the red-nine pool"),
    "red_ace": say("stake in the red-ace pool"),
}
_SWEPT = {
    "red_nine": say("went out on a red nine and swept the red-nine pool"),
    "red_ace": say("played both red aces and swept the red-ace pool"),
}
_INHERITED = {
    "red_nine": say("what was left in the red-nine pool"),
    "red_ace": say("what was left in the red-ace pool"),
}


def stakes(rules: HouseRules, pools: Pools) -> dict[str, int]:
    """What the dealer puts into each pool, given what lies in the `pools` already."""
    full = {"red_nine": rules.red_nine_pool, "red_ace": rules.red_nine_pool // 2}
    if rules.unswept == "carry":
        return full
    return {pool: max(0, stake - pools[pool]) for pool, stake in full.items()}


def affordable(amounts: Mapping[str, int], held: int) -> dict[str, int]:
    """As much of these amounts as somebody who holds so many counters can pay, in their order."""
    paid = {}
    for pool, amount in amounts.items():
        paid[pool] = min(amount, held)
        held -= paid[pool]
    return paid


def stake(moves: Moves, dealer: str, amounts: Mapping[str, int]) -> None:
    """`dealer` puts these amounts into the pools."""
    for pool, amount in amounts.items():
        moves.stake(dealer, pool, amount, _STAKED[pool])


def sweep(moves: Moves, pool: str, player: str) -> None:
    """`player` has won all that lies in `pool`."""
    moves.sweep(pool, player, _SWEPT[pool], FOR_ACES if pool == "red_ace" else FROM_POOL)


def put_back(moves: Moves, player: str, amount: int) -> None:
    """`player` returns what was won from the red-ace pool in a deal that is void."""
    moves.stake(player, "red_ace", amount, say("returned to the red-ace pool"), FOR_ACES)


def unstake(moves: Moves, dealer: str, amounts: tuple[int, int]) -> None:
    """`dealer` takes back what was paid into the red-nine and the red-ace pool for this deal."""
    for pool, amount in zip(NAMES, amounts, strict=True):
        moves.stake(dealer, pool, -amount, say("stake returned"))


def inherit(moves: Moves, player: str) -> None:
    """Both pools go to `player`, who won the last deal."""
    for pool in NAMES:
        moves.sweep(pool, player, _INHERITED[pool], POOL_SHARE)

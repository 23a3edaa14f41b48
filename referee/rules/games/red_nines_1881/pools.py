"""The two pools of Red Nines (1881): stakes, sweeps and remainders (`docs/rules.md` §4, pools)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.rules.core.entries import Played
from referee.rules.core.parts import POOL_SHARE, Moves, shared_out
from referee.rules.core.table import State
from referee.rules.games.red_nines_1881.house_rules import HouseRules
from referee.rules.text import Text, say

POOLS: Mapping[str, Text] = {"red_nine": say("red-nine pool"), "red_ace": say("red-ace pool")}

_FOR_ACES = say("for aces")  # on the score pad, beside what was swept

_STAKED = {
    "red_nine": say("stake in the red-nine pool"),
    "red_ace": say("stake in the red-ace pool"),
}
_INHERITED = {
    "red_nine": say("what was left in the red-nine pool"),
    "red_ace": say("what was left in the red-ace pool"),
}


class Red1881State(State[HouseRules], frozen=True, kw_only=True):
    """A sheet, with the dealer's stakes for this deal and who has swept a pool or won.

    `paid` is what the dealer put into the red-nine and the red-ace pool. `swept` is the seat that
    has swept the red-ace pool in this deal, `swept_counters` what was in it. `last_winner` won the
    last finished deal; the players `paid_in_part` could not pay in full when it was settled.
    """

    paid: tuple[int, int] = (0, 0)
    swept: int | None = None
    swept_counters: int = 0
    last_winner: str = ""
    paid_in_part: tuple[str, ...] = ()

    def renamed(self, names: Mapping[str, str]) -> "Red1881State":
        """The state with its players renamed, the winner of the last deal among them."""
        winner = names.get(self.last_winner, self.last_winner)
        return replace(super().renamed(names), last_winner=winner)


def begin_deal(state: Red1881State) -> Played[Red1881State]:
    """The dealer stakes both pools; without debts, at most the counters they hold."""
    moves, rules, held = Moves(state.pools), state.table.options, state.scores[state.dealer]
    paid = {"red_nine": rules.red_nine_pool, "red_ace": rules.red_nine_pool // 2}
    for pool, stake in paid.items():
        due = stake if rules.unswept == "carry" else max(0, stake - state.pools[pool])
        paid[pool] = min(due, held) if rules.no_debts else due
        held -= paid[pool]
        moves.stake(state.name(state.dealer), pool, paid[pool], _STAKED[pool])
    dealt, lines = moves.made(state)
    stakes = (paid["red_nine"], paid["red_ace"])
    return replace(dealt, paid=stakes, swept=None, paid_in_part=()), lines


def deal_again(state: Red1881State) -> Played[Red1881State]:
    """Return a red-ace pool swept in the void deal; stakes stay in the pools."""
    if state.swept is None:
        return state, []
    moves, amount = Moves(state.pools), state.swept_counters
    if state.table.options.no_debts:  # some may have gone to a penalty since
        amount = min(amount, state.scores[state.swept])
    why = say("returned to the red-ace pool")
    moves.stake(state.name(state.swept), "red_ace", amount, why, _FOR_ACES)
    return moves.made(replace(state, swept=None))


def take_back(state: Red1881State) -> Played[Red1881State]:
    """Return the dealer's stakes for this deal."""
    moves = Moves(state.pools)
    for pool, amount in zip(POOLS, state.paid, strict=True):
        moves.stake(state.name(state.dealer), pool, -amount, say("stake returned"))
    return moves.made(replace(state, paid=(0, 0)))


def wind_up(state: Red1881State, order: Sequence[str]) -> Played[Red1881State]:
    """Divide the pools, or give them to the last winner if still at the table."""
    if state.table.options.leftover == "divide" or state.last_winner not in order:
        return shared_out(state, order)
    moves = Moves(state.pools)
    for pool in POOLS:
        moves.sweep(pool, state.last_winner, _INHERITED[pool], POOL_SHARE)
    return moves.made(state)


def sweep_aces(moves: Moves, player: str) -> None:
    """`player` played both red aces and sweeps the red-ace pool."""
    why = say("played both red aces and swept the red-ace pool")
    moves.sweep("red_ace", player, why, _FOR_ACES, say("aces"))

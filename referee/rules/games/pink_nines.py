"""Pink Nines (`rules.md` §6): runs whatever the suit up to the ace, and one pool.

What is written down is who went out.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.rules.cards.cards import RANKS, RANKS_AND_RED_NINES, RedNineText
from referee.rules.cards.runs import RunOrder, ascending, rule_on_run, spread_run
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.core.game import Game, best_scores, scored
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.core.spread import Spread
from referee.rules.core.table import Deal, Options, Source, State, Table
from referee.rules.money.counters import Moves

DECK = 52
DEALT = 48  # four go to the table first
RUNS = RunOrder(after=ascending((*RANKS[1:], RANKS[0])), notation=RANKS_AND_RED_NINES)


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `deals` left out: everybody deals once."""

    ante: Annotated[
        Positive,
        Meta(
            title="Everybody stakes at each deal",
            description="The first out takes it all. How much, the source leaves to you.",
        ),
    ] = 1
    counters: Annotated[
        Count,
        Meta(
            title="Counters each to begin with",
            description="The source names no number; 36 is that of the older Red Nines.",
        ),
    ] = 36
    deals: Annotated[
        Positive | None,
        Meta(
            title="Number of deals",
            description="The source does not say when to stop.",
            extra={"usual": "everybody deals once"},
        ),
    ] = None

    def in_words(self, players: int) -> dict[str, str]:
        """How many deals."""
        return {"deals": str(self.deals or players)}


class Out(Entry, frozen=True, tag="out"):
    """`player` went out first and takes the pool."""

    player: Player


class RunQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be laid after that one?"""

    cards: Annotated[RedNineText, Meta(title="Cards laid, in order")] = ""
    last: Annotated[RedNineText, Meta(title="The last card before; empty: free to begin")] = ""


class PinkNines(Game[State, HouseRules]):
    """Runs upward whatever the suit, aces high, red nines wild; the first out takes the pool."""

    slug = "pink-nines"
    title = "Pink Nines"
    summary = "Stops, for counters: everybody stakes, the first out takes the pool."
    sources = (
        Source(
            "David Parlett, The Oxford Guide to Card Games, 1990, as Wikipedia’s article on Red "
            "Nines tells it",
            "The pack, the stake, the cards on the table, runs whatever the suit, aces "
            "high. How many play, how long, and whether anybody may look at the table it "
            "does not say. As it names one pool only, nobody pays for single cards here.",
        ),
    )
    unit = "counter"
    sections = {
        "deal": "the deal",
        "play": "runs and stops",
        "red-nines": "red nines",
        "score": "the pool",
        "end": "the end",
    }
    pool_names = {"pool": "pool"}
    house_rules = HouseRules
    entry_kinds = (Out,)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Runs."""
        return (
            Judge(
                "run",
                "May I lay these cards?",
                RunQuestion,
                self.judge_run,
                cards=self.spread_run,
                section="play",
            ),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """The sources do not say; with more than ten there is little left to play."""
        return range(2, 11)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Four to the table, the others divided equally, what is left to the table as well."""
        each = DEALT // len(table.players)
        left = DECK - each * len(table.players)
        says = (
            f"{table.players[dealer]} deals {each} cards each; {left} lie face down on the table.",
            "Nobody looks at the cards on the table.",
            f"{table.players[table.left_of(dealer)]} begins.",
        )
        return Deal(number, each, left, "table", DECK, says)

    def first(self, table: Table) -> State:
        """The counters everybody begins with, and an empty pool."""
        counters = (table.options.counters,) * len(table.players)
        pools = dict.fromkeys(self.pool_names, 0)
        return State(table=table, deal=1, dealer=table.dealer, scores=counters, pools=pools)

    def begin_deal(self, state: State) -> tuple[State, list[Line]]:
        """Everybody stakes the ante. An abandoned deal leaves the pool as it is."""
        moves = Moves(state.pools)
        for player in state.table.players:
            moves.stake(player, "pool", state.table.options.ante, f"stake of deal {state.deal}")
        return replace(scored(state, moves.lines), pools=moves.pools), moves.lines

    def last_deal(self, table: Table) -> int | None:
        """Everybody deals once, unless another number was agreed."""
        return table.options.deals or len(table.players)

    def result(self, state: State, completed: int) -> tuple[int, ...]:
        """After the last deal, the most counters."""
        return best_scores(state.scores) if completed == self.last_deal(state.table) else ()

    def notes(self, state: State) -> tuple[str, ...]:
        """What was staked and what lies in the pool."""
        ante = state.table.options.ante
        return (f"Everybody stakes {ante}; the first out takes the pool of {state.pools['pool']}.",)

    # --- entries

    def faults(self, state: State, entry: Entry) -> list[Fault]:
        """Anybody may be the first out."""
        return []

    def play(self, state: State, entry: Entry) -> tuple[State, list[Line]]:
        """The pool goes to the first out."""
        assert isinstance(entry, Out)
        moves = Moves(state.pools)
        moves.sweep("pool", entry.player, "first out: the pool")
        return self.end_deal(replace(state, pools=moves.pools), moves.lines)

    # --- rulings

    def judge_run(self, asked: RunQuestion) -> Ruling:
        """Whether the cards follow one another, and what comes next."""
        return rule_on_run(RUNS, self.fault, asked.cards, asked.last)

    def spread_run(self, asked: RunQuestion) -> tuple[Spread, ...]:
        """The run, what breaks it marked, and the card that must follow."""
        return spread_run(RUNS, self.fault, asked.cards, asked.last)


GAME = PinkNines()

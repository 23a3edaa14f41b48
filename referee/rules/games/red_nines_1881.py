"""Red Nines as described in 1881 (`rules.md` §4): runs in suit, two pools, counters.

What is written down is who swept the red-ace pool, who went out, and what the others still held.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.rules.cards.cards import (
    RANKS,
    SUITED_RED_NINES,
    Card,
    ShortSuitedRunText,
    ShortSuitedText,
    card_name,
    is_red_nine,
)
from referee.rules.cards.runs import (
    Pack,
    RunOrder,
    ascending,
    hand_faults,
    pack_faults,
    red_nine_faults,
    rule_on_run,
    spread_run,
    typed_hands,
)
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.core.game import Game, best_scores, scored
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.core.spread import Spread
from referee.rules.core.table import Deal, Options, Source, State, Table
from referee.rules.money.counters import Moves

DECK = 44
DEALT = 40  # four at least stay on the table
PACK = Pack(ranks=(RANKS[0], *RANKS[3:]))
RUNS = RunOrder(after=ascending(RANKS[3:]), notation=SUITED_RED_NINES, pack=PACK)
RED_ACES = (Card("A", "H"), Card("A", "D"))


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `deals` left out: everybody deals once."""

    counters: Annotated[
        Count,
        Meta(
            title="Counters each to begin with",
            description="36 is the source’s example. What a counter is worth, you agree.",
        ),
    ] = 36
    red_nine_pool: Annotated[
        Count,
        Meta(
            title="The dealer puts into the red-nine pool",
            description="Half of it, rounded down, goes into the red-ace pool. 6 is the source’s "
            "example; 0 does without pools.",
        ),
    ] = 6
    unswept: Annotated[
        Literal["carry", "top-up"],
        Meta(
            title="A pool that nobody swept",
            description="The source is silent; in a related game it waits for the next deal.",
            extra={
                "choices": {
                    "carry": "stays, and the next dealer pays in full",
                    "top-up": "is only filled up again",
                }
            },
        ),
    ] = "carry"
    deals: Annotated[
        Positive | None,
        Meta(
            title="Number of deals",
            description="The source does not say when to stop.",
            extra={"usual": "everybody deals once"},
        ),
    ] = None
    leftover: Annotated[
        Literal["divide", "last-winner"],
        Meta(
            title="What is left in the pools at the end",
            description="The source is silent; in a related game it is divided.",
            extra={
                "choices": {
                    "divide": "is divided equally",
                    "last-winner": "goes to the winner of the last deal",
                }
            },
        ),
    ] = "divide"

    def in_words(self, players: int) -> dict[str, str]:
        """How many deals."""
        return {"deals": str(self.deals or players)}

    @property
    def stakes(self) -> dict[str, int]:
        """What the dealer puts into each pool when it is empty."""
        return {"red_nine": self.red_nine_pool, "red_ace": self.red_nine_pool // 2}


class Counted(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers of cards: `plain` ones, and red nines."""

    plain: Count
    red_nines: Count


class Aces(Entry, frozen=True, tag="aces"):
    """`player` has played both red aces and sweeps the red-ace pool."""

    player: Player


class Out(Entry, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held."""

    player: Player
    red_nine: bool = False
    hands: dict[Player, ShortSuitedText | Counted] = {}


class Sheet(State, frozen=True, kw_only=True):
    """Besides the score: what the dealer paid at the start of this deal, and who swept the aces.

    `paid` is by pool; `swept` is the seat that swept the red-ace pool in this deal, and
    `swept_counters` what it took; `last_out` is the seat that won the last deal played.
    """

    paid: tuple[int, int] = (0, 0)
    swept: int | None = None
    swept_counters: int = 0
    last_out: int = 0


class PaymentQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand pay?"""

    plain: Annotated[Count, Meta(title="Cards, red nines aside")] = 0
    red_nines: Annotated[Count, Meta(title="Red nines")] = 0
    out_on_red_nine: Annotated[bool, Meta(title="The winner went out on a red nine")] = False


class RunQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be laid after that one?"""

    cards: Annotated[ShortSuitedRunText, Meta(title="Cards laid, in order")] = ""
    last: Annotated[
        ShortSuitedRunText, Meta(title="The last card before; empty: free to begin")
    ] = ""


class RedNines1881(Game[Sheet, HouseRules]):
    """Runs upward in suit, red nines wild; the first out is paid, and may sweep a pool."""

    slug = "red-nines-1881"
    title = "Red Nines (1881)"
    summary = "Stops, for counters: runs in suit, two pools, a red nine last pays double."
    sources = (
        Source(
            "H. K., “Red Nines”, 1881, as Wikipedia’s article on Red Nines tells it",
            "The pack, the two pools, the runs and the payments. It describes eight "
            "players; for other numbers we deal as in Pink Nines.",
        ),
        Source(
            "“Newmarket”, playingcardgames.net",
            "What nobody has won stays for the next deal.",
        ),
        Source(
            "Descriptions of Michigan rummy",
            "What is left at the very end is divided equally.",
        ),
    )
    unit = "counter"
    sections = {
        "deal": "the deal",
        "pools": "the pools",
        "play": "runs and stops",
        "red-nines": "red nines",
        "score": "payments",
        "end": "the end",
    }
    pool_names = {"red_nine": "red-nine pool", "red_ace": "red-ace pool"}
    house_rules = HouseRules
    entry_kinds = (Aces, Out)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """What a hand pays, and runs."""
        return (
            Judge(
                "payment",
                "What do I pay?",
                PaymentQuestion,
                self.judge_payment,
                yes_or_no=False,
                section="score",
            ),
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
        """Any number, says the source; with more than ten there is little left to play."""
        return range(2, 11)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Forty cards divided equally, the rest on the table for the dealer's eyes only."""
        each = DEALT // len(table.players)
        left = DECK - each * len(table.players)
        name = table.players[dealer]
        begins = table.players[table.left_of(dealer)]
        pack = f" The 2s and 3s stay out, which leaves {DECK} cards." if number == 1 else ""
        says = (
            f"{name} deals {each} cards each; {begins} begins.{pack}",
            f"{left} cards lie face down on the table. Only {name} may look at them, and cries "
            "“stop” when one is wanted.",
        )
        return Deal(number, each, left, "table", DECK, says)

    def first(self, table: Table) -> Sheet:
        """The counters everybody begins with, and two empty pools."""
        counters = (table.options.counters,) * len(table.players)
        pools = dict.fromkeys(self.pool_names, 0)
        return Sheet(table=table, deal=1, dealer=table.dealer, scores=counters, pools=pools)

    def begin_deal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """The dealer dresses the pools."""
        options: HouseRules = state.table.options
        moves = Moves(state.pools)
        for pool, full in options.stakes.items():
            lying = state.pools[pool] if options.unswept == "top-up" else 0
            reason = f"dressed the {self.pool_names[pool]}"
            moves.stake(state.name(state.dealer), pool, max(0, full - lying), reason)
        nine, ace = (moves.pools[pool] - state.pools[pool] for pool in self.pool_names)
        dealt = replace(
            scored(state, moves.lines),
            pools=moves.pools,
            paid=(nine, ace),
            swept=None,
            swept_counters=0,
        )
        return dealt, moves.lines

    def redeal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """A red-ace pool swept in the void deal goes back; stakes stay where they are."""
        if state.swept is None:
            return state, []
        moves = Moves(state.pools)
        name, counters = state.name(state.swept), state.swept_counters
        moves.stake(name, "red_ace", counters, "put the red-ace pool back")
        again = replace(scored(state, moves.lines), pools=moves.pools, swept=None, swept_counters=0)
        return again, moves.lines

    def last_deal(self, table: Table) -> int | None:
        """Everybody deals once, unless another number was agreed."""
        return table.options.deals or len(table.players)

    def wind_up(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """The pools are divided, odd counters from the dealer's left, or go to the last winner."""
        options: HouseRules = state.table.options
        moves = Moves(state.pools)
        order = state.table.clockwise_from(state.table.left_of(state.dealer))
        for pool, words in self.pool_names.items():
            if options.leftover == "divide":
                players = [state.name(seat) for seat in order]
                moves.divide(pool, players, f"share of the {words}, left at the end")
            else:
                moves.sweep(pool, state.name(state.last_out), f"the {words}, left at the end")
        return replace(scored(state, moves.lines), pools=moves.pools), moves.lines

    def result(self, state: Sheet, completed: int) -> tuple[int, ...]:
        """After the last deal, the most counters."""
        return best_scores(state.scores) if completed == self.last_deal(state.table) else ()

    def notes(self, state: Sheet) -> tuple[str, ...]:
        """Who dressed the pools and what lies in them."""
        if state.table.options.red_nine_pool == 0:
            return ("No counters are staked: there are only payments.",)
        nine, ace = state.paid
        lying = state.pools
        says = [
            f"{state.name(state.dealer)} dresses the pools: {nine} for the red nine, "
            f"{ace} for the red aces.",
            f"In the pools: {lying['red_nine']} for going out on a red nine, "
            f"{lying['red_ace']} for playing both red aces.",
        ]
        if state.swept is not None:
            says.append(f"{state.name(state.swept)} has played both red aces.")
        return tuple(says)

    # --- entries

    def faults(self, state: Sheet, entry: Entry) -> list[Fault]:
        """Rule on a sweep of the red-ace pool, or on the end of a deal."""
        if isinstance(entry, Out):
            return list(self._out_faults(state, entry))
        if state.swept is None:
            return []
        message = f"{state.name(state.swept)} has swept the red-ace pool in this deal already."
        return [self.fault("aces-swept", message, "pools")]

    def play(self, state: Sheet, entry: Entry) -> tuple[Sheet, list[Line]]:
        """Sweep the red-ace pool, or settle the deal."""
        moves = Moves(state.pools)
        if isinstance(entry, Aces):
            moves.sweep("red_ace", entry.player, "both red aces: the red-ace pool")
            after = replace(
                scored(state, moves.lines),
                pools=moves.pools,
                swept=state.seat(entry.player),
                swept_counters=state.pools["red_ace"],
            )
            return after, moves.lines
        assert isinstance(entry, Out)
        hands = _counted(typed_hands(entry.hands, SUITED_RED_NINES), entry)
        for player in (name for name in state.table.players if name in hands):
            hand = hands[player]
            doubled = ", doubled" if entry.red_nine else ""
            reason = f"{_in_words(hand)} left with {player}{doubled}"
            moves.pay(player, entry.player, _payment(hand, entry.red_nine), reason)
        if entry.red_nine:
            moves.sweep("red_nine", entry.player, "out on a red nine: the red-nine pool")
        won = replace(state, pools=moves.pools, last_out=state.seat(entry.player))
        return self.end_deal(won, moves.lines)

    def _out_faults(self, state: Sheet, entry: Out) -> Iterable[Fault]:
        typed = typed_hands(entry.hands, SUITED_RED_NINES)
        hands = _counted(typed, entry)
        held = {player: hand.plain + hand.red_nines for player, hand in hands.items()}
        table = state.table
        each = self.plan(table, state.deal, state.dealer).each
        yield from hand_faults(self.fault, table.players, entry.player, held, each)
        yield from pack_faults(
            PACK, self.fault, [card for cards in typed.values() for card in cards]
        )
        number = sum(hand.red_nines for hand in hands.values())
        out_on_one = entry.player if entry.red_nine else None
        yield from red_nine_faults(PACK, self.fault, number, out_on_one)
        if state.swept is None:
            return
        for player, cards in typed.items():
            for card in dict.fromkeys(card for card in cards if card in RED_ACES):
                message = (
                    f"{player} cannot hold {card_name(card)}: {state.name(state.swept)} swept the "
                    "red-ace pool, so both red aces have been played."
                )
                yield self.fault("ace-played", message, "pools")

    # --- rulings

    def judge_payment(self, asked: PaymentQuestion) -> Ruling:
        """What a loser pays the winner, in counters."""
        hand = Counted(asked.plain, asked.red_nines)
        faults = []
        most = DEALT // self.seats(HouseRules())[0]
        if hand.plain + hand.red_nines > most:
            message = f"{hand.plain + hand.red_nines} cards? Nobody is dealt more than {most}."
            faults.append(self.fault("too-many-cards", message, "deal"))
        out_on_one = "the winner" if asked.out_on_red_nine else None
        faults.extend(red_nine_faults(PACK, self.fault, hand.red_nines, out_on_one))
        counters = _payment(hand, asked.out_on_red_nine)
        doubled = ", doubled for going out on a red nine" if asked.out_on_red_nine else ""
        says = f"Pay {counters}: {_in_words(hand)}{doubled}."
        if counters == 0:
            says = "Nothing held, nothing to pay."
        return Ruling(tuple(faults), {"counters": counters}, () if faults else (says,))

    def judge_run(self, asked: RunQuestion) -> Ruling:
        """Whether the cards follow one another in suit, and what comes next."""
        return rule_on_run(RUNS, self.fault, asked.cards, asked.last)

    def spread_run(self, asked: RunQuestion) -> tuple[Spread, ...]:
        """The run, what breaks it marked, and the card that must follow."""
        return spread_run(RUNS, self.fault, asked.cards, asked.last)


def _counted(typed: dict[str, tuple[Card, ...]], entry: Out) -> dict[str, Counted]:
    """All hands of an entry as numbers."""
    return {
        player: _count(typed[player]) if isinstance(hand, str) else hand
        for player, hand in entry.hands.items()
    }


def _count(cards: tuple[Card, ...]) -> Counted:
    red = sum(is_red_nine(card) for card in cards)
    return Counted(len(cards) - red, red)


def _payment(hand: Counted, doubled: bool) -> int:
    """What a hand pays, in counters: a red nine counts two cards (`rules.md` §4, settlement)."""
    return (hand.plain + 2 * hand.red_nines) * (2 if doubled else 1)


def _in_words(hand: Counted) -> str:
    """A hand in words: "2 cards and a red nine"."""
    parts = []
    if hand.plain:
        parts.append("1 card" if hand.plain == 1 else f"{hand.plain} cards")
    if hand.red_nines:
        parts.append("a red nine" if hand.red_nines == 1 else f"{hand.red_nines} red nines")
    return " and ".join(parts)


GAME = RedNines1881()

"""The gambling version: the table of strengths, odds, and hands played at random."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from math import comb, prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import RANKS, VALUE
from referee.rules.cards.groups import is_group
from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.core.table import Table
from referee.rules.documents import ruling_document
from referee.rules.games.multiple_9_holdem import GAME
from referee.rules.games.multiple_9_holdem.arrangement import arrange
from referee.rules.games.multiple_9_holdem.house_rules import HouseRules
from referee.rules.games.multiple_9_holdem.odds import chances
from referee.rules.games.multiple_9_holdem.pots import pot_names
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.games.multiple_9_holdem.strength import (
    all_hands,
    compute_strengths,
    key_of,
    strength_table,
    strengths,
)
from referee.sheets.files import play_through, sheet_from

PACK = [rank for rank in RANKS for _ in range(4)]
#: Of all 133,784,560 hands of seven cards, those with so many nines (docs/rules.md §2, census).
CENSUS = {
    0: 2_947_112, 1: 10_597_392, 2: 27_063_620, 3: 38_768_248, 4: 32_969_556,
    5: 16_116_132, 6: 4_549_232, 7: 714_980, 8: 56_252, 9: 2_036,
}  # fmt: skip

hands = st.permutations(PACK).map(lambda pack: pack[:7])


# --- strength


def test_the_shipped_table_is_the_one_the_rules_make() -> None:
    """All 49,205 hands, 7,278 strengths, the same as computed afresh."""
    keys = [key_of(hand) for hand in all_hands(RANKS)]
    assert len(set(keys)) == len(keys) == 49_205
    shipped = [strength_table()[key] for key in keys]
    assert len(set(shipped)) == 7_278
    assert shipped == compute_strengths()


def test_census() -> None:
    """As many hands with so many nines as an exhaustive count has found."""
    nines_of: dict[int, int] = {}
    found: Counter[int] = Counter()
    for ranks in all_hands(RANKS):
        strength = strength_table()[key_of(ranks)]
        if strength not in nines_of:
            nines_of[strength] = arrange(ranks).nines
        ways = prod(comb(4, number) for number in Counter(ranks).values())
        found[nines_of[strength]] += ways
    assert found == CENSUS


@given(hands, hands)
@settings(max_examples=200, deadline=None)
def test_the_table_orders_as_arrangements_do(one: list[str], other: list[str]) -> None:
    """Of two hands the one with the better arrangement has the greater strength."""
    better = arrange(one).order > arrange(other).order
    assert (strengths(key_of(one), [0]) > strengths(key_of(other), [0])) == better


@given(hands)
@settings(max_examples=60, deadline=None)
def test_an_arrangement_is_the_best_there_is(hand: list[str]) -> None:
    """Trying every way to use some of the cards finds nothing better, and the cards are all there.

    The order in which they were written does not matter.
    """
    found = arrange(hand)
    cards = [rank for group in (*found.groups, *found.unused) for rank in group]
    assert Counter(cards) == Counter(hand)
    assert all(is_group(group) for group in found.groups)
    assert found.nines * 9 == sum(VALUE[rank] for group in found.groups for rank in group)
    assert found == arrange(sorted(hand))
    assert found.order == max(_every_order(hand))


def _every_order(hand: list[str]) -> Any:
    """How every way to take groups out of a hand compares: the slow way, straight from the rule."""
    seen: set[tuple[str, ...]] = set()
    todo = [tuple(sorted(hand))]
    total = sum(VALUE[rank] for rank in hand)
    while todo:
        rest = todo.pop()
        if rest in seen:
            continue
        seen.add(rest)
        left = Counter(rest)
        worth = [number * (14 if rank == "A" else VALUE[rank]) for rank, number in left.items()]
        nines = (total - sum(VALUE[rank] for rank in rest)) // 9
        yield nines, -len(left), tuple(sorted(worth, reverse=True))
        for size in range(1, len(rest) + 1):
            for group in set(itertools.combinations(rest, size)):
                if is_group(group):
                    todo.append(tuple(sorted((Counter(rest) - Counter(group)).elements())))


# --- odds


@pytest.mark.parametrize("seed", range(3))
def test_odds_are_those_of_every_single_deal(seed: int) -> None:
    """Running through ranks with weights is the same as dealing every pair of cards."""
    pack = random.Random(seed).sample(PACK, 52)
    players = {"Ann": pack[:2], "Ben": pack[2:4], "Cat": pack[4:6]}
    flop, rest = pack[6:9], pack[9:]
    won: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    part: Counter[str] = Counter()
    deals = list(itertools.combinations(rest, 2))
    for turn_river in deals:
        orders = {
            name: arrange([*hole, *flop, *turn_river]).order for name, hole in players.items()
        }
        best = [name for name, order in orders.items() if order == max(orders.values())]
        for name in best:
            (won if len(best) == 1 else shared)[name] += 1
            part[name] += Fraction(1, len(best))  # type: ignore[assignment]
    found = chances(players, flop)
    for name in players:
        assert found[name].win == Fraction(won[name], len(deals))
        assert found[name].tie == Fraction(shared[name], len(deals))
        assert found[name].share == Fraction(part[name]) / len(deals)


@pytest.mark.parametrize("board", ["Q Q J J J", "Q Q Q J J", "Q Q Q Q J"])
def test_nobody_else_has_nine_nines_beside_the_royal_hand(board: str) -> None:
    """So the odds need not know whether it is played as the best of those."""
    left = Counter(dict.fromkeys(RANKS, 4))
    left.subtract([*"QQQQJJJ"])
    others = set(itertools.combinations(left.elements(), 2))
    assert max(arrange([*board.split(), *hole]).nines for hole in others) == 8


@given(st.permutations(PACK), st.integers(2, 10), st.sampled_from([0, 3, 4, 5]))
@settings(max_examples=30, deadline=None)
def test_the_whole_pot_is_shared(pack: list[str], players: int, board: int) -> None:
    """Shares add up to one pot, before the flop too."""
    holes = {f"P{place}": pack[2 * place : 2 * place + 2] for place in range(players)}
    found = chances(holes, pack[40 : 40 + board])
    assert sum(chance.share for chance in found.values()) == 1
    assert all(chance.win <= chance.share <= chance.win + chance.tie for chance in found.values())


# --- what is said


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("8 2 J 7 9 2 10", "5 nines (J+7, 10+8, and 9), left over: 2+2"),
        ("8 7 J 7 9 2 10", "6 nines (J+7, 10+8, 7+2, and 9)"),
        ("9", "1 nine (9)"),
        ("A A 2", "no nines, left over: A+A and 2"),
    ],
)
def test_an_arrangement_in_words(hand: str, words: str) -> None:
    """The groups, and what is left over, where there is any of either."""
    assert str(arrange(hand.split()).in_words()) == words


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (0, []),
        (1, ["the pot"]),
        (2, ["the main pot", "the side pot"]),
        (3, ["the main pot", "side pot 1", "side pot 2"]),
    ],
)
def test_pots_have_names(number: int, names: list[str]) -> None:
    """Side pots are numbered only where there are several."""
    assert list(map(str, pot_names(number))) == names


@pytest.mark.parametrize(
    ("options", "moves", "says"),
    [
        ({}, [], "Ann to act: 2 to call, or raise to 4–200"),
        (
            {},
            [("Ann", "call", None), ("Ben", "call", None)],
            "Cat to act: check, or raise to 4–200",
        ),
        ({}, [("Ann", "raise", 200)], "Ben to act: 199 to call"),
        ({"stack": 3}, [], "Ann to act: 2 to call, or raise to 3"),
        (
            {"structure": "fixed-limit"},
            [("Ann", "call", None), ("Ben", "call", None)],
            "Cat to act: check, or raise to 4",
        ),
    ],
)
def test_the_deal_card_says_what_can_be_done(
    options: dict[str, Any], moves: list[tuple[str, str, int | None]], says: str
) -> None:
    """What a call costs, and what a raise may come to, where there may be one."""
    state = GAME.start(Table(("Ann", "Ben", "Cat"), 0, HouseRules(**options)))
    for player, move, to in moves:
        entry = {"action": "bet", "player": player, "move": move, "to": to}
        state, _ = GAME.apply(state, GAME.read_entry(entry))
    assert str(GAME.board(state).says[-1]) == says


def test_a_first_bet_is_no_raise() -> None:
    """After the flop the card, the line and the fault speak of a bet."""
    state = GAME.start(Table(("Ann", "Ben"), 0, HouseRules()))
    for entry in (
        {"action": "bet", "player": "Ann", "move": "call"},
        {"action": "bet", "player": "Ben", "move": "check"},
        {"action": "board", "cards": "J 7 9"},
    ):
        state, _ = GAME.apply(state, GAME.read_entry(entry))
    assert str(GAME.board(state).says[-1]) == "Ben to act: check, or bet 2–198"
    bet = {"action": "bet", "player": "Ben", "move": "raise"}
    (fault,) = GAME.check(state, GAME.read_entry({**bet, "to": 1})).faults
    assert fault.message == "1? The smallest bet here is 2."
    _, lines = GAME.apply(state, GAME.read_entry({**bet, "to": 198}))
    assert str(lines[0].reason) == "bet 198, all in"


# --- whole hands at random


class Dealer:
    """Plays a sheet at random, and keeps the accounts of each hand in its own, simple way."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.names = [f"P{place}" for place in range(self.chance.randint(2, 9))]
        options = HouseRules(
            stack=self.chance.choice([1, 3, 7, 20, 60, 200]),
            small_blind=self.chance.choice([1, 2]),
            structure=self.chance.choice(["no-limit", "no-limit", "pot-limit", "fixed-limit"]),
        )
        self.table = Table(tuple(self.names), self.chance.randrange(len(self.names)), options)
        self.state: HoldemState = GAME.start(self.table)
        self.chips = options.stack * len(self.names)
        self.hands = 0
        self.new_hand()

    def new_hand(self) -> None:
        """Shuffle, and open the accounts."""
        self.pack = self.chance.sample(PACK, 52)
        self.before = self.state.stakes.held
        self.paid = list(self.state.spot.paid)
        self.folded: set[int] = set()

    def do(self, entry: dict[str, Any]) -> None:
        """Make an entry, and count all the chips."""
        before = self.state
        lines: Any
        self.state, lines = GAME.apply(before, GAME.read_entry(entry))
        if entry["action"] == "buy":
            self.chips += entry["amount"]
            self.new_hand()
        assert sum(self.state.scores) + self.state.pools["pot"] == self.chips
        for seat, name in enumerate(self.names):
            change = sum(line.points for line in lines if line.player == name)
            assert self.state.scores[seat] - before.scores[seat] == change
            assert self.state.scores[seat] >= 0

    def refused(self, entry: dict[str, Any]) -> None:
        """This entry must be against the rules."""
        with pytest.raises(IllegalEntry):
            GAME.apply(self.state, GAME.read_entry(entry))

    def step(self) -> None:
        """One entry, and now and then one that is refused."""
        options = GAME.betting(self.state)
        felt = GAME.felt(self.state)
        if not self.state.actions and self.chance.random() < 0.1:
            self.do({"action": "buy", "player": self.chance.choice(self.names), "amount": 25})
        elif options is not None:
            self.bet()
        elif felt.due == "board":
            number = len(self.state.board) or 0
            cards = self.pack[number : number + (1 if number else 3)]
            self.refused({"action": "board", "cards": " ".join([*cards, "2"])})
            self.refused({"action": "bet", "player": self.names[0], "move": "check"})
            self.do({"action": "board", "cards": " ".join(cards)})
        else:
            self.show()

    def bet(self) -> None:
        """Any legal move, after some that are not."""
        options = GAME.betting(self.state)
        assert options is not None
        assert options.player == GAME.board(self.state).acts
        seat = self.state.seat(options.player)
        bet = {"action": "bet", "player": options.player}
        least = 0 if self.state.board else self.state.stakes.big
        highest = max(least, *self.state.spot.bets)
        assert options.call == min(options.stack, highest - options.bet)
        all_in = options.stack + options.bet
        if options.least is None or options.most is None:
            self.refused({**bet, "move": "raise", "to": all_in})
        else:
            assert highest < options.least <= options.most <= all_in
            self.refused({**bet, "move": "raise", "to": options.most + 1})
            self.refused({**bet, "move": "raise", "to": options.least - 1})
        self.refused({**bet, "move": "check" if options.call else "call"})
        move = self.chance.choices(["fold", "middle", "raise"], [2, 6, 4])[0]
        deal = self.state.deal
        if move == "raise" and options.least is not None and options.most is not None:
            to = self.chance.choice(
                [options.least, options.most, self.chance.randint(options.least, options.most)]
            )
            self.paid[seat] += to - options.bet
            self.do({**bet, "move": "raise", "to": to})
        elif move == "fold":
            self.folded.add(seat)
            self.do({**bet, "move": "fold"})
        else:
            self.paid[seat] += options.call
            self.do({**bet, "move": "call" if options.call else "check"})
        if self.state.deal != deal or self.state.finished:
            self.check_payout({})

    def show(self) -> None:
        """Nearly everybody still in shows, and somebody for every pot that several could win."""
        cards = self.pack[5:]
        live = list(self.state.spot.live)
        shown = {seat: cards[2 * seat : 2 * seat + 2] for seat in live}
        contested = [pot.players for pot in self.state.spot.pots if len(pot.players) > 1]
        for seat in live:
            needed = any(not any(shown[s] for s in pot if s != seat) for pot in contested)
            if not needed and self.chance.random() < 0.25:
                shown[seat] = []
        button, board = self.state.dealer, list(self.state.board)
        self.do(
            {
                "action": "show",
                "hands": {self.names[seat]: " ".join(hole) for seat, hole in shown.items()},
            }
        )
        orders = {seat: arrange([*hole, *board]).order for seat, hole in shown.items() if hole}
        self.check_payout(orders, button)

    def check_payout(self, orders: dict[int, Any], button: int = 0) -> None:
        """Compare what everybody has before the next hand with layers reckoned chip by chip."""
        stacks = [held - paid for held, paid in zip(self.before, self.paid, strict=True)]
        pots: Counter[tuple[int, ...]] = Counter()
        live = [s for s, held in enumerate(self.before) if held and s not in self.folded]
        for level in range(1, max(self.paid) + 1):
            layer = [seat for seat, paid in enumerate(self.paid) if paid >= level]
            if len(layer) == 1:
                stacks[layer[0]] += 1  # nobody has matched it
            else:
                able = tuple(seat for seat in layer if seat in live)
                pots[able or max(pots, key=list(pots).index)] += len(layer)
        for able, amount in pots.items():
            showing = [seat for seat in able if seat in orders] or list(able)
            best = max((orders.get(seat, ()) for seat in showing), default=())
            winners = [seat for seat in showing if orders.get(seat, ()) == best]
            winners.sort(key=lambda seat: (seat - button - 1) % len(self.names))
            for place, seat in enumerate(winners):
                stacks[seat] += amount // len(winners) + (place < amount % len(winners))
        after = self.state.scores if self.state.finished else self.state.stakes.held
        assert list(after) == stacks
        self.hands += 1
        self.new_hand()


def test_chips_are_conserved_in_hands_played_at_random() -> None:
    """Whole hands with 2 to 9 players: no chip made or lost, side pots as reckoned in layers."""
    hands = 0
    for seed in range(120):
        dealer = Dealer(seed)
        while dealer.hands < 8 and not dealer.state.finished:
            dealer.step()
        hands += dealer.hands
    assert hands >= 300


def test_a_hand_is_abandoned_at_any_point() -> None:
    """Everything goes back to the beginning of the hand, blinds posted."""
    for seed in range(25):
        dealer = Dealer(seed)
        at_start = dealer.state
        for _ in range(12):
            if dealer.state.finished:
                break
            if not dealer.state.actions:
                at_start = dealer.state
            after, _ = GAME.apply(dealer.state, GAME.read_entry({"action": "abandon"}))
            assert after == at_start
            dealer.step()


# --- anything at all


names = st.sampled_from(["Ann", "Ben", "Cat", "Dan", ""])
cards = st.one_of(
    st.lists(st.sampled_from([*RANKS, "T", "*"]), max_size=6).map(" ".join), st.text(max_size=8)
)
chips = st.one_of(st.integers(-5, 250), st.integers(), st.none(), st.booleans())
entries = st.one_of(
    st.fixed_dictionaries(
        {"action": st.just("bet"), "player": names, "move": st.sampled_from(["fold", "check"])}
    ),
    st.fixed_dictionaries(
        {"action": st.just("bet"), "player": names, "move": st.sampled_from(["call", "raise"])},
        optional={"to": chips},
    ),
    st.fixed_dictionaries({"action": st.just("board"), "cards": cards}),
    st.fixed_dictionaries({"action": st.just("show"), "hands": st.dictionaries(names, cards)}),
    st.fixed_dictionaries(
        {
            "action": st.just("hand"),
            "won": st.dictionaries(names, chips),
            "lost": st.dictionaries(names, chips),
        }
    ),
    st.fixed_dictionaries({"action": st.just("buy"), "player": names, "amount": chips}),
    st.fixed_dictionaries(
        {"action": st.just("adjust"), "player": names, "points": chips, "reason": cards},
        optional={"to": names},
    ),
    st.fixed_dictionaries({"action": st.just("abandon")}),
)


@given(st.lists(entries, max_size=30), st.integers(1, 12))
@settings(max_examples=300, deadline=None)
def test_any_entries_are_ruled_on(wild: list[dict[str, Any]], stack: int) -> None:
    """Whatever is entered is done or refused; refused entries are left out, and it goes on."""
    done: list[dict[str, Any]] = []
    file = {"referee": 1, "game": GAME.slug, "players": ["Ann", "Ben", "Cat"]}
    for entry in wild:
        try:
            sheet = sheet_from({**file, "options": {"stack": stack}, "entries": [*done, entry]})
            play_through(sheet.game, sheet.table, sheet.entries)
        except RefereeError:
            continue
        done.append(entry)


@given(st.sampled_from(["hand", "showdown", "odds", "pots"]), st.data())
@settings(max_examples=300, deadline=None)
def test_any_question_is_answered(judge: str, data: st.DataObject) -> None:
    """A ruling or a refusal, never anything else."""
    by_name = st.lists(st.tuples(names, st.one_of(cards, chips.map(str)))).map(
        lambda pairs: ";".join(f"{name}:{value}" for name, value in pairs)
    )
    fields = {
        field: data.draw(st.one_of(cards, by_name), label=field)
        for field in GAME.judges[judge].question.__struct_fields__
    }
    try:
        ruling = GAME.judges[judge].answer(fields)
    except RefereeError:
        return
    assert ruling.legal or ruling.faults
    ruling_document(ruling)

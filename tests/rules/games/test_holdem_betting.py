"""The betting of hold’em hands: one step by step, many at random, and results entered alone."""

import random
from collections import Counter
from typing import Any

import pytest

from referee.rules.cards.cards import RANKS
from referee.rules.core.ruling import IllegalEntry
from referee.rules.core.table import Table
from referee.rules.games.multiple_9_holdem import GAME
from referee.rules.games.multiple_9_holdem.betting import Turn
from referee.rules.games.multiple_9_holdem.entries import HouseRules
from referee.rules.games.multiple_9_holdem.hands import arrange
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.sheets.files import seat_table
from tests.support.likely_play import likely

PACK = [rank for rank in RANKS for _ in range(4)]
HANDS = 40


def entered(state: HoldemState, **written: Any) -> HoldemState:
    """The state after an entry, which must be legal."""
    return GAME.apply(state, GAME.read_entry(written))[0]


def begun(players: list[str], **options: Any) -> HoldemState:
    return GAME.start(seat_table(GAME.slug, players, None, options)[1])


# --- one hand


def test_the_blinds_of_a_hand_not_played_go_back() -> None:
    """Ben is broke and Ann leaves: Cat has won, and no chips are left in the pot."""
    state = begun(["Ann", "Ben", "Cat"], stack=10)
    state = entered(state, action="hand", won={"Cat": 10}, lost={"Ben": 10})
    assert GAME.judges["pots"].known(state) == {"paid": {"Ann": "2", "Cat": "1"}, "folded": {}}
    state = entered(state, action="leave", player="Ann")
    assert state.winners == (state.seat("Cat"),)
    assert GAME.judges["pots"].known(state) == {"paid": {}, "folded": {}}


# --- whole hands at random


class Dealer:
    """Plays a sheet at random, and keeps its own simple accounts of each hand."""

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
        self.paid = list(self.state.betting.paid)
        self.folded: set[int] = set()

    def do(self, **written: Any) -> None:
        """Make an entry, and count all the chips."""
        before = self.state
        lines: Any
        self.state, lines = GAME.apply(before, GAME.read_entry(written))
        if written["action"] == "buy":
            self.chips += written["amount"]
            self.new_hand()
        assert sum(self.state.scores) + self.state.pools["pot"] == self.chips
        for seat, name in enumerate(self.names):
            change = sum(line.points for line in lines if line.player == name)
            assert self.state.scores[seat] - before.scores[seat] == change
            assert self.state.scores[seat] >= 0

    def refused(self, **written: Any) -> None:
        with pytest.raises(IllegalEntry):
            GAME.apply(self.state, GAME.read_entry(written))

    def step(self) -> None:
        """One entry, and now and then one that is refused."""
        if not self.state.begun and self.chance.random() < 0.1:
            self.do(action="buy", player=self.chance.choice(self.names), amount=25)
        elif self.state.betting.turn is not None:
            self.bet(self.state.betting.turn)
        elif self.state.due == "board":
            number, least = len(self.state.board), 1 if self.state.board else 3
            live, stacks = self.state.betting.live, self.state.betting.stacks
            runs_out = sum(stacks[seat] > 0 for seat in live) < 2
            most = 5 - number if runs_out else least
            cards = self.pack[number : number + self.chance.randint(least, most)]
            self.refused(action="board", cards=" ".join(self.pack[number : number + most + 1]))
            self.refused(action="bet", player=self.names[0], move="check")
            self.do(action="board", cards=" ".join(cards))
        else:
            self.show()

    def bet(self, turn: Turn) -> None:
        """Make any legal move, after some illegal ones."""
        player, deal = self.names[turn.seat], self.state.deal
        assert player == GAME.board(self.state).acts
        least = 0 if self.state.board else self.state.stakes.blinds.big
        highest = max(least, *self.state.betting.bets)
        assert turn.call == min(turn.stack, highest - turn.bet)

        def can(move: str, to: int | None = None) -> dict[str, Any]:
            return {"action": "bet", "player": player, "move": move, "to": to}

        self.refused(**can("check" if turn.call else "call"))
        moves = [can("fold")] * 2 + [can("call" if turn.call else "check")] * 6
        if turn.least is None or turn.most is None:
            self.refused(**can("raise", turn.all_in))
        else:
            assert highest < turn.least <= turn.most <= turn.all_in
            self.refused(**can("raise", turn.most + 1))
            self.refused(**can("raise", turn.least - 1))
            some = self.chance.randint(turn.least, turn.most)
            moves += [can("raise", to) for to in (turn.least, turn.most, some, some)]
        move = self.chance.choice(moves)
        if move["move"] == "fold":
            self.folded.add(turn.seat)
        else:
            self.paid[turn.seat] += move["to"] - turn.bet if move["to"] else turn.call
        self.do(**move)
        if self.state.deal != deal or self.state.finished:
            self.check_payout({})

    def show(self) -> None:
        """Nearly everybody still in shows, and somebody for every contested pot."""
        cards = self.pack[5:]
        live = list(self.state.betting.live)
        shown = {seat: cards[2 * seat : 2 * seat + 2] for seat in live}
        contested = [pot.players for pot in self.state.betting.pots if len(pot.players) > 1]
        for seat in live:
            needed = any(not any(shown[s] for s in pot if s != seat) for pot in contested)
            if not needed and self.chance.random() < 0.25:
                shown[seat] = []
        button, board = self.state.dealer, list(self.state.board)
        hands = {
            self.names[seat]: " ".join(hole)
            for seat, hole in shown.items()
            if hole or self.chance.random() < 0.5  # a player who mucks is left out, or named
        }
        self.do(action="show", hands=hands)
        orders = {seat: arrange([*hole, *board]).order for seat, hole in shown.items() if hole}
        self.check_payout(orders, button)

    def check_payout(self, orders: dict[int, Any], button: int = 0) -> None:
        """Compare the stacks before the next hand with pots divided chip by chip."""
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
    """Whole hands with 2 to 9 players; side pots as computed layer by layer."""
    hands = 0
    for seed in range(120):
        dealer = Dealer(seed)
        while dealer.hands < 8 and not dealer.state.finished:
            dealer.step()
        hands += dealer.hands
    assert hands >= 300


def test_a_hand_can_be_abandoned_at_any_point() -> None:
    """All chips return to how the hand began, with blinds posted."""
    for seed in range(25):
        dealer = Dealer(seed)
        at_start = dealer.state
        for _ in range(12):
            if dealer.state.finished:
                break
            if not dealer.state.begun:
                at_start = dealer.state
            assert entered(dealer.state, action="abandon") == at_start
            dealer.step()


# --- a hand's result, recorded instead of its betting


def played(chance: random.Random, state: HoldemState) -> HoldemState:
    """Play the hand in progress bet by bet, to its end."""
    deal = state.deal
    while state.deal == deal and not state.finished:
        written = likely(chance, GAME.slug, state)
        if written["action"] != "hand":
            state = entered(state, **written)
    return state


@pytest.mark.parametrize("seed", range(4))
def test_the_result_of_a_played_hand_is_accepted(seed: int) -> None:
    """It scores the same entered alone, with short blinds, antes or split pots."""
    chance, hands = random.Random(seed), 0
    while hands < HANDS:
        blinds = {"small": 1, "big": chance.choice([2, 5]), "ante": chance.choice([0, 1, 2])}
        state = begun(
            [f"P{seat}" for seat in range(chance.randint(2, 6))],
            stack=chance.choice([3, 10, 50]),
            structure=chance.choice(["no-limit", "pot-limit", "fixed-limit"]),
        )
        state = entered(state, action="blinds", **blinds)
        while not state.finished and hands < HANDS:
            after = played(chance, state)
            stacks = after.scores if after.finished else after.stakes.held
            changes = {
                state.name(seat): stacks[seat] - held for seat, held in enumerate(state.stakes.held)
            }
            won = {name: change for name, change in changes.items() if change > 0}
            lost = {name: -change for name, change in changes.items() if change < 0}
            won = won or {state.name(state.stakes.seats[0]): 0}  # nobody won: somebody won 0
            assert entered(state, action="hand", won=won, lost=lost).scores == after.scores
            state, hands = after, hands + 1

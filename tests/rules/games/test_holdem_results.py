"""Results of hold’em hands entered without their betting: no possible one is refused.

Hands are played here without the code of the game: who paid how much, who folded, whose cards are
better, and what each player gets, chip by chip.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pytest
from msgspec import Struct

from referee.rules.games.multiple_9_holdem import GAME
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.sheets.files import seat_table


class Hand(Struct, frozen=True):
    """The table before a hand: chips by seat (above 0), the button, blinds and ante."""

    held: tuple[int, ...]
    button: int
    small: int
    big: int
    ante: int

    @property
    def order(self) -> list[int]:
        """The seats from the left of the button."""
        return [(self.button + step) % len(self.held) for step in range(1, len(self.held) + 1)]

    @property
    def posted(self) -> list[int]:
        """What each seat has paid before anybody acts."""
        due = [self.ante] * len(self.held)
        small, big = self.order[:2] if len(self.held) > 2 else reversed(self.order)
        due[small] += self.small
        due[big] += self.big
        return [min(chips, held) for chips, held in zip(due, self.held, strict=True)]

    def brings(self, paid: Sequence[int], rank: Mapping[int, int]) -> list[int]:
        """What each seat wins or loses; among those still in, the highest `rank` is best.

        Chip by chip: the first of everybody, then the second, as long as several have paid it.
        """
        net = [-chips for chips in paid]
        pots: dict[tuple[int, ...], int] = {}
        for level in range(1, max(paid) + 1):
            payers = [seat for seat, chips in enumerate(paid) if chips >= level]
            able = tuple(seat for seat in self.order if seat in payers and seat in rank)
            if len(payers) == 1:
                net[payers[0]] += 1
            else:
                able = able or list(pots)[-1]
                pots[able] = pots.get(able, 0) + len(payers)
        for able, chips in pots.items():
            best = [seat for seat in able if rank[seat] == max(rank[other] for other in able)]
            for place, seat in enumerate(best):
                net[seat] += chips // len(best) + (place < chips % len(best))
        assert sum(net) == 0
        return net

    def begun(self) -> HoldemState:
        """The game’s own state at this table."""
        names = [f"P{seat}" for seat in range(len(self.held))]
        options = {"stack": 1, "small_blind": 1, "big_blind": 1}
        state = GAME.start(seat_table(GAME.slug, names, names[self.button], options)[1])
        blinds = {"small": self.small, "big": self.big, "ante": self.ante}
        entries: list[dict[str, object]] = [{"action": "blinds", **blinds}]
        entries += [
            {"action": "buy", "player": name, "amount": chips - 1}
            for name, chips in zip(names, self.held, strict=True)
            if chips > 1
        ]
        for entry in entries:
            state = GAME.apply(state, GAME.read_entry(entry))[0]
        assert state.stakes.held == self.held
        return state


def refused(state: HoldemState, net: Sequence[int]) -> set[str]:
    """The codes of the faults of this result, entered with as few names as possible."""
    won = {f"P{seat}": chips for seat, chips in enumerate(net) if chips > 0}
    lost = {f"P{seat}": -chips for seat, chips in enumerate(net) if chips < 0}
    entry = {"action": "hand", "won": won or {state.name(state.dealer): 0}, "lost": lost}
    return {fault.code for fault in GAME.check(state, GAME.read_entry(entry)).faults}


def endings(hand: Hand) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """All possible payments and showdowns at this table, however the betting went.

    A player who is still in has paid the price or all chips; one who folded, no more than somebody
    who is still in.
    """
    seats, posted = range(len(hand.held)), hand.posted
    for price in range(hand.big + hand.ante, max(hand.held) + 1):
        for live in product((True, False), repeat=len(hand.held)):
            full = [min(price, chips) for chips in hand.held]
            most = max((full[seat] for seat in seats if live[seat]), default=0)
            if most < max(posted):
                continue
            options = [
                [full[seat]] if live[seat] else range(posted[seat], min(most, full[seat]) + 1)
                for seat in seats
            ]
            still_in = [seat for seat in seats if live[seat]]
            for paid in product(*options):
                for ranks in product(range(len(still_in)), repeat=len(still_in)):
                    yield paid, dict(zip(still_in, ranks, strict=True))


def some_hand(chance: random.Random, players: int, stacks: Sequence[int]) -> Hand:
    small = chance.choice([1, 1, 2, 5])
    return Hand(
        held=tuple(chance.choice(stacks) for _ in range(players)),
        button=chance.randrange(players),
        small=small,
        big=small * chance.choice([1, 2, 2, 3]),
        ante=chance.choice([0, 0, 0, 1, 2]),
    )


def some_ending(chance: random.Random, hand: Hand) -> tuple[list[int], dict[int, int]]:
    """One possible ending of this hand: a few players stay, more fold, at any price."""
    posted = hand.posted
    price = chance.choice([hand.big + hand.ante, max(hand.held), chance.randint(1, max(hand.held))])
    price = max(price, *posted, hand.big + hand.ante)
    full = [min(price, chips) for chips in hand.held]
    live = [seat for seat in range(len(full)) if chance.random() < 0.5]
    if not live or max(full[seat] for seat in live) < max(posted):
        live = list(range(len(full)))
    most = max(full[seat] for seat in live)
    paid = [
        full[seat]
        if seat in live
        else chance.choice([posted[seat], chance.randint(posted[seat], min(most, full[seat]))])
        for seat in range(len(full))
    ]
    return paid, {seat: chance.randrange(chance.choice([1, 2, 9])) for seat in live}


def test_no_possible_result_of_a_small_hand_is_refused() -> None:
    """Every stack, fold and order of hands at a table of three with few chips."""
    for held in product(range(1, 5), repeat=3):
        for small, big, ante in ((1, 2, 0), (1, 1, 1), (1, 2, 1)):
            hand = Hand(held, 0, small, big, ante)
            state = hand.begun()
            for net in {tuple(hand.brings(paid, rank)) for paid, rank in endings(hand)}:
                assert not refused(state, net), (hand, net)


@pytest.mark.parametrize("seed", range(4))
def test_no_possible_result_is_refused(seed: int) -> None:
    """Two to ten players, deep and short, with side pots, ties, antes and short blinds."""
    chance = random.Random(seed)
    stacks = ([1, 2, 3, 4, 5, 6], [2, 3, 5, 8, 20, 50, 200], [10, 12, 30], [200])
    for _ in range(60):
        hand = some_hand(chance, chance.randint(2, 10), chance.choice(stacks))
        state = hand.begun()
        for _ in range(15):
            paid, rank = some_ending(chance, hand)
            net = hand.brings(paid, rank)
            assert not refused(state, net), (hand, paid, rank)


@pytest.mark.parametrize("seed", range(4))
def test_a_result_that_forgets_a_blind_is_refused(seed: int) -> None:
    """The likeliest mistake: a folded blind is left out, and the winner has that much less."""
    chance = random.Random(seed)
    for _ in range(100):
        hand = some_hand(chance, chance.randint(3, 10), [200])
        winner, caller, *folded = chance.sample(range(len(hand.held)), len(hand.held))
        paid, price = hand.posted, chance.randint(20, 100)
        paid[winner] = paid[caller] = price
        net = hand.brings(paid, {winner: 1, caller: 0})
        state = hand.begun()
        assert not refused(state, net)
        for seat in folded:
            if net[seat]:
                slip = list(net)
                slip[winner] += slip[seat]
                slip[seat] = 0
                assert refused(state, slip) == {"blind-lost"}, (hand, slip)


def test_who_won_a_pot_is_known_from_the_betting() -> None:
    """No line’s words matter, which are for people: Ann folds to Ben, or both show and share."""
    start = GAME.start(seat_table(GAME.slug, ["Ann", "Ben"], "Ann", {})[1])

    def won(*entries: Mapping[str, object]) -> list[tuple[str, str]]:
        state = start
        for entry in entries[:-1]:
            state = GAME.apply(state, GAME.read_entry(entry))[0]
        last = GAME.read_entry(entries[-1])
        return list(GAME.feats.of(state, last, ()))

    calls = {"action": "bet", "player": "Ann", "move": "call"}
    shown: list[Mapping[str, object]] = [calls, {"action": "bet", "player": "Ben", "move": "check"}]
    for cards in ("J 7 9", "2", "10"):
        shown.append({"action": "board", "cards": cards})
        shown += [{"action": "bet", "player": one, "move": "check"} for one in ("Ben", "Ann")]
    shown.append({"action": "show", "hands": {"Ann": "8 7", "Ben": "8 7"}})
    assert won({"action": "bet", "player": "Ann", "move": "fold"}) == [("Ben", "pot")]
    assert won(calls) == []
    assert sorted(won(*shown)) == [("Ann", "pot"), ("Ben", "pot")]

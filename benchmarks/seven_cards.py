"""Hands and odds of Multiple 9 Hold'em.

phevaluator and treys rank seven cards of ordinary poker, the nearest known work. All are called
in their usual way, with cards in their preferred form. Times are CPU times of the thread, so that
other programs do not count.
"""

import random
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import median

from benchmarks.clock import cpu_milliseconds
from benchmarks.rows import Aim, Row
from referee.rules.cards.cards import RANKS
from referee.rules.games.multiple_9_holdem.hands import key_of, strengths
from referee.rules.registry import GAMES

TEN = "A:Q 5;B:K A;C:A 2;D:10 2;E:6 9;F:4 4;G:8 2;H:10 7;I:8 7;J:K K"
TWO = "A:K K;B:8 7"
SUITS = "shdc"
BOARDS_EACH = 500
RUNS = 7
RANKS_FROM_TWO = (*RANKS[1:], "A")
BULK = "strengths a second, a hole and all its boards a call"
SINGLE = "strengths a second, one hand a call"
DECK = [(rank, suit) for rank in RANKS for suit in SUITS]
Cards = list[tuple[str, str]]
Deal = tuple[Cards, list[Cards]]


def rows(short: bool) -> Iterator[Row]:
    """Strengths beside two evaluators of poker hands, and exact odds."""
    deals = deal(4 if short else 100)
    number = sum(len(boards) for _, boards in deals)
    packages = {"phevaluator": (phevaluator, 3), "treys": (treys, 8)}
    ways = {BULK: in_bulk, SINGLE: one_by_one}
    ways |= {name: work for name, (work, _) in packages.items() if find_spec(name)}
    millions = [
        {way: number / work(deals) / 1e6 for way, work in ways.items()} for _ in range(RUNS)
    ]
    bulk = median(each[BULK] for each in millions)
    yield Row(
        BULK, f"{bulk:.1f} million", aim=Aim(1, "million", least=True, timed=True), value=bulk
    )
    for name, (_, times) in packages.items():
        if name not in ways:
            note = f"{name} is not installed: pip install -e '.[bench]'"
            yield Row(BULK, f"{bulk:.1f} million", name, note=note)
            continue
        for way, aim in ((BULK, Aim(times, "times", least=True)), (SINGLE, None)):
            ratio = median(each[way] / each[name] for each in millions)
            yield Row(
                way,
                f"{median(each[way] for each in millions):.1f} million",
                f"{median(each[name] for each in millions):.2f} million, {name}",
                f"{ratio:.1f} times",
                aim,
                ratio,
            )
    yield odds("exact odds, ten known hands before the flop", {"hands": TEN}, 60)
    yield odds("exact odds, two hands before the flop", {"hands": TWO}, 15)
    yield odds("exact odds, two hands and the flop", {"hands": TWO, "board": "J 7 9"}, 5)


def deal(holes: int) -> list[Deal]:
    """Hole cards, each with many boards, as ranks and suits."""
    chance = random.Random(1)
    dealt = []
    for _ in range(holes):
        hole = chance.sample(DECK, 2)
        rest = [card for card in DECK if card not in hole]
        dealt.append((hole, [chance.sample(rest, 5) for _ in range(BOARDS_EACH)]))
    return dealt


def in_bulk(deals: list[Deal]) -> float:
    """Seconds for all strengths, asked hole by hole."""
    keys = [
        (key_of(rank for rank, _ in hole), [key_of(rank for rank, _ in board) for board in boards])
        for hole, boards in deals
    ]
    strengths(*keys[0])  # the table is read
    return cpu_milliseconds(lambda: [strengths(hole, boards) for hole, boards in keys]) / 1000


def one_by_one(deals: list[Deal]) -> float:
    """Seconds for all strengths, one hand a call."""
    keys = [
        (key_of(rank for rank, _ in hole), (key_of(rank for rank, _ in board),))
        for hole, boards in deals
        for board in boards
    ]
    return cpu_milliseconds(lambda: [strengths(hole, board) for hole, board in keys]) / 1000


def phevaluator(deals: list[Deal]) -> float:
    """Seconds for phevaluator to rank the same cards, given as its numbers."""
    from phevaluator import evaluate_cards  # noqa: PLC0415 - optional

    hands = [
        [RANKS_FROM_TWO.index(rank) * 4 + SUITS.index(suit) for rank, suit in (*hole, *board)]
        for hole, boards in deals
        for board in boards
    ]
    return cpu_milliseconds(lambda: [evaluate_cards(*hand) for hand in hands]) / 1000


def treys(deals: list[Deal]) -> float:
    """Seconds for treys to rank the same cards, given as its numbers."""
    from treys import Card, Evaluator  # noqa: PLC0415 - optional

    def numbers(cards: Cards) -> list[int]:
        return [Card.new(rank.replace("10", "T") + suit) for rank, suit in cards]

    hands = [(numbers(board), numbers(hole)) for hole, boards in deals for board in boards]
    evaluate = Evaluator().evaluate
    return cpu_milliseconds(lambda: [evaluate(board, hole) for board, hole in hands]) / 1000


def odds(what: str, question: dict[str, str], target: int) -> Row:
    """Milliseconds for exact odds in a running process."""
    judge = GAMES["multiple-9-holdem"].judges["odds"]
    judge.answer(question)
    taken = cpu_milliseconds(lambda: judge.answer(question), RUNS)
    return Row(what, f"{taken:.2f} ms", aim=Aim(target, "ms", timed=True), value=taken)

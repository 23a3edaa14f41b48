"""What holds for every sheet of Red Nines (20th century)."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.table import Table
from referee.rules.registry import GAMES
from tests.support.some_deals import played

GAME = GAMES["red-nines"]
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "10", "J", "Q", "K"]
WORTH = {rank: number for number, rank in enumerate(RANKS[:8], start=1)} | {
    "A": 20, "9": 9, "9R": 9, "10": 10, "J": 11, "Q": 12, "K": 13,
}  # fmt: skip
CALM = settings(max_examples=150, deadline=None)


@st.composite
def rounds(draw: st.DrawFn, players: list[str]) -> dict[str, Any]:
    """A legal end of a round, its hands dealt from the right pack and written as cards."""
    n = len(players)
    red = (n + 1) // 2
    winner = draw(st.sampled_from(players))
    red_nine = draw(st.booleans())
    pack = RANKS * n + ["9"] * (n - red) + ["9R"] * (red - red_nine)
    pack = draw(st.permutations(pack))
    hands = {}
    for player in players:
        size = draw(st.integers(1, 13))
        if player != winner:
            hands[player] = " ".join(pack[:size])
            pack = pack[size:]
    return {"action": "out", "player": winner, "red_nine": red_nine, "hands": hands}


def counted(hand: str) -> dict[str, int]:
    """A hand as its holder would count it."""
    cards = hand.split()
    return {"points": sum(WORTH[card] for card in cards), "red_nines": cards.count("9R")}


@CALM
@given(st.data(), st.integers(4, 8), st.booleans(), st.integers(1, 3))
def test_penalties_by_repeated_adding(
    data: st.DataObject, n: int, doubles: bool, number: int
) -> None:
    """Every legal round is accepted, and each red nine doubles its hand."""
    players, rules = NAMES[:n], {"red_nine_out_doubles": doubles, "rounds": number}
    due = dict.fromkeys(players, 0)
    entries = [data.draw(rounds(players)) for _ in range(number)]
    for entry in entries:
        for player, hand in entry["hands"].items():
            points = sum(WORTH[card] for card in hand.split())
            for card in hand.split():
                points += points if card == "9R" else 0
            due[player] += points * (2 if entry["red_nine"] and doubles else 1)
    state = played(GAME.slug, players, *entries, **rules).state
    assert state.totals == due
    winners = [seat for seat, name in enumerate(players) if due[name] == min(due.values())]
    assert list(state.winners) == winners
    for entry in entries:
        for player, hand in entry["hands"].items():
            cards = [card.replace("9R", "9D") + "s" * (card == "9") for card in hand.split()]
            otherwise = st.sampled_from([counted(hand), "-".join(reversed(cards))])
            entry["hands"][player] = data.draw(otherwise)
    assert played(GAME.slug, players, *entries, **rules).state.totals == due


@CALM
@given(st.integers(4, 8), st.integers(0, 240), st.integers(0, 5))
def test_counted_points_must_be_possible(n: int, points: int, red_nines: int) -> None:
    """A counted hand is accepted if, and only if, thirteen cards or fewer can make it."""
    table = Table(tuple(NAMES[:n]), 0, GAME.house_rules())
    shown: dict[str, Any] = dict.fromkeys(NAMES[2:n], "2")
    shown["Ben"] = {"points": points, "red_nines": red_nines}
    entry = GAME.read_entry({"action": "out", "player": "Ann", "hands": shown})
    ruling = GAME.check(GAME.start(table), entry)
    possible = (points - 9 * red_nines) in _sums(n, 13 - red_nines)
    assert ruling.legal == (possible and red_nines <= (n + 1) // 2 and points > 0), ruling


_KNOWN: dict[tuple[int, int], set[int]] = {}


def _sums(copies: int, most: int) -> set[int]:
    """All sums of at most `most` cards without red nines, added rank by rank."""
    if (copies, most) not in _KNOWN:
        reached = {(0, 0)}
        for rank in [*RANKS, "9"]:
            number = copies // 2 if rank == "9" else copies
            reached = {
                (cards + more, total + more * WORTH[rank])
                for cards, total in reached
                for more in range(min(number, most - cards) + 1)
            }
        _KNOWN[copies, most] = {total for _, total in reached}
    return _KNOWN[copies, most]

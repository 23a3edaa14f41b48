"""Red Nines (1881): what hands pay, and the red aces after the end."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import IllegalEntry
from referee.rules.registry import GAMES
from referee.rules.text import say
from tests.support.some_deals import played

GAME = GAMES["red-nines-1881"]
NAMES = ["Ann", "Ben", "Cat", "Dan"]
RANKS = ["A", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]


@settings(max_examples=150, deadline=None)
@given(
    st.permutations(PACK),
    st.permutations(["Ben", "Cat", "Dan"]),
    st.lists(st.tuples(st.integers(1, 5), st.booleans()), min_size=3, max_size=3),
    st.booleans(),
)
def test_payments_card_by_card(
    pack: list[str], losers: list[str], wanted: list[tuple[int, bool]], red_nine: bool
) -> None:
    """Each loser pays one a card and one more for a red nine, doubled if the last card was one."""
    hands: dict[str, Any] = {}
    due = dict.fromkeys(NAMES, 0)
    for player, (size, counted) in zip(losers, wanted, strict=True):
        cards, pack = pack[:size], pack[size:]
        red = sum(card in ("9H", "9D") for card in cards)
        hands[player] = {"plain": size - red, "red_nines": red} if counted else " ".join(cards)
        due[player] = (size + red) * (2 if red_nine else 1)
    entry = {"action": "out", "player": "Ann", "red_nine": red_nine, "hands": hands}
    try:
        state = played(GAME.slug, NAMES, entry, red_nine_pool=0).state
    except IllegalEntry as error:
        assert [fault.code for fault in error.faults] == ["too-many-red-nines"]
        return
    due["Ann"] = -sum(due.values())
    assert state.totals == {name: 36 - paid for name, paid in due.items()}


def test_nobody_has_the_red_aces_once_the_game_is_over() -> None:
    """Cat swept them, cannot pay, and is out, so no seat has that mark."""
    hands = {"Ben": {"plain": 1, "red_nines": 0}, "Cat": {"plain": 11, "red_nines": 0}}
    out = {"action": "out", "player": "Ann", "red_nine": True, "hands": hands}
    rules = {"cannot_pay": "out", "counters": 10, "red_nine_pool": 4, "deals": 1}
    course = played(GAME.slug, NAMES[:3], {"action": "aces", "player": "Cat"}, out, **rules)
    assert GAME.pad.beside_total(course.steps[0].after) == {"Cat": say("red aces")}
    assert course.state.has_left("Cat")
    assert GAME.pad.beside_total(course.state) == {}

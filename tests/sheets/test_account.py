"""One account of a deal: what a cell of the pad says adds up to its figure, in all games."""

from typing import Any

import pytest

from tests.sheets.test_score_pad import HOLDEM, NINES, PINK, RED, pad

ABCDE = ["Ann", "Ben", "Cat", "Dan", "Eve"]
COUNTED = {"game": "multiple-9", "players": ["Ann", "Ben", "Cat"], "options": {"scoring": "cards"}}
TRADED = {"game": "9-of-a-kind", "players": ABCDE}
PENALTIES = {"game": "red-nines", "players": ABCDE[:4]}
COLUMNS = {"game": "colorado-nines", "players": ["Ann", "Ben"]}
TOLD = {"action": "hand", "won": {"Ann": 12}, "lost": {"Ben": 6, "Cat": 6}}


def held(plain: int, red_nines: int = 0) -> dict[str, int]:
    """A hand of Red Nines (1881) or Pink Nines as numbers of cards."""
    return {"plain": plain, "red_nines": red_nines}


def out(player: str, **more: Any) -> dict[str, Any]:
    """Somebody went out."""
    return {"action": "out", "player": player, **more}


def end(by: str, *callers: str, **left: int) -> dict[str, Any]:
    """A round of 9 of a Kind is over; so many points were left, with five cards that match."""
    hands = {player: {"deadwood": points, "kept": 5} for player, points in left.items()}
    return {"action": "end", "by": by, "callers": list(callers), "hands": hands}


RULINGS: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, tuple[int, str]]]] = {
    "the dealer of 1881 pays for cards and has staked": (
        RED,
        [out("Cat", red_nine=True, hands={"Ann": held(2, 1), "Ben": held(3), "Dan": held(4)})],
        {
            "Ann": (-17, "(2 + 2) × 2 + 9 staked"),
            "Ben": (-6, "3 cards × 2"),
            "Cat": (28, "out on a red nine: 22 + 6 pool"),
            "Dan": (-8, "4 cards × 2"),
        },
    ),
    "red aces come first, what was paid is taken off": (
        RED,
        [
            {"action": "aces", "player": "Dan"},
            out("Ann", hands={"Ben": held(0, 1), "Cat": held(3), "Dan": held(1, 1)}),
        ],
        {
            "Ann": (-1, "out: 8 − 9 staked"),
            "Ben": (-2, ""),
            "Cat": (-3, "3 cards"),
            "Dan": (0, "3 for aces − (1 + 2)"),
        },
    ),
    "what lay in the pools at the end of 1881 is named": (
        {**RED, "options": {"deals": 1}},
        [out("Cat", hands={"Ann": held(3), "Ben": held(3), "Dan": held(1)})],
        {
            "Ann": (-10, "2 pool share − 3 cards − 9 staked"),
            "Ben": (0, "3 pool share − 3 cards"),
            "Cat": (9, "out: 7 + 2 pool share"),
            "Dan": (1, "2 pool share − 1 card"),
        },
    ),
    "who can’t pay in full pays what is left": (
        {**RED, "options": {"counters": 9, "cannot_pay": "out"}},
        [out("Cat", hands={"Ann": held(3), "Ben": held(10), "Dan": held(1)})],
        {
            "Ann": (-9, "paid in part: 9 staked"),
            "Ben": (-9, "paid in part"),
            "Cat": (10, "out"),
            "Dan": (-1, "1 card"),
        },
    ),
    "everybody has staked in Pink Nines": (
        PINK,
        [out("Ben")],
        {"Ann": (-1, "staked"), "Ben": (2, "out: 3 pool − 1 staked"), "Cat": (-1, "staked")},
    ),
    "a share of the pool when Pink Nines is stopped": (
        PINK,
        [{"action": "stop"}],
        dict.fromkeys(("Ann", "Ben", "Cat"), (0, "1 pool share − 1 staked")),
    ),
    "a hand of hold’em whose result was told": (
        HOLDEM, [TOLD], {"Ann": (12, ""), "Ben": (-6, ""), "Cat": (-6, "")},
    ),
    "a pot that nobody contested": (
        HOLDEM,
        [
            {"action": "bet", "player": "Ann", "move": "raise", "to": 6},
            {"action": "bet", "player": "Ben", "move": "fold"},
            {"action": "bet", "player": "Cat", "move": "fold"},
        ],
        {"Ann": (3, "5 pot − 2"), "Ben": (-1, "fold"), "Cat": (-2, "fold")},
    ),
    "points of 9 of a Kind": (
        TRADED,
        [end("nine", "Ann", Ben=17, Cat=5, Dan=8, Eve=20)],
        {
            "Ann": (50, "called"), "Ben": (0, "17 left"), "Cat": (0, "5 left"),
            "Dan": (0, "8 left"), "Eve": (0, "20 left"),
        },
    ),
    "a Chicken that fails": (
        {**TRADED, "options": {"chicken": True}},
        [end("chicken", "Ann", Ann=17, Ben=5, Cat=8, Dan=20, Eve=9)],
        {
            "Ann": (0, "Chicken"), "Ben": (30, "5 left: half of 59"), "Cat": (0, "8 left"),
            "Dan": (0, "20 left"), "Eve": (0, "9 left"),
        },
    ),
    "a unison that shares": (
        {**TRADED, "options": {"unison": "share"}},
        [end("nine", "Ann", "Ben", Cat=5, Dan=8, Eve=20)],
        {
            "Ann": (17, "called: share of 33"), "Ben": (17, "called: share of 33"),
            "Cat": (0, "5 left"), "Dan": (0, "8 left"), "Eve": (0, "20 left"),
        },
    ),
    "points of Red Nines, doubled": (
        PENALTIES,
        [
            out("Ann", red_nine=True, hands={
                "Ben": {"points": 34, "red_nines": 1}, "Cat": "K 2", "Dan": "7",
            }),
        ],
        {
            "Ann": (0, "out on a red nine"), "Ben": (136, "(25 + 9) × 4"),
            "Cat": (30, "15 × 2"), "Dan": (14, "7 × 2"),
        },
    ),
    "points of Red Nines, as they are": (
        PENALTIES,
        [out("Ann", hands={"Ben": "9R 9R 2", "Cat": "K 2", "Dan": "9S"})],
        {"Ann": (0, "out"), "Ben": (80, "(2 + 9 + 9) × 4"), "Cat": (15, ""), "Dan": (9, "")},
    ),
    "columns of Colorado": (
        {**COLUMNS, "options": {"going_out": -5}},
        [{"action": "grids", "grids": {"Ann": "J J * | 5 5 7 | A K Q", "Ben": 21}, "out": "Ann"}],
        {"Ann": (9, "1 column cleared: 3 + 11 − 5 out first"), "Ben": (21, "")},
    ),
    "a grid in which all columns are gone": (
        COLUMNS,
        [
            {
                "action": "grids",
                "grids": {"Ann": "J J J | 5 5 5 | A A A", "Ben": "Q Q Q | 6 6 6 | 2 2 3"},
            },
        ],
        {"Ann": (0, "3 columns cleared"), "Ben": (3, "2 columns cleared")},
    ),
    "cards counted in Multiple 9": (
        COUNTED,
        [out("Ann", left={"Ben": "K 5", "Cat": "3"})],
        {"Ann": (21, ""), "Ben": (0, "2 cards: 18"), "Cat": (0, "1 card: 3")},
    ),
    "tricks for those that were needed": (
        NINES,
        [{"action": "tricks", "tricks": {"Ann": 11, "Ben": 3, "Cat": 2}}],
        {"Ann": (2, "11 for 9"), "Ben": (-2, "3 for 5"), "Cat": (0, "2 for 2")},
    ),
    "a penalty that another gets": (
        RED,
        [{"action": "adjust", "player": "Ann", "points": -5, "to": "Ben", "reason": "looked"}],
        {"Ann": (-5, "looked"), "Ben": (5, "looked")},
    ),
    "somebody sits down": (
        PINK,
        [{"action": "join", "player": "Dan", "left_of": "Cat"}],
        {"Dan": (36, "joins")},
    ),
    "somebody takes a place": (
        NINES, [{"action": "replace", "player": "Ben", "by": "Dan"}], {"Dan": (0, "for Ben")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruling", RULINGS)
def test_what_a_cell_says(ruling: str) -> None:
    """Arithmetic where something multiplies or several things come together; else a word or two."""
    sheet, entries, says = RULINGS[ruling]
    row = pad(sheet, *entries).rows[-1]
    assert {name: (cell.points, str(cell.small)) for name, cell in row.cells.items()} == says


def test_the_last_leaves_and_the_pools_are_shared() -> None:
    """Ann and Ben have dealt, Cat goes: what was staked for her deal goes back, and is not told."""
    entries = [
        out("Ann", hands={"Ben": held(1), "Cat": held(1)}),
        out("Ann", hands={"Ben": held(1), "Cat": held(1)}),
        {"action": "leave", "player": "Cat"},
    ]
    found = pad({**RED, "players": ["Ann", "Ben", "Cat"]}, *entries)
    assert found.current is None
    assert {name: str(cell.small) for name, cell in found.rows[-1].cells.items()} == {
        "Ann": "pool share", "Ben": "pool share", "Cat": "leaves",
    }  # fmt: skip

"""Whose figures contradict one another, of all that are in."""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from referee.extras.seats.figures import at_odds
from referee.extras.seats.gathering import Part
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.text import say
from tests.extras.seats.test_gathering import Table, out
from tests.support.phone import words

SIXTEEN = [f"P{number}" for number in range(1, 17)]
#: Once she has gone out on a red nine, he can no longer say that he holds both.
BEN_BEFORE_ANN = [
    order
    for order in permutations(["Ann", "Ben", "Cy", "Dot"])
    if order.index("Ben") < order.index("Ann")
]
WRONG = shared_fault("too-many", say("There aren’t so many."), "cards")


def asked(table: Table) -> list[str]:
    said = {player: table[player].says() for player in table.seats}
    return [
        one for one in said if "Count yours again" in said[one] or "Is yours right?" in said[one]
    ]


class Pack:
    """Rules on hands by which no more than so many kings can be held."""

    def __init__(self, kings: int) -> None:
        self.kings = kings
        self.rulings = 0

    def faults(self, parts: Mapping[str, Part]) -> Sequence[Fault]:
        self.rulings += 1
        held = sum(part.written.count("K") for part in parts.values())
        return [WRONG] if held > self.kings else []


def hands(*kings: int) -> dict[str, Part]:
    """The parts of players with so many kings each."""
    return {f"P{seat}": Part("out", {"left": ["A" + "K" * n]}) for seat, n in enumerate(kings, 1)}


def test_nine_kings_at_a_table_of_sixteen_take_few_rulings() -> None:
    """Their holders are asked; not one ruling for each of the possible groups."""
    pack = Pack(8)
    assert at_odds(hands(*[1] * 9, *[0] * 7), pack.faults) == SIXTEEN[:9]
    assert pack.rulings <= 16 * 16


@given(st.lists(st.integers(0, 3), min_size=2, max_size=7), st.integers(1, 6))
def test_all_are_asked_who_are_in_a_group_that_cannot_be_true(kings: list[int], most: int) -> None:
    """In one that could be without any of them: nobody else is."""
    parts, pack = hands(*kings), Pack(most)
    groups = [
        set(group)
        for many in range(1, len(parts) + 1)
        for group in combinations(parts, many)
        if pack.faults({one: parts[one] for one in group})
    ]
    least = [group for group in groups if not any(other < group for other in groups)]
    expected = [one for one in parts if any(one in group for group in least)]
    assert at_odds(parts, pack.faults) == expected


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client, "red-nines-1881", ["Ann", "Ben", "Cy", "Dot"])


def nines(seat: int, red_nines: int) -> dict[str, object]:
    field = f"hands.{seat}.plain"
    return {**out(seat, "3"), f"{field}:red_nines": red_nines}


@pytest.mark.parametrize("order", BEN_BEFORE_ANN)
def test_all_who_claim_a_red_nine_are_asked(table: Table, order: Sequence[str]) -> None:
    """There are two: Ann went out on one, Ben says that he holds both, and Cy has one."""
    sent: dict[str, Mapping[str, object]] = {
        "Ann": {"action": "out", "player": "Ann", "red_nine": "true"},
        "Ben": nines(1, 2),
        "Cy": nines(2, 1),
        "Dot": nines(3, 0),
    }
    for player in order:
        table[player].enter(sent[player])
    assert asked(table) == ["Ann", "Ben", "Cy"]
    table["Ben"].enter(nines(1, 0))
    assert len(table.entries) == 1


def test_a_caller_has_no_part_in_a_clash_among_others(table: Table) -> None:
    """Ben and Cy can't both hold the seven of spades, whoever went out."""
    table["Ann"].enter({"action": "out", "player": "Ann", "red_nine": "false"})
    table["Ben"].enter({"action": "out", "hands.1": "7S 8S"})
    table["Cy"].enter({"action": "out", "hands.2": "7S 10S"})
    assert asked(table) == ["Ben", "Cy"]


def test_a_scorekeeper_sees_the_call_and_the_figure_that_contradict(table: Table) -> None:
    table["Ben"].enter(nines(1, 2))
    table["Ann"].enter({"action": "out", "player": "Ann", "red_nine": "true"})
    for player in ("Ann", "Ben"):
        table[player].post("/seat/stands", {"seat_of": player})
    said = words(table.host.board())
    assert "Ann went out on a red nine." in said
    assert "Ben says 3 (2 red nines)" in said
    assert "Ann says" not in said

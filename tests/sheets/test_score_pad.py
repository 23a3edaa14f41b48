"""The score pad: a row a deal that says what was typed, whatever it took to write it down."""

from typing import Any

import pytest

from referee.sheets.files import play_through, sheet_from
from referee.sheets.score_pad import PadRow, ScorePad, score_pad_of
from tests.sheets.test_examples import NAMES, example

NINES = {"game": "nine-five-two", "players": ["Ann", "Ben", "Cat"]}
PINK = {"game": "pink-nines", "players": ["Ann", "Ben", "Cat"], "options": {"deals": 9}}
RED = {"game": "red-nines-1881", "players": ["Ann", "Ben", "Cat", "Dan"]}
HOLDEM = {"game": "multiple-9-holdem", "players": ["Ann", "Ben", "Cat"]}


def pad(sheet: dict[str, Any], *entries: dict[str, Any]) -> ScorePad:
    """The pad of a sheet with these entries."""
    read = sheet_from({"referee": 1, **sheet, "entries": list(entries)})
    return score_pad_of(play_through(read.game, read.table, read.entries))


def points(row: PadRow | None) -> dict[str, int]:
    """What a row brought to whom."""
    assert row is not None
    return {player: cell.points for player, cell in row.cells.items() if cell.points}


def small(row: PadRow) -> dict[str, str]:
    """What a row says in small."""
    return {player: str(cell.small) for player, cell in row.cells.items() if cell.small}


def test_a_row_says_what_was_typed() -> None:
    """A hand of hold'em typed +12 −6 −6 stays that: the blinds posted next are the next hand's."""
    found = pad(HOLDEM, {"action": "hand", "won": {"Ann": 12}, "lost": {"Ben": 6, "Cat": 6}})
    assert [points(row) for row in found.rows] == [{"Ann": 12, "Ben": -6, "Cat": -6}]
    assert points(found.current) == {"Cat": -1, "Ann": -2}


def test_a_stake_stands_in_the_deal_that_it_opens() -> None:
    """Pink Nines: the winner of three antes of 1 is 2 up, and the next deal has been paid for."""
    found = pad(PINK, {"action": "out", "player": "Ben"})
    assert [points(row) for row in found.rows] == [{"Ann": -1, "Ben": 2, "Cat": -1}]
    assert points(found.current) == {"Ann": -1, "Ben": -1, "Cat": -1}
    assert found.start == {"Ann": 36, "Ben": 36, "Cat": 36}


def test_what_leads_up_to_a_deal_is_folded_into_it() -> None:
    """Red aces swept on the way, and then the hands: one row, with both in small."""
    hands = {"Ann": {"plain": 3, "red_nines": 0}, "Ben": {"plain": 1, "red_nines": 0},
             "Dan": {"plain": 1, "red_nines": 0}}  # fmt: skip
    found = pad(
        RED,
        {"action": "aces", "player": "Dan"},
        {"action": "out", "player": "Cat", "hands": hands},
    )
    assert len(found.rows) == 1
    assert small(found.rows[0]) == {
        "Ann": "3 cards + 9 staked", "Ben": "1 card", "Cat": "out", "Dan": "3 for aces − 1 card",
    }  # fmt: skip
    assert [step.seq for step in found.rows[0].steps] == [1, 2]


def test_sixteen_tricks_are_one_row() -> None:
    """Trick by trick comes to the same as the totals, and so does the row."""
    one_by_one = [{"action": "trick", "winner": name} for name in ["Ann"] * 11 + ["Ben"] * 5]
    by_totals = {"action": "tricks", "tricks": {"Ann": 11, "Ben": 5, "Cat": 0}}
    followed, told = pad(NINES, *one_by_one), pad(NINES, by_totals)
    assert followed.rows[0].cells == told.rows[0].cells
    assert small(told.rows[0]) == {"Ann": "11 for 9", "Ben": "5 for 5", "Cat": "0 for 2"}


def test_a_deal_in_progress_says_how_far_it_is() -> None:
    """Tricks so far, until the last one makes them tricks won for tricks needed."""
    found = pad(NINES, *[{"action": "trick", "winner": "Ann"}] * 3)
    assert found.current is not None
    assert small(found.current) == {"Ann": "3 tricks", "Ben": "0 tricks", "Cat": "0 tricks"}


def test_only_those_at_the_table_have_a_cell() -> None:
    """A 0 is somebody who played and gained nothing; who was not there has no cell."""
    found = pad(
        {"game": "multiple-9", "players": ["Ann", "Ben", "Cat"]},
        {"action": "out", "player": "Ann"},
        {"action": "join", "player": "Dan", "left_of": "Ann"},
        {"action": "leave", "player": "Ben"},
        {"action": "out", "player": "Dan"},
    )
    deals = [row for row in found.rows if row.kind == "deal"]
    assert [list(row.cells) for row in deals] == [["Ann", "Ben", "Cat"], ["Ann", "Dan", "Cat"]]


def test_a_deal_that_was_called_off_has_a_row_without_its_stakes() -> None:
    """They stay paid, and stand in the row of the deal that is dealt again."""
    found = pad(PINK, {"action": "abandon"}, {"action": "out", "player": "Ann"})
    assert [(row.deal, row.kind, points(row)) for row in found.rows] == [
        (1, "void", {}),
        (1, "deal", {"Ann": 2, "Ben": -1, "Cat": -1}),
    ]


def test_who_takes_a_place_takes_its_stakes_over() -> None:
    """Zoe sits down for Ben: what he staked, for the deal before and for this one, is hers."""
    found = pad(
        PINK,
        {"action": "out", "player": "Ann"},
        {"action": "replace", "player": "Ben", "by": "Zoe"},
    )
    assert found.current is not None
    for row in (found.rows[0], found.current):
        assert {line.player: line.points for line in row.opening} == {
            "Ann": -1,
            "Zoe": -1,
            "Cat": -1,
        }


def test_a_penalty_has_a_row_of_its_own() -> None:
    """It is not part of what a deal brought, and says what it was for."""
    found = pad(
        NINES,
        {"action": "adjust", "player": "Ann", "points": -3, "reason": "looked"},
        {"action": "tricks", "tricks": {"Ann": 9, "Ben": 5, "Cat": 2}},
    )
    assert [(row.kind, points(row)) for row in found.rows] == [
        ("between", {"Ann": -3}),
        ("deal", {}),
    ]
    assert small(found.rows[0]) == {"Ann": "looked"}
    assert found.rows[1].totals == {"Ann": -3, "Ben": 0, "Cat": 0}


def test_bought_before_the_first_bet() -> None:
    """Chips bought stand beside the hand, whose blinds stay as they were posted."""
    found = pad(HOLDEM, {"action": "buy", "player": "Ann", "amount": 50})
    assert [points(row) for row in found.rows] == [{"Ann": 50}]
    assert points(found.current) == {"Ben": -1, "Cat": -2}


def test_a_row_is_found_by_its_first_entry() -> None:
    """The deal in progress too, once something of it has been written down."""
    tricks = [{"action": "trick", "winner": "Ann"}] * 17
    found = pad(NINES, *tricks)
    assert found.row(1) == found.rows[0]
    assert found.row(17) == found.current
    assert found.row(2) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_pad_adds_up_to_the_example(name: str) -> None:
    """Its last totals are the result, with what lies staked for the deal in progress."""
    sheet, expected = example(name)
    found = pad(sheet, *sheet["entries"])
    last = found.current or found.rows[-1]
    assert last.totals == expected["scores"]

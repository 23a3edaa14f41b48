"""What the chart shows: a row a deal, where the game says what counts between two deals."""

from typing import Any

import pytest

from referee.rules.registry import GAMES
from referee.sheets.files import play_through, sheet_from
from referee.sheets.score_pad import ChartData, chart_data, score_pad_of
from tests.sheets.test_examples import NAMES, example

NINES = {"game": "nine-five-two", "players": ["Ann", "Ben", "Cat"]}
HOLDEM = {"game": "multiple-9-holdem", "players": ["Ann", "Ben", "Cat"], "options": {"stack": 50}}
COUNTED = {"game": "multiple-9", "players": ["Ann", "Ben"]}
TRICKS = {"action": "tricks", "tricks": {"Ann": 11, "Ben": 4, "Cat": 1}}
WON = {"action": "hand", "won": {"Ann": 12}, "lost": {"Ben": 10, "Cat": 2}}
PENALTY = {"action": "adjust", "player": "Ann", "points": -3, "reason": "looked"}


def chart_of(sheet: dict[str, Any], *entries: dict[str, Any]) -> ChartData | None:
    """The chart of a sheet with these entries."""
    read = sheet_from({"referee": 1, **sheet, "entries": list(entries)})
    course = play_through(read.game, read.table, read.entries)
    return chart_data(score_pad_of(course), read.game.target(read.table))


def rows(
    sheet: dict[str, Any], *entries: dict[str, Any]
) -> list[tuple[int, tuple[int | None, ...]]]:
    """Each row of the chart of that sheet: the deal and how it stood."""
    chart = chart_of(sheet, *entries)
    assert chart is not None
    return [(row.deal, row.scores) for row in chart.rows]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nothing_to_draw_before_the_first_deal(game: Any) -> None:
    """A sheet with no entry has no chart."""
    players = [f"Player {seat}" for seat in range(game.seats(game.house_rules())[0])]
    assert chart_of({"game": game.slug, "players": players}) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_chart_ends_where_the_example_ends(name: str) -> None:
    """The rows go from deal 0 without a gap, and the last is the result where the game is over."""
    sheet, expected = example(name)
    chart = chart_of(sheet, *sheet["entries"])
    assert chart is not None
    assert [row.deal for row in chart.rows] == list(range(len(chart.rows)))
    assert all(len(row.scores) == len(sheet["players"]) for row in chart.rows)
    if expected["finished"]:
        assert dict(zip(chart.players, chart.rows[-1].scores, strict=True)) == expected["scores"]


def test_tricks_recorded_one_by_one_come_to_the_same() -> None:
    """The sixteenth trick ends the deal; before it there is nothing to draw."""
    taken = [*["Ann"] * 11, *["Ben"] * 4, "Cat"]
    trick_by_trick = [{"action": "trick", "winner": winner} for winner in taken]
    assert chart_of(NINES, *trick_by_trick[:-1]) is None
    assert chart_of(NINES, *trick_by_trick) == chart_of(NINES, TRICKS)


def test_a_bonus_that_ends_the_game_is_no_deal() -> None:
    """It counts with the deal before it: the chart has no deal that was not played."""
    bonus = {**PENALTY, "points": 20}
    chart = chart_of(NINES, TRICKS, bonus)
    assert chart is not None
    assert [row.scores for row in chart.rows] == [(0, 0, 0), (22, -1, -1)]
    assert not chart.so_far


def test_stacks_after_each_hand() -> None:
    """The blinds of the hand in progress, and what is bet in it, still count as their owners'."""
    fold = {"action": "bet", "player": "Ann", "move": "raise", "to": 20}
    expected = [(0, (50, 50, 50)), (1, (62, 40, 48))]
    assert rows(HOLDEM, WON) == expected
    bet = {**fold, "player": "Ben"}
    assert rows(HOLDEM, WON, bet) == expected


def test_chips_bought_before_a_hand_are_drawn_at_once() -> None:
    """What changed in the deal that is not over stands as so far."""
    bought = {"action": "buy", "player": "Ben", "amount": 50}
    chart = chart_of(HOLDEM, WON, bought)
    assert chart is not None
    assert chart.rows[-1].scores == (62, 90, 48)
    assert chart.so_far


def test_a_penalty_counts_in_the_deal_in_which_it_was_given() -> None:
    """It is drawn at once, and the end of the deal takes its place."""
    out = {"action": "out", "player": "Ben"}
    assert rows(COUNTED, PENALTY) == [(0, (0, 0)), (1, (-3, 0))]
    assert rows(COUNTED, PENALTY, out) == [(0, (0, 0)), (1, (-3, 1))]
    again = {**PENALTY, "points": 3}
    assert chart_of(COUNTED, PENALTY, again) is None


def test_a_void_deal_is_not_drawn() -> None:
    """The same deal is dealt again, so the chart does not move on."""
    void = {"action": "abandon"}
    assert rows(NINES, TRICKS, void, void) == [(0, (0, 0, 0)), (1, (2, -1, -1))]


def test_counters_begin_before_the_stakes() -> None:
    """What was staked for a deal that is not over is still its owner's; no stake bends a line."""
    pink = {"game": "pink-nines", "players": ["Ann", "Ben"], "options": {"counters": 10}}
    assert rows(pink, {"action": "out", "player": "Ben"}) == [(0, (10, 10)), (1, (9, 11))]


@pytest.mark.parametrize("begun", [[], [{"action": "trick", "winner": "Ann"}]], ids=["", "begun"])
def test_the_deal_that_a_stopped_game_broke_off_is_not_drawn(begun: list[dict[str, Any]]) -> None:
    """The chart ends with the last deal that was played."""
    stop = {"action": "stop"}
    assert rows(NINES, TRICKS, *begun, stop) == [(0, (0, 0, 0)), (1, (2, -1, -1))]
    assert chart_of(NINES, *begun, stop) is None
    late = rows(NINES, TRICKS, PENALTY, *begun, stop)
    assert late == [(0, (0, 0, 0)), (1, (-1, -1, -1))]


def test_the_chart_of_a_stopped_game_ends_with_what_everybody_took_home() -> None:
    """Shares of the pools count with the last deal: all that was staked comes home."""
    pink = {"game": "pink-nines", "players": ["Ann", "Ben"], "options": {"counters": 10}}
    out = {"action": "out", "player": "Ben"}
    assert rows(pink, out, {"action": "stop"}) == [(0, (10, 10)), (1, (9, 11))]

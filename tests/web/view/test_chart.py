"""The chart: a row for each deal, points inside the frame, names apart, round numbers."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.registry import GAMES
from referee.sheets.files import play_through, sheet_from
from referee.sheets.score_pad import score_pad_of
from referee.web.view.chart import (
    LETTERS,
    MAX_DOTS,
    MAX_DRAWN,
    ROOMS,
    WIDE,
    ChartData,
    brief,
    chart,
    chart_data,
    round_numbers,
    shortened,
    spread,
    text_width,
)

# --- what is drawn

NINES = {"game": "nine-five-two", "players": ["Ann", "Ben", "Cat"]}
HOLDEM = {"game": "multiple-9-holdem", "players": ["Ann", "Ben", "Cat"], "options": {"stack": 50}}
COUNTED = {"game": "multiple-9", "players": ["Ann", "Ben"]}
TRICKS = {"action": "tricks", "tricks": {"Ann": 11, "Ben": 4, "Cat": 1}}
WON = {"action": "hand", "won": {"Ann": 12}, "lost": {"Ben": 10, "Cat": 2}}
PENALTY = {"action": "adjust", "player": "Ann", "points": -3, "reason": "looked"}


def data_of(sheet: dict[str, Any], *entries: dict[str, Any]) -> ChartData | None:
    """The chart of a sheet with these entries."""
    read = sheet_from({"referee": 1, **sheet, "entries": list(entries)})
    course = play_through(read.game, read.table, read.entries)
    return chart_data(score_pad_of(course), read.game.goal.target(read.table.options))


def rows(sheet: dict[str, Any], *entries: dict[str, Any]) -> list[Sequence[int | None]]:
    """The scores in each row of the chart of that sheet, from deal 0 without a gap."""
    found = data_of(sheet, *entries)
    assert found is not None
    assert list(found.scores) == list(range(len(found.scores)))
    return list(found.scores.values())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_there_is_no_chart_before_the_first_deal(game: Any) -> None:
    """A sheet without entries has none."""
    players = [f"Player {seat}" for seat in range(game.seats(game.house_rules())[0])]
    assert data_of({"game": game.slug, "players": players}) is None


def test_a_bonus_that_ends_the_game_is_no_deal() -> None:
    """It counts with the deal before it, and the chart has no extra deal."""
    bonus = {**PENALTY, "points": 20}
    assert rows(NINES, TRICKS, bonus) == [(0, 0, 0), (22, -1, -1)]


def test_chips_in_play_count_as_their_owners() -> None:
    """Blinds and bets of the hand in progress."""
    fold = {"action": "bet", "player": "Ann", "move": "raise", "to": 20}
    expected = [(50, 50, 50), (62, 40, 48)]
    assert rows(HOLDEM, WON) == expected
    bet = {**fold, "player": "Ben"}
    assert rows(HOLDEM, WON, bet) == expected


def test_chips_bought_before_a_hand_are_drawn_at_once() -> None:
    """Once the next hand has begun, they are the score so far."""
    bought = {"action": "buy", "player": "Ben", "amount": 50}
    found = data_of(HOLDEM, WON, bought)
    assert found is not None
    assert found.scores[2] == (62, 90, 48)
    assert not found.so_far
    assert [mark.text for mark in chart(found).deals] == ["1"], "the axis counts deals"
    begun = data_of(HOLDEM, WON, bought, {"action": "bet", "player": "Ben", "move": "call"})
    assert begun is not None
    assert begun.so_far
    assert [mark.text for mark in chart(begun).deals] == ["1", "2"]


def test_a_penalty_counts_in_the_deal_in_which_it_was_given() -> None:
    """It is drawn at once, and the end of the deal takes its place."""
    out = {"action": "out", "player": "Ben"}
    assert rows(COUNTED, PENALTY) == [(0, 0), (-3, 0)]
    assert rows(COUNTED, PENALTY, out) == [(0, 0), (-3, 1)]
    again = {**PENALTY, "points": 3}
    assert data_of(COUNTED, PENALTY, again) is None


def test_a_void_deal_is_not_drawn() -> None:
    """The same deal is dealt again."""
    void = {"action": "abandon"}
    assert rows(NINES, TRICKS, void, void) == [(0, 0, 0), (2, -1, -1)]


@pytest.mark.parametrize("begun", [[], [{"action": "trick", "winner": "Ann"}]], ids=["", "begun"])
def test_the_deal_that_a_stop_broke_off_is_not_drawn(begun: list[dict[str, Any]]) -> None:
    """The chart ends with the last deal played to its end."""
    stop = {"action": "stop"}
    assert rows(NINES, TRICKS, *begun, stop) == [(0, 0, 0), (2, -1, -1)]
    assert data_of(NINES, *begun, stop) is None
    late = rows(NINES, TRICKS, PENALTY, *begun, stop)
    assert late == [(0, 0, 0), (-1, -1, -1)]


def test_the_chart_of_a_stopped_game_ends_with_what_everybody_took_home() -> None:
    """Shares of the pools count with the last deal, and stakes for the next are their owner's."""
    pink = {"game": "pink-nines", "players": ["Ann", "Ben"], "options": {"counters": 10}}
    out = {"action": "out", "player": "Ben"}
    assert rows(pink, out) == rows(pink, out, {"action": "stop"}) == [(10, 10), (9, 11)]


# --- positions

SCORES = st.integers(-2_000_000, 2_000_000) | st.integers(-20, 20)


@st.composite
def charts(draw: st.DrawFn) -> ChartData:
    """Two to sixteen players, one to 200 deals, with or without a target."""
    players = draw(st.integers(2, 16))
    deals = draw(st.integers(1, 12) | st.sampled_from((25, 26, 60, 200)))
    scores: dict[int, tuple[int | None, ...]] = {}
    for deal in range(deals + 1):
        again = deal > 12 and scores[deal - 12]  # long games repeat themselves
        scores[deal] = again or tuple(draw(SCORES) for _ in range(players))
    target = draw(st.none() | st.integers(0, 1_000_000))
    return ChartData(tuple(f"Player {seat}" for seat in range(players)), scores, target)


def points(path: str) -> list[tuple[float, float]]:
    """The points that a path goes through."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+) ([\d.-]+)", path)]


@settings(deadline=None, max_examples=60)
@given(charts())
def test_everything_is_inside_the_frame(data: ChartData) -> None:
    """Lines, dots, ticks and target; every line ends at the right edge, beside its name."""
    found = chart(data)
    for curve in found.curves:
        line, dots = points(curve.path), points(curve.dots)
        assert len(line) == len(data.scores)
        assert all(0 <= x <= WIDE and 0 <= y <= found.height for x, y in line)
        assert line[-1] == (WIDE, curve.ends)
        assert set(dots) <= set(line)
        assert line[-1] in dots
        assert 1 <= len(dots) <= MAX_DOTS
    assert all(0 <= mark.at <= found.height for mark in found.scores)
    for level in (found.zero, found.target.at if found.target else None):
        assert level is None or 0 <= level <= found.height
    assert found.target is None or data.target is not None
    assert all(0 < mark.at <= 100 for mark in found.deals)
    assert found.deals
    beside_ends = sorted(found.curves, key=lambda curve: curve.ends)
    names = [line.at for curve in beside_ends for line in curve.name]
    assert all(after - before >= LETTERS - 0.11 for before, after in pairwise(names))
    assert LETTERS / 2 - 0.1 <= names[0] <= names[-1] <= found.height - LETTERS / 2 + 0.1
    beside = [mark.at for mark in found.scores]
    beside += [found.target.at] if found.target else []
    assert all(after - before >= LETTERS for before, after in pairwise(sorted(beside)))


def test_a_long_game_is_drawn_with_a_limited_number_of_points() -> None:
    """Evenly from the first deal to the last; each drawn point is a real score."""
    scores = {deal: (deal % 7, -deal) for deal in range(1501)}
    drawn = points(chart(ChartData(("Ann", "Ben"), scores)).curves[1].path)
    assert drawn[0][0] == 0
    assert drawn[-1][0] == WIDE
    assert 1500 / 4 <= len(drawn) <= MAX_DRAWN + 1
    assert {round(b[0] - a[0]) for a, b in pairwise(drawn)} <= {2, 3}
    assert sorted(drawn, key=lambda point: point[1]) == drawn


@pytest.mark.parametrize(
    ("scores", "target", "marks"),
    [
        ((198, 201), None, ["198", "199", "200", "201"]),
        ((0, 9), 400, ["0", "2", "4", "6", "8"]),
        ((0, 210), 400, ["0", "100", "200", "300"]),
        ((-4, 5), None, ["−4", "−2", "0", "2", "4"]),
    ],
)
def test_the_axis_fits_the_scores(
    scores: tuple[int, int], target: int | None, marks: list[str]
) -> None:
    """No 0 if no score is near it, and no target before somebody is half way there."""
    found = chart(ChartData(("Ann", "Ben"), {0: (scores[0],) * 2, 1: scores}, target))
    assert [mark.text for mark in found.scores] == marks
    assert (found.zero is None) == (scores[0] > 0)
    assert (found.target is None) == (target is None or scores[1] * 2 < target)


def test_a_line_begins_when_its_player_sits_down() -> None:
    """Nothing is drawn of the deals before."""
    scores = {0: (0, None), 1: (2, None), 2: (3, 1), 3: (3, 4)}
    found = chart(ChartData(("Ann", "Ben"), scores))
    assert [len(points(curve.path)) for curve in found.curves] == [4, 2]


def test_no_number_is_under_the_first_point() -> None:
    """There it says what is counted; the first point may be after game 5."""
    for first in (0, 5):
        scores = {deal: (deal,) for deal in range(first, first + 3)}
        found = chart(ChartData(("Ann",), scores))
        assert [mark.text for mark in found.deals] == [str(first + 1), str(first + 2)]


def test_labels_at_the_same_height_move_apart_evenly() -> None:
    """Near an edge they stay inside."""
    assert spread([50, 50, 50], 14, 0, 100) == [36, 50, 64]
    assert spread([0, 0], 14, 7, 100) == [7, 21]
    assert spread([100, 10, 99], 14, 0, 100) == [100, 10, 86]


@given(st.integers(-(10**9), 10**9), st.integers(0, 10**9), st.integers(2, 9))
def test_round_numbers(low: int, span: int, most: int) -> None:
    """Whole, few, evenly spaced by 1, 2 or 5 and noughts, and never none where there is room."""
    found = round_numbers(low, low + span, most)
    assert len(found) <= most
    assert all(low <= number <= low + span for number in found)
    assert re.fullmatch(r"[125]0*", str(found.step))
    assert all(number % found.step == 0 for number in found)
    assert len(found) >= min(span + 1, most * 2 // 5)


def test_thousands_are_abbreviated_if_exact() -> None:
    """Where it loses nothing."""
    assert [brief(score) for score in (300, -5, 60_000, -20_000, 12_345)] == [
        *("300", "−5", "60k", "−20k", "12,345"),
    ]


@given(
    st.lists(st.text("Wil m王é😀-", min_size=1, max_size=24), unique=True, max_size=16),
    st.integers(0, 40),
)
def test_shortened_names_fit_and_differ(names: list[str], more: int) -> None:
    """However long and alike they are."""
    found = shortened(names, len(names) + more)
    assert all(text_width(line) <= ROOMS["long"] for lines in found for line in lines)
    assert len(names) <= sum(map(len, found)) <= len(names) + more
    assert len(set(found)) == len(names)


def test_shortened_names_keep_the_part_that_differs() -> None:
    """Short ones are unchanged."""
    names = ["Ann", "Maximilian-Alexander XIV", "Maximilian-Alexander XV", "W" * 24]
    assert shortened(names, 4) == [("Ann",), ("Maximili…XIV",), ("Maximilia…XV",), ("WWWWWWW…",)]


def test_a_long_name_has_the_lines_there_is_room_for() -> None:
    """Whoever needs them: then nothing of it is missing."""
    names = ["Ann", "Maximilian-Alexander XIV", "W" * 24]
    drawn = chart(ChartData(names, {0: (0, 0, 0), 1: (5, 5, 5)}))
    assert [[line.text for line in curve.name] for curve in drawn.curves] == [
        ["Ann"],
        ["Maximilian-", "Alexander XIV"],
        ["WWWWWWW", "WWWWWWW", "WWWWWWW", "WWW"],
    ]
    more = chart(ChartData([*names, *"ABCDEFGH"], {0: (0,) * 11, 1: (5,) * 11}))
    assert [len(curve.name) for curve in more.curves] == [1, 2, 3, *[1] * 8]
    many = chart(ChartData([*names, *"ABCDEFGHIJK"], {0: (0,) * 14, 1: (5,) * 14}))
    assert [len(curve.name) for curve in many.curves] == [1] * 14


def test_the_chart_of_twenty_deals_is_small(app: Flask) -> None:
    """With five players it has less than five kilobytes."""
    players = ["Ann", "Ben", "Cat", "Dan", "Eve"]
    entries: list[dict[str, Any]] = []
    for deal in range(20):
        points = {"action": "adjust", "player": players[deal % 3], "points": 7, "reason": "fun"}
        entries += [points, {"action": "out", "player": players[deal * deal % 5]}]
    sheet = {"referee": 1, "game": "multiple-9", "players": players, "options": {"target": 99}}
    host = app.extensions["referee"].book.import_sheet(sheet_from({**sheet, "entries": entries}))
    text = app.test_client().get(f"/s/{host.token}").text.partition('id="chart"')[2]
    drawing = text[text.index("<svg") : text.index("</svg></svg>") + 12]
    assert len(drawing.encode()) < 5000

"""Where things lie in the chart: names apart, points inside the frame, round numbers."""

import re
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask, render_template_string
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.table import Aim
from referee.sheets.chart import ChartData, Row
from referee.sheets.files import play_through, sheet_from
from referee.web.view.chart import (
    ABOVE_BARS,
    LETTERS,
    MAX_BARS,
    MAX_DOTS,
    ROOMS,
    TALLEST_BAR,
    WIDE,
    aims,
    brief,
    chart,
    chart_of,
    round_numbers,
    shortened,
    spread,
    text_width,
)

SCORES = st.integers(-2_000_000, 2_000_000) | st.integers(-20, 20)


@st.composite
def charts(draw: st.DrawFn) -> ChartData:
    """Two to sixteen players, one to 200 deals, with or without a target."""
    players = draw(st.integers(2, 16))
    deals = draw(st.integers(1, 12) | st.sampled_from((25, 26, 60, 200)))
    rows: list[Row] = []
    for deal in range(deals + 1):
        again = deal > 12 and rows[deal - 12].scores  # long games repeat themselves
        rows.append(Row(deal, again or tuple(draw(SCORES) for _ in range(players))))
    target = draw(st.none() | st.integers(0, 1_000_000))
    return ChartData(tuple(f"Player {seat}" for seat in range(players)), tuple(rows), target, False)


def points(path: str) -> list[tuple[float, float]]:
    """The points that a path goes through."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+) ([\d.-]+)", path)]


@settings(deadline=None, max_examples=60)
@given(charts())
def test_everything_lies_in_its_frame(data: ChartData) -> None:
    """Lines, dots, ticks and target; every line ends at the right edge, where its name begins."""
    found = chart(data)
    for curve in found.curves:
        line, dots = points(curve.path), points(curve.dots)
        assert len(line) == len(data.rows)
        assert all(0 <= x <= WIDE and 0 <= y <= found.height for x, y in line)
        assert line[-1] == (WIDE, curve.ends)
        assert set(dots) <= set(line)
        assert line[-1] in dots
        assert 1 <= len(dots) <= MAX_DOTS
    assert all(0 <= mark.at <= found.height for mark in found.scores)
    assert 0 <= found.zero <= found.height
    assert (found.target is None) == (data.target is None)
    assert all(0 < mark.at <= 100 for mark in found.deals)
    assert found.deals


@settings(deadline=None, max_examples=60)
@given(charts())
def test_no_two_labels_touch(data: ChartData) -> None:
    """Names at the lines' ends, and the numbers on either side."""
    found = chart(data)
    names = sorted(curve.label for curve in found.curves)
    assert all(after - before >= LETTERS - 0.11 for before, after in pairwise(names))
    assert names[0] >= LETTERS / 2 - 0.1
    assert names[-1] <= found.height - LETTERS / 2 + 0.1
    beside = [mark.at for mark in found.scores]
    beside += [found.target.at] if found.target else []
    assert all(after - before >= LETTERS for before, after in pairwise(sorted(beside)))


@settings(deadline=None, max_examples=60)
@given(charts())
def test_higher_scores_are_named_higher(data: ChartData) -> None:
    """The names stand in the order in which the lines end."""
    found = chart(data)
    named = sorted(found.curves, key=lambda curve: curve.label)
    assert [curve.ends for curve in named] == sorted(curve.ends for curve in found.curves)


@given(st.lists(st.floats(0, 200), min_size=1, max_size=14), st.just(14))
def test_labels_move_no_further_than_they_must(wanted: list[float], gap: int) -> None:
    """What has room where it wants to be stays there."""
    found = spread(wanted, gap, 0, 200)
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(sorted(found)))
    for place, height in enumerate(wanted):
        others = [other for index, other in enumerate(wanted) if index != place]
        if all(abs(other - height) >= gap * len(wanted) for other in others):
            assert found[place] == pytest.approx(height)


def test_neighbours_part_evenly() -> None:
    """Three at one height move to either side of it; near the edge they stay inside."""
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


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 300, [0, 100, 200, 300]),
        (-14, 20, [-10, 0, 10, 20]),
        (0, 1, [0, 1]),
        (0, 60_000, [0, 20_000, 40_000, 60_000]),
        (1, 5, [1, 2, 3, 4, 5]),
    ],
)
def test_numbers_that_people_would_write(low: int, high: int, expected: list[int]) -> None:
    """The numbers beside the usual charts."""
    assert list(round_numbers(low, high, 5)) == expected


def test_thousands_are_short() -> None:
    """Where it loses nothing."""
    assert [brief(score) for score in (300, -5, 60_000, -20_000, 12_345)] == [
        *("300", "−5", "60k", "−20k", "12,345"),
    ]


@given(st.lists(st.text("Wil m王é😀-", min_size=1, max_size=24), unique=True, max_size=16))
def test_names_fit_and_differ(names: list[str]) -> None:
    """However long and alike they are."""
    found = shortened(names)
    assert all(text_width(name) <= ROOMS["long"] for name in found)
    assert len(set(found)) == len(names)


def test_long_names_keep_what_tells_them_apart() -> None:
    """Short ones stay as they are."""
    names = ["Ann", "Maximilian-Alexander XIV", "Maximilian-Alexander XV", "W" * 24]
    assert shortened(names) == ["Ann", "Maximili…XIV", "Maximilia…XV", "WWWWWWW…"]


def test_bars_stand_on_the_ground_and_say_the_difference() -> None:
    """The last deals, nine needed is taller than five, and the number stands above the bar."""
    rows = [Row(deal, (), (Aim(11, 9), Aim(4, 5), Aim(1, 2))) for deal in range(1, 21)]
    found = aims(rows, ("Ann", "Ben", "Cat"))
    assert found is not None
    assert found.left_out == 20 - MAX_BARS
    assert [mark.text for mark in found.deals] == [str(deal) for deal in range(5, 21)]
    assert [bars.overs[0][0].text for bars in found.players] == ["+2", "−1", "−1"]
    assert all(0 < y < ABOVE_BARS + TALLEST_BAR for bars in found.players for _, y in bars.overs)
    tall = [int(re.findall(r"v-(\d+)", bars.needed)[0]) for bars in found.players]
    assert tall == sorted(tall, reverse=True)
    assert tall[0] < TALLEST_BAR


def test_the_chart_of_an_evening_is_light(app: Flask) -> None:
    """Twenty deals of five players come in less than five kilobytes."""
    players = ["Ann", "Ben", "Cat", "Dan", "Eve"]
    entries: list[dict[str, Any]] = []
    for deal in range(20):
        points = {"action": "adjust", "player": players[deal % 3], "points": 7, "reason": "fun"}
        entries += [points, {"action": "out", "player": players[deal * deal % 5]}]
    sheet = {"referee": 1, "game": "multiple-9", "players": players, "options": {"target": 99}}
    read = sheet_from({**sheet, "entries": entries})
    course = play_through(read.game, read.table, read.entries)
    assert chart_of(course) is not None
    with app.test_request_context():
        text = render_template_string(
            "{% include 'sheet/_chart.html' %}",
            sheet={"course": course},
            game=read.game,
            table=read.table,
        )
    drawing = text[text.index("<svg") : text.rindex("</svg>") + 6]
    assert len(drawing.encode()) < 5000

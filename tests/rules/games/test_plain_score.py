"""What holds for every sheet of Any Other Game, whatever its players score."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import IllegalEntry
from referee.rules.registry import GAMES
from referee.sheets.files import Course, play_through, sheet_from

GAME = GAMES["plain-score"]
NAMES = [f"Player {seat}" for seat in range(1, 17)]
CALM = settings(max_examples=200, deadline=None)

#: What a deal scored, by seat; a game takes as many of them as it has players.
deals = st.lists(st.lists(st.integers(-30, 30), min_size=16, max_size=16), max_size=8)
house_rules = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(0, 60),
        "deals": st.integers(0, 6),
        "lowest_wins": st.booleans(),
    },
)


def deal(players: list[str], points: list[int]) -> dict[str, Any]:
    """A deal in which the players scored so much, from the first seat on."""
    return {"action": "deal", "points": dict(zip(players, points, strict=False))}


def played(players: list[str], options: dict[str, Any], entries: list[dict[str, Any]]) -> Course:
    """These entries, as far as the game goes."""
    head = {"referee": 1, "game": GAME.slug, "players": players, "options": options}
    sheet = sheet_from({**head, "entries": entries})
    course = play_through(sheet.game, sheet.table, ())
    for number, entry in enumerate(sheet.entries, start=1):
        if course.state.finished:
            break
        course = course.followed_by([(number, entry)])
    return course


@CALM
@given(st.integers(2, 16), house_rules, deals)
def test_points_are_added_up_to_the_end(
    n: int, options: dict[str, Any], wanted: list[list[int]]
) -> None:
    """It ends with the first deal that reaches the target or is the last; the best have won."""
    players = NAMES[:n]
    course = played(players, options, [deal(players, points) for points in wanted])
    target, last = options.get("target", 0), options.get("deals", 0)
    for number, step in enumerate(course.steps, start=1):
        reached = bool(target) and max(step.after.scores) >= target
        assert step.after.finished == (reached or number == last)
    state, over = course.state, len(course.steps)
    assert state.finished or over == len(wanted)
    sums = tuple(sum(points[seat] for points in wanted[:over]) for seat in range(n))
    assert state.scores == sums
    passed = over - state.finished
    assert (state.deal, state.dealer) == (passed + 1, passed % n)
    best = min(sums) if options.get("lowest_wins") else max(sums)
    leaders = tuple(seat for seat, score in enumerate(sums) if score == best)
    assert state.winners == (leaders if state.finished else ())
    standings = GAME.standings(state)
    assert [one.player for one in standings if one.rank == 1] == [players[seat] for seat in leaders]
    order = [one.score for one in standings]
    assert order == sorted(order, reverse=not options.get("lowest_wins"))


@CALM
@given(st.lists(st.sampled_from([*NAMES[:6], "Zoe", "Zed"]), unique=True))
def test_exactly_everybody_is_named(named: list[str]) -> None:
    """Unknown and missing players are told at once, each by name."""
    players = NAMES[:6]
    entry = {"action": "deal", "points": dict.fromkeys(named, 1)}
    strangers = [name for name in named if name not in players]
    left_out = [name for name in players if name not in named]
    if not strangers and not left_out:
        played(players, {}, [entry])
        return
    with pytest.raises(IllegalEntry) as refused:
        played(players, {}, [entry])
    faults = refused.value.faults
    assert [fault.code for fault in faults] == [
        *["unknown-player"] * len(strangers),
        *["points-missing"] * len(left_out),
    ]
    for name, fault in zip([*strangers, *left_out], faults, strict=True):
        assert name in fault.message
        assert "Enter 0 if" in fault.message or "The players are" in fault.message


def test_how_far_it_is_to_the_target() -> None:
    """Without a target nobody has any way to go."""
    entry = deal(["Ann", "Ben"], [5, -3])
    to_go = {
        target: [one.to_go for one in GAME.standings(played(["Ann", "Ben"], rules, [entry]).state)]
        for target, rules in ((20, {"target": 20}), (0, {}))
    }
    assert to_go == {20: [15, 23], 0: [None, None]}

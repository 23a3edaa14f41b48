"""What holds for every sheet of Any Other Game, whatever its players score."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.registry import GAMES
from referee.sheets.files import Course, play_through, result, sheet_from

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
def test_scores_are_sums(n: int, options: dict[str, Any], wanted: list[list[int]]) -> None:
    """Everybody has what all deals together gave, and a player further to the left deals next."""
    players = NAMES[:n]
    found = result(played(players, options, [deal(players, points) for points in wanted]))
    over = found["entries"]
    for seat, player in enumerate(players):
        assert found["scores"][player] == sum(points[seat] for points in wanted[:over])
    finished = over - 1 if found["finished"] else over
    assert found["dealer"] == players[finished % n]
    assert found["deal"] == finished + 1


@CALM
@given(st.integers(2, 16), house_rules, deals)
def test_it_ends_at_the_target_or_after_the_last_deal(
    n: int, options: dict[str, Any], wanted: list[list[int]]
) -> None:
    """At the first deal that does either, not before, and not without a reason."""
    players = NAMES[:n]
    course = played(players, options, [deal(players, points) for points in wanted])
    target, last = options.get("target", 0), options.get("deals", 0)
    for number, step in enumerate(course.steps, start=1):
        reached = bool(target) and max(step.after.scores) >= target
        assert step.after.finished == (reached or number == last)
        assert bool(step.after.winners) == step.after.finished
    if len(course.steps) < len(wanted):
        assert course.state.finished


@CALM
@given(st.integers(2, 16), house_rules, deals)
def test_the_best_win_and_stand_first(
    n: int, options: dict[str, Any], wanted: list[list[int]]
) -> None:
    """All who have the most points, or with `lowest_wins` the fewest, and nobody else."""
    players = NAMES[:n]
    state = played(players, options, [deal(players, points) for points in wanted]).state
    best = min(state.scores) if options.get("lowest_wins") else max(state.scores)
    leaders = tuple(seat for seat, score in enumerate(state.scores) if score == best)
    assert state.winners == (leaders if state.finished else ())
    standings = GAME.standings(state)
    assert [one.player for one in standings if one.rank == 1] == [players[seat] for seat in leaders]
    order = [one.score for one in standings]
    assert order == sorted(order, reverse=not options.get("lowest_wins"))


@CALM
@given(st.lists(st.sampled_from([*NAMES[:6], "Zoe", "Zed"]), unique=True))
def test_exactly_everybody_is_named(named: list[str]) -> None:
    """Strangers and whoever is left out are told at once, each by name with what is right."""
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


def test_the_deal_card_says_who_deals() -> None:
    """And no more: what is played is not known here."""
    board = GAME.board(played(NAMES[:3], {}, []).state)
    assert list(map(str, board.says)) == ["Player 1 deals"]


def test_how_far_it_is_to_the_target() -> None:
    """Without a target nobody has any way to go."""
    entry = deal(["Ann", "Ben"], [5, -3])
    to_go = {
        target: [one.to_go for one in GAME.standings(played(["Ann", "Ben"], rules, [entry]).state)]
        for target, rules in ((20, {"target": 20}), (0, {}))
    }
    assert to_go == {20: [15, 23], 0: [None, None]}


@CALM
@given(st.recursive(st.none() | st.integers() | st.text(max_size=4), st.lists), house_rules)
def test_wild_entries_are_refused_politely(value: Any, options: dict[str, Any]) -> None:
    """Whatever stands in an entry, it is scored or refused with faults, never anything else."""
    for entry in (
        value,
        {"action": "deal", "points": value},
        {"action": "deal", "points": {"Player 1": value, "Player 2": 0}},
        {"action": "deal", "points": {}, "x": value},
    ):
        try:
            played(NAMES[:2], options, [entry])
        except RefereeError as error:
            assert error.faults
            assert all(fault.message for fault in error.faults)

"""The entries that every game has: void deals, penalties, purchases."""

from typing import Any

import pytest
from msgspec.structs import replace

from referee.rules.core.game import AnyGame
from tests.support.tiny_sheets import (
    MOST,
    NAMES,
    POT,
    adjust,
    lines_of,
    played,
    points_table,
    pot_table,
    refused,
    win,
)


def test_an_abandoned_deal_is_dealt_again_by_the_same_dealer() -> None:
    """What happened in it is gone, what happened before is not."""
    before = [win("Ann", 2)]
    there = played(MOST, points_table(), *before)
    hint = {"action": "hint", "player": "Ben"}
    begun = played(MOST, points_table(), *before, hint)
    assert begun.hints == (1,)
    again = played(MOST, points_table(), *before, hint, {"action": "abandon", "reason": "misdeal"})
    assert again == there


def test_an_abandoned_deal_stakes_nothing_anew() -> None:
    """Stakes already paid stay where they are."""
    begun = POT.start(pot_table())
    assert lines_of(POT, begun, {"action": "abandon"}) == []
    assert played(POT, pot_table(), {"action": "abandon"}) == begun


def test_a_penalty_counts_and_says_why() -> None:
    """A line with the reason as it was typed, and the deal goes on."""
    begun = played(MOST, points_table(), {"action": "hint", "player": "Ben"})
    assert lines_of(MOST, begun, adjust("Ann", -2, reason="{talked}")) == [("Ann", -2, "{talked}")]
    after = played(MOST, points_table(), {"action": "hint", "player": "Ben"}, adjust("Ann", -2))
    assert (after.scores, after.deal, after.hints) == ((-2, 0, 0), 1, (1,))


def test_in_counters_a_penalty_is_paid_to_somebody() -> None:
    """None are made or lost."""
    begun = POT.start(pot_table())
    assert lines_of(POT, begun, adjust("Ann", -2, to="Cat")) == [
        ("Ann", -2, "late"),
        ("Cat", 2, "late"),
    ]


@pytest.mark.parametrize(
    ("game", "entry", "codes"),
    [
        (MOST, {"reason": " "}, ["reason"]),
        (MOST, {"points": 0}, ["no-points"]),
        (MOST, {"to": "Ben"}, ["to"]),
        (MOST, {"points": 0, "reason": "", "to": "Ann"}, ["reason", "no-points", "to", "to"]),
        (POT, {}, ["to"]),
        (POT, {"to": "Ann"}, ["to"]),
        (POT, {"points": 0, "reason": ""}, ["reason", "no-points", "to"]),
    ],
)
def test_what_is_wrong_with_a_penalty(
    game: AnyGame, entry: dict[str, Any], codes: list[str]
) -> None:
    """A reason, points and, in counters, another player: all that is missing at once."""
    state = game.start(points_table() if game is MOST else pot_table())
    assert refused(game, state, {**adjust("Ann", 1), **entry}) == codes


def test_a_bonus_can_reach_the_target() -> None:
    """And ends the game in the middle of a deal."""
    state = played(MOST, points_table(target=5), win("Ann", 4), adjust("Ann", 1))
    assert (state.finished, state.winners, state.deal) == (True, (0,), 2)


def test_level_at_the_target_the_next_point_decides() -> None:
    """Two have reached it together, by a bonus paid to one: nobody has won until one is ahead."""
    level = [win("Ann", 4), adjust("Ben", 4)]
    state = played(MOST, points_table(target=5), *level)
    raised = replace(state, table=points_table(target=4))
    assert MOST.result(raised, played_out=False) == ()
    after, _ = MOST.apply(raised, MOST.read_entry(adjust("Ann", -1)))
    assert (after.finished, after.winners) == (True, (1,))


def test_a_penalty_does_not_end_a_game_of_so_many_deals() -> None:
    """The last deal must be played, even if a penalty puts a player ahead."""
    for deals in (1, 2, 3):
        table = points_table(target=0, deals=deals)
        for before in range(deals):
            state = played(MOST, table, *[win("Ben")] * before, adjust("Ann", 50))
            assert not state.finished


def test_counters_are_bought_from_the_bank() -> None:
    """They come from nowhere, and the line says so."""
    begun = POT.start(pot_table())
    buy = {"action": "buy", "player": "Ben", "amount": 36}
    assert lines_of(POT, begun, buy) == [("Ben", 36, "bought from the bank")]
    assert played(POT, pot_table(), buy).scores == (9, 45, 9)


def test_there_is_nothing_to_buy_in_points() -> None:
    """In a game for points."""
    buy = {"action": "buy", "player": "Ben", "amount": 36}
    assert refused(MOST, MOST.start(points_table()), buy) == ["no-counters"]
    assert (MOST.has_counters, POT.has_counters) == (False, True)


@pytest.mark.parametrize(
    ("entry", "codes"),
    [
        ({"action": "abandon"}, ["all-looked"]),
        (adjust("Ann", 0), ["no-points", "all-looked"]),
        ({"action": "buy", "player": "Ann", "amount": 1}, ["no-counters", "all-looked"]),
    ],
)
def test_a_game_may_refuse_them_for_now(entry: dict[str, Any], codes: list[str]) -> None:
    """What the game has against them is said beside what is wrong anyway."""
    hints = [{"action": "hint", "player": name} for name in NAMES]
    assert refused(MOST, played(MOST, points_table(), *hints), entry) == codes

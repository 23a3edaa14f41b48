"""What all games share, tried with games that are as small as a game can be."""

from typing import Any

import pytest
from msgspec.structs import replace

from referee.rules.core.game import AnyGame
from referee.rules.core.table import State
from tests.support.tiny_sheets import (
    FEWEST,
    LAST,
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

HINT = {"action": "hint", "player": "Ben"}

# --- what a screen shows


def test_the_board() -> None:
    """The deal card, whose turn it is, and how it stands."""
    board = MOST.board(played(MOST, points_table(), win("Ann", 3)))
    assert (board.deal, board.dealer, board.acts) == (2, "Ben", "Cat")
    assert [str(sentence) for sentence in board.says] == ["Ben deals.", "0 hints."]
    assert [need.player for need in board.needs] == list(NAMES)
    assert board.in_play == NAMES
    assert (board.finished, board.winners, board.pools) == (False, (), ())


def test_the_board_of_a_game_that_is_over() -> None:
    """Nothing is to be done any more, and somebody has won."""
    board = MOST.board(played(MOST, points_table(target=3), win("Ben", 3)))
    assert (board.finished, board.winners) == (True, ("Ben",))
    assert (board.says, board.needs, board.acts) == ((), (), None)


@pytest.mark.parametrize(
    ("game", "scores", "shown"),
    [
        (MOST, {"Ann": 1, "Ben": 5, "Cat": 3}, [(1, "Ben"), (2, "Cat"), (3, "Ann")]),
        (MOST, {"Ann": 2, "Ben": 5, "Cat": 5}, [(1, "Ben"), (1, "Cat"), (3, "Ann")]),
        (MOST, {"Ann": 5, "Ben": 2, "Cat": 2}, [(1, "Ann"), (2, "Ben"), (2, "Cat")]),
        (MOST, {}, [(1, "Ann"), (1, "Ben"), (1, "Cat")]),
        (FEWEST, {"Ann": 1, "Ben": 5, "Cat": 3}, [(1, "Ann"), (2, "Cat"), (3, "Ben")]),
        (FEWEST, {"Ann": 5, "Ben": -1, "Cat": -1}, [(1, "Ben"), (1, "Cat"), (3, "Ann")]),
    ],
)
def test_standings(game: AnyGame, scores: dict[str, int], shown: list[tuple[int, str]]) -> None:
    """Best first; equals share a rank, keep their seating order, and the next rank is skipped."""
    entries = [adjust(name, points) for name, points in scores.items()]
    state = played(game, points_table(target=99), *entries)
    assert [(one.rank, one.player) for one in game.standings(state)] == shown


def test_standings_say_how_far_it_is_and_who_deals() -> None:
    """To the target, never less than nothing; without a target there is no way to go."""
    state = played(MOST, points_table(target=5), win("Ann", 4), adjust("Ben", -2))
    assert [(one.score, one.to_go, one.dealer) for one in MOST.standings(state)] == [
        (4, 1, False),
        (0, 5, False),
        (-2, 7, True),
    ]
    over = played(MOST, points_table(target=5), win("Ann", 9))
    assert MOST.standings(over)[0].to_go == 0
    state = played(MOST, points_table(target=0, deals=3), win("Ann", 4))
    assert [one.to_go for one in MOST.standings(state)] == [None, None, None]


def test_if_play_stopped_now_the_pools_would_be_shared() -> None:
    """Odd counters go one each from the dealer's left; a game for points has none to share."""
    state = POT.start(pot_table())
    assert POT.seating.if_stopped(state) == (10, 10, 10)
    buy = {"action": "buy", "player": "Cat", "amount": 2}
    assert POT.seating.if_stopped(played(POT, pot_table(), buy)) == (10, 10, 12)
    odd = State(table=pot_table(), deal=1, dealer=1, scores=(0, 0, 0), pools={"pot": 4, "side": 1})
    assert POT.seating.if_stopped(odd) == (2, 1, 2)
    assert MOST.seating.if_stopped(played(MOST, points_table(), win("Ann", 4))) == (4, 0, 0)


# --- what to deal


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        ({"players": 5}, ["players"]),
        ({"players": 3, "deals": 2, "deal": 3}, ["deal-number"]),
        ({"players": 1, "deals": 2, "deal": 3, "target": 0}, ["players", "deal-number"]),
        ({"players": 3, "deals": 0, "target": 0}, ["no-end"]),
    ],
)
def test_what_cannot_be_dealt(asked: dict[str, Any], codes: list[str]) -> None:
    """Too many players, no such deal, house rules that do not go together: all at once."""
    ruling = MOST.judges["deal"].answer(asked)
    assert [fault.code for fault in ruling.faults] == codes


# --- the end of a deal


def test_the_last_deal_winds_up_and_stakes_nothing() -> None:
    """What is left is handed out before the winners are named; the deal stays the last one."""
    state = played(POT, pot_table(), {"action": "nobody"})
    assert lines_of(POT, state, {"action": "nobody"}) == [
        (name, 2, "share of what was left in the pools") for name in ("Cat", "Ann", "Ben")
    ]
    state = played(POT, pot_table(), {"action": "nobody"}, {"action": "nobody"})
    assert (state.finished, state.winners) == (True, (0, 1, 2))
    assert (state.deal, state.dealer) == (2, 1)
    assert (state.scores, state.pools) == ((10, 10, 10), {"pot": 0, "side": 0})


# --- void deals and penalties


def test_an_abandoned_deal_is_dealt_again_by_the_same_dealer() -> None:
    """What happened in it is gone, what happened before is not."""
    before = [win("Ann", 2)]
    there = played(MOST, points_table(), *before)
    assert played(MOST, points_table(), *before, HINT).hints == (1,)
    again = played(MOST, points_table(), *before, HINT, {"action": "abandon", "reason": "misdeal"})
    assert again == there


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


# --- players who are out at ten points


def test_who_is_out_leaves_after_the_deal() -> None:
    """The score is kept, and the others play on."""
    state = played(LAST, points_table(), win("Ann", 9), win("Ann", 2))
    assert state.table.players == ("Ben", "Cat")
    assert (state.totals["Ann"], state.deal, state.finished) == (11, 3, False)


def test_a_penalty_between_two_deals_puts_out_at_once() -> None:
    """And where too few are left, the last one has won."""
    state = played(LAST, points_table(), adjust("Ann", 10))
    assert (state.table.players, state.finished) == (("Ben", "Cat"), False)
    state = played(LAST, points_table(), adjust("Ann", 10), adjust("Cat", 12))
    assert (state.table.players, state.finished, state.winners) == (("Ben",), True, (0,))


def test_a_penalty_during_a_deal_puts_out_after_it() -> None:
    """Whether it is played to its end, or called off."""
    during = played(LAST, points_table(), HINT, adjust("Ann", 10))
    assert during.table.players == NAMES
    for end in (win("Cat"), {"action": "abandon"}):
        after = played(LAST, points_table(), HINT, adjust("Ann", 10), end)
        assert after.table.players == ("Ben", "Cat")


def test_nobody_joins_who_would_be_out() -> None:
    """Joining or coming back with points that would put the player out is refused."""
    join = {"action": "join", "player": "Dan", "left_of": "Ben"}
    assert refused(LAST, played(LAST, points_table()), {**join, "points": 10}) == ["points"]
    state = played(LAST, points_table(), {**join, "points": 9})
    assert state.table.players == ("Ann", "Ben", "Dan", "Cat")
    out = played(LAST, points_table(), adjust("Ann", 10))
    assert refused(LAST, out, {**join, "player": "Ann"}) == ["points"]


def test_everybody_is_never_out_at_once() -> None:
    """It would leave nobody to win; what comes of it is for the game to say."""
    late = [adjust(name, 10) for name in NAMES]
    state = played(LAST, points_table(), HINT, *late, win("Cat"))
    assert (state.table.players, state.deal, state.finished) == (NAMES, 2, False)

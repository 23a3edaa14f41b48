"""What a screen shows of a sheet, and what every game says about dealing."""

from typing import Any

import pytest

from referee.rules.core.game import AnyGame
from referee.rules.core.table import State
from tests.support.tiny_sheets import (
    FEWEST,
    MOST,
    NAMES,
    POT,
    adjust,
    played,
    points_table,
    pot_table,
    win,
)

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


def test_pools_have_their_words() -> None:
    """In the order in which the game names them."""
    board = POT.board(POT.start(pot_table()))
    assert [(str(words), amount) for words, amount in board.pools] == [("pot", 3), ("side pot", 0)]


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
    ("game", "asked", "said"),
    [
        (MOST, {"players": 3}, "5 cards each, 5 left for the side. 20 in all."),
        (MOST, {"players": 4}, "5 cards each, none left. 20 in all."),
        (POT, {"players": "3"}, "1 card each, none left. 3 in all."),
    ],
)
def test_what_to_deal(game: AnyGame, asked: dict[str, Any], said: str) -> None:
    """Every game answers it, without a sheet."""
    ruling = game.judges["deal"].answer(asked)
    assert ruling.legal
    assert [str(sentence) for sentence in ruling.says] == [said]


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

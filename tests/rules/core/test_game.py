"""What all games share, tried with Any Other Game, and with one that eliminates players."""

from typing import Any

import pytest

from referee.rules.core.entries import Entry, EntryKind, Player
from referee.rules.core.game import AnyGame
from referee.rules.core.parts import Elimination, Goal
from referee.rules.core.ruling import IllegalEntry
from referee.rules.core.table import State, Table
from referee.rules.games.plain_score import GAME, HouseRules, PlainScore, PlainState

NAMES = ("Ann", "Ben", "Cat")


def scored(**points: int) -> dict[str, Any]:
    """A deal with these points, 0 for the others."""
    return {"action": "deal", "points": {**dict.fromkeys(NAMES, 0), **points}}


def adjust(player: str, points: int) -> dict[str, Any]:
    return {"action": "adjust", "player": player, "points": points, "reason": "late"}


def played(*entries: dict[str, Any], game: AnyGame = GAME, **options: Any) -> State[Any]:
    """The state after these entries by three players; Ann deals first."""
    state: State[Any] = game.start(Table(NAMES, 0, HouseRules(**options)))
    for entry in entries:
        state, _ = game.apply(state, game.read_entry(entry))
    return state


# --- who wins


class Race(PlainScore):
    """Any Other Game, except that players level at the target play on, as in most games."""

    goal = Goal(lambda rules: rules.target or None, lambda rules: rules.lowest_wins)


@pytest.mark.parametrize(
    ("lowest_wins", "scores", "winners"),
    [
        (False, {"Ann": 9, "Ben": 8}, []),
        (False, {"Ann": 10, "Ben": 8}, ["Ann"]),
        (False, {"Ann": 10, "Ben": 10}, []),
        (True, {"Ann": 9, "Ben": 8}, []),
        (True, {"Ann": 10, "Ben": 8}, ["Cat"]),
        (True, {"Ann": 10, "Ben": 8, "Cat": 8}, []),
    ],
)
def test_at_the_target_the_best_score_wins(
    lowest_wins: bool, scores: dict[str, int], winners: list[str]
) -> None:
    """If the lowest wins, that is not the one that reached it; level players play on."""
    state = played(scored(**scores), game=Race(), target=10, lowest_wins=lowest_wins)
    assert [state.name(seat) for seat in state.winners] == winners


# --- what a screen shows


def test_the_board() -> None:
    """The deal card and the standings."""
    board = GAME.board(played(scored(Ann=3)))
    assert (board.deal, board.dealer, board.acts) == (2, "Ben", None)
    assert [str(sentence) for sentence in board.says] == ["Ben deals"]
    assert (board.in_play, board.finished, board.winners) == (NAMES, False, ())


def test_the_board_of_a_game_that_is_over() -> None:
    """Nothing is left to do, somebody has won, and the last deal stays."""
    board = GAME.board(played(scored(Ann=2), scored(Ben=3), target=3))
    assert (board.finished, board.winners) == (True, ("Ben",))
    assert (board.deal, board.dealer, board.says) == (2, "Ben", ())


@pytest.mark.parametrize(
    ("lowest_wins", "scores", "shown"),
    [
        (False, {"Ann": 1, "Ben": 5, "Cat": 3}, [(1, "Ben"), (2, "Cat"), (3, "Ann")]),
        (False, {"Ann": 2, "Ben": 5, "Cat": 5}, [(1, "Ben"), (1, "Cat"), (3, "Ann")]),
        (False, {"Ann": 5, "Ben": 2, "Cat": 2}, [(1, "Ann"), (2, "Ben"), (2, "Cat")]),
        (False, {}, [(1, "Ann"), (1, "Ben"), (1, "Cat")]),
        (True, {"Ann": 1, "Ben": 5, "Cat": 3}, [(1, "Ann"), (2, "Cat"), (3, "Ben")]),
        (True, {"Ann": 5, "Ben": -1, "Cat": -1}, [(1, "Ben"), (1, "Cat"), (3, "Ann")]),
    ],
)
def test_standings(lowest_wins: bool, scores: dict[str, int], shown: list[tuple[int, str]]) -> None:
    """Best first; equals share a rank, keep their seating order, and the next rank is skipped."""
    state = played(scored(**scores), lowest_wins=lowest_wins)
    assert [(one.rank, one.player) for one in GAME.standings(state)] == shown


def test_standings_say_how_far_the_target_is() -> None:
    """At least 0; nothing if there is no target."""
    standings = GAME.standings(played(scored(Ann=4), adjust("Ben", -2), target=5))
    assert [(one.score, one.to_go) for one in standings] == [(4, 1), (0, 5), (-2, 7)]
    assert GAME.standings(played(scored(Ann=9), target=5))[0].to_go == 0
    assert [one.to_go for one in GAME.standings(played(scored(Ann=4)))] == [None] * 3


# --- what to deal


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        ({"players": 17}, ["players"]),
        ({"players": "3", "deals": 2, "deal": 3}, ["deal-number"]),
        ({"players": 1, "deals": 2, "deal": 3}, ["players", "deal-number"]),
    ],
)
def test_a_deal_that_is_impossible(asked: dict[str, Any], codes: list[str]) -> None:
    """Too many players and no such deal, both faults at once."""
    ruling = GAME.judges["deal"].answer(asked)
    assert [fault.code for fault in ruling.faults] == codes


def test_a_penalty_does_not_end_a_game_of_agreed_deals() -> None:
    """The last deal must be played, even if a penalty puts a player ahead."""
    for before in range(3):
        state = played(*[scored(Ben=1)] * before, adjust("Ann", 50), deals=3)
        assert not state.finished


# --- players who are out at ten points


class Look(Entry, frozen=True, tag="look"):
    player: Player


class LastOneIn(PlainScore):
    """A game in which ten points put a player out; in the end the fewest points win."""

    slug = "last-one-in"
    elimination = Elimination(lambda state, player: state.totals[player] >= 10)

    def own_entries(self) -> tuple[EntryKind[PlainState, Any], ...]:
        """What a deal scored, and an entry that only looks."""
        return (*super().own_entries(), EntryKind(Look, lambda state, entry: (state, [])))


LAST = LastOneIn()
LOOK = {"action": "look", "player": "Ben"}


def out(*entries: dict[str, Any]) -> State[Any]:
    return played(*entries, game=LAST, lowest_wins=True)


def test_eliminated_players_leave_after_the_deal() -> None:
    """They keep their score, and the others play on."""
    state = out(scored(Ann=9), scored(Ann=2))
    assert state.table.players == ("Ben", "Cat")
    assert (state.totals["Ann"], state.deal, state.finished) == (11, 3, False)


def test_a_penalty_between_deals_eliminates_at_once() -> None:
    """If too few are left, the last one wins."""
    state = out(adjust("Ann", 10))
    assert (state.table.players, state.finished) == (("Ben", "Cat"), False)
    state = out(adjust("Ann", 10), adjust("Cat", 12))
    assert (state.table.players, state.finished, state.winners) == (("Ben",), True, (0,))


def test_a_penalty_during_a_deal_eliminates_after_it() -> None:
    """Whether that deal is played out or called off."""
    during = (LOOK, adjust("Ann", 10))
    assert out(*during).table.players == NAMES
    for end in (scored(), {"action": "abandon"}):
        assert out(*during, end).table.players == ("Ben", "Cat")


def test_nobody_joins_with_a_score_that_is_out() -> None:
    """Neither a newcomer nor a player who comes back."""
    join = {"action": "join", "player": "Dan", "left_of": "Ben"}
    assert out({**join, "points": 9}).table.players == ("Ann", "Ben", "Dan", "Cat")
    for before, late in (
        ((), {**join, "points": 10}),
        ((adjust("Ann", 10),), {**join, "player": "Ann"}),
    ):
        with pytest.raises(IllegalEntry) as refused:
            out(*before, late)
        assert [fault.code for fault in refused.value.faults] == ["points"]


def test_everybody_is_never_out_at_once() -> None:
    """Nobody would be left to win; the game decides who wins then."""
    state = out(LOOK, *(adjust(name, 10) for name in NAMES), scored())
    assert (state.table.players, state.deal, state.finished) == (NAMES, 2, False)

"""A game in which players are out at ten points: after deals, by penalties, and on joining."""

from referee.rules.core.parts import Elimination
from tests.support.tiny_games import HouseRules, LastOneIn
from tests.support.tiny_sheets import LAST, NAMES, adjust, played, points_table, refused, win

HINT = {"action": "hint", "player": "Ben"}


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


class ThreeBegin(LastOneIn):
    """Only three or four can begin it, and two play on."""

    slug = "three-begin"
    elimination = Elimination(LastOneIn.elimination.out, fewest=2)

    def seats(self, options: HouseRules) -> range:
        """Three or four."""
        return range(3, 5)


def test_fewer_may_play_on_than_can_begin() -> None:
    """Whether a deal or a penalty put somebody out; nobody else may leave a game for three."""
    game = ThreeBegin()
    leave = {"action": "leave", "player": "Cat"}
    assert refused(game, played(game, points_table()), leave) == ["players"]
    for out in (adjust("Ann", 10), adjust("Ann", 9), win("Ann", 9)):
        on = played(game, points_table(), adjust("Ann", 1), out)
        assert (on.table.players, on.finished) == (("Ben", "Cat"), False)
        assert refused(game, on, leave) == ["players"]
        over = played(game, points_table(), adjust("Ann", 1), out, adjust("Cat", 10))
        assert (over.table.players, over.finished, over.winners) == (("Ben",), True, (0,))


def test_everybody_is_never_out_at_once() -> None:
    """It would leave nobody to win; what comes of it is for the game to say."""
    late = [adjust(name, 10) for name in NAMES]
    state = played(LAST, points_table(), HINT, *late, win("Cat"))
    assert (state.table.players, state.deal, state.finished) == (NAMES, 2, False)

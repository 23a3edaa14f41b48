"""A game in which players are out at ten points: after deals, by penalties, and on joining."""

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
    """With so many points to begin with, or coming back with them."""
    join = {"action": "join", "player": "Dan", "left_of": "Ben"}
    assert refused(LAST, played(LAST, points_table()), {**join, "points": 10}) == ["points"]
    state = played(LAST, points_table(), {**join, "points": 9})
    assert state.table.players == ("Ann", "Ben", "Dan", "Cat")
    out = played(LAST, points_table(), adjust("Ann", 10))
    assert refused(LAST, out, {**join, "player": "Ann"}) == ["points"]

"""What lies on the felt, and what the player who acts can do: Ann deals, blinds of 1 and 2."""

from typing import Any

from referee.rules.games.multiple_9_holdem import GAME
from referee.rules.games.multiple_9_holdem.felt import (
    BettingOptions,
    Place,
    betting_options,
    felt,
)
from referee.rules.games.multiple_9_holdem.pots import Pot
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.sheets.files import seat_table

TO_THE_FLOP = (
    {"action": "bet", "player": "Ann", "move": "fold"},
    {"action": "bet", "player": "Ben", "move": "call"},
    {"action": "bet", "player": "Cat", "move": "check"},
    {"action": "board", "cards": "J 7 9"},
)
ALL_IN = {"action": "bet", "player": "Ben", "move": "raise", "to": 198}
CALLED = {"action": "bet", "player": "Cat", "move": "call"}


def after(*entries: dict[str, Any]) -> HoldemState:
    """A hand of three with 200 chips each, so far."""
    _, table = seat_table(GAME.slug, ["Ann", "Ben", "Cat"], None, {})
    state = GAME.start(table)
    for entry in entries:
        state, _ = GAME.apply(state, GAME.read_entry(entry))
    return state


def test_the_blinds_lie_before_anybody_has_acted() -> None:
    """Nothing is in a pot yet, and both blinds have paid."""
    lies = felt(after())
    assert (lies.street, lies.board, lies.due, lies.pots) == ("preflop", (), "bet", ())
    assert (lies.small_blind, lies.big_blind) == ("Ben", "Cat")
    assert lies.places == (
        Place("Ann", stack=200, bet=0, paid=0, status="in"),
        Place("Ben", stack=199, bet=1, paid=1, status="in"),
        Place("Cat", stack=198, bet=2, paid=2, status="in"),
    )


def test_before_the_flop_the_first_to_act_may_raise_the_blind() -> None:
    """2 to call, a raise to 4 at least and to all 200 at most."""
    options = betting_options(after())
    assert options == BettingOptions(
        player="Ann",
        stack=200,
        bet=0,
        call=2,
        least=4,
        most=200,
        no_raise=None,
        pot=3,
        opened=True,
    )
    assert options.moves == ("fold", "call", "raise")


def test_the_small_blind_goes_all_in_with_what_lies_there() -> None:
    """One of Ben's 200 is on the felt already."""
    options = betting_options(after(TO_THE_FLOP[0]))
    assert options is not None
    assert (options.player, options.stack, options.bet, options.call) == ("Ben", 199, 1, 1)
    assert options.all_in == 200


def test_nobody_bets_while_the_board_is_due() -> None:
    """What was bet has gone into the pot; Ann, who folded, has no part in it."""
    lies = felt(after(*TO_THE_FLOP[:3]))
    assert lies.due == "board"
    assert lies.pots == (Pot(4, ("Ben", "Cat")),)
    assert lies.places[0] == Place("Ann", stack=200, bet=0, paid=0, status="folded")
    assert lies.places[1] == Place("Ben", stack=198, bet=0, paid=2, status="in")
    assert betting_options(after(*TO_THE_FLOP[:3])) is None


def test_on_the_flop_nothing_is_to_call() -> None:
    """Ben checks, or opens with the big blind or more."""
    assert felt(after(*TO_THE_FLOP)).board == ("J", "7", "9")
    options = betting_options(after(*TO_THE_FLOP))
    assert options == BettingOptions(
        player="Ben",
        stack=198,
        bet=0,
        call=0,
        least=2,
        most=198,
        no_raise=None,
        pot=4,
        opened=False,
    )
    assert options.moves == ("fold", "check", "raise")


def test_whoever_is_covered_can_only_call_or_fold() -> None:
    """Ben is all in for as much as Cat has."""
    state = after(*TO_THE_FLOP, ALL_IN)
    assert felt(state).places[1] == Place("Ben", stack=0, bet=198, paid=200, status="all-in")
    options = betting_options(state)
    assert options is not None
    assert (options.player, options.call, options.pot) == ("Cat", 198, 202)
    assert (options.least, options.most, options.no_raise) == (None, None, "covered")
    assert options.moves == ("fold", "call")


def test_with_everybody_all_in_only_cards_are_due() -> None:
    """One pot of 400 chips, without the one who folded."""
    lies = felt(after(*TO_THE_FLOP, ALL_IN, CALLED))
    assert lies.due == "board"
    assert lies.pots == (Pot(400, ("Ben", "Cat")),)
    assert [place.status for place in lies.places] == ["folded", "all-in", "all-in"]

"""What a hand came to, recorded instead of its betting: nothing that can happen is refused.

`docs/rules.md` §2, a hand that was not followed.
"""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from referee.rules.games.multiple_9_holdem.game import GAME
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.sheets.files import seat_table
from tests.support.likely_play import likely

HANDS = 40


def table(chance: random.Random) -> HoldemState:
    """Two to six players with few chips, so that some are soon all-in; perhaps with an ante."""
    players = [f"P{seat}" for seat in range(chance.randint(2, 6))]
    blinds = {"small_blind": 1, "big_blind": chance.choice([2, 5])}
    options: dict[str, Any] = {"stack": chance.choice([3, 10, 50]), **blinds}
    options["structure"] = chance.choice(["no-limit", "pot-limit", "fixed-limit"])
    state = GAME.start(seat_table(GAME.slug, players, None, options)[1])
    ante = {
        "action": "blinds",
        "small": 1,
        "big": blinds["big_blind"],
        "ante": chance.choice([0, 1, 2]),
    }
    return entered(state, ante)


def entered(state: HoldemState, written: Mapping[str, Any]) -> HoldemState:
    """The state after an entry, which is legal."""
    return GAME.apply(state, GAME.read_entry(written))[0]


def played(chance: random.Random, state: HoldemState) -> HoldemState:
    """The hand in progress bet by bet, to its end."""
    deal = state.deal
    while state.deal == deal and not state.finished:
        written = likely(chance, GAME.slug, state)
        if written["action"] != "hand":
            state = entered(state, written)
    return state


def result(before: HoldemState, after: HoldemState) -> dict[str, Any]:
    """What everybody won or lost; where nobody did, that somebody won 0."""
    stacks = after.scores if after.finished else after.stakes.held
    changes = {
        before.name(seat): stacks[seat] - held for seat, held in enumerate(before.stakes.held)
    }
    won = {name: change for name, change in changes.items() if change > 0}
    lost = {name: -change for name, change in changes.items() if change < 0}
    return {"action": "hand", "won": won or {before.name(before.stakes.seats[0]): 0}, "lost": lost}


@pytest.mark.parametrize("seed", range(4))
def test_what_was_played_is_never_refused(seed: int) -> None:
    """Chips not covered, short blinds, antes, shared pots: all at once it comes to the same."""
    chance = random.Random(seed)
    hands = 0
    while hands < HANDS:
        state = table(chance)
        while not state.finished and hands < HANDS:
            after = played(chance, state)
            assert entered(state, result(state, after)).scores == after.scores
            state, hands = after, hands + 1

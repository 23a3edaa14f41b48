"""What holds for every sheet of Pink Nines, whatever is written on it."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import IllegalEntry
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, result, sheet_from

GAME = GAMES["pink-nines"]
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]

actions = st.lists(
    st.tuples(
        st.sampled_from(["out", "out", "abandon", "adjust", "buy"]),
        st.integers(0, 4),
        st.integers(1, 4),
        st.integers(1, 20),
    ),
    max_size=10,
)
house_rules = st.fixed_dictionaries(
    {},
    optional={
        "ante": st.integers(1, 9),
        "counters": st.integers(0, 40),
        "deals": st.integers(1, 7),
    },
)


def written(players: list[str], action: str, who: int, other: int, number: int) -> dict[str, Any]:
    """An entry of this kind."""
    player = players[who % len(players)]
    match action:
        case "abandon":
            return {"action": action, "reason": "dropped"}
        case "adjust":
            to = players[(who + other) % len(players)]
            entry = {"player": player, "points": number - 10, "reason": "talked", "to": to}
            return {"action": action, **entry}
        case "buy":
            return {"action": action, "player": player, "amount": number}
    return {"action": action, "player": player}


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 5), house_rules, actions)
def test_counters_reckoned_otherwise(n: int, options: dict[str, Any], wanted: list[Any]) -> None:
    """Nobody gains what nobody gives: each deal's winner is paid the ante by every other."""
    players = NAMES[:n]
    file = {"referee": 1, "game": GAME.slug, "players": players, "options": options}
    read = sheet_from(file)
    state = GAME.start(read.table)
    ante, deals = options.get("ante", 1), options.get("deals", n)
    holds = dict.fromkeys(players, options.get("counters", 36))
    kept, over = [], 0
    for entry in (written(players, *want) for want in wanted):
        try:
            state, _ = GAME.apply(state, GAME.read_entry(entry))
        except IllegalEntry:
            continue
        kept.append(entry)
        over += entry["action"] == "out"
        for player in players if entry["action"] == "out" else []:
            holds[player] += ante * (n - 1) if player == entry["player"] else -ante
        if entry["action"] == "adjust":
            holds[entry["player"]] += entry["points"]
            holds[entry["to"]] -= entry["points"]
        if entry["action"] == "buy":
            holds[entry["player"]] += entry["amount"]
    staked = 0 if over == deals else ante
    again = sheet_from({**file, "entries": kept})
    found = result(play_through(again.game, again.table, again.entries))
    assert found["scores"] == {player: counters - staked for player, counters in holds.items()}
    assert found["pools"] == {"pool": staked * n}
    assert found["finished"] == (over == deals)
    assert tuple(found["scores"].values()) == state.scores

"""Hands of hold’em in which everybody calls, so that the cards are to be shown."""

from collections.abc import Sequence
from typing import Any

BOARD = ("J 7 9", "2", "10")


def all_called(players: Sequence[str]) -> dict[str, Any]:
    """A sheet on which everybody has called 2 and checked to the end: the cards are to be shown."""
    _, small, big, *others = players
    calls = [*((name, "call") for name in (*others, players[0], small)), (big, "check")]
    entries = [{"action": "bet", "player": name, "move": move} for name, move in calls]
    for cards in BOARD:
        entries.append({"action": "board", "cards": cards})
        for name in (*players[1:], players[0]):
            entries.append({"action": "bet", "player": name, "move": "check"})
    return {"referee": 1, "game": "multiple-9-holdem", "players": list(players),
            "dealer": players[0], "options": {}, "entries": entries}  # fmt: skip

"""Sheets of any game with as many deals as you like, to see how they look."""

from collections.abc import Callable, Sequence
from itertools import cycle, islice
from typing import Any

from referee.rules.registry import GAMES

NAMES = (
    *("Ann", "Ben", "Cy", "Dot", "Eve", "Finn", "Gus", "Hal"),
    *("Ida", "Jo", "Kim", "Lea", "Max", "Nora", "Otto", "Pia"),
)
Deal = dict[str, Any]

#: House rules under which no game ends early.
LONG: dict[str, dict[str, int]] = {
    "multiple-9": {"target": 90},
    "9-of-a-kind": {"target": 9000},
    "pink-nines": {"deals": 90},
    "red-nines-1881": {"deals": 90, "counters": 500},
    "red-nines": {"rounds": 90},
    "nine-five-two": {"target": 900},
    "colorado-nines": {"rounds": 90},
}


def _out(winner: str, others: Sequence[str]) -> Deal:
    return {"action": "out", "player": winner}


def _counted(winner: str, others: Sequence[str]) -> Deal:
    hands = {name: {"plain": 1 + place % 3, "red_nines": 0} for place, name in enumerate(others)}
    return {"action": "out", "player": winner, "hands": hands}


def _penalties(winner: str, others: Sequence[str]) -> Deal:
    hands = {name: {"points": 12 + place, "red_nines": 0} for place, name in enumerate(others)}
    return {"action": "out", "player": winner, "red_nine": True, "hands": hands}


#: A deal of each game, by who wins it and who does not.
DEALS: dict[str, Callable[[str, Sequence[str]], Deal]] = {
    "multiple-9": _out,
    "multiple-9-holdem": lambda winner, others: {
        "action": "hand", "won": {winner: 2 * len(others)}, "lost": dict.fromkeys(others, 2),
    },
    "9-of-a-kind": lambda winner, others: {
        "action": "end", "by": "nine", "callers": [winner],
        "hands": {name: {"deadwood": 12, "kept": 5} for name in others},
    },
    "red-nines-1881": _counted,
    "red-nines": _penalties,
    "pink-nines": _out,
    "nine-five-two": lambda winner, others: {
        "action": "tricks", "tricks": {winner: 10, others[0]: 4, others[1]: 2},
    },
    "colorado-nines": lambda winner, others: {
        "action": "grids", "grids": {winner: 10, **dict.fromkeys(others, 20)},
    },
    "plain-score": lambda winner, others: {
        "action": "deal", "points": {winner: 7, **dict.fromkeys(others, -1)},
    },
}  # fmt: skip


def some_sheet(slug: str, players: int, deals: int) -> dict[str, Any]:
    """A sheet file of this game, as near to so many players as the game allows."""
    game = GAMES[slug]
    seats = game.seats(game.house_rules())
    names = NAMES[: min(max(players, seats[0]), seats[-1])]
    winners = islice(cycle(names), deals)
    entries = [
        DEALS[slug](winner, [name for name in names if name != winner]) for winner in winners
    ]
    return {"referee": 1, "game": slug, "players": list(names), "dealer": names[0],
            "options": LONG.get(slug, {}), "entries": entries}  # fmt: skip

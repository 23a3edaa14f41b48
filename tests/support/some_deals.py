"""Sheets of any game with any number of deals."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from typing import Any

from referee.rules.registry import GAMES
from referee.sheets.files import Course, play_through, sheet_from
from tests.support.cases import tables_of

NAMES = (
    *("Ann", "Ben", "Cy", "Dot", "Eve", "Finn", "Gus", "Hal"),
    *("Ida", "Jo", "Kim", "Lea", "Max", "Nora", "Otto", "Pia"),
)
Deal = dict[str, Any]

#: House rules under which no game ends early, for the games in `DEALS`.
LONG: dict[str, dict[str, int]] = {
    "red-nines-1881": {"deals": 90, "counters": 500},
    "red-nines": {"rounds": 90},
    "nine-five-two": {"target": 900},
}


def _counted(winner: str, others: Sequence[str]) -> Deal:
    hands = {name: {"plain": 1 + place % 3, "red_nines": 0} for place, name in enumerate(others)}
    return {"action": "out", "player": winner, "hands": hands}


def _penalties(winner: str, others: Sequence[str]) -> Deal:
    hands = {name: {"points": 12 + place, "red_nines": 0} for place, name in enumerate(others)}
    return {"action": "out", "player": winner, "red_nine": True, "hands": hands}


#: A deal by its winner and the others, if it depends on their number; all other games have it in
#: their cases (`[deal]`).
DEALS: dict[str, Callable[[str, Sequence[str]], Deal]] = {
    "multiple-9-holdem": lambda winner, others: {
        "action": "hand", "won": {winner: 2 * len(others)}, "lost": dict.fromkeys(others, 2),
    },
    "red-nines-1881": _counted,
    "red-nines": _penalties,
    "nine-five-two": lambda winner, others: {
        "action": "tricks", "tricks": {winner: 10, others[0]: 4, others[1]: 2},
    },
}  # fmt: skip


def some_deal(slug: str, winner: str, others: Sequence[str]) -> Deal:
    """A deal of this game that `winner` wins."""
    if slug in DEALS:
        return DEALS[slug](winner, others)
    deal: Deal = _by_name(tables_of(slug)["deal"]["entry"], {"winner": [winner], "others": others})
    return deal


def _by_name(value: Any, names: Mapping[str, Sequence[str]]) -> Any:
    """Replace "winner" and "others" by names in a value, its keys and its lists."""
    if isinstance(value, dict):
        return {
            key: _by_name(inner, names)
            for word, inner in value.items()
            for key in names.get(word, [word])
        }
    if isinstance(value, list):
        return [name for word in value for name in names.get(word, [word])]
    return names[value][0] if isinstance(value, str) and value in names else value


def some_sheet(slug: str, players: int, deals: int) -> dict[str, Any]:
    """A sheet file of this game, with `players` players or as close as the game allows."""
    game = GAMES[slug]
    seats = game.seats(game.house_rules())
    names = NAMES[: min(max(players, seats[0]), seats[-1])]
    winners = islice(cycle(names), deals)
    entries = [
        some_deal(slug, winner, [name for name in names if name != winner]) for winner in winners
    ]
    options = LONG.get(slug, {}) if slug in DEALS else tables_of(slug)["deal"].get("options", {})
    return {"referee": 1, "game": slug, "players": list(names), "dealer": names[0],
            "options": options, "entries": entries}  # fmt: skip


def played(slug: str, players: Sequence[str], *entries: Deal, **options: Any) -> Course:
    """A sheet of this game played through, under these options; the first of `players` deals."""
    file = {"referee": 1, "game": slug, "players": list(players), "options": options}
    sheet = sheet_from({**file, "entries": list(entries)})
    return play_through(sheet.game, sheet.table, sheet.entries)


BOARD = ("J 7 9", "2", "10")


def all_called(players: Sequence[str]) -> dict[str, Any]:
    """A hold'em sheet at the showdown: everybody has called 2 and checked to the end."""
    _, small, big, *others = players
    calls = [*((name, "call") for name in (*others, players[0], small)), (big, "check")]
    entries = [{"action": "bet", "player": name, "move": move} for name, move in calls]
    for cards in BOARD:
        entries.append({"action": "board", "cards": cards})
        for name in (*players[1:], players[0]):
            entries.append({"action": "bet", "player": name, "move": "check"})
    return {"referee": 1, "game": "multiple-9-holdem", "players": list(players),
            "dealer": players[0], "options": {}, "entries": entries}  # fmt: skip

"""What is known during a game: the last deal, and what the hands entered so far score."""

from typing import Any

import pytest

from referee.rules.core.game import AnyGame
from referee.rules.core.table import State, change_by_player
from referee.rules.registry import GAMES
from referee.sheets.files import seat_table

WON = {"action": "out", "player": "Ann"}


def at(
    slug: str, *entries: dict[str, Any], players: str = "Ann Ben Cat", **rules: Any
) -> tuple[AnyGame, State[Any]]:
    """A game and its state after these entries; the first player deals first."""
    game = GAMES[slug]
    _, table = seat_table(slug, players.split(), None, rules)
    state = game.start(table)
    for entry in entries:
        state, _ = game.apply(state, game.read_entry(entry))
    return game, state


# --- the last deal so far


@pytest.mark.parametrize(
    ("since", "last"),
    [
        ([], 3),
        ([WON], 3),
        ([WON, {"action": "join", "player": "Dan", "left_of": "Cat"}], 4),
        ([WON, {"action": "leave", "player": "Cat"}], 2),
        ([WON, {"action": "dealer", "player": "Ann"}], 4),
        ([WON, {"action": "join", "player": "Eve", "left_of": "Ann"}], 5),
        ([WON, WON, WON], 3),
    ],
    ids=[
        "everybody deals once",
        "after the first deal still",
        "Dan will deal behind Cat",
        "Cat won’t deal after all",
        "Ann deals again, then Ben and Cat",
        "Eve has to wait until Ann has dealt again",
        "it is over",
    ],
)
def test_the_last_deal_where_everybody_deals_once(since: list[dict[str, Any]], last: int) -> None:
    """It is dealt by the last in order who has not dealt yet."""
    game, state = at("pink-nines", *since)
    assert game.deals.last_from(state) == last


def test_the_last_deal_that_was_agreed_on() -> None:
    """The number stays when players come and go; 0 is no last deal."""
    game, state = at("pink-nines", WON, {"action": "leave", "player": "Cat"}, deals=5)
    assert game.deals.last_from(state) == 5
    game, state = at("plain-score")
    assert game.deals.last_from(state) is None


# --- the score of the hands that are in


def so_far(slug: str, entry: dict[str, Any], **more: Any) -> list[tuple[str, int]]:
    """The scores by player from the hands that an entry has so far."""
    game, state = at(slug, **more)
    lines = game.scores_so_far(state, game.read_entry(entry))
    change = change_by_player(lines, state.everybody)
    return [(player, points) for player, points in change.items() if points]


@pytest.mark.parametrize(
    ("slug", "rules", "entry", "scored"),
    [
        ("multiple-9", {"scoring": "cards"}, {"left": {"Ben": "K Q"}}, [("Ann", 25)]),
        ("multiple-9", {"scoring": "cards"}, {"left": {"Ben": "K Q", "Cat": "9"}}, []),
        ("multiple-9", {"scoring": "cards"}, {"left": {"Ben": "K K K K K"}}, []),
        ("red-nines-1881", {}, {"hands": {"Ben": "9H 8S"}}, [("Ann", 3), ("Ben", -3)]),
        ("red-nines-1881", {}, {"hands": {}}, []),
        ("pink-nines", {"card_payments": True}, {"hands": {"Ben": "9"}}, []),
    ],
    ids=[
        "Cat’s hand is missing",
        "no hand is missing: it can be recorded",
        "five kings are wrong, whatever Cat holds",
        "what is paid, without the stakes of the next deal",
        "no hand is in yet",
        "what the pool brings depends on no hand",
    ],
)
def test_hands_add_up_as_they_come_in(
    slug: str, rules: dict[str, Any], entry: dict[str, Any], scored: list[tuple[str, int]]
) -> None:
    """Ann is out; the others’ hands are entered one after another."""
    assert so_far(slug, {**WON, **entry}, **rules) == scored


@pytest.mark.parametrize("rules", [{}, {"going_out": 5}], ids=["plain", "going out counts"])
def test_a_grid_counts_before_the_others_are_in(rules: dict[str, Any]) -> None:
    """By itself: what going out brings depends on all of them."""
    grids = {"action": "grids", "grids": {"Ben": "2 2 5 | 9 9 9 | K 3 A"}}
    assert so_far("colorado-nines", {**grids, "out": "Cat"}, **rules) == [("Ben", 5)]
    assert so_far("colorado-nines", {**grids, "out": "Ben"}, **rules) == [("Ben", 5)]


# --- packs


@pytest.mark.parametrize(
    ("slug", "players", "rules", "packs"),
    [
        ("pink-nines", 10, {}, 1),
        ("multiple-9", 8, {}, 1),
        ("multiple-9", 9, {"packs": 2}, 2),
        ("colorado-nines", 3, {}, 1),
        ("colorado-nines", 4, {}, 2),
        ("colorado-nines", 2, {"packs": 3}, 3),
    ],
)
def test_how_many_packs_are_in_play(
    slug: str, players: int, rules: dict[str, Any], packs: int
) -> None:
    """That is how often the same card may appear."""
    game = GAMES[slug]
    options = seat_table(slug, [f"P{n}" for n in range(players)], None, rules)[1].options
    assert game.deals.packs(options, players) == packs

"""The players that an entry names, renaming them, and rules on entries read only in part."""

from collections.abc import Iterator
from typing import Any

from referee.rules.core.entries import (
    Adjust,
    Entry,
    HalfRead,
    Player,
    SomeByPlayer,
    players_named,
    rule_faults,
    with_names,
)
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import Table
from referee.rules.games.plain_score import GAME
from referee.rules.text import NOTHING


class Everyone(Entry, frozen=True, tag="everyone"):
    """An entry that names players in every possible way, among fields that name nobody."""

    first: Player
    cards: str = ""
    hands: dict[Player, str] = {}
    notes: dict[str, str] = {}
    callers: list[Player] = []
    words: list[str] = []
    by: Player | None = None
    last: str | None = None


FULL = Everyone(
    "Ann",
    cards="Zoe",
    hands={"Ben": "Zoe", "Ann": "K"},
    notes={"Zoe": "Zoe"},
    callers=["Cat", "Ben"],
    words=["Zoe"],
    by="Dan",
    last="Zoe",
)


def test_players_named() -> None:
    """In the order of the fields, each once, and nothing that only looks like a name."""
    assert players_named(FULL) == ["Ann", "Ben", "Cat", "Dan"]
    assert players_named(Everyone("Ann")) == ["Ann"]


def test_renaming_players() -> None:
    """In every field that names players, and in no other."""
    assert with_names(FULL, {"Ann": "Eve", "Cat": "Ann", "Zoe": "Yan"}) == Everyone(
        "Eve",
        cards="Zoe",
        hands={"Ben": "Zoe", "Eve": "K"},
        notes={"Zoe": "Zoe"},
        callers=["Ann", "Ben"],
        words=["Zoe"],
        by="Dan",
        last="Zoe",
    )


def test_swapping_names() -> None:
    """Two players may swap names; without a change the entry is the same object."""
    entry = Adjust("Ann", 1, "late", to="Ben")
    assert with_names(entry, {"Ann": "Ben", "Ben": "Ann"}) == Adjust("Ben", 1, "late", to="Ann")
    assert with_names(entry, {}) is entry


def test_a_rule_ends_at_an_unread_value() -> None:
    """Ben’s points cannot be read: Ann’s are still rule_faults on, and so are all other rules."""
    entry: Any = HalfRead({"points": SomeByPlayer({"Ann": 60}, ["Ben"])})

    def too_many(state: Any, entry: Any) -> Iterator[Fault]:
        for player in ("Ann", "Ben", "Cat"):
            if player not in entry.points:
                yield shared_fault(f"{player} is missing", NOTHING, "entry")
            elif entry.points[player] > 50:
                yield shared_fault(f"{player} has too many", NOTHING, "entry")

    def of_cards(state: Any, entry: Any) -> Iterator[Fault]:
        yield shared_fault(f"{entry.cards} cards", NOTHING, "entry")

    def of_ann(state: Any, entry: Any) -> Iterator[Fault]:
        yield shared_fault(f"{entry.points['Ann']} points", NOTHING, "entry")

    state = GAME.before_first_deal(Table(("Ann", "Ben"), 0, GAME.house_rules()))
    found = [fault.code for fault in rule_faults(state, entry, too_many, of_cards, of_ann)]
    assert found == ["Ann has too many", "60 points"]

"""Which players an entry is about, other names for them, and rules on half an entry."""

from collections.abc import Iterator
from typing import Any

from referee.rules.core.entries import (
    Adjust,
    Entry,
    HalfRead,
    Player,
    SomeByPlayer,
    players_named,
    ruled,
    with_names,
)
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import Table
from referee.rules.games.plain_score import GAME
from referee.rules.text import NOTHING


class Everyone(Entry, frozen=True, tag="everyone"):
    """Players wherever an entry can name them, between fields that name nobody."""

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


def test_called_otherwise() -> None:
    """In every field that names players, and in no other."""
    assert with_names(FULL, [{"Ann": "Eve", "Cat": "Ann", "Zoe": "Yan"}]) == Everyone(
        "Eve",
        cards="Zoe",
        hands={"Ben": "Zoe", "Eve": "K"},
        notes={"Zoe": "Zoe"},
        callers=["Ann", "Ben"],
        words=["Zoe"],
        by="Dan",
        last="Zoe",
    )


def test_called_otherwise_more_than_once() -> None:
    """One change after the other; two may change their names for each other's."""
    swapped = {"Ann": "Ben", "Ben": "Ann"}
    entry = Adjust("Ann", 1, "late", to="Ben")
    assert with_names(entry, [swapped]) == Adjust("Ben", 1, "late", to="Ann")
    assert with_names(entry, [swapped, swapped]) == entry
    assert with_names(entry, [{"Ann": "Cat"}, {"Cat": "Dan"}]) == Adjust("Dan", 1, "late", to="Ben")
    assert with_names(entry, []) is entry


def test_a_rule_ends_where_it_needs_what_could_not_be_read() -> None:
    """Ben has points that nobody can read: Ann's are ruled on, and so is what else there is."""
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

    state = GAME.first(Table(("Ann", "Ben"), 0, GAME.house_rules()))
    found = [fault.code for fault in ruled(state, entry, too_many, of_cards, of_ann)]
    assert found == ["Ann has too many", "60 points"]

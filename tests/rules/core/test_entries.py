"""Which players an entry is about, and what becomes of it when they are called otherwise."""

from referee.rules.core.entries import (
    Abandon,
    Adjust,
    Buy,
    Entry,
    Player,
    players_named,
    with_names,
)


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


def test_players_named_in_the_entries_of_every_game() -> None:
    """Who gets and who pays; a void deal is about nobody."""
    assert players_named(Adjust("Ann", 1, "Zoe", to="Ben")) == ["Ann", "Ben"]
    assert players_named(Adjust("Ann", 1, "Zoe")) == ["Ann"]
    assert players_named(Buy("Ann", 1)) == ["Ann"]
    assert players_named(Abandon("Zoe")) == []


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

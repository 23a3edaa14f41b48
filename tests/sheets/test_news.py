"""The sentences on a finished game, as a table of cases."""

from typing import Any

import pytest
from msgspec import Struct

from referee.ledger.chain import Mark
from referee.sheets.book import Book
from referee.sheets.comparison import Change
from referee.sheets.files import sheet_from
from referee.sheets.news import Ending, ending_of, last_change, lasted
from tests.support.some_deals import all_called

THREE = ["Ann", "Ben", "Cy"]


def plain(*deals: tuple[int, int, int], **options: int | bool) -> dict[str, Any]:
    """Any Other Game of Ann, Ben and Cy, with these points for each deal."""
    entries = [{"action": "deal", "points": dict(zip(THREE, deal, strict=True))} for deal in deals]
    return {"game": "plain-score", "players": THREE, "entries": entries,
            "options": {"deals": len(deals), **options}}  # fmt: skip


def between(sheet: dict[str, Any], after: int, entry: dict[str, Any]) -> dict[str, Any]:
    """The sheet with another entry inserted at this index."""
    entries = sheet["entries"]
    return {**sheet, "entries": [*entries[:after], entry, *entries[after:]]}


def adjust(points: int) -> dict[str, Any]:
    return {"action": "adjust", "player": "Ann", "points": points, "reason": "peeked"}


class Case(Struct, frozen=True):
    """A game with the expected margin and facts."""

    sheet: dict[str, Any]
    margin: str
    best: str = ""
    lead: str = ""
    rivals: tuple[str, ...] = ()


CASES = {
    "a race decided in its last deal": Case(
        plain((5, 0, 2), (4, 1, 1), (0, 3, 9)),
        "12 points, 3 ahead of Ann", "Cy, deal 3: +9", "deal 3: Cy takes the lead", ("Cy", "Ann"),
    ),
    "level after a deal is no lead, and two deals may be the best": Case(
        plain((5, 0, 2), (0, 5, 0), (2, 0, 0)),
        "7 points, 2 ahead of Ben", "Ann, deal 1 and Ben, deal 2: +5",
        "deal 3: Ann takes the lead", ("Ann", "Ben"),
    ),
    "a penalty before the first deal is no lead": Case(
        between(plain((9, 0, 0), (1, 5, 1)), 0, adjust(-1)),
        "9 points, 4 ahead of Ben", "Ann, deal 1: +9", "Ann led all the way", ("Ann", "Ben"),
    ),
    "two winners share, and nobody took the lead": Case(
        plain((5, 5, 2), (4, 4, 1)),
        "9 points each", "Ann, deal 1 and Ben, deal 1: +5", rivals=("Ann", "Ben"),
    ),
    "two are behind, level": Case(
        plain((7, 2, 2), (1, 0, 0)),
        "8 points, 6 ahead of Ben and Cy", "Ann, deal 1: +7", "Ann led all the way",
        ("Ann", "Ben"),
    ),
    "one deal is neither best nor a turning point": Case(
        plain((7, 2, 1)), "7 points, 5 ahead of Ben", rivals=("Ann", "Ben"),
    ),
    "the lowest wins, so the lowest deal is the best": Case(
        plain((3, 8, 1), (2, 4, 9), lowest_wins=True),
        "5 points, 5 ahead of Cy", "Cy, deal 1: 1", "deal 2: Ann takes the lead", ("Ann", "Cy"),
    ),
    "all below zero": Case(
        plain((-3, -8, -1), (-2, -4, -9)),
        "−5 points, 5 ahead of Cy", "Cy, deal 1: −1",
        "deal 2: Cy loses the lead to Ann", ("Ann", "Cy"),
    ),
    "a penalty turns the game": Case(
        between(plain((9, 0, 0), (1, 5, 1), (1, 1, 0)), 2, adjust(-8)),
        "6 points, 3 ahead of Ann", "Ann, deal 1: +9", "deal 2: Ben takes the lead",
        ("Ben", "Ann"),
    ),
    "a bonus that ends a race is no deal": Case(
        between(plain((4, 2, 0), (3, 2, 0), deals=0, target=10), 2, adjust(5)),
        "12 points, 8 ahead of Ben", "Ann, deal 1: +4", "Ann led all the way", ("Ann", "Ben"),
    ),
    "a void deal brings nobody anything": Case(
        between(plain((1, 0, 0), (2, 0, 0)), 1, {"action": "abandon", "reason": ""}),
        "3 points, 3 ahead of Ben and Cy", "Ann, deal 2: +2", "Ann led all the way",
        ("Ann", "Ben"),
    ),
    "who sat down later was not in front before": Case(
        {"game": "plain-score", "players": THREE[:2], "options": {"deals": 3}, "entries": [
            {"action": "deal", "points": {"Ann": 1, "Ben": 5}},
            {"action": "deal", "points": {"Ann": 0, "Ben": 0}},
            {"action": "join", "player": "Cy", "left_of": "Ben"},
            {"action": "deal", "points": {"Ann": 0, "Ben": 2, "Cy": 4}}]},
        "7 points, 2 ahead of Cy", "Ben, deal 1: +5", "Ben led all the way", ("Ben", "Cy"),
    ),
    "nothing was played": Case(
        {"game": "plain-score", "players": THREE, "entries": [{"action": "stop"}]},
        "Play stopped before anything was scored.",
    ),
    "Multiple 9, a point a deal: no deal stands out": Case(
        {"game": "multiple-9", "players": THREE, "options": {"target": 3},
         "entries": [{"action": "out", "player": name} for name in ("Ben", "Ann", "Ann", "Ann")]},
        "3 points, 2 ahead of Ben", lead="deal 3: Ann takes the lead", rivals=("Ann", "Ben"),
    ),
    "Red Nines 1881, for counters": Case(
        {"game": "red-nines-1881", "players": THREE, "options": {"deals": 2}, "entries": [
            {"action": "out", "player": name, "hands":
             {other: {"plain": 2, "red_nines": 0} for other in THREE if other != name}}
            for name in ("Cy", "Cy")]},
        "50 counters, 21 ahead of Ann and Ben", "Cy, deal 2: +10", "Cy led all the way",
        ("Cy", "Ann"),
    ),
    "Multiple 9 Hold’em, until one has all chips": Case(
        {"game": "multiple-9-holdem", "players": ["Ann", "Ben"], "options": {"stack": 20},
         "entries": [{"action": "hand", "won": {"Ann": 5}, "lost": {"Ben": 5}},
                     {"action": "hand", "won": {"Ben": 9}, "lost": {"Ann": 9}},
                     {"action": "hand", "won": {"Ann": 16}, "lost": {"Ben": 16}},
                     {"action": "hand", "won": {"Ann": 8}, "lost": {"Ben": 8}}]},
        "40 chips, 40 ahead of Ben", "Ann, hand 3: +16", "hand 3: Ann takes the lead",
        ("Ann", "Ben"),
    ),
}  # fmt: skip


def ended(book: Book, sheet: dict[str, Any]) -> Ending:
    found = ending_of(book.open(book.import_sheet(sheet_from({"referee": 1, **sheet}))))
    assert found is not None
    return found


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_facts_of_a_game(book: Book, case: Case) -> None:
    """Exactly these sentences."""
    found = ended(book, case.sheet)
    assert str(found.margin) == case.margin
    assert [str(fact.says) for fact in found.facts] == list(filter(None, (case.best, case.lead)))
    assert found.rivals == case.rivals


def test_the_winner_is_shown_only_until_the_next_hand(book: Book) -> None:
    """A correction after the next hand has begun, or has ended, no longer shows it."""
    sheet = all_called(["Ann", "Ben", "Cat"])
    show: dict[str, Any] = {"action": "show", "hands": {"Ann": "8 7", "Ben": "K K", "Cat": ""}}
    sheet["entries"].append(show)
    link, row = book.import_sheet(sheet_from(sheet)), len(sheet["entries"])
    latest = last_change(book.open(link))
    assert latest is not None
    assert latest.told is not None
    seen = row
    for folds, hand in (("Ben", "8 8"), ("Cat", "8 7")):
        entry = {"action": "bet", "player": folds, "move": "fold"}
        seen = book.record(link, entry, Mark(seen), f"{folds} folds")
        change = Change(row, {**show, "hands": {**show["hands"], "Ann": hand}})
        seen = book.correct(link, change, Mark(seen), f"Ann had {hand}")
        latest = last_change(book.open(link))
        assert latest is not None
        assert latest.row is not None
        assert (latest.done, latest.row.kind, latest.told) == ("changed", "deal", None)
    assert [one.kind for one in book.open(link).pad.rows] == ["deal", "deal"]


@pytest.mark.parametrize(
    ("begun", "end", "words"),
    [
        ("2026-01-02T20:00:00+00:00", "2026-01-02T20:00:59+00:00", ""),
        ("2026-01-02T20:00:00+00:00", "2026-01-02T20:01:00+00:00", "1 minute"),
        ("2026-01-02T23:00:00+01:00", "2026-01-03T00:10:00+00:00", "2 h 10 min"),
        ("2026-01-02T20:00:00+00:00", "2026-01-03T09:00:00+00:00", ""),
        ("2026-01-02T20:00:00+00:00", "2026-01-02T19:00:00+00:00", ""),
        ("2026-01-02T20:00:00+00:00", "2026-01-02T21:00:00", ""),
        ("some evening", "2026-01-02T21:00:00", ""),
    ],
)
def test_how_long_it_took(begun: str, end: str, words: str) -> None:
    """Nothing below a minute, after a long break, or without valid times."""
    assert str(lasted(begun, end)) == words

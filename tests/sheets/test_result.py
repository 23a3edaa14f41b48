"""How a game went once it is over, as a table of cases."""

from typing import Any

import pytest
from msgspec import Struct

from referee.sheets.files import Course, play_through, sheet_from
from referee.sheets.result import Outcome, outcome_of
from referee.sheets.score_pad import score_pad_of
from tests.sheets.test_examples import example

THREE = ["Ann", "Ben", "Cy"]
FIVE = [*THREE, "Dot", "Eve"]


def played(sheet: dict[str, Any]) -> Course:
    """A sheet file played through; its game is over."""
    read = sheet_from({"referee": 1, **sheet})
    course = play_through(read.game, read.table, read.entries)
    assert course.state.finished
    return course


def plain(*deals: tuple[int, int, int], **options: int | bool) -> dict[str, Any]:
    """Any Other Game between Ann, Ben and Cy: what each deal brought them."""
    entries = [{"action": "deal", "points": dict(zip(THREE, deal, strict=True))} for deal in deals]
    return {"game": "plain-score", "players": THREE, "entries": entries,
            "options": {"deals": len(deals), **options}}  # fmt: skip


def tricks(*deals: tuple[int, int, int]) -> dict[str, Any]:
    """Nine Five Two between the same, first to 10; Ann deals first."""
    entries = [
        {"action": "tricks", "tricks": dict(zip(THREE, deal, strict=True))} for deal in deals
    ]
    return {"game": "nine-five-two", "players": THREE, "options": {"target": 10},
            "entries": entries}  # fmt: skip


class Case(Struct, frozen=True):
    """A game, and what is to be said of it; `lead` is the deal in which the winner took it."""

    sheet: dict[str, Any]
    winners: list[str]
    score: int
    ahead: int = 0
    behind: tuple[str, ...] = ()
    best: tuple[tuple[str, int, int], ...] = ()
    lead: int | None = None
    throughout: bool = False


def penalty(points: int, player: str = "Ann") -> dict[str, Any]:
    """A penalty or a bonus in a game for points."""
    return {"action": "adjust", "player": player, "points": points, "reason": "peeked"}


CASES = {
    "a race decided in its last deal": Case(
        plain((5, 0, 2), (4, 1, 1), (0, 3, 9)),
        ["Cy"], 12, 3, ("Ann",), (("Cy", 3, 9),), lead=3,
    ),
    "in front from the first deal on": Case(
        plain((5, 0, 2), (4, 1, 1), (6, 3, 8)),
        ["Ann"], 15, 4, ("Cy",), (("Cy", 3, 8),), lead=1, throughout=True,
    ),
    "a lead that was lost and taken back": Case(
        plain((5, 0, 2), (0, 9, 0), (8, 0, 0), (1, 1, 1)),
        ["Ann"], 14, 4, ("Ben",), (("Ben", 2, 9),), lead=3,
    ),
    "level after a deal is no lead": Case(
        plain((5, 0, 2), (0, 5, 0), (2, 0, 0)),
        ["Ann"], 7, 2, ("Ben",), (("Ann", 1, 5), ("Ben", 2, 5)), lead=3,
    ),
    "two winners share, and nobody took the lead": Case(
        plain((5, 5, 2), (4, 4, 1)), ["Ann", "Ben"], 9, 6, ("Cy",), (("Ann", 1, 5), ("Ben", 1, 5)),
    ),
    "everybody wins": Case(plain((1, 1, 1), (1, 1, 1)), ["Ann", "Ben", "Cy"], 2),
    "two are behind, level": Case(
        plain((7, 2, 2), (1, 0, 0)), ["Ann"], 8, 6, ("Ben", "Cy"), (("Ann", 1, 7),), 1, True,
    ),
    "one deal is neither best nor a turning point": Case(
        plain((7, 2, 1)), ["Ann"], 7, 5, ("Ben",),
    ),
    "the lowest wins, so the lowest deal is the best": Case(
        plain((3, 8, 1), (2, 4, 9), lowest_wins=True),
        ["Ann"], 5, 5, ("Cy",), (("Cy", 1, 1),), lead=2,
    ),
    "all below zero": Case(
        plain((-3, -8, -1), (-2, -4, -9)), ["Ann"], -5, 5, ("Cy",), (("Cy", 1, -1),), lead=2,
    ),
    "a penalty turns the game": Case(
        {**plain((9, 0, 0), (1, 5, 1), (1, 1, 0)), "entries": [
            *plain((9, 0, 0), (1, 5, 1))["entries"], penalty(-8),
            *plain((1, 1, 0))["entries"]]},
        ["Ben"], 6, 3, ("Ann",), (("Ann", 1, 9),), lead=2,
    ),
    "a bonus that ends a race is no deal": Case(
        {"game": "plain-score", "players": THREE, "options": {"target": 10},
         "entries": [*plain((4, 2, 0), (3, 2, 0))["entries"], penalty(5)]},
        ["Ann"], 12, 8, ("Ben",), (("Ann", 1, 4),), lead=1, throughout=True,
    ),
    "a void deal brings nobody anything": Case(
        {**plain((1, 0, 0), (2, 0, 0)), "entries": [
            *plain((1, 0, 0))["entries"], {"action": "abandon", "reason": ""},
            *plain((2, 0, 0))["entries"]]},
        ["Ann"], 3, 3, ("Ben", "Cy"), (("Ann", 2, 2),), lead=1, throughout=True,
    ),
    "Nine Five Two to its target": Case(
        tricks((1, 8, 7), (12, 4, 0), (13, 3, 0)),
        ["Ann"], 10, 11, ("Ben",), (("Ann", 2, 10),), lead=2,
    ),
    "Multiple 9, a point a deal: no deal stands out": Case(
        {"game": "multiple-9", "players": THREE, "options": {"target": 3},
         "entries": [{"action": "out", "player": name} for name in ("Ben", "Ann", "Ann", "Ann")]},
        ["Ann"], 3, 2, ("Ben",), lead=3,
    ),
    "9 of a Kind, a race": Case(
        {"game": "9-of-a-kind", "players": FIVE, "options": {"target": 90}, "entries": [
            {"action": "end", "by": "nine", "callers": [name], "hands":
             {other: {"deadwood": 12, "kept": 5} for other in FIVE if other != name}}
            for name in ("Ben", "Ben")]},
        ["Ben"], 96, 96, ("Ann", "Cy", "Dot", "Eve"), (("Ben", 1, 48), ("Ben", 2, 48)), 1, True,
    ),
    "Red Nines: two rounds, fewest points": Case(
        {"game": "red-nines", "players": FIVE[:4], "options": {"rounds": 2}, "entries": [
            {"action": "out", "player": "Ben", "hands": {
                name: {"points": points, "red_nines": 0}
                for name, points in (("Ann", 12), ("Cy", 30), ("Dot", 13))}},
            {"action": "out", "player": "Ann", "hands": {
                name: {"points": points, "red_nines": 0}
                for name, points in (("Ben", 9), ("Cy", 3), ("Dot", 20))}}]},
        ["Ben"], 9, 3, ("Ann",), (("Ben", 1, 0), ("Ann", 2, 0)), lead=1, throughout=True,
    ),
    "Red Nines 1881, for counters": Case(
        {"game": "red-nines-1881", "players": THREE, "options": {"deals": 2}, "entries": [
            {"action": "out", "player": name, "hands":
             {other: {"plain": 2, "red_nines": 0} for other in THREE if other != name}}
            for name in ("Cy", "Cy")]},
        ["Cy"], 50, 21, ("Ann", "Ben"), (("Cy", 2, 10),), 1, True,
    ),
    "Pink Nines, a purchase between the deals": Case(
        {"game": "pink-nines", "players": THREE, "options": {"deals": 3}, "entries": [
            {"action": "out", "player": "Cy"}, {"action": "buy", "player": "Ann", "amount": 2},
            {"action": "out", "player": "Ben"}, {"action": "out", "player": "Ben"}]},
        ["Ben"], 39, 3, ("Cy",), lead=3,
    ),
    "Multiple 9 Hold’em, until one has all chips": Case(
        {"game": "multiple-9-holdem", "players": ["Ann", "Ben"], "options": {"stack": 20},
         "entries": [{"action": "hand", "won": {"Ann": 5}, "lost": {"Ben": 5}},
                     {"action": "hand", "won": {"Ben": 9}, "lost": {"Ann": 9}},
                     {"action": "hand", "won": {"Ann": 16}, "lost": {"Ben": 16}},
                     {"action": "hand", "won": {"Ann": 8}, "lost": {"Ben": 8}}]},
        ["Ann"], 40, 40, ("Ben",), (("Ann", 3, 16),), lead=3,
    ),
}  # fmt: skip


def outcome(sheet: dict[str, Any]) -> Outcome:
    """What became of this sheet."""
    course = played(sheet)
    return outcome_of(course, score_pad_of(course))


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_a_game(name: str) -> None:
    """Each case with all that is said of it."""
    case = CASES[name]
    found = outcome(case.sheet)
    assert (list(found.winners), found.score) == (case.winners, case.score)
    assert (found.ahead, found.behind) == (case.ahead, case.behind)
    assert tuple((one.player, one.deal, one.points) for one in found.best) == case.best
    assert (found.lead_since, found.led_throughout) == (case.lead, case.throughout)


def test_everybody_has_a_place_and_equals_share_it() -> None:
    """Best first; two who are level are both second, and the next is fourth."""
    points = {"Ann": 1, "Ben": 4, "Cy": 4, "Dot": 9}
    sheet = {"game": "plain-score", "players": list(points), "options": {"deals": 1},
             "entries": [{"action": "deal", "points": points}]}  # fmt: skip
    places = outcome(sheet).places
    assert [(one.rank, one.player) for one in places] == [
        (1, "Dot"), (2, "Ben"), (2, "Cy"), (4, "Ann"),
    ]  # fmt: skip


def test_colorado_of_two_rounds() -> None:
    """The example of the format: Ann has the fewest points."""
    sheet, expected = example("colorado-nines")
    found = outcome({key: value for key, value in sheet.items() if key != "referee"})
    assert list(found.winners) == expected["winners"]
    assert found.score == min(expected["scores"].values())
    assert found.ahead == max(expected["scores"].values()) - found.score

"""`referee club` with a file of sheets."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import as_line, lines_of, run

AT = "2026-03-12T21:04:00+00:00"
MERGE = {"action": "merge", "name": "Ben", "others": ["Benny"]}


def sheet(points: dict[str, int], at: str = "", deals: int = 1) -> dict[str, Any]:
    """A sheet of Any Other Game with this deal, over `at` this time."""
    entry = {"action": "deal", "points": points}
    found = {
        "referee": 1,
        "game": "plain-score",
        "players": list(points),
        "dealer": next(iter(points)),
        "options": {"deals": deals},
        "entries": [entry],
    }
    row = {"seq": 1, "kind": "play", "at": at, "entry": entry}
    return {**found, "history": [row]} if at else found


def head(*notes: dict[str, Any]) -> dict[str, Any]:
    """The first line of a club with these notes."""
    rows = [{"seq": n, "kind": "note", "at": AT, "note": note} for n, note in enumerate(notes, 1)]
    return {"referee": 1, "club": "Thursday table", "history": rows}


def file(*lines: dict[str, Any]) -> str:
    """A file of these lines."""
    return "".join(map(as_line, lines))


THREE = file(
    sheet({"Ann": 3, "Ben": 1}, "2025-12-31T23:00:00+00:00"),
    sheet({"Ann": 1, "Benny": 2}, "2026-01-01T00:30:00+00:00"),
    sheet({"Ann": 5, "Ben": 5}, "2026-01-02T00:30:00+00:00"),
)


def test_all_figures_are_printed_as_json() -> None:
    """As documented for programs."""
    (found,) = lines_of(run("club", "-", "--json", given=THREE))
    assert list(found) == ["players", "head_to_head", "records"]
    assert list(found["players"]) == ["Ann", "Ben", "Benny"]
    ann = found["players"]["Ann"]
    assert {**ann, "rating": []} == {
        "games": 3, "wins": 2, "places": {"1": 2, "2": 1}, "points": {"plain-score": 9},
        "rating": [],
    }  # fmt: skip
    assert [round(part, 4) for part in ann["rating"]] == ann["rating"]
    assert found["head_to_head"] == {
        "Ann": {"Ben": [1, 0, 1], "Benny": [0, 1, 0]},
        "Ben": {"Ann": [0, 1, 1]},
        "Benny": {"Ann": [1, 0, 0]},
    }
    assert found["records"]["plain-score"]["deals 1"]["highest_deal"] == {
        "player": "Ann", "figure": 5, "sheet": 3, "row": 1, "at": "2026-01-02T00:30:00+00:00",
        "sheets": [3],
    }  # fmt: skip


def test_a_season_table_is_printed() -> None:
    """For all games or a year, sorted as asked; an unknown subject is refused."""
    said = run("club", "-", given=file(head(MERGE)) + THREE).stdout.splitlines()
    assert said[0] == "Thursday table: 3 games"
    assert [line.split()[1:5] for line in said[2:]] == [
        ["Ann", "2", "3", "1.33"],
        ["Ben", "2", "3", "1.33"],
    ]
    sorted_by = ("--year", "2026", "--by", "average")
    said = run("club", "-", "table", *sorted_by, given=THREE).stdout.splitlines()
    assert said[0] == "Club: 2 games"
    assert [line.split()[1] for line in said[2:]] == ["Ben", "Benny", "Ann"]
    (found,) = lines_of(run("club", "-", "--year", "2025", "--json", given=THREE))
    assert [(row["person"], row["games"], row["last"]) for row in found["table"]] == [
        ("Ann", 1, [[1, 1]]),
        ("Ben", 1, [[2, 1]]),
    ]
    assert run("club", "-", "Ann", given=THREE).exit_code == 2


@pytest.mark.parametrize("tag", ["en", "he"])
def test_figures_are_in_line(tag: str) -> None:
    """In Hebrew as well, where a minus has marks of direction, which are not printed."""
    lost = file(sheet({"Ann": -3, "Ben": 12}))
    said = run("club", "-", "player", "Ann", "--language", tag, given=lost).stdout
    assert "−3" in said
    figures = filter(None, (re.search("  +[^ ]+", line) for line in said.splitlines()))
    assert len({figure.end() for figure in figures}) == 1


def test_a_person_and_the_records_are_printed() -> None:
    """A name in any capitals; an unknown one is refused."""
    said = run("club", "-", "player", " ANN", given=THREE)
    assert said.stdout.splitlines()[0] == "Ann"
    assert "Any Other Game" in said.stdout
    (found,) = lines_of(run("club", "-", "player", "ann", "--json", given=THREE))
    assert (found["player"]["games"], found["player"]["wins"]) == ([1, 2, 3], [1, 3])
    said = run("club", "-", "records", given=THREE)
    first = said.stdout.splitlines()[0].split()
    assert first == [
        "Any",
        "Other",
        "Game",
        "(deals",
        "1)",
        "Highest",
        "deal",
        "5",
        "Ann",
        "sheet",
        "3",
    ]
    (everything,) = lines_of(run("club", "-", "--json", given=THREE))
    (records,) = lines_of(run("club", "-", "records", "--json", given=THREE))
    assert records == {"records": everything["records"]}
    nobody = run("club", "-", "player", "Zed", "--json", given=THREE)
    assert nobody.exit_code == 1
    assert lines_of(nobody)[0]["error"]["faults"][0]["code"] == "nobody"
    assert run("club", "-", "player", given=THREE).exit_code == 2


def test_merged_people_can_be_separated() -> None:
    """Voiding the note brings back every figure."""
    before = run("club", "-", "--json", given=THREE).stdout
    merged = head(MERGE)
    (found,) = lines_of(run("club", "-", "--json", given=file(merged) + THREE))
    assert found["head_to_head"] == {"Ann": {"Ben": [1, 1, 1]}, "Ben": {"Ann": [1, 1, 1]}}
    voided = {"seq": 2, "kind": "void", "at": AT, "target": 1}
    parted = {**merged, "history": [*merged["history"], voided]}
    assert run("club", "-", "--json", given=file(parted) + THREE).stdout == before


ROW: dict[str, Any] = {"seq": 1, "kind": "note", "at": AT, "note": MERGE}
FAULTY: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"referee": 2}, "unreadable-club"),
    "no name": ({"club": " "}, "club-name"),
    "a name that nobody sees": ({"club": "A\u202eB"}, "club-name"),
    "a long name": ({"club": "x" * 41}, "unreadable-club"),
    "an unknown key": ({"color": "red"}, "unreadable-club"),
    "a history of something": ({"history": {}}, "unreadable-club"),
    "a number that skips": ({"history": [{**ROW, "seq": 2}]}, "history"),
    "a note without one": ({"history": [{**ROW, "note": None}]}, "history"),
    "a void with a note": ({"history": [ROW, {**ROW, "seq": 2, "kind": "void"}]}, "history"),
    "a void of what never was": (
        {"history": [{"seq": 1, "kind": "void", "at": AT, "target": 7}]},
        "history",
    ),
    "a note of no kind": ({"history": [{**ROW, "note": {"action": "praise"}}]}, "unreadable-club"),
    "a note that lacks a name": (
        {"history": [{**ROW, "note": {"action": "guest"}}]},
        "unreadable-club",
    ),
    "a name with too much": (
        {"history": [{**ROW, "note": {**MERGE, "name": "x" * 25}}]},
        "unreadable-club",
    ),
    "a merge with nobody": ({"history": [{**ROW, "note": {**MERGE, "others": []}}]}, "history"),
    "a merge with the same": (
        {"history": [{**ROW, "note": {**MERGE, "others": ["ben"]}}]},
        "history",
    ),
    "paid less than nothing": (
        {
            "history": [
                {
                    **ROW,
                    "note": {
                        "action": "paid", "payer": "Ann", "payee": "Ben", "amount": -1,
                        "unit": "chip",
                    },
                }
            ]
        },
        "unreadable-club",
    ),
    "a phone that nobody sees": ({"history": [{**ROW, "by": "\u202e"}]}, "history"),
    "a time that nobody sees": ({"history": [{**ROW, "at": "\u202e"}]}, "history"),
    "another hash": ({"history": [{**ROW, "hash": "0" * 32}]}, "history"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "code"), list(FAULTY.values()), ids=list(FAULTY))
def test_a_faulty_first_line_is_refused(changes: dict[str, Any], code: str) -> None:
    """With its fault, and nothing is counted."""
    result = run("club", "-", "--json", given=file({**head(), **changes}) + THREE)
    assert result.exit_code == 2
    (found,) = lines_of(result)
    assert (found["error"]["line"], found["further"]) == (1, [])
    assert {fault["code"] for fault in found["error"]["faults"]} == {code}
    assert run("club", "-", given=file({**head(), **changes})).stderr.startswith("Line 1: ")


def test_all_faulty_lines_are_named() -> None:
    """Blank lines are skipped but counted; a club's line further down is no sheet."""
    wrong = {**sheet({"Ann": 1, "Ben": 2}), "entries": [{"action": "out"}]}
    illegal = {**sheet({"Ann": 1, "Ben": 2}), "entries": [{"action": "deal", "points": {"Ann": 1}}]}
    given = "\n" + file(head()) + "{\n" + THREE + "\n" + file(wrong, head(), illegal)
    result = run("club", "-", given=given)
    assert result.exit_code == 2
    blamed = [line.split(":")[0] for line in result.stderr.splitlines()]
    assert list(dict.fromkeys(blamed)) == ["Line 3", "Line 8", "Line 9", "Line 10"]
    (found,) = lines_of(run("club", "-", "--json", given=given))
    assert [one["line"] for one in found["further"]] == [8, 9, 10]
    only = run("club", "-", "--json", given=file(illegal))
    assert only.exit_code == 1
    assert lines_of(only)[0]["error"]["entry"] == 0
    for given_twice in ('{"club": "A", "club": "B", "referee": 1}', "[" * 100_000, "\xff", ""):
        result = run("club", "-", "--json", given=given_twice.encode("latin-1"))
        assert result.exit_code == (2 if given_twice else 0)
        assert len(lines_of(result)) == 1


def test_a_sheet_that_is_there_twice_counts_once() -> None:
    """It says which; of a sheet in two states the fuller one counts, wherever it is."""
    earlier = sheet({"Ann": 3, "Ben": 1}, AT, deals=2)
    row = earlier["history"][0]
    fuller = earlier | {
        "entries": earlier["entries"] * 2,
        "history": [row, row | {"seq": 2, "at": AT.replace("21:", "22:")}],
    }
    once = run("club", "-", "--json", given=file(fuller))
    for lines, says in (
        ((fuller, fuller), "Line 2 is the same sheet as line 1. It counts once."),
        ((earlier, fuller), "Line 1 is the same sheet as line 2. It counts once."),
    ):
        said = run("club", "-", "--json", given=file(*lines))
        assert said.stderr.strip() == says
        (first,), (again,) = lines_of(once), lines_of(said)
        assert again["players"] == first["players"]
    plain = sheet({"Ann": 3, "Ben": 1})
    assert not run("club", "-", given=file(plain, plain)).stderr, "two games may end alike"


def test_an_empty_file_is_not_imported(tmp_path: Path) -> None:
    """A club without games is."""
    for given in ("", "\n \n"):
        said = run("club", "-", "import", "--instance", str(tmp_path), given=given)
        assert said.exit_code == 2
        assert "There’s nothing in this file" in said.stderr
    assert run("club", "--instance", str(tmp_path)).stdout == ""
    said = run("club", "-", "import", "--instance", str(tmp_path), given=file(head()))
    assert said.exit_code == 0

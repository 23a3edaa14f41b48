"""The tables of cases, one file a game, each case with where it comes from."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, result, sheet_from

CASES = Path(__file__).parent.parent / "cases"


def cases(kind: str) -> list[Any]:
    """Every case of this kind, named by its game and its source."""
    found = []
    for path in sorted(CASES.glob("*.toml")):
        for case in tomllib.loads(path.read_text()).get(kind, []):
            found.append(pytest.param(path.stem, case, id=f"{path.stem}: {case['from']}"))
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_its_cases(slug: str) -> None:
    """A game without a table of cases is not finished."""
    assert (CASES / f"{slug}.toml").exists()


@pytest.mark.parametrize(("slug", "case"), cases("check"))
def test_ruling(slug: str, case: dict[str, Any]) -> None:
    """The judge finds what the case says: these faults and no others, and at least this detail.

    TOML has no null: `null` names the keys of the detail that must be there and hold nothing.
    """
    try:
        ruling = GAMES[slug].judges[case["judge"]].answer(case["ask"])
    except RefereeError as error:
        assert case.get("unreadable"), error
        assert [fault.code for fault in error.faults] == case["codes"]
        return
    assert not case.get("unreadable")
    assert [fault.code for fault in ruling.faults] == case.get("codes", [])
    detail = {**case.get("detail", {}), **dict.fromkeys(case.get("null", ()))}
    assert ruling.detail == {**ruling.detail, **detail}


@pytest.mark.parametrize(("slug", "case"), cases("sheet"))
def test_sheet(slug: str, case: dict[str, Any]) -> None:
    """The sheet comes to the result the case says, or fails at the entry it names."""
    file = {
        "referee": 1,
        "game": slug,
        "players": case["players"],
        "options": case.get("options", {}),
        "entries": case.get("entries", []),
    }
    if "dealer" in case:
        file["dealer"] = case["dealer"]
    expected = case.get("error")
    try:
        sheet = sheet_from(file)
        found = result(play_through(sheet.game, sheet.table, sheet.entries))
    except RefereeError as error:
        assert expected is not None, error
        assert error.entry == expected.get("entry")
        assert [fault.code for fault in error.faults] == expected["codes"]
        assert isinstance(error, IllegalEntry) != expected.get("unreadable", False)
        return
    assert expected is None
    assert found == {**found, **case["result"]}

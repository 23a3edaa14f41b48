"""Each game’s table of cases; every case says where it comes from."""

from typing import Any

import pytest

from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, result, sheet_from
from tests.support.cases import cases_of, sheet_file


def cases(kind: str) -> list[Any]:
    """Every case of this kind, named by its game and its source."""
    return [
        pytest.param(slug, case, id=f"{slug}: {case['from']}")
        for slug in GAMES
        for case in cases_of(slug, kind)
    ]


@pytest.mark.parametrize(("slug", "case"), cases("check"))
def test_ruling(slug: str, case: dict[str, Any]) -> None:
    """The judge finds exactly the faults of the case, and at least its detail.

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
    """The sheet has the case’s result, or fails at the entry that the case names."""
    expected = case.get("error")
    try:
        sheet = sheet_from(sheet_file(slug, case))
        found = result(play_through(sheet.game, sheet.table, sheet.entries))
    except RefereeError as error:
        assert expected is not None, error
        assert error.entry == expected.get("entry")
        assert [fault.code for fault in error.faults] == expected["codes"]
        assert isinstance(error, IllegalEntry) != expected.get("unreadable", False)
        return
    assert expected is None
    assert found == {**found, **case["result"]}

"""The pages of a sheet in every state that the tables of cases know, not only a fresh one."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.settings import Settings
from referee.sheets.files import sheet_from
from referee.web.app import create_app
from referee.web.context import state

CASES = Path(__file__).parent.parent / "cases"


def sheets() -> list[Any]:
    """Every sheet of the cases whose entries are all legal."""
    return [
        pytest.param(path.stem, case, id=f"{path.stem}: {case['from']}")
        for path in sorted(CASES.glob("*.toml"))
        for case in tomllib.loads(path.read_text()).get("sheet", [])
        if "error" not in case
    ]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """One book for all of these sheets."""
    return create_app(Settings(tmp_path_factory.mktemp("house")))


@pytest.mark.parametrize(("slug", "case"), sheets())
def test_pages(house: Flask, slug: str, case: dict[str, Any]) -> None:
    """Host and viewer can open what shows the state, and the host each entry's correction."""
    file = {"referee": 1, "game": slug, "players": case["players"]}
    file |= {key: case[key] for key in ("dealer", "options", "entries") if key in case}
    book, client = state(house).book, house.test_client()
    host = book.take_in(sheet_from(file))
    sheet, viewer = book.open(host), book.hosting.links(host)["view"]
    places = ["", "/more", *(f"/entries/{step.seq}" for step in sheet.course.steps)]
    addresses = [f"/s/{host.token}{place}" for place in places]
    addresses += [f"/s/{viewer}{place}" for place in ("", "/board", "/print")]
    for address in (*addresses, "/"):
        assert client.get(address).status_code == 200, address
    settle = client.get(f"/s/{viewer}/settle")
    assert settle.status_code == (200 if sheet.game.has_counters else 404)

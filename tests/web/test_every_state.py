"""The pages of a sheet in every state that the tables of cases know, not only a fresh one."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.sheets.book import Book
from referee.sheets.files import sheet_from

CASES = Path(__file__).parent.parent / "cases"


def sheets() -> list[Any]:
    """Every sheet of the cases whose entries are all legal."""
    return [
        pytest.param(path.stem, case, id=f"{path.stem}: {case['from']}")
        for path in sorted(CASES.glob("*.toml"))
        for case in tomllib.loads(path.read_text()).get("sheet", [])
        if "error" not in case
    ]


@pytest.mark.parametrize(("slug", "case"), sheets())
def test_pages(app: Flask, slug: str, case: dict[str, Any]) -> None:
    """Host and viewer can open the sheet, and the host the correction of each of its entries."""
    book: Book = app.extensions["referee"].book
    file = {"referee": 1, "game": slug, "players": case["players"]}
    file |= {key: case[key] for key in ("dealer", "options", "entries") if key in case}
    host = book.take_in(sheet_from(file))
    viewer = book.hosting.links(host)["view"]
    client = app.test_client()
    places = ["", "/board", "/record", "/more", "/share", "/referee"]
    places += [f"/entries/{step.seq}" for step in book.open(host).course.steps]
    for place in places:
        assert client.get(f"/s/{host.token}{place}").status_code == 200, place
    for place in ("", "/board", "/more", "/share", "/print", "/referee"):
        assert client.get(f"/s/{viewer}{place}").status_code == 200, place
    assert client.get(f"/s/{host.token}/print", follow_redirects=True).status_code == 200
    counted = book.open(host).game.has_counters
    for token in (host.token, viewer):
        assert client.get(f"/s/{token}/settle").status_code == (200 if counted else 404)
    assert client.get("/").status_code == 200

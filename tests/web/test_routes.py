"""Every route answers, as a page and as a fragment, for every game and every state of a sheet."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.settings import Settings
from referee.sheets.files import sheet_from
from referee.web.app import create_app
from referee.web.context import state
from tests.support.cases import cases_of, sheet_file
from tests.support.phone import PARTIAL, begin

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ivy"]


def enough_players(slug: str) -> list[str]:
    """The fewest players for this game."""
    game = GAMES[slug]
    return NAMES[: game.seats(game.house_rules())[0]]


PAGES = ("/", "/new", "/bring-in", "/move", "/referee", "/rules", "/evenings")
OF_A_GAME = ("/rules/{0}", "/new/{0}", "/referee/{0}")
OF_A_SHEET = ("", "/share", "/share?code=score", "/more", "/referee", "/record", "/log")


def assert_page_and_fragment(client: FlaskClient, path: str) -> str:
    """Check that a page is complete, and that htmx gets a fragment; returns the page."""
    page, fragment = client.get(path), client.get(path, headers=PARTIAL)
    assert page.status_code == fragment.status_code == 200, path
    assert page.text.startswith("<!doctype html>")
    assert page.text.count("<main") == 1
    assert "<!doctype" not in fragment.text
    assert "HX-Request-Type" in page.headers["Vary"]
    return page.text


def test_pages_and_their_files(client: FlaskClient) -> None:
    """Every page without a game; every file that the home page names exists."""
    home, *_ = [assert_page_and_fragment(client, path) for path in PAGES]
    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', home):
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize("slug", GAMES)
def test_every_page_of_a_game(client: FlaskClient, slug: str) -> None:
    """Rules, questions, a sheet; a question asked from a sheet leads back to it."""
    for path in OF_A_GAME:
        assert_page_and_fragment(client, path.format(slug))
    host = begin(client, slug, enough_players(slug))
    for place in OF_A_SHEET:
        assert_page_and_fragment(client, f"/s/{host.token}{place}")
    for judge in GAMES[slug].judges:
        assert_page_and_fragment(client, f"/referee/{slug}/{judge}")
        page = host.get(f"/referee/{judge}")
        assert page.status_code == 200
        assert f"/s/{host.token}/referee" in page.text


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/nowhere", "GET", 404),
        ("/s/not-a-token", "GET", 404),
        ("/s/not-a-token/entries", "POST", 404),
        ("/referee/whist", "GET", 404),
        ("/referee/multiple-9/whist", "GET", 404),
        ("/rules/whist", "GET", 404),
        ("/new/whist", "POST", 404),
        ("/referee", "POST", 405),
    ],
)
def test_errors_have_pages(client: FlaskClient, path: str, method: str, status: int) -> None:
    """A missing page or a wrong method gets a page with a link home."""
    answer = client.open(path, method=method)
    assert answer.status_code == status
    assert 'href="/"' in answer.text


def test_an_unexpected_error_has_a_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged without the sheet's link."""
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    logged: list[str] = []
    monkeypatch.setattr(app.logger, "error", lambda text, *args: logged.append(text % args))
    monkeypatch.setattr("referee.sheets.book.Book.open", lambda *_: 1 / 0)
    answer = host.get()
    assert answer.status_code == 500
    assert "Nothing you recorded is lost" in answer.text
    assert "ZeroDivisionError" in logged[0]
    assert host.token not in logged[0]


#: Every sheet of the cases whose entries are all legal.
SHEETS = [
    pytest.param(sheet_file(slug, case), id=f"{slug}: {case['from']}")
    for slug in GAMES
    for case in cases_of(slug, "sheet")
    if "error" not in case
]


@pytest.fixture(scope="module")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """An app whose book has all of these sheets."""
    return create_app(Settings(tmp_path_factory.mktemp("shared")))


@pytest.mark.parametrize("file", SHEETS)
def test_every_state_of_a_sheet_has_its_pages(shared_app: Flask, file: dict[str, Any]) -> None:
    """For host and viewer, and for the host a correction of each entry."""
    book, client = state(shared_app).book, shared_app.test_client()
    host = book.import_sheet(sheet_from(file))
    sheet, viewer = book.open(host), book.hosting.links(host)["view"]
    places = ["", "/more", *(f"/entries/{step.seq}" for step in sheet.course.steps)]
    addresses = [f"/s/{host.token}{place}" for place in places]
    addresses += [f"/s/{viewer}{place}" for place in ("", "/board", "/print")]
    for address in (*addresses, "/"):
        assert client.get(address).status_code == 200, address
    settle = client.get(f"/s/{viewer}/settle")
    assert settle.status_code == (200 if sheet.game.has_counters else 404)

"""Every route answers, as a page and as a fragment, for every game."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from tests.support.phone import PARTIAL, Phone, begin

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ivy"]


def enough_players(slug: str) -> list[str]:
    """As few players as the game can be played by."""
    game = GAMES[slug]
    return NAMES[: game.seats(game.house_rules())[0]]


def pages(slug: str) -> list[str]:
    """The addresses about a game that need no sheet."""
    asked = [f"/referee/{slug}/{judge}" for judge in GAMES[slug].judges]
    return [f"/rules/{slug}", f"/new/{slug}", f"/referee/{slug}", *asked]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new",
        "/bring-in",
        "/move",
        "/referee",
        "/rules",
        "/evenings",
        *[p for g in GAMES for p in pages(g)],
    ],
)
def test_page_and_fragment(client: FlaskClient, path: str) -> None:
    """A page is whole; what htmx asks for is the part of it that changes."""
    page, fragment = client.get(path), client.get(path, headers=PARTIAL)
    assert page.status_code == fragment.status_code == 200
    assert page.text.startswith("<!doctype html>")
    assert page.text.count("<main") == 1
    assert "<!doctype" not in fragment.text
    assert "HX-Request-Type" in page.headers["Vary"]


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize(
    "place", ["", "/share", "/share?code=score", "/more", "/referee", "/record", "/log"]
)
def test_sheet_page_and_fragment(client: FlaskClient, slug: str, place: str) -> None:
    """The same holds for every page of a sheet of every game."""
    host = begin(client, slug, enough_players(slug))
    page, fragment = host.get(place), host.get(place, **PARTIAL)
    assert page.status_code == fragment.status_code == 200
    assert "<!doctype" not in fragment.text


@pytest.mark.parametrize("slug", GAMES)
def test_judges_at_a_sheet(client: FlaskClient, slug: str) -> None:
    """A question asked from a sheet knows the sheet, its house rules and the way back."""
    host = begin(client, slug, enough_players(slug))
    for judge in GAMES[slug].judges:
        page = host.get(f"/referee/{judge}")
        assert page.status_code == 200
        assert f"/s/{host.token}/referee" in page.text


def test_static_files_are_cached(client: FlaskClient) -> None:
    """Every script, style and picture that a page names is there."""
    import re  # noqa: PLC0415

    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/").text):
        assert client.get(path).status_code == 200, path


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
    """What cannot be found or done is answered by a page that leads on."""
    answer = client.open(path, method=method)
    assert answer.status_code == status
    assert 'href="/"' in answer.text


def test_too_much_at_once(host: Phone) -> None:
    """A form far larger than any entry is turned away."""
    answer = host.record({"action": "turn", "player": "Ben", "cards": "9 " * 50_000}, after=0)
    assert answer.status_code == 413
    assert "Too much" in answer.text


def test_unexpected_failure(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of our own is a page too, and what it logs does not tell the sheet's link."""
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    logged: list[str] = []
    monkeypatch.setattr(app.logger, "error", lambda text, *args: logged.append(text % args))
    monkeypatch.setattr("referee.sheets.book.Book.open", lambda *_: 1 / 0)
    answer = host.get()
    assert answer.status_code == 500
    assert "Nothing you recorded is lost" in answer.text
    assert "ZeroDivisionError" in logged[0]
    assert host.token not in logged[0]

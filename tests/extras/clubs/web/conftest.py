"""Fixtures: the host's phone of a club, and finished games."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.extras.clubs.pages.context import club_state
from referee.sheets.files import Sheet, sheet_from
from referee.web.context import state
from tests.support.phone import Phone, begin

#: Pages of a club that show its figures.
PAGES = ("", "/chart", "/games", "/head-to-head", "/records", "/people")


class ClubPhone:
    """A phone that has opened a club through one of its links."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, place: str = "", **headers: str) -> TestResponse:
        """Open a page of the club."""
        return self.client.get(f"/c/{self.token}{place}", headers=headers)

    def post(self, place: str, **fields: object) -> TestResponse:
        """Send a form of the club."""
        return self.client.post(f"/c/{self.token}{place}", data=fields)

    def other(self, role: str) -> "ClubPhone":
        """Another phone, with the club's link of this role."""
        page = self.get(f"/share?code={role}").text
        found = re.search(r'value="https?://[^"]+/c/([\w-]+)"', page)
        assert found is not None
        return ClubPhone(self.client.application.test_client(), found[1])


def begin_club(client: FlaskClient, name: str = "Thursday table", **fields: str) -> ClubPhone:
    """Begin a club; returns a phone with its host link."""
    answer = client.post("/clubs", data={"name": name, **fields})
    assert answer.status_code == 303, answer.text
    return ClubPhone(client, answer.headers["Location"].rsplit("/", 1)[1])


def send(client: FlaskClient, page: TestResponse, button: str, **more: str) -> TestResponse:
    """Send the form of a page whose button begins with these words, with its values."""
    forms = re.findall(r'<form([^>]*) action="([^"]+)"[^>]*>(.*?)</form>', page.text, re.S)
    named = re.search(rf'<button[^>]* form="(\w+)"[^>]*>\s*{re.escape(button)}', page.text)
    found = [
        (action, form)
        for head, action, form in forms
        if re.search(rf"<button[^>]*>\s*{re.escape(button)}", form)
        or (named and f'id="{named[1]}"' in head)
    ]
    assert found, f"“{button}” is on no form of {page.text}"
    action, form = found[0]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    return client.post(
        unescape(action), data={name: unescape(at) for name, at in fields.items()} | more
    )


def move(sheet: Phone, club: str, *, evening: bool = False, **more: str) -> TestResponse:
    """Move a sheet, or all of its evening, to a club, after the page has shown the effect.

    `club` is a club's link, "new" or "out".
    """
    page = sheet.get(f"/club?club={club}{'&all=yes' if evening else ''}")
    button = {"new": "Begin the club", "out": "Take"}.get(club, "Count")
    return send(sheet.client, page, button, **more)


def at(year: int, *players: str) -> Sheet:
    """The file of a game that the first of these players won in this year."""
    entry = {"action": "deal", "points": {name: -place for place, name in enumerate(players)}}
    row = {"seq": 1, "kind": "play", "at": f"{year}-06-01T20:00:00+00:00", "entry": entry}
    game = {"game": "plain-score", "players": list(players), "options": {"deals": 1}}
    return sheet_from({"referee": 1, **game, "entries": [entry], "history": [row]})


def put(app: Flask, club: ClubPhone, games: list[Sheet]) -> None:
    """Put these games in the club."""
    link = state(app).ledger.link(club.token)
    assert link is not None
    club_state(app).clubs.put(link, state(app).book.import_sheets(games))


def without_keys(page: str) -> str:
    """A page without the random keys of its forms."""
    return re.sub(r'name="key" value="[^"]*"', "", page)


def colors(sheet: Phone) -> dict[str, str]:
    """The players’ colors on their sheet."""
    return dict(re.findall(r'data-single="(\w+)" data-color="(\d+)"', sheet.get().text))


@pytest.fixture
def club(client: FlaskClient) -> ClubPhone:
    """The host's phone of a club without games."""
    return begin_club(client)


#: A function that begins a game of the club with these players; the first deals and wins it.
Won = Callable[..., Phone]


@pytest.fixture
def won(app: Flask, club: ClubPhone) -> Won:
    """A function that plays games of the club to their end."""

    def played(*players: str, client: FlaskClient | None = None) -> Phone:
        fields = {"club": club.token, "target": "1"}
        host = begin(client or club.client, "multiple-9", list(players), **fields)
        assert host.record({"action": "out", "player": players[0]}, 0).status_code == 303
        return host

    return played

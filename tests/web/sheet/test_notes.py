"""Notes of one line on a deal and on the sheet, and the name of any other game."""

import re

import pytest
from flask.testing import FlaskClient

from referee.sheets.files import read_sheet
from tests.support.phone import Phone, begin

DEAL = {"action": "deal", "points.0": 3, "points.1": 1}


def write(host: Phone, place: str, text: str) -> int:
    """Send the form of this page; returns the status."""
    page = host.get(place).text
    fields = dict(re.findall(r'type="hidden" name="(after|key)" value="([^"]+)"', page))
    return host.post(place, fields | {"text": text}).status_code


@pytest.fixture
def yahtzee(client: FlaskClient) -> Phone:
    """A sheet of Any Other Game that has a name, and one deal."""
    host = begin(client, "plain-score", ["Ann", "Ben"], title="Yahtzee")
    assert host.record(DEAL, after=1).status_code == 303
    return host


def test_any_other_game_has_a_name(yahtzee: Phone) -> None:
    """Wherever the game’s name stands: on every page, on paper, in the names of files."""
    view = yahtzee.link("view")
    for place in ("", "/more", "/share", "/log", "/deals/2"):
        assert "Yahtzee" in yahtzee.get(place).text, place
    assert "Yahtzee" in yahtzee.client.get(f"/s/{view}/print").text
    assert "<b>Yahtzee</b>" in yahtzee.client.get("/?all=1&q=yahtzee").text
    file = yahtzee.get("/sheet.json")
    assert "yahtzee" in file.headers["Content-Disposition"]
    assert "yahtzee" in yahtzee.get("/standings.csv").headers["Content-Disposition"]
    assert set(file.json or {}) == {
        *("referee", "game", "players", "dealer", "options", "entries", "history")
    }
    assert read_sheet(file.data).history


def test_the_name_is_changed_and_goes_on(yahtzee: Phone) -> None:
    """Another one, none, and the next sheet of the evening has it, too."""
    assert write(yahtzee, "/title", "Kniffel") == 303
    assert "Kniffel" in yahtzee.get().text
    again = yahtzee.post("/again", {"seen": "0", "key": "next"})
    assert "Kniffel" in yahtzee.client.get(again.headers["Location"]).text
    assert write(yahtzee, "/title", "") == 303
    assert "<h1>Any Other Game</h1>" in yahtzee.get().text


def test_a_note_on_a_deal(yahtzee: Phone) -> None:
    """In the row unfolded, in the log and on paper; changed, taken away, and no score moves."""
    scores = yahtzee.get("/standings.csv").data
    for note in ("Ann had a fever", "It was Ben"):
        assert write(yahtzee, "/notes/2", note) == 303
        view = yahtzee.link("view")
        for page in ("/deals/2", "/log"):
            assert note in yahtzee.get(page).text, page
        assert note in yahtzee.client.get(f"/s/{view}/print").text
    assert "Ann had a fever" not in yahtzee.get("/log").text
    assert write(yahtzee, "/notes/2", "") == 303
    assert "It was Ben" not in yahtzee.get("/log").text
    assert yahtzee.get("/standings.csv").data == scores
    assert "Deal 1: Ann +3" in yahtzee.get().text, "what was recorded last can still be undone"


def test_a_note_on_the_sheet(yahtzee: Phone) -> None:
    """In the log and on paper."""
    assert write(yahtzee, "/note", "At the lake") == 303
    assert "At the lake" in yahtzee.get("/log").text


def test_what_is_no_note(yahtzee: Phone, client: FlaskClient) -> None:
    """Too long, invisible, of no deal, by who only looks; a game that has a name needs none."""
    assert write(yahtzee, "/note", "x" * 201) == 422
    assert write(yahtzee, "/note", "a\u202eb") == 422
    assert yahtzee.get("/notes/1").status_code == 404
    assert Phone(client, yahtzee.link("view")).get("/note").status_code == 403
    assert begin(client, "pink-nines", ["Ann", "Ben"]).get("/title").status_code == 404

"""The line that says what was done last, and takes it back."""

import re
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.support.cases import cases_of
from tests.support.phone import Phone, begin, words
from tests.support.some_deals import all_called


def last_told(host: Phone) -> str:
    """The line that says what was done last, without its button; empty where nothing was."""
    said = re.search(r'id="toast".*?<p>(.*?)</p>', host.get().text, re.DOTALL)
    return words(re.sub(r"<[^>]+>", "", said[1])) if said else ""


def take_back(host: Phone) -> None:
    """Press the button beside what was done last."""
    assert host.press(host.get().text.partition('id="toast"')[2]).status_code == 303


def test_what_was_done_last_is_told_and_can_be_taken_back(host: Phone) -> None:
    """Recorded, removed, brought back, corrected: one line each, and one button."""
    assert last_told(host) == ""
    host.record({"action": "out", "player": "Ben"}, after=0)
    assert last_told(host) == "Deal 1: Ben +1"
    take_back(host)
    assert last_told(host) == "Deal 1 removed"
    take_back(host)
    assert last_told(host) == "Deal 1 is back: Ben +1"
    sure = {"action": "out", "player": "Cat", "after": 3, "key": "changed", "sure": "yes"}
    assert host.post("/entries/1", sure).status_code == 303
    assert last_told(host) == "Deal 1 corrected: Cat +1"
    take_back(host)
    assert last_told(host) == "Deal 1 corrected: Ben +1"
    host.record({"action": "abandon", "reason": "misdeal"}, after=5)
    assert last_told(host) == "Called off and dealt again (misdeal)"


TOLD = [(slug, case) for slug in GAMES for case in cases_of(slug, "told")]


@pytest.mark.parametrize(("slug", "case"), TOLD)
def test_what_was_done_last_is_told_in_a_sentence(
    client: FlaskClient, slug: str, case: dict[str, Any]
) -> None:
    """A whole deal goes by its number, a part of one by what happened."""
    host = begin(client, slug, ["Ann", "Ben", "Cat", "Dan", "Eve"][: case["players"]])
    for row, form in enumerate(case["forms"]):
        host.record(dict(parse_qsl(form)), after=row)
    assert last_told(host) == case["says"]
    if "button" in case:
        assert f">{case['button']}</button>" in host.get(f"/entries/{len(case['forms'])}").text
    take_back(host)
    assert last_told(host) == case["removed"]


def test_a_raise_is_no_bet(client: FlaskClient) -> None:
    """A move is called what it was, and in its correction, too; removed, it is only an amount."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    for row, (player, to) in enumerate([("Ann", 6), ("Ben", 200)]):
        host.record({"action": "bet", "player": player, "move": "raise", "to": to}, after=row)
        assert last_told(host) == f"{player} raised to {to}" + (", all in" if to == 200 else "")
    assert "Ben raised to 200, all in" in host.get("/entries/2").text
    take_back(host)
    assert last_told(host) == "Removed: Ben made it 200"


def test_a_showdown_is_told_of_somebody_who_took_a_place_in_the_hand(app: Flask) -> None:
    """Dan sits down for Ben before the cards are shown, and wins with them."""
    sheet = all_called(["Ann", "Ben", "Cat"])
    sheet["entries"] += [
        {"action": "replace", "player": "Ben", "by": "Dan"},
        {"action": "show", "hands": {"Ann": "8 7", "Dan": "K K", "Cat": ""}},
    ]
    host = app.extensions["referee"].book.take_in(sheet_from(sheet))
    page = app.test_client().get(f"/s/{host.token}")
    assert page.status_code == 200
    assert "<h2>Dan takes 6</h2>" in page.text

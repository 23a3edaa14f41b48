"""The chart on the pages, and the page to print."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.phone import Phone, begin, words

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.json"))
OUT = {"action": "out", "player": "Ben"}


def printed(sheet: Phone) -> str:
    """The page to print."""
    return sheet.client.get(f"/s/{sheet.token}/print", follow_redirects=True).text


def links(app: Flask, example: Path) -> Mapping[str, str]:
    """The links to an example's sheet, by role."""
    book: Book = app.extensions["referee"].book
    host = book.take_in(sheet_from(json.loads(example.read_text(encoding="utf-8"))["sheet"]))
    return {str(role): token for role, token in book.hosting.links(host).items()}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("role", ["host", "view"])
def test_every_game_has_its_chart_and_its_paper(app: Flask, example: Path, role: str) -> None:
    """Drawn once, and told in the score pad: on the sheet, on the live board and on paper."""
    token = links(app, example)[role]
    client = app.test_client()
    players = json.loads(example.read_text(encoding="utf-8"))["sheet"]["players"]
    for place in ("", "/board", "/print"):
        answer = client.get(f"/s/{token}{place}", follow_redirects=True)
        assert answer.status_code == 200
        assert answer.text.count('id="chart"') == 1
        assert answer.text.count('<svg class="chart"') == 1
        names = answer.text.split('<svg class="names"')[1].split("</svg>")[0]
        assert all(f">{player}</text>" in names for player in players)
        pad = answer.text.split('<table class="score-pad"')[1].split("</table>")[0]
        assert all(player in pad for player in players)
        assert "Score pad</caption>" in pad
        assert "style=" not in answer.text


def test_no_chart_before_the_first_deal(host: Phone) -> None:
    """There is only the place where it will appear, live, once somebody has scored."""
    empty = '<div id="chart" class="charts" hidden>'
    assert empty in host.get().text
    assert "<svg" not in host.get("/print").text.partition('id="chart"')[2]
    host.record(OUT, 0)
    board = host.board()
    assert '<div id="chart" class="charts" hx-swap-oob="outerHTML">' in board
    assert '<svg class="chart"' in board


def test_only_the_view_link_gets_onto_paper(host: Phone) -> None:
    """Its address stands on the page and is the page's own; those that write lead there."""
    host.record(OUT, 0)
    view = host.link("view")
    for phone in (host, host.other("score")):
        assert f'href="/s/{phone.token}/print"' in phone.get("/more").text
        answer = phone.get("/print")
        assert answer.status_code == 303
        assert answer.headers["Location"] == f"/s/{view}/print"
    page = Phone(host.client.application.test_client(), view).get("/print").text
    assert f"/s/{view}</p>" in page
    assert f'src="/s/{view}/code/view.svg"' in page
    assert host.token not in page
    assert host.link("score") not in page


def test_the_way_back_leads_to_the_link_one_came_by(host: Phone) -> None:
    """A host who prints is still the host afterwards; the way back is not printed."""
    host.get()
    view = Phone(host.client, host.link("view"))
    view.get()
    page = view.get("/print").text
    assert f'<a class="back" href="/s/{host.token}"' in page
    assert page.count(host.token) == 1


def test_the_paper_says_it_all(client: FlaskClient) -> None:
    """Who sat where, who dealt, the house rules that are not the usual, and every entry."""
    sheet = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"], target="7", exchange="may")
    sheet.record({"action": "tricks", "tricks.0": 11, "tricks.1": 4, "tricks.2": 1}, 0)
    said = words(printed(sheet))
    assert "Ann dealt first. Seated clockwise: Ann, Ben, and Cat." in said
    assert "House rules: Play to: 7." in said
    assert "A player who was up" not in said
    assert "1 Tricks: Ann 11, Ben 4, Cat 1 Ann: 11 tricks, 9 needed +2" in said
    assert "Deal 1 1 +2 11 for 9 −1 4 for 5 −1 1 for 2" in said


def test_the_paper_of_a_game_that_is_over(client: FlaskClient) -> None:
    """It begins with who won; the end of a game leads to it."""
    short = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
    short.record(OUT, 0)
    assert f'href="/s/{short.token}/print"' in short.get().text
    assert "<b>Ben wins.</b> Game over after deal 1." in printed(short)


def test_stakes_are_printed_with_the_deal_they_open(client: FlaskClient) -> None:
    """In 1881 those of the dealer, in Pink Nines everybody’s: of the first deal too, none twice."""
    red = begin(client, "red-nines-1881", ["Ann", "Ben"])
    red.record({"action": "out", "player": "Ben", "hands.0.plain": 3}, 0)
    assert (
        "What it scored 1 Ben went out Ann: stake in the red-nine pool −6 "
        "Ann: stake in the red-ace pool −3 Ann pays Ben 3: 3 cards "
        "2 Ben: stake in the red-nine pool −6 Ben: stake in the red-ace pool −3"
    ) in words(printed(red))
    pink = begin(client, "pink-nines", ["Ann", "Ben"])
    pink.record({"action": "out", "player": "Ben"}, 0)
    pink.record({"action": "out", "player": "Ann"}, 1)
    assert (
        "1 Ben went out and took the pool Ann: stake for deal 1 −1 Ben: stake for deal 1 −1 "
        "Ben: went out first and took the pool +2 "
        "2 Ann went out and took the pool Ann: stake for deal 2 −1 Ben: stake for deal 2 −1 "
        "Ann: went out first and took the pool +2"
    ) in words(printed(pink))

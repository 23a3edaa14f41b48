"""Paper, spreadsheet and chart: each has the same figures as the score pad."""

import csv
import io
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.ledger.store import Role
from referee.rules.core.game import AnyGame
from referee.rules.registry import GAMES
from referee.rules.text import MINUS
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from referee.sheets.score_pad import EMPTY, PadRow, ScorePad
from tests.support.cases import EXAMPLES
from tests.support.phone import Phone, begin, words
from tests.support.random_play import RandomPlayer

OUT = {"action": "out", "player": "Ben"}


def printed(sheet: Phone) -> str:
    return sheet.client.get(f"/s/{sheet.token}/print", follow_redirects=True).text


@pytest.mark.parametrize("slug", EXAMPLES)
@pytest.mark.parametrize("role", ["host", "view"])
def test_every_game_has_a_chart_and_a_pad(app: Flask, slug: str, role: Role) -> None:
    """One of each, with every player: on the sheet, on the live board and on paper."""
    book: Book = app.extensions["referee"].book
    token = book.hosting.links(book.import_sheet(sheet_from(EXAMPLES[slug])))[role]
    client, players = app.test_client(), EXAMPLES[slug]["players"]
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
    """Its empty place is filled on live boards once somebody has scored."""
    empty = '<div id="chart" class="charts" hidden>'
    assert empty in host.get().text
    assert "<svg" not in host.get("/print").text.partition('id="chart"')[2]
    host.record(OUT, 0)
    board = host.board()
    assert '<div id="chart" class="charts" hx-swap-oob="outerHTML">' in board
    assert '<svg class="chart"' in board


def test_paper_has_only_the_view_link(host: Phone) -> None:
    """Links that write redirect to its address, as browsers print the page's own."""
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


def test_back_from_paper_leads_to_the_phones_strongest_link(host: Phone) -> None:
    """A host who prints returns as host; the way back is not printed."""
    host.get()
    view = Phone(host.client, host.link("view"))
    view.get()
    page = view.get("/print").text
    assert f'<a class="back" href="/s/{host.token}"' in page
    assert page.count(host.token) == 1


def test_paper_has_seats_dealer_house_rules_and_every_entry(client: FlaskClient) -> None:
    """Of the house rules only the unusual ones."""
    sheet = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"], target="7", exchange="may")
    sheet.record({"action": "tricks", "tricks.0": 11, "tricks.1": 4, "tricks.2": 1}, 0)
    said = words(printed(sheet))
    assert "Ann dealt first. Seated clockwise: Ann, Ben, and Cat." in said
    assert "House rules: Play to: 7." in said
    assert "A player who was up" not in said
    assert "1 Tricks: Ann 11, Ben 4, Cat 1 Ann: 11 tricks, 9 needed +2" in said
    assert "Deal 1 1 +2 11 for 9 −1 4 for 5 −1 1 for 2" in said


def test_the_paper_of_a_game_that_is_over(client: FlaskClient) -> None:
    """It begins with who won; the page of a finished game links to it."""
    short = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
    short.record(OUT, 0)
    assert f'href="/s/{short.token}/print"' in short.get().text
    assert "<b>Ben wins.</b> Game over after deal 1." in printed(short)


def test_stakes_are_printed_with_the_deal_they_are_for(client: FlaskClient) -> None:
    """In 1881 the dealer’s, in Pink Nines everybody’s: also for the first deal, and once."""
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


def test_every_link_can_save_the_pad_as_csv(host: Phone) -> None:
    """The file is the same for every role; a formula in it stays text."""
    host.record({"action": "adjust", "player": "Ann", "points": 5, "reason": "=luck"}, 0)
    files = []
    for phone in (host, host.other("score"), host.other("view")):
        assert f'href="/s/{phone.token}/standings.csv"' in phone.get("/more").text
        answer = phone.get("/standings.csv")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=multiple-9-")
        files.append(answer.data)
    assert files == [files[0]] * 3
    lines = files[0].decode("utf-8-sig").splitlines()
    assert lines[0] == 'Deal,Ann,Ben,Cat,"Ann, total","Ben, total","Cat, total",Details'
    assert lines[2:] == [",5,,,5,0,0,Ann: =luck"]


SHEETS = 4  # random ones a game


def figures(page: str) -> list[list[int]]:
    """The figures in each row of the score pad, without rows that are a sentence."""
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert body is not None
    rows = [re.findall(r"<td(?: class=\"\w*\")?>(.*?)</td>", row, re.DOTALL)
            for row in body[1].split("</tr>") if "colspan" not in row]  # fmt: skip
    return [[figure(cell) for cell in row] for row in rows if row]


def figure(cell: str) -> int:
    """The large figure in a cell, 0 if there is none."""
    found = re.search(r"<b>([^<]+)</b>", cell)
    return int(found[1].replace(MINUS, "-").replace(",", "")) if found else 0


def rows_begun(pad: ScorePad) -> list[PadRow]:
    """The rows of a pad, and the deal in progress if anything was staked or entered in it."""
    now = pad.current
    return [*pad.rows, *([now] if now and (now.steps or now.cells) else [])]


def rows_of(pad: ScorePad) -> list[list[int]]:
    """The points in the rows of a pad, without rows that are a sentence."""
    told = [
        row
        for row in rows_begun(pad)
        if row.kind != "void" and (row.kind != "between" or row.says_anything)
    ]
    return [[row.cells.get(player, EMPTY).points for player in pad.players] for row in told]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_paper_and_spreadsheet_have_the_figures_of_the_pad(app: Flask, game: AnyGame) -> None:
    """Each column with its start adds up to the player's total."""
    chance, book = RandomPlayer(2112), app.extensions["referee"].book
    for _ in range(SHEETS):
        link = book.import_sheet(sheet_from(chance.file(game)))
        pad = book.open(link).pad
        client: FlaskClient = app.test_client()
        for place in ("print", "log"):
            page = client.get(f"/s/{link.token}/{place}", follow_redirects=True).text
            assert figures(page) == rows_of(pad), place
        content = client.get(f"/s/{link.token}/standings.csv").data.decode("utf-8-sig")
        _, start, *rows = csv.reader(io.StringIO(content))
        count = len(pad.players)
        wide = [[int(cell or 0) for cell in row[1 : count + 1]] for row in rows]
        assert wide == [
            [row.cells.get(player, EMPTY).points for player in pad.players]
            for row in rows_begun(pad)
        ]
        for seat, player in enumerate(pad.players):
            began = int(start[count + 1 + seat] or 0)
            total = began + sum(row[seat] for row in wide)
            assert book.open(link).course.state.totals[player] == total

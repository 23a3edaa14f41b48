"""Score pad, list of all deals, paper and spreadsheet: one figure a player a deal, in all games."""

import csv
import io
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.core.game import AnyGame
from referee.rules.registry import GAMES
from referee.rules.text import MINUS
from referee.sheets.files import sheet_from
from referee.sheets.score_pad import ScorePad
from tests.support.random_play import Player

SHEETS = 4  # random ones a game


def figures(page: str) -> list[list[int]]:
    """The figures of each row of the score pad, without those that say something else."""
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert body is not None
    rows = [re.findall(r"<td(?: class=\"\w*\")?>(.*?)</td>", row, re.DOTALL)
            for row in body[1].split("</tr>") if "colspan" not in row]  # fmt: skip
    return [[figure(cell) for cell in row] for row in rows if row]


def figure(cell: str) -> int:
    """What stands large in a cell, 0 where nothing does."""
    found = re.search(r"<b>([^<]+)</b>", cell)
    return int(found[1].replace(MINUS, "-").replace(",", "")) if found else 0


def rows_of(pad: ScorePad) -> list[list[int]]:
    """What the rows of a pad brought, those that take a sentence left out."""
    now = pad.current
    rows = [*pad.rows, *([now] if now and (now.steps or now.cells) else [])]
    told = [row for row in rows if row.kind != "void" and (row.kind != "between" or row.is_told)]
    return [[row.cell(player).points for player in pad.players] for row in told]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_paper_and_spreadsheet_say_what_the_pad_says(app: Flask, game: AnyGame) -> None:
    """And the figures of a column, with what was there at the start, add up to its total."""
    chance, book = Player(2112), app.extensions["referee"].book
    for _ in range(SHEETS):
        link = book.take_in(sheet_from(chance.file(game)))
        pad = book.open(link).pad
        client: FlaskClient = app.test_client()
        for place in ("print", "log"):
            page = client.get(f"/s/{link.token}/{place}", follow_redirects=True).text
            assert figures(page) == rows_of(pad), place
        content = client.get(f"/s/{link.token}/standings.csv").data.decode("utf-8-sig")
        _, start, *rows = csv.reader(io.StringIO(content))
        count = len(pad.players)
        wide = [[int(cell or 0) for cell in row[1 : count + 1]] for row in rows]
        everything = [*pad.rows, *([pad.current] if pad.current and pad.current.cells else [])]
        assert wide == [[row.cell(player).points for player in pad.players] for row in everything]
        for seat, player in enumerate(pad.players):
            began = int(start[count + 1 + seat] or 0)
            total = began + sum(row[seat] for row in wide)
            assert book.open(link).course.state.totals[player] == total

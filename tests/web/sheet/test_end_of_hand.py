"""How the end of a hand of hold'em is shown, in place of the pad."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.sheets.files import sheet_from
from tests.browser.test_showdown import side_pots
from tests.support.phone import Phone, begin, words


def account(phone: Phone) -> str:
    """The account of the hand that has just ended."""
    return words(phone.get().text.partition('class="told"')[2].partition("</section>")[0])


@pytest.fixture
def pots(app: Flask) -> Phone:
    """Fay, all in with 50, has won the main pot; and Jo the side pot."""
    host = app.extensions["referee"].book.import_sheet(sheet_from(side_pots()))
    return Phone(app.test_client(), host.token)


def test_a_hand_that_everybody_else_folded_is_shown(client: FlaskClient) -> None:
    """No cards are shown; the uncalled bet went back, and is no part of the winnings."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    host.post("/entries", {"action": "street", "folds": ["Ann", "Ben"], "after": 0, "key": "all"})
    assert "Cat takes 2 everyone else folded" in account(host)
    assert re.search(r"Cat \+1 201 .*Ann folded 0 200 Ben folded −1 199", account(host))


def test_a_player_without_chips_has_not_folded(client: FlaskClient) -> None:
    """Cat lost them all in the hand before."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    lost = {"action": "hand", "won.0": "201", "lost.1": "1", "lost.2": "200"}
    assert host.record(lost, 0).status_code == 303
    assert host.record({"action": "street", "folds": ["Ben"]}, 1).status_code == 303
    assert re.search(r"Cat out of chips 0 0", account(host))


def test_all_who_share_a_pot_show_their_cards(app: Flask) -> None:
    """Fay and Gus have two kings each, and both hands are drawn."""
    sheet = side_pots()
    sheet["entries"][-1]["hands"] = {"Fay": "K K", "Gus": "K K", "Ben": "Q 5"}  # type: ignore[index]
    host = app.extensions["referee"].book.import_sheet(sheet_from(sheet))
    main, side = account(Phone(app.test_client(), host.token)).split("The side pot")
    assert re.search(r"Fay K K 10 J 7 9 2 .*Gus K K 10 J 7 9 2", main)
    assert "Gus" in side


def test_the_winner_of_each_pot_is_named(pots: Phone) -> None:
    """And nobody else whose chips changed."""
    said = re.search(r'id="toast".*?<p>(.*?)</p>', pots.get().text, re.DOTALL)
    assert said
    assert words(said[1]) == "Hand 1: Fay +308, Jo +20"

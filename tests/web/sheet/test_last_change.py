"""The line that shows the last change, with its Undo."""

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.support.cases import cases_of
from tests.support.phone import Phone, begin, first_in, words
from tests.support.some_deals import all_called

NAMES = ["Ann", "Ben", "Cy", "Dot", "Eve", "Fay", "Gus"]


def last_told(host: Phone) -> str:
    """The line that shows the last change, without its button; empty if there is none."""
    said = re.search(r'id="toast".*?<p>(.*?)</p>', host.get().text, re.DOTALL)
    return words(re.sub(r"<[^>]+>", "", said[1])) if said else ""


def advance_clock(host: Phone, seconds: int) -> None:
    """Move the book's clock forward."""
    book = host.client.application.extensions["referee"].book
    later = datetime.fromisoformat(book.now()) + timedelta(seconds=seconds)
    book.now = later.isoformat


def take_back(host: Phone) -> None:
    """Press Undo beside the last change."""
    assert host.press(host.get().text.partition('id="toast"')[2]).status_code == 303


def test_the_last_change_is_shown_and_can_be_undone(host: Phone) -> None:
    """Recording, removing, bringing back and correcting: one line and one button each."""
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


def test_a_page_opened_later_does_not_tell_the_last_change(host: Phone) -> None:
    """It is shown for some seconds, and on a live board that has just received it."""
    advance_clock(host, 0)
    host.record({"action": "out", "player": "Ben"}, after=0)
    for _ in range(2):
        assert last_told(host) == "Deal 1: Ben +1"
    advance_clock(host, 16)
    assert last_told(host) == ""
    refused = host.record({"action": "out", "player": "Zoe"}, after=1)
    assert refused.status_code == 422
    assert 'id="toast"' not in refused.text
    assert ">Undo</button>" in host.get("/deals/1").text  # its row still has it
    board = host.board().replace("\u00a0", " ")
    assert "Deal 1: Ben +1" in board  # as for a phone that was offline until now
    # The tag differs only in what surrounds the sheet, such as its evening.
    held = {"HX-PTag": first_in(host.board(), r'hx-ptag="([^"]+)"') + "1"}
    assert 'id="toast"' not in host.get("/board", **held).text


def test_a_note_is_no_change_to_undo(host: Phone) -> None:
    """The line doesn't show the deal before it, either: Undo would remove that."""
    host.record({"action": "out", "player": "Ben"}, after=0)
    assert host.post("/notes/1", {"text": "misère", "key": "note", "after": 1}).status_code == 303
    assert last_told(host) == ""
    assert 'id="toast"' not in host.board()
    assert ">Undo</button>" in host.get("/deals/1").text


def test_a_betting_round_is_one_change(client: FlaskClient) -> None:
    """The rows that one tap wrote are shown together, undone together and restored together."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat", "Dan", "Eve"])
    round_ = {"action": "street", "folds": ["Dan", "Ben"], "after": 0, "key": "round"}
    assert host.post("/entries", round_).status_code == 303
    told = "Dan and Ben folded, Eve and Ann called, Cat checked"
    assert last_told(host) == told
    assert told in words(host.other("view").board())
    take_back(host)
    assert last_told(host) == f"Removed: {told}"
    listed = host.get().text.partition('class="removed"')[2].partition("</ol>")[0]
    assert words(listed).count("Bring it back") == 1
    assert told in words(listed)
    assert host.press(listed).status_code == 303
    assert last_told(host) == f"Back again: {told}"
    take_back(host)
    assert last_told(host) == f"Removed: {told}"
    late = host.post("/undo", {"after": 0})
    assert late.status_code == 409
    assert words(late).count("an undo") == 3  # its undoing, the undoing of that, and this


def test_a_betting_round_of_ten_is_described_in_numbers(client: FlaskClient) -> None:
    """Few players are named, many are counted, as the line has to fit above a drawer."""
    names = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo"]
    host = begin(client, "multiple-9-holdem", names)
    host.post("/entries", {"action": "street", "folds": ["Dan"], "after": 0, "key": "round"})
    assert last_told(host) == "Dan folded, 8 players called, Cat checked"


TOLD = [(slug, case) for slug in GAMES for case in cases_of(slug, "told")]


@pytest.mark.parametrize(("slug", "case"), TOLD)
def test_the_last_change_is_described_in_a_sentence(
    client: FlaskClient, slug: str, case: dict[str, Any]
) -> None:
    """A whole deal is described by its number, a part of one by what happened."""
    host = begin(client, slug, ["Ann", "Ben", "Cat", "Dan", "Eve"][: case["players"]])
    for row, form in enumerate(case["forms"]):
        host.record(dict(parse_qsl(form)), after=row)
    assert last_told(host) == case["says"]
    if "button" in case:
        assert f">{case['button']}</button>" in host.get(f"/entries/{len(case['forms'])}").text
    take_back(host)
    assert last_told(host) == case["removed"]


def test_a_raise_is_called_a_raise(client: FlaskClient) -> None:
    """Also in its correction; once removed, only its amount is shown."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    for row, (player, to) in enumerate([("Ann", 6), ("Ben", 200)]):
        host.record({"action": "bet", "player": player, "move": "raise", "to": to}, after=row)
        assert last_told(host) == f"{player} raised to {to}" + (", all in" if to == 200 else "")
    assert "Ben raised to 200, all in" in host.get("/entries/2").text
    take_back(host)
    assert last_told(host) == "Removed: Ben made it 200"


def test_a_showdown_names_the_player_who_took_over_the_seat(app: Flask) -> None:
    """Dan takes Ben's place during the hand, and wins it."""
    sheet = all_called(["Ann", "Ben", "Cat"])
    sheet["entries"] += [
        {"action": "replace", "player": "Ben", "by": "Dan"},
        {"action": "show", "hands": {"Ann": "8 7", "Dan": "K K", "Cat": ""}},
    ]
    host = app.extensions["referee"].book.import_sheet(sheet_from(sheet))
    page = app.test_client().get(f"/s/{host.token}")
    assert page.status_code == 200
    assert "<h2>Dan takes 6</h2>" in page.text


def test_a_deal_can_be_corrected_after_its_player_handed_over(client: FlaskClient) -> None:
    """It is shown with the new name, and every link still opens the sheet."""
    host = begin(client, "plain-score", ["Ann", "Ben", "Cat"])
    points = {"action": "deal", "points.0": "9", "points.1": "5", "points.2": "0"}
    host.record(points, after=0)
    host.record({"action": "replace", "player": "Ann", "by": "Max"}, after=1)
    corrected = {**points, "points.1": "6", "sure": "yes", "after": "2", "key": "again"}
    assert host.post("/entries/1", corrected).status_code == 303
    assert last_told(host) == "Deal 1 corrected: Max +9, Ben +6"
    for phone in (host, host.other("score"), host.other("view")):
        assert phone.get().status_code == phone.get("/board").status_code == 200


def test_the_scores_of_six_are_listed_completely(client: FlaskClient) -> None:
    """As many as have columns side by side; of more the winner, and whom it changed most."""
    for many, told in ((6, "Ann 1, Ben 2, Cy 3, Dot 4, Eve 5, Fay 6"), (7, "Ann 1, Cy 3")):
        host = begin(client, "colorado-nines", NAMES[:many])
        grids = {f"grids.{seat}": seat + 1 for seat in range(many)}
        host.record({"action": "grids", **grids}, after=0)
        assert last_told(host).startswith(f"Round 1: {told}")
        assert last_told(host).endswith("…") == (many > 6)

"""A book restored from a backup: phones that saw what came since are told, and shown what is."""

import re
from pathlib import Path

import pytest
from flask import Flask

from referee.ledger.backup import backup, restore
from referee.web.app import create_app
from referee.web.context import state
from tests.support.books import sqlite_of
from tests.support.phone import Phone, first_in

DEALS = ("Ben", "Cat", "Ben")


def won(player: str) -> dict[str, object]:
    return {"action": "out", "player": player}


@pytest.fixture
def stale(app: Flask, host: Phone, tmp_path: Path) -> dict[str, str]:
    """The marks and tags of a phone that saw three deals, by deal; two are left of them.

    Another phone has recorded a third deal since, which is not the one that was seen.
    """
    seen = {}
    ledger = state(app).ledger
    for deal, player in enumerate(DEALS):
        host.record(won(player), deal)
        if deal == 1:
            backup(sqlite_of(ledger).path, tmp_path / "copy")
        board = host.get("/board")
        seen[f"tag {deal + 1}"] = board.headers["HX-PTag"]
        seen[f"mark {deal + 1}"] = first_in(board.text, r'data-seq="([\w-]+)"')
    ledger.close()
    restore(tmp_path / "copy", sqlite_of(ledger).path, force=True)
    host.client = create_app(state(app).settings).test_client()  # the program, started again
    host.record(won("Ann"), 2, "another third deal")
    return seen


def test_a_stale_board_is_shown_the_new_past(host: Phone, stale: dict[str, str]) -> None:
    """The board of a deal that is gone is another board, though its row has the same number."""
    answer = host.get("/board", **{"HX-PTag": stale["tag 3"]})
    assert answer.status_code == 200
    assert answer.headers["HX-PTag"].startswith("host-3-")
    assert answer.headers["HX-PTag"] != stale["tag 3"]


@pytest.mark.parametrize("place", ["/entries", "/undo"])
def test_who_saw_what_is_gone_is_told(host: Phone, stale: dict[str, str], place: str) -> None:
    """An entry on rows that its writer never saw is not stored; the form waits to be sent again."""
    form = {**won("Cat"), "after": stale["mark 3"], "key": "late"}
    answer = host.post(place, form)
    assert answer.status_code == 409
    assert "the score book was replaced by an earlier copy" in answer.text
    assert len(host.file()["history"]) == 3
    newest = first_in(answer.text, r'name="after" value="(3-[\w]+)"')
    assert newest != stale["mark 3"]
    assert host.post(place, {**form, "after": newest}).status_code == 303


def test_who_saw_what_is_still_there_is_only_late(host: Phone, stale: dict[str, str]) -> None:
    """The second deal is the one it was: another phone has merely been faster."""
    answer = host.post("/entries", {**won("Cat"), "after": stale["mark 2"], "key": "late"})
    assert answer.status_code == 409
    assert "Not recorded: Ann’s win was entered first, as deal 3." in answer.text
    assert "Ann won the deal" in answer.text


@pytest.mark.parametrize("place", ["/entries/1", "/entries/1/void", "/settings"])
def test_corrections_are_refused_as_well(host: Phone, stale: dict[str, str], place: str) -> None:
    """Whatever is confirmed after a look at another past is to be looked at again."""
    names = ["Ann", "Ben", "Cat"]
    settings = {"was": names, "name": ["Ann", "Bea", "Cat"], "dealer": "0"}
    form = {**won("Cat"), **settings, "sure": "yes", "key": "late"}
    assert host.post(place, {**form, "after": stale["mark 3"]}).status_code == 409
    assert len(host.file()["history"]) == 3


def test_every_form_says_which_past_it_has_seen(host: Phone) -> None:
    """On every page: what is sent as `after` has the hash of the row, which is the board's."""
    host.record(won("Ben"), 0)
    board = first_in(host.board(), r'data-seq="(1-[0-9a-f]{12})"')
    shown = host.post("/entries/1", {**won("Cat"), "after": 1}).text
    for page in (shown, *(host.get(at).text for at in ("", "/record", "/more", "/entries/1"))):
        sent = re.findall(r'(?:name="after" value|data-after)="([^"]*)"', page)
        assert sent
        assert set(sent) == {board}

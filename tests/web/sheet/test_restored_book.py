"""A book restored from a backup: phones that saw newer rows learn of it, and show the book's."""

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
    """The marks and tags of a phone that saw three deals, by deal; the backup has two of them.

    Since then another phone has recorded a different third deal.
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
    host.client = create_app(state(app).settings).test_client()  # as after a restart
    host.record(won("Ann"), 2, "another third deal")
    return seen


def test_a_board_from_before_the_restore_is_replaced(host: Phone, stale: dict[str, str]) -> None:
    """Its tag differs by the hash, though the newest row has the same number."""
    answer = host.get("/board", **{"HX-PTag": stale["tag 3"]})
    assert answer.status_code == 200
    assert answer.headers["HX-PTag"].startswith("host-3-")
    assert answer.headers["HX-PTag"] != stale["tag 3"]


@pytest.mark.parametrize("place", ["/entries", "/undo"])
def test_a_form_on_a_lost_row_is_refused(host: Phone, stale: dict[str, str], place: str) -> None:
    """It comes back with the reason, and is accepted when it is sent again."""
    form = {**won("Cat"), "after": stale["mark 3"], "key": "late"}
    answer = host.post(place, form)
    assert answer.status_code == 409
    assert "the score book was replaced by an earlier copy" in answer.text
    assert len(host.file()["history"]) == 3
    newest = first_in(answer.text, r'name="after" value="(3-[\w]+)"')
    assert newest != stale["mark 3"]
    assert host.post(place, {**form, "after": newest}).status_code == 303


def test_a_form_that_saw_a_row_still_there_is_only_late(host: Phone, stale: dict[str, str]) -> None:
    """The backup has the second deal, so another phone was merely faster."""
    answer = host.post("/entries", {**won("Cat"), "after": stale["mark 2"], "key": "late"})
    assert answer.status_code == 409
    assert "Not recorded: Ann’s win was entered first, as deal 3." in answer.text
    assert "Ann won the deal" in answer.text


@pytest.mark.parametrize("place", ["/entries/1", "/entries/1/void", "/settings"])
def test_a_correction_on_lost_rows_fails(host: Phone, stale: dict[str, str], place: str) -> None:
    """Its effect was shown for rows that are gone."""
    names = ["Ann", "Ben", "Cat"]
    settings = {"was": names, "name": ["Ann", "Bea", "Cat"], "dealer": "0"}
    form = {**won("Cat"), **settings, "sure": "yes", "key": "late"}
    assert host.post(place, {**form, "after": stale["mark 3"]}).status_code == 409
    assert len(host.file()["history"]) == 3


def test_every_form_names_the_row_it_has_seen_with_its_hash(host: Phone) -> None:
    """On every page `after` is the mark of the board's newest row."""
    host.record(won("Ben"), 0)
    board = first_in(host.board(), r'data-seq="(1-[0-9a-f]{12})"')
    shown = host.post("/entries/1", {**won("Cat"), "after": 1}).text
    for page in (shown, *(host.get(at).text for at in ("", "/record", "/more", "/entries/1"))):
        sent = re.findall(r'(?:name="after" value|data-after)="([^"]*)"', page)
        assert sent
        assert set(sent) == {board}

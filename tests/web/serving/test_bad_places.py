"""On a full disk, a read-only or a damaged book a page says so, and nothing is lost."""

import os
import random
import sys
import tempfile
from pathlib import Path

import pytest
from flask import Flask

from referee.ledger.store import Ledger
from referee.settings import Settings
from referee.web.app import create_app
from tests.support.books import sqlite_of
from tests.support.phone import Phone

LONG = {"action": "abandon", "reason": "the cards fell off the table"}


@pytest.fixture
def ledger(app: Flask) -> Ledger:
    found: Ledger = app.extensions["referee"].book.ledger
    return found


@pytest.mark.parametrize(
    ("trouble", "relief", "why"),
    [
        ("PRAGMA max_page_count=1", "PRAGMA max_page_count=99999", "is full"),
        ("PRAGMA query_only=ON", "PRAGMA query_only=OFF", "allowed to write"),
    ],
    ids=["full disk", "read-only"],
)
def test_what_cannot_be_kept_is_told(
    host: Phone, ledger: Ledger, trouble: str, relief: str, why: str
) -> None:
    """The answer is a 503 that names the reason; later the same form is accepted."""
    number = 0
    sqlite_of(ledger).connection.execute(trouble)
    answer = host.record(LONG, number, "key-0")
    while answer.status_code == 303:  # what room is left in the file is used up first
        number += 1
        answer = host.record(LONG, number, f"key-{number}")
    assert answer.status_code == 503
    assert why in answer.text
    assert "Nothing is lost. Wait a moment and try again." in answer.text
    assert host.get().status_code == 200, "reading goes on"
    assert ledger.newest(1) == number
    sqlite_of(ledger).connection.execute(relief)
    assert host.record(LONG, number, f"key-{number}").status_code == 303
    assert ledger.newest(1) == number + 1


def test_a_book_damaged_under_the_server_is_told(host: Phone, ledger: Ledger) -> None:
    """If pages of the file were overwritten, the answer says that the book is damaged."""
    for number in range(30):
        host.record(LONG, number)
    ledger.close()
    whole = sqlite_of(ledger).path.read_bytes()
    sqlite_of(ledger).path.write_bytes(whole[:4096] + random.Random(9).randbytes(len(whole) - 4096))
    answer = host.get()
    assert answer.status_code == 500
    assert "is damaged" in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.skipif(sys.platform == "win32", reason="it has no folder of its own there")
def test_pages_come_where_templates_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a file in place of the folder, and where it is gone; otherwise they are kept."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / f"_jinja2-cache-{os.getuid()}"
    folder.touch()
    for number in range(3):
        app = create_app(Settings(tmp_path / str(number)))
        assert folder.is_dir() == (number > 0)
        if number == 1:
            folder.rmdir()
        assert app.test_client().get("/").status_code == 200
        if number == 0:
            folder.unlink()
    assert any(folder.iterdir())

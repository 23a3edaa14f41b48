"""With a full disk, or a read-only, damaged or locked book, pages say so and nothing is lost."""

import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier

import pytest
from flask import Flask

from referee.ledger.store import Ledger
from referee.settings import DATABASE, Settings
from referee.web.app import create_app
from tests.support.books import sqlite_of
from tests.support.phone import Phone, begin
from tests.support.server import Server, ask
from tests.web.serving.test_server import begun, seconds_to_answer

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
def test_an_entry_that_cannot_be_stored_is_a_503_with_the_reason(
    host: Phone, ledger: Ledger, trouble: str, relief: str, why: str
) -> None:
    """Pages can still be read, and the same form is accepted later."""
    number = 0
    sqlite_of(ledger).connection.execute(trouble)
    answer = host.record(LONG, number, "key-0")
    while answer.status_code == 303:  # until the room left in the file is used up
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


def test_a_page_says_that_the_book_was_damaged_while_served(host: Phone, ledger: Ledger) -> None:
    """With pages of the file overwritten, a page says that the book is damaged."""
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
def test_pages_are_served_even_if_compiled_templates_cannot_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If their folder is a file, or is deleted meanwhile; otherwise they are stored."""
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


# --- another program holds the write lock

SENDERS = 12  # more than there are threads
SOON = 9.0  # less than a writer waits, on a machine with much else to do


@contextmanager
def another_writes(instance: Path) -> Iterator[None]:
    """Another program holds the lock for writing."""
    with closing(sqlite3.connect(instance / DATABASE, isolation_level=None)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        yield
        raw.execute("ROLLBACK")


def test_pages_do_not_wait_for_the_write_lock(server: Server) -> None:
    """Twelve entries wait for it without holding up pages; then all are recorded."""
    sheets = [begun(server) for _ in range(SENDERS)]
    gate = Barrier(SENDERS + 1)

    def record(sheet: str) -> int:
        gate.wait()
        fields: dict[str, object] = {"action": "out", "player": "Ann", "after": 0, "key": "k"}
        return ask(server.address, f"{sheet}/entries", fields).status

    with ThreadPoolExecutor(SENDERS) as pool:
        with another_writes(server.instance):
            sent = [pool.submit(record, sheet) for sheet in sheets]
            gate.wait()
            took = [seconds_to_answer(server, path) for path in ("/", *sheets[:3]) * 4]
            assert not any(one.done() for one in sent), "they wait"
        statuses = [one.result() for one in sent]
    assert max(took) < SOON
    assert statuses == [303] * SENDERS


def test_a_page_that_has_to_write_holds_up_no_other_page(server: Server) -> None:
    """An evening opened for the first time stores its link, and waits for the lock."""
    sheet = begun(server)
    ask(server.address, f"{sheet}/entries", {"action": "out", "player": "Ann", "after": 0})
    again = {"seen": 0, "key": "again", "game": "multiple-9"}
    assert ask(server.address, f"{sheet}/again", again).status == 303
    with ThreadPoolExecutor(SENDERS) as pool:
        with another_writes(server.instance):
            opened = [pool.submit(ask, server.address, f"{sheet}/evening") for _ in range(3)]
            took = [seconds_to_answer(server, path) for path in ("/", sheet) * 4]
            assert not any(one.done() for one in opened), "they wait"
        assert {one.result().status for one in opened} == {303}
    assert max(took) < SOON


def test_a_phones_list_is_stored_later_if_the_book_is_locked(app: Flask, tmp_path: Path) -> None:
    """No page waits for that: until then the links stay in the cookie."""
    phone = app.test_client()
    sheet, oldest = (begin(phone, "multiple-9", ["Ann", "Ben"]).token for _ in range(2))
    phone.set_cookie("sheets", ".".join([*(f"lost-{number}" for number in range(30)), oldest]))

    def kept() -> str:
        began = time.monotonic()
        assert phone.get(f"/s/{sheet}").status_code == 200
        assert time.monotonic() - began < SOON
        cookie = phone.get_cookie("sheets")
        assert cookie is not None
        return cookie.value

    with another_writes(tmp_path):
        assert oldest in kept(), "nothing is forgotten meanwhile"
    assert oldest not in kept()

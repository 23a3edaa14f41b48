"""While another program holds the write lock, pages are served and entries wait."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier

from flask import Flask

from referee.settings import DATABASE
from tests.support.phone import begin
from tests.support.server import Server, ask
from tests.web.serving.test_server import another_is_answered, begun

SENDERS = 12  # more than there are threads
LOCKED = 10.0  # seconds that a writer would wait
SOON = 4.0  # on a machine with much else to do


@contextmanager
def another_writes(instance: Path) -> Iterator[None]:
    """Another program holds the lock for writing."""
    with closing(sqlite3.connect(instance / DATABASE, isolation_level=None)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        yield
        raw.execute("ROLLBACK")


def test_reading_waits_for_no_writer(server: Server) -> None:
    """Twelve entries wait for the lock without holding threads; then all are recorded."""
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
            took = [another_is_answered(server, path) for path in ("/", *sheets[:3]) * 4]
            assert not any(one.done() for one in sent), "they wait"
        statuses = [one.result() for one in sent]
    assert max(took) < SOON
    assert statuses == [303] * SENDERS


def test_what_a_page_would_note_holds_up_nobody(app: Flask, tmp_path: Path) -> None:
    """A phone's long list of links is moved to the book by a later page, once it is unlocked."""
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

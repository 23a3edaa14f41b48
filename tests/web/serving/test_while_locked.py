"""While another program holds the write lock, pages are served and entries wait."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import Barrier

from tests.support.server import Server
from tests.web.serving.test_server import another_is_answered, begun, phone_at, posted

SENDERS = 12  # more than there are threads
LOCKED = 10.0  # seconds that a writer would wait
SOON = 4.0  # on a machine with much else to do


@contextmanager
def another_writes(server: Server) -> Iterator[None]:
    """Another program holds the lock for writing."""
    with closing(sqlite3.connect(server.instance / "referee.sqlite", isolation_level=None)) as raw:
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
        return posted(server, f"{sheet}/entries", fields).status

    with ThreadPoolExecutor(SENDERS) as pool:
        with another_writes(server):
            sent = [pool.submit(record, sheet) for sheet in sheets]
            gate.wait()
            took = [another_is_answered(server, path) for path in ("/", *sheets[:3]) * 4]
            assert not any(one.done() for one in sent), "they wait"
        statuses = [one.result() for one in sent]
    assert max(took) < SOON
    assert statuses == [303] * SENDERS


def test_what_a_page_would_note_holds_up_nobody(server: Server) -> None:
    """A phone's long list of links is moved to the book by a later page, once it is unlocked."""
    sheets = [begun(server) for _ in range(2)]
    phone = phone_at(server)
    cookie = ""

    def opened(path: str) -> float:
        nonlocal cookie
        began = time.monotonic()
        phone.request("GET", path, headers={"Cookie": cookie})
        answer = phone.getresponse()
        answer.read()
        assert answer.status == 200
        set_by = (one.split(";")[0] for one in answer.headers.get_all("Set-Cookie", ()))
        kept = {one.split("=")[0]: one for one in (*cookie.split("; "), *set_by)}
        cookie = "; ".join(kept.values())
        return time.monotonic() - began

    opened(sheets[0])  # makes the page, which is then in the cache
    oldest = sheets[1].split("/")[-1]
    cookie = "sheets=" + ".".join([*(f"lost-{number}" for number in range(30)), oldest])
    with another_writes(server):
        assert opened(sheets[0]) < SOON
        assert oldest in cookie, "nothing is forgotten meanwhile"
    opened(sheets[0])
    assert oldest not in cookie
    phone.close()

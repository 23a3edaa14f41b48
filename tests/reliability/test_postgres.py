"""Several processes on one PostgreSQL, killed with it: what was acknowledged is there, once."""

import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlencode

import pytest

from referee.ledger.errors import LedgerError
from referee.ledger.integrity import faults_in
from referee.ledger.store import Ledger
from referee.sheets.audit import audit
from referee.sheets.book import Book
from tests.support.campaign import SEED, often
from tests.support.postgres import Cluster
from tests.support.server import Server

PROCESSES, WRITERS, SHEETS = 3, 8, 4
KILLS = often(4, 200)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A server that waits for the disk, and can be killed."""
    one = Cluster(durable=True)
    yield one
    one.end()


class Writers:
    """Writers at several tables; each sends a form until it is answered, to whoever listens."""

    def __init__(self, ledger: Ledger, servers: list[Server]) -> None:
        self._ledger = ledger
        self._servers = servers
        book = Book(ledger)
        begun = [
            book.begin("multiple-9", ["Ann", "Ben"], None, {"target": 0}) for _ in range(SHEETS)
        ]
        self.tokens = {one.sheet: book.hosting.links(one)["score"] for one in begun}
        self.acknowledged: dict[int, list[str]] = {one.sheet: [] for one in begun}
        self.over = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(n,)) for n in range(WRITERS)]
        for one in self._threads:
            one.start()

    def end(self) -> None:
        """Let every writer finish the form that it is sending."""
        self.over.set()
        for one in self._threads:
            one.join(60)
            assert not one.is_alive()

    def number(self) -> int:
        """How many forms were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def go_on(self, forms: int) -> None:
        """Wait until so many more forms were acknowledged."""
        wanted, give_up = self.number() + forms, time.monotonic() + 60
        while self.number() < wanted:
            assert time.monotonic() < give_up
            time.sleep(0.01)

    def _write(self, writer: int) -> None:
        rng = random.Random(writer)
        sheet = sorted(self.tokens)[writer % SHEETS]
        number = 0
        while not self.over.is_set():
            key = f"{writer}-{number}"
            with suppress(LedgerError):  # the database is down
                if self._answered(rng, sheet, self._ledger.newest(sheet), key):
                    self.acknowledged[sheet].append(key)
                    number += 1

    def _answered(self, rng: random.Random, sheet: int, seen: int, key: str) -> bool:
        """Send this form until it is answered; whether it was recorded."""
        form = {"action": "adjust", "player": "Ann", "points": 1, "reason": key}
        sent = urlencode({**form, "after": seen, "key": key}).encode()
        give_up = time.monotonic() + 50
        while time.monotonic() < give_up:
            address = f"{rng.choice(self._servers).address}/s/{self.tokens[sheet]}/entries"
            try:
                with urllib.request.urlopen(address, sent, timeout=15):
                    return True
            except urllib.error.HTTPError as refused:
                if refused.code == 409:
                    return False
                assert refused.code == 503, refused.read()
            except (OSError, HTTPException):  # nobody listens there now
                time.sleep(0.02)
        raise AssertionError(f"{key} was never answered")


def kill_one(servers: list[Server], cluster: Cluster, rng: random.Random) -> None:
    """Kill a process, or the database, and start it again."""
    if rng.random() < 0.3:
        cluster.stop("immediate")
        time.sleep(rng.random() / 2)
        cluster.start()
    else:
        one = rng.choice(servers)
        one.kill()
        one.start()


def test_what_was_acknowledged_is_there_once(cluster: Cluster, tmp_path: Path) -> None:
    """Three processes and eight writers; any process is killed at any moment, and the database."""
    rng = random.Random(SEED)
    address = cluster.address()
    ledger = Ledger(address)
    servers = [
        Server(tmp_path / str(number), "--database", address, "--name", "")
        for number in range(PROCESSES)
    ]
    try:
        writers = Writers(ledger, servers)
        try:
            for _ in range(KILLS):
                writers.go_on(rng.randrange(40))
                kill_one(servers, cluster, rng)
            writers.go_on(8)
        finally:
            writers.end()
    finally:
        for one in servers:
            one.stop()
    print(f"{writers.number()} acknowledged, {KILLS} kills")
    for sheet, keys in writers.acknowledged.items():
        written = [row.key for row in ledger.rows(sheet)]
        assert len(written) == len(set(written))
        assert set(keys) <= set(written)
        assert len(written) - len(keys) <= WRITERS  # at most one each was not answered at the end
    assert faults_in(ledger.engine) == []
    assert audit(ledger).faults == ()

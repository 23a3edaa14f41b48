"""Writers that send every form until it is answered, and note what was acknowledged."""

import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException
from typing import Protocol
from urllib.parse import urlencode

from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger
from referee.sheets.book import Book
from tests.support.campaign import usual_or_nightly


class Addressed(Protocol):
    """A server, or a proxy in front of several."""

    address: str


WRITERS = 8
TABLES = 4
SHEETS = TABLES * usual_or_nightly(1, 25)  # so that each table begins several in turn
FORMS = 100  # of each writer on a sheet


class Writers:
    """Eight writers, two at a table; each sends a form to any server until it is answered."""

    def __init__(self, ledger: Ledger, servers: Sequence[Addressed]) -> None:
        self._ledger = ledger
        self._servers = servers
        book = Book(ledger)
        begun = [
            book.begin("multiple-9", ["Ann", "Ben"], None, {"target": 0}) for _ in range(SHEETS)
        ]
        self.tokens = {one.document: book.hosting.links(one)["score"] for one in begun}
        #: The keys of what was acknowledged on each sheet, and when.
        self.acknowledged: dict[int, dict[str, float]] = {one.document: {} for one in begun}
        self.over = threading.Event()
        self._answered_at_last = True
        self._threads = [threading.Thread(target=self._write, args=(n,)) for n in range(WRITERS)]
        for one in self._threads:
            one.start()

    def end(self, *, answered: bool = True) -> None:
        """Stop the writers, each after the form that it is sending if that can be `answered`."""
        self._answered_at_last = answered
        self.over.set()
        for one in self._threads:
            one.join(60)
            assert not one.is_alive()

    def number(self) -> int:
        """The number of forms acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def wait_for(self, forms: int) -> None:
        """Wait until `forms` more forms are acknowledged."""
        wanted, give_up = self.number() + forms, time.monotonic() + 60
        while self.number() < wanted:
            assert time.monotonic() < give_up
            time.sleep(0.01)

    def _write(self, writer: int) -> None:
        rng = random.Random(writer)
        number = 0
        while not self.over.is_set():
            place = writer % TABLES + number // FORMS * TABLES
            sheet = sorted(self.tokens)[place % SHEETS]
            key = f"{writer}-{number}"
            with suppress(LedgerError):  # the database is down
                if self._answered(rng, sheet, self._ledger.newest(sheet), key):
                    self.acknowledged[sheet][key] = time.monotonic()
                    number += 1

    def _answered(self, rng: random.Random, sheet: int, seen: int, key: str) -> bool:
        """Send this form until it is answered; returns whether it was recorded."""
        form = {"action": "adjust", "player": "Ann", "points": 1, "reason": key}
        sent = urlencode({**form, "after": seen, "key": key}).encode()
        give_up = time.monotonic() + 50
        while time.monotonic() < give_up:
            if self.over.is_set() and not self._answered_at_last:
                return False
            address = f"{rng.choice(self._servers).address}/s/{self.tokens[sheet]}/entries"
            try:
                with urllib.request.urlopen(address, sent, timeout=15):
                    return True
            except urllib.error.HTTPError as refused:
                if refused.code == 409:
                    return False
                assert refused.code in (502, 503), (
                    refused.read()
                )  # 502: the server behind the proxy was killed
            except (OSError, HTTPException):  # the server is down
                time.sleep(0.02)
        raise AssertionError(f"{key} was never answered")

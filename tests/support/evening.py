"""Phones that write on sheets over HTTP, and an evening on which the server is killed.

`python -m tests.support.evening 200 1` runs one with 200 kills, each within a second of the
first entry, and prints the figures.
"""

import http.client
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from referee.ledger.store import Ledger
from referee.sheets.book import Book
from tests.support.server import Server

PHONES, SHEETS = 8, 4
SEED = 1881
LONGEST = 0.35  # seconds from the first entry of a burst to the kill

NO_ANSWER = (OSError, http.client.HTTPException)


@dataclass
class Phone:
    """A phone that makes entries `name-1`, `name-2`, … on one sheet, each until it is answered.

    `recorded` are the entries whose answer said so, `told` the refusals that gave
    their reason, `untold` those that did not; `unanswered` counts the answers that never came,
    after which the same entry is sent again with the same key.
    """

    name: str
    token: str
    seen: str = "0"
    number: int = 1
    recorded: list[str] = field(default_factory=list)
    told: int = 0
    untold: int = 0
    unanswered: int = 0

    def write(self, address: str, stop: threading.Event, most: int = sys.maxsize) -> None:
        """Write until told to stop, until the server is gone, or until `most` are recorded."""
        place = urlsplit(address)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
        try:
            while not stop.is_set() and len(self.recorded) < most:
                self._send(connection)
        except NO_ANSWER:
            self.unanswered += 1
        finally:
            connection.close()

    def _send(self, connection: http.client.HTTPConnection) -> None:
        entry = f"{self.name}-{self.number}"
        fields = {"action": "adjust", "player": "Ann", "points": 1, "reason": entry}
        body = urlencode({**fields, "after": self.seen, "key": entry})
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"/s/{self.token}/entries", body, headers)
        answer = connection.getresponse()
        page = answer.read().decode()
        if answer.status == 303:
            self.recorded.append(entry)
            self.number += 1
            self.seen = str(int(self.seen.partition("-")[0]) + 1)  # as far as this phone knows
            return
        assert answer.status == 409, f"{answer.status}: {page[:400]}"
        newest = re.search(r'name="after" value="(\d+-\w+)"', page)
        assert newest is not None, page[:400]
        why = "the sheet has moved on" in page
        self.told, self.untold = self.told + why, self.untold + (not why)
        self.seen = newest[1]


@dataclass(frozen=True)
class Figures:
    """What an evening came to; `lost`, `twice` and `strange` (never sent) must be empty.

    `in_doubt` counts the entries that were stored although their answer never came.
    """

    kills: int
    sent: int
    recorded: int
    unanswered: int
    in_doubt: int
    told: int
    untold: int
    rows: int
    lost: tuple[str, ...]
    twice: tuple[str, ...]
    strange: tuple[str, ...]
    seconds: float


def begin_sheets(instance: Path, number: int) -> list[str]:
    """Begin so many open-ended sheets; returns the tokens that can score."""
    ledger = Ledger(instance / "referee.sqlite")
    book = Book(ledger)
    hosts = [book.begin("multiple-9", ["Ann", "Ben"], None, {"target": 0}) for _ in range(number)]
    tokens = [book.hosting.links(host)["score"] for host in hosts]
    ledger.close()
    return tokens


def on_the_sheets(instance: Path) -> Counter[str]:
    """How often each entry stands in the book."""
    ledger = Ledger(instance / "referee.sqlite")
    book = Book(ledger)
    found = Counter(
        str(row.entry["reason"])
        for link in book.all_links()
        for row in book.open(link).history
        if row.entry is not None
    )
    ledger.close()
    return found


def keys(instance: Path) -> set[str]:
    """The keys of all entries in the book, read beside the server that has it open."""
    address = f"{(instance / 'referee.sqlite').as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as raw:
        return {key for (key,) in raw.execute("SELECT key FROM entries")}


def burst(server: Server, phones: Sequence[Phone], lasts: float) -> None:
    """Let the phones write, and kill the server that long after the first of them began."""
    stop = threading.Event()
    with ThreadPoolExecutor(len(phones)) as pool:
        writing = [pool.submit(phone.write, server.address, stop) for phone in phones]
        time.sleep(lasts)  # not to wait for anything: this is the random moment
        server.kill()
        stop.set()
        for done in writing:
            done.result()
    assert server.process.stdout is not None
    server.process.stdout.close()


def bad_evening(instance: Path, kills: int, longest: float = LONGEST, seed: int = SEED) -> Figures:
    """Eight phones write, the server is killed `kills` times at random moments and comes back.

    Every other time it comes back with two workers.
    """
    chance = random.Random(seed)
    began = time.monotonic()
    tokens = begin_sheets(instance, SHEETS)
    phones = [Phone(f"p{n}", tokens[n % SHEETS]) for n in range(PHONES)]
    in_doubt: set[str] = set()
    for number in range(kills):
        server = Server(instance, "--workers", str(number % 2 + 1))
        in_doubt |= keys(instance) - {entry for phone in phones for entry in phone.recorded}
        burst(server, phones, chance.uniform(0, longest))
    there = on_the_sheets(instance)
    recorded = [entry for phone in phones for entry in phone.recorded]
    sent = {f"{phone.name}-{n}" for phone in phones for n in range(1, phone.number + 1)}
    return Figures(
        kills=kills,
        sent=len(sent),
        recorded=len(recorded),
        unanswered=sum(phone.unanswered for phone in phones),
        in_doubt=len(in_doubt),
        told=sum(phone.told for phone in phones),
        untold=sum(phone.untold for phone in phones),
        rows=there.total(),
        lost=tuple(entry for entry in recorded if not there[entry]),
        twice=tuple(entry for entry, times in there.items() if times > 1),
        strange=tuple(entry for entry in there if entry not in sent),
        seconds=round(time.monotonic() - began, 1),
    )


def verified(instance: Path) -> subprocess.CompletedProcess[str]:
    """What `referee verify` says of the book."""
    command = [sys.executable, "-m", "referee", "verify", "--instance", str(instance)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(bad_evening(Path(folder), int(sys.argv[1]), float(sys.argv[2])))
        print(verified(Path(folder)).stdout)

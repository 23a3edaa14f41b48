"""What benchmarks measure: a book with sheets, and real servers as processes."""

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from referee.ledger.chain import Mark
from referee.ledger.sqlite import SQLiteEngine
from referee.ledger.store import Ledger, Link, digest, new_token
from referee.ledger.tables import TABLES
from referee.rules.cards.cards import RANKS
from referee.settings import DATABASE, SUMMARIES
from referee.sheets.book import Book

PLAYERS = ["Ann", "Ben", "Cat", "Dan", "Eve"]
OPTIONS = {"rounds": 2000}  # more than are played here, so that no game is ever over
_AT_ONCE = 20_000  # sheets in one transaction
_NUMBERS = """
WITH RECURSIVE numbers(number) AS (
    SELECT CAST(? AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < ?
)
"""
PACK = [rank for rank in RANKS if rank != "9"] * 4 + ["9", "9", "9R", "9R"]


class Server:
    """A server in a process of its own, listening on a free port of this machine."""

    def __init__(self, *command: str) -> None:
        """Start `python -m COMMAND`, and wait until it prints its address."""
        # Modules are kept compiled, as pip does when it installs them.
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", *command],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://[\w.]+:(\d+)", line)
            if found:
                self.address, self.port = found[0], int(found[1])
                return
        raise RuntimeError(f"{' '.join(command)} did not start")

    def megabytes(self) -> float:
        """The memory of its processes, shared pages counted once (from Linux's /proc)."""
        texts = (Path(f"/proc/{number}/smaps_rollup").read_text("utf-8") for number in self._all())
        return sum(int(re.findall(r"Pss:\s+(\d+) kB", one)[0]) for one in texts) / 1000

    def cpu_seconds(self) -> float:
        """The CPU seconds of the threads now running, to a nanosecond."""
        threads = (
            thread
            for number in self._all()
            for thread in Path(f"/proc/{number}/task").glob("*/schedstat")
        )
        return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9

    def total_cpu_seconds(self) -> float:
        """The CPU seconds of all threads, ended ones too, to a hundredth of a second."""
        texts = (Path(f"/proc/{number}/stat").read_text("utf-8") for number in self._all())
        return sum(sum(map(int, one.rpartition(")")[2].split()[11:13])) for one in texts) / 100

    def _all(self) -> list[int]:
        """The ids of its process and of its children."""
        first = self.process.pid
        children = Path(f"/proc/{first}/task").glob("*/children")
        return [first, *(int(one) for file in children for one in file.read_text("ascii").split())]

    def wait_until_idle(self) -> None:
        """Wait until it has nothing to do: after the start it still compiles templates."""
        before = -1.0
        while not 0 <= self.cpu_seconds() - before < 0.001:
            before = self.cpu_seconds()
            time.sleep(0.2)

    def stop(self) -> None:
        """End the process and wait for it."""
        self.process.terminate()
        self.process.communicate(timeout=20)


@contextmanager
def serving(*command: str) -> Iterator[Server]:
    """Run a server, and stop it in any case."""
    server = Server(*command)
    try:
        yield server
    finally:
        server.stop()


def referee(instance: Path) -> tuple[str, ...]:
    """The command that serves the book in `instance` on a free port."""
    return ("referee", "serve", "--port", "0", "--host", "127.0.0.1", "--instance", str(instance))


def book_in(instance: Path) -> Book:
    """The book of sheets in this folder."""
    ledger = Ledger(instance / DATABASE)
    return Book(ledger, most_rows=10**6, summaries=instance / SUMMARIES)


def a_deal(number: int) -> dict[str, Any]:
    """The entry of deal `number` (from 0) of 20th-century Red Nines with five players.

    The hands are drawn from a pack; the same number gives the same deal.
    """
    winner = PLAYERS[number % len(PLAYERS)]
    others = [player for player in PLAYERS if player != winner]
    chance = random.Random(number)
    cards = iter(chance.sample(PACK, len(PACK)))
    hands = {
        player: " ".join(islice(cards, size))
        for player, size in zip(others, chance.choices((1, 2, 3, 5, 8), k=4), strict=True)
    }
    return {"action": "out", "player": winner, "red_nine": False, "hands": hands}


@contextmanager
def no_waiting(book: Book) -> Iterator[None]:
    """Let a book be filled without waiting for the disk at each entry."""
    engine = book.ledger.engine
    if not isinstance(engine, SQLiteEngine):
        yield
        return
    (usual,) = engine.connection.execute("PRAGMA synchronous").fetchone()
    engine.connection.execute("PRAGMA synchronous=OFF")
    try:
        yield
    finally:
        engine.connection.execute(f"PRAGMA synchronous={usual}")


def played_sheet(book: Book, deals: int = 20) -> Link:
    """Create a sheet of five players with this many deals; returns its host link."""
    with no_waiting(book):
        link = book.begin("red-nines", PLAYERS, PLAYERS[0], OPTIONS)
        for number in range(deals):
            book.record(link, a_deal(number), Mark(number), f"deal-{number}")
    return link


def fill(book: Book, sheets: int, deals: int = 20) -> list[Link]:
    """Create `sheets` copies of a sheet with this many `deals`; returns their host links."""
    first = played_sheet(book, deals)
    links = [first]
    while len(links) < sheets:
        last = links[-1].document
        numbers = range(last + 1, min(last + _AT_ONCE, first.document + sheets - 1) + 1)
        links += (more := [Link(new_token(), number, "host") for number in numbers])
        with book.ledger.engine.writing() as writing:
            for table in ("sheets", "entries"):  # a copy has the same head, and so the same chain
                key, columns = TABLES[table].split(", ", 1)
                copies = f"SELECT number, {columns} FROM numbers, {table} WHERE {key} = ?"
                writing.execute(
                    f"INSERT INTO {table} ({key}, {columns}) {_NUMBERS} {copies}",
                    (numbers[0], numbers[-1], first.document),
                )
            writing.executemany(
                "INSERT INTO links (token, sheet, role, at, digest) VALUES (?, ?, 'host', '', ?)",
                [(link.token, link.document, digest(link.token)) for link in more],
            )
            book.ledger.engine.continue_numbers(writing, TABLES)
    if isinstance(book.ledger.engine, SQLiteEngine):
        book.ledger.engine.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return links

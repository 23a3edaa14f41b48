"""2,000 phones that poll every two seconds while entries are recorded."""

import asyncio
import random
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.house import Server, book_in, fill, referee, serving
from benchmarks.load import Phones, Polls, within
from benchmarks.pages import Writer
from benchmarks.rows import Aim, Row
from referee.ledger.store import Link

MOST = 2000
WITHIN = {200: 100, 500: 100, 2000: 500}  # milliseconds for 99 %, by phones
A_TABLE = 5  # phones that look at one sheet


def rows(short: bool) -> Iterator[Row]:
    """The 99th percentile of the answers, and the number of refusals."""
    for phones in (200,) if short else (500, MOST):
        yield from _hall(phones, 4 if short else 20)


def _hall(phones: int, duration: float) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        links = fill(book_in(Path(folder)), phones // A_TABLE)
        with serving(*referee(Path(folder))) as server:
            before = server.cpu_seconds()
            polls, entries = poll_and_record(server, links, duration)
            each = (server.cpu_seconds() - before) / (len(polls.first) + len(polls.seconds))
            held = server.megabytes()
    slow = within(polls.seconds, 0.99) * 1000
    yield Row(
        f"{phones:,} phones that look every two seconds: 99 % of the answers within",
        f"{slow:.0f} ms",
        aim=Aim(WITHIN[phones], "ms", timed=True),
        value=slow,
        note=f"{len(polls.seconds)} answers in {duration:.0f} s, median "
        f"{within(polls.seconds, 0.5) * 1000:.1f} ms; {entries} entries went in meanwhile; "
        f"{each * 1e6:.0f} µs of a core an answer, entries and all",
    )
    if phones == MOST:
        first = f"{within(polls.first, 0.99) * 1000:.0f} ms"
        yield Row(f"{phones:,} that all come within the two seconds after a start", first)
        memory = Aim(160, "MB")
        yield Row(f"{phones:,}: memory of all processes", f"{held:.0f} MB", aim=memory, value=held)
    yield Row(f"{phones:,}: refused", str(polls.refused), aim=Aim(0), value=polls.refused)


def poll_and_record(server: Server, links: Sequence[Link], duration: float) -> tuple[Polls, int]:
    """Let all phones poll, and each table record an entry a minute.

    Returns the polls and the number of entries.
    """
    over = threading.Event()
    tables = random.Random(1).sample(links, len(links))  # writers are independent of viewers
    written = 0

    def write() -> None:
        nonlocal written
        with closing(Writer(server.port)) as writer:
            while not over.wait(60 / len(links)):
                link = tables[written % len(tables)]
                writer.post(writer.entry(link, 20 + written // len(tables)))
                written += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        held = [(link.token, "") for link in links for _ in range(A_TABLE)]
        polls = asyncio.run(Phones(server.port, held).poll(duration))
    finally:
        over.set()
        writer.join()
    return polls, written

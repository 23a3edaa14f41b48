"""A book in a file beside one in PostgreSQL, with one process and with three."""

import asyncio
import multiprocessing
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from benchmarks.chain import AT, BODY
from benchmarks.growth import appending, medians, opening
from benchmarks.house import Server, fill, played_sheet, referee, serving
from benchmarks.load import CONNECTIONS, WRK, Phones, requests_a_second, within
from benchmarks.rows import Row
from referee.ledger.chain import Mark
from referee.ledger.engine import Place
from referee.ledger.store import Draft, Ledger, NewSheet
from referee.settings import DATABASE
from referee.sheets.book import Book
from tests.extras.postgres.cluster import POSTGRES, Cluster

PROCESSES = 3
WRITERS = ((1, 1), (1, 16), (PROCESSES, 16))  # in how many processes
PHONES, A_TABLE = 2000, 5
DEALS = 5  # on each sheet of a large book


def rows(short: bool) -> Iterator[Row]:
    """Entries, polls and phones; PostgreSQL’s figures are the first."""
    if not POSTGRES:
        yield Row("Engines", "-", note="left out: PostgreSQL is not installed")
        return
    cluster = Cluster(durable=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield from _entries(cluster, Path(folder), 1 if short else 5)
            yield from _among_many(cluster, Path(folder), short)
            for processes in (1, PROCESSES):
                home = Path(folder) / f"{processes}"
                yield from _looking((cluster.fresh(), home / DATABASE), processes, short)
    finally:
        cluster.end()


def _beside(what: str, ours: float, yardstick: float, unit: str = "") -> Row:
    figures = f"{ours:,.0f}{unit}", f"{yardstick:,.0f}{unit}"
    return Row(what, *figures, f"{ours / yardstick:.0%}")


# --- entries


def _entries(cluster: Cluster, folder: Path, duration: float) -> Iterator[Row]:
    for processes, writers in WRITERS:
        ours, yardstick = (
            _written_a_second(place, processes, writers, duration)
            for place in (cluster.fresh(), folder / f"{processes}-{writers}.sqlite")
        )
        what = f"Entries a second; writers: {writers}, processes: {processes}"
        yield _beside(what, ours, yardstick)


def _written_a_second(place: Place, processes: int, writers: int, duration: float) -> float:
    with closing(Ledger(place)) as ledger:
        sheets = ledger.create_all(
            [NewSheet("{}", [("host", f"h{number}")], AT) for number in range(writers)]
        )
    shares = [sheets[first::processes] for first in range(processes)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        counts = pool.map(partial(_write, place, duration), shares, 1)
    return sum(counts) / duration


def _write(place: Place, duration: float, sheets: Sequence[int]) -> int:
    """Write on each of these sheets in a thread of its own; returns the number of entries."""
    ledger = Ledger(place)
    written = [0] * len(sheets)

    def write(place: int) -> None:
        end = time.perf_counter() + duration
        while time.perf_counter() < end:
            draft = Draft("play", BODY, f"key-{written[place]}", "host", AT)
            ledger.append(sheets[place], Mark(written[place]), [draft])
            written[place] += 1

    threads = [threading.Thread(target=write, args=(number,)) for number in range(len(sheets))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return sum(written)


# --- a large book


def _among_many(cluster: Cluster, folder: Path, short: bool) -> Iterator[Row]:
    few, many = (100, 2_000) if short else (1_000, 1_000_000)
    found = list[list[tuple[float, float]]]()
    for places in (
        (cluster.fresh(), cluster.fresh()),
        (folder / "many.sqlite", folder / "few.sqlite"),
    ):
        books = Book(Ledger(places[0])), Book(Ledger(places[1]))
        for book, sheets in zip(books, (many, few), strict=True):
            fill(book, sheets, DEALS)
        found.append([medians(books, work, short) for work in (opening, appending)])
    for what, ours, yardstick in zip(("Opening", "Appending to"), *found, strict=True):
        yield Row(
            f"{what} one of {many:,} sheets with {many * DEALS:,} entries",
            f"{ours[0] * 1000:.2f} ms",
            f"{yardstick[0] * 1000:.2f} ms",
            f"{ours[0] / yardstick[0]:.0%}",
            note=f"of {few:,} sheets: {ours[1] * 1000:.2f} ms, {yardstick[1] * 1000:.2f} ms",
        )


# --- polls


def _looking(places: tuple[str, Path], processes: int, short: bool) -> Iterator[Row]:
    polls, waits = list[float](), list[float]()
    duration = 2 if short else 10
    for place in places:
        tables = (200 if short else PHONES) // A_TABLE
        with closing(Ledger(place)) as ledger:
            links = [played_sheet(Book(ledger), 2) for _ in range(tables)]
        folder = places[1].parent
        options = ("--database", place) if isinstance(place, str) else ()
        with ExitStack() as running:
            servers = [
                running.enter_context(serving(*referee(folder), *options, "--name", ""))
                for _ in range(processes)
            ]
            polls.append(_polls_a_second(servers, links[0].token, duration))
            waits.append(_slowest(servers, [one.token for one in links], duration))
    yield _beside(f"Unchanged polls a second; processes: {processes}", polls[0], polls[1])
    what = f"{tables * A_TABLE:,} phones; processes: {processes}; 99 % of the answers within"
    yield _beside(what, waits[0], waits[1], " ms")


def _polls_a_second(servers: Sequence[Server], token: str, duration: int) -> float:
    if WRK is None:
        return 0.0
    addresses = [f"{one.address}/s/{token}/board" for one in servers]
    with urllib.request.urlopen(addresses[0]) as board:
        held = [f"HX-PTag: {board.headers['HX-PTag']}", "HX-Request-Type: partial"]
    ask = partial(
        requests_a_second, seconds=duration, headers=held, connections=CONNECTIONS // len(servers)
    )
    with ThreadPoolExecutor() as callers:
        return sum(callers.map(ask, addresses))


def _slowest(servers: Sequence[Server], tokens: Sequence[str], duration: float) -> float:
    """The milliseconds within which 99 % of the answers came."""

    async def look() -> list[float]:
        polls = await asyncio.gather(
            *(
                Phones(
                    server.port,
                    [
                        (token, "")
                        for token in tokens[first :: len(servers)]
                        for _ in range(A_TABLE)
                    ],
                ).poll(duration)
                for first, server in enumerate(servers)
            )
        )
        assert not sum(one.refused for one in polls)
        return [seconds for one in polls for seconds in one.seconds]

    return within(asyncio.run(look()), 0.99) * 1000

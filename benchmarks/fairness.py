"""Short work beside long work: entries and pages while others request the most expensive pages.

Eight clients request without a pause what takes longest within the limits: an evening of Hold'em
sheets of ten players that are full, and more than are kept in memory; their logs, their tables and
their pages to print, what a correction of the first hand would change, home with all of them in its
cookie. A ninth holds thousands of connections with half a request, and opens another for each that
is closed.
"""

import http.client
import multiprocessing
import resource
import select
import socket
import statistics
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import cycle
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from benchmarks.clock import seconds
from benchmarks.house import Server, book_in, played_sheet, referee, serving
from benchmarks.pages import Writer
from benchmarks.rows import Aim, Row
from referee.ledger.chain import Mark
from referee.ledger.store import Link
from referee.sheets.book import MAX_ROWS, Book
from referee.sheets.evening import EveningBook

SHEETS = 4
GREEDY = 8
HALF_OPEN = 6000
PLAYERS = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon"]
PAUSE = 0.1  # seconds after each entry and page of the others
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def rows(short: bool) -> Iterator[Row]:
    """The others' waiting times: 99th percentile, and the slowest entry."""
    rows_a_sheet, half_open, duration = (300, 500, 5) if short else (MAX_ROWS, HALF_OPEN, 60)
    with tempfile.TemporaryDirectory() as folder:
        book = book_in(Path(folder))
        full, evening = _evening(book, rows_a_sheet)
        printed = [book.hosting.links(link)["view"] for link in full]
        table, other = played_sheet(book), played_sheet(book)
        with (
            serving(*referee(Path(folder))) as server,
            _held_open(server.port, half_open),
            _greedy(server, full, evening, printed),
        ):
            entries, pages = _others(server, table, other, duration)
    slowest, within = max(entries), statistics.quantiles([*entries, *pages], n=100)[98]
    yield Row(
        "Beside the most expensive pages: 99 % of the others’ answers within",
        f"{within:.2f} s",
        aim=Aim(2, "s", timed=True),
        value=within,
    )
    yield Row(
        "Beside the most expensive pages: the slowest entry",
        f"{slowest:.2f} s",
        aim=Aim(2, "s", timed=True),
        value=slowest,
    )


def _evening(book: Book, rows_a_sheet: int) -> tuple[list[Link], str]:
    """Full sheets of one evening on which everybody folds each hand, and the evening's token."""
    evenings = EveningBook(book)
    sheets = list[Link]()
    for played in range(SHEETS):
        link: Link | None
        if sheets:
            seen = played if played > 1 else 0
            link = evenings.play_again(sheets[-1], seen, f"again-{seen}")
        else:
            link = book.begin("multiple-9-holdem", PLAYERS, PLAYERS[0], {"stack": 10**6})
        assert link is not None
        for number in range(rows_a_sheet):
            state: Any = book.open(link).course.state
            fold = {"action": "bet", "player": PLAYERS[state.betting.turn.seat], "move": "fold"}
            book.record(link, fold, Mark(number), f"fold-{number}")
        sheets.append(link)
    token = evenings.token_of(sheets[0].document)
    assert token is not None
    return sheets, token


def _others(
    server: Server, table: Link, other: Link, duration: float
) -> tuple[list[float], list[float]]:
    """Record an entry and open the page at one table, then another; returns the seconds of each."""
    entries, pages = [], []
    end = time.monotonic() + duration
    turns = cycle((table, other))
    written = {table.token: 20, other.token: 20}
    with closing(Writer(server.port)) as writer:
        while time.monotonic() < end:
            link = next(turns)
            request = writer.entry(link, written[link.token])
            written[link.token] += 1
            entries.append(seconds(partial(writer.post, request)))
            pages.append(seconds(partial(_open_page, server.port, f"/s/{link.token}")))
            time.sleep(PAUSE)
    return entries, pages


def _open_page(port: int, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with closing(connection):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status


@contextmanager
def _greedy(
    server: Server, full: Sequence[Link], evening: str, printed: Sequence[str]
) -> Iterator[None]:
    """Run clients that request the most expensive pages meanwhile."""
    over = threading.Event()
    cookie = {"Cookie": "sheets=" + ".".join(link.token for link in full)}
    rename = [("was", name) for name in PLAYERS] + [("name", f"{name}a") for name in PLAYERS]

    def request_all() -> None:
        while not over.is_set():
            for link, view in zip(full, printed, strict=True):
                sheet = f"/s/{link.token}"
                for method, path, form, headers in (
                    ("GET", f"/e/{evening}", [], {}),
                    ("GET", f"{sheet}/log", [], {}),
                    ("POST", f"{sheet}/entries/1/void", [("why", "")], FORM),
                    ("GET", f"/s/{view}/print", [], {}),
                    ("GET", "/", [], cookie),
                    ("POST", f"{sheet}/settings", [*rename, ("dealer", "0")], FORM),
                    ("GET", f"{sheet}/standings.csv", [], {}),
                ):
                    if over.is_set():
                        return
                    with suppress(OSError, http.client.HTTPException):
                        request(method, path, form, headers)

    def request(
        method: str, path: str, form: Sequence[tuple[str, str]], headers: dict[str, str]
    ) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        with closing(connection):
            connection.request(method, path, urllib.parse.urlencode(form) or None, headers)
            connection.getresponse().read()

    clients = [threading.Thread(target=request_all) for _ in range(GREEDY)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        over.set()
        for client in clients:
            client.join()


@contextmanager
def _held_open(port: int, connections: int) -> Iterator[None]:
    """Hold this many half-open connections in another process meanwhile."""
    spawned = multiprocessing.get_context("spawn")
    ready = spawned.Event()
    holder = spawned.Process(target=hold, args=(port, connections, ready))
    holder.start()
    try:
        assert ready.wait(120), "so many connections could not be opened"
        yield
    finally:
        holder.terminate()
        holder.join()


def hold(port: int, connections: int, ready: Event) -> None:
    """Hold the connections open, each with half of its headers; reopen those that are closed."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ended = select.poll()
    held: dict[int, socket.socket] = {}

    def one_more() -> None:
        wire = socket.create_connection(("127.0.0.1", port), 60)
        wire.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        held[wire.fileno()] = wire
        ended.register(wire, select.POLLIN)

    while True:
        while len(held) < connections:
            one_more()
        ready.set()
        for number, _ in ended.poll():
            ended.unregister(number)
            held.pop(number).close()

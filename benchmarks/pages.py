"""Pages, beside a Flask view in the same kind of Waitress process that returns a constant.

The sheet has five players and twenty deals. The yardstick returns the very bytes of its page.
"""

import http.client
import sqlite3
import statistics
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.clock import seconds
from benchmarks.house import PLAYERS, Server, a_deal, book_in, referee, serving, stock
from benchmarks.load import WRK, requests_a_second
from benchmarks.rows import Row
from referee.ledger.store import Link
from referee.sheets.book import Book

DEALS = 20
ROOM = 0.7  # of a target: what the short run demands, on machines that do other work as well


def rows(short: bool) -> Iterator[Row]:
    """The page, the poll and an entry."""
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        book = book_in(instance)
        link = stock(book, DEALS)
        with serving(*referee(instance)) as server:
            if WRK is None:
                yield Row("Pages", "-", "-", "-", "", None, "left out: wrk is not installed")
            else:
                yield from _reading(instance, server, link, short)
            yield _writing(instance, server, book, link, short)


def _reading(instance: Path, server: Server, link: Link, short: bool) -> Iterator[Row]:
    address = f"{server.address}/s/{link.token}"
    page = instance / "page.html"
    page.write_bytes(urllib.request.urlopen(address).read())
    cookies = f"Cookie: at-home=1; sheets={link.token}"
    with serving("benchmarks.constant_server", str(page)) as constant:
        yield _beside(
            f"A sheet’s page, {page.stat().st_size} bytes; answers a second",
            lambda time: requests_a_second(address, time, [cookies]),
            lambda time: requests_a_second(f"{constant.address}/page", time, [cookies]),
            0.4,
            short,
        )
        held = [cookies, f"HX-PTag: host-{DEALS}", "HX-Request-Type: partial"]
        yield _beside(
            "The poll of a board that has not changed; answers a second",
            lambda time: requests_a_second(f"{address}/board", time, held),
            lambda time: requests_a_second(f"{constant.address}/unchanged", time, held),
            0.7,
            short,
        )


def _beside(
    what: str,
    ours: Callable[[int], float],
    constant: Callable[[int], float],
    target: float,
    short: bool,
) -> Row:
    """Both in turn, several times; the median of the ratios counts."""
    time, runs = (1, 3) if short else (4, 7)
    ours(1), constant(1)
    pairs = [(ours(time), constant(time)) for _ in range(runs)]
    ratio = statistics.median(mine / yours for mine, yours in pairs)
    mine, yours = (statistics.median(side) for side in zip(*pairs, strict=True))
    least = target * ROOM if short else target
    return Row(
        what, f"{mine:.0f}", f"{yours:.0f}", f"{ratio:.0%}", f"≥ {least:.0%}", ratio >= least
    )


def _writing(instance: Path, server: Server, book: Book, link: Link, short: bool) -> Row:
    """Entries posted one after another, each beside a bare commit of as many bytes."""
    at_most = 12 if short else 4  # on a disk that is fast, all that is left is our own work
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    size = len(book._ledger.rows(link.sheet)[-1].body) + 80
    ours, bare = [], []
    with closing(_bare_table(instance)) as table:
        seq, before = book.open(link).seq, server.busy_seconds()
        for number in range(30 if short else 200):
            ours.append(seconds(lambda at=seq + number: post_entry(connection, link, at)))
            bare.append(seconds(lambda: _commit(table, size)))
    mine, yours = statistics.median(ours), statistics.median(bare)
    busy = (server.busy_seconds() - before) / len(ours) * 1000
    connection.close()
    return Row(
        "One entry posted, until the answer is there",
        f"{mine * 1000:.2f} ms",
        f"{yours * 1000:.2f} ms",
        f"{mine / yours:.2f} ×",
        f"< {at_most:.1f} ×",
        mine / yours < at_most,
        "the yardstick is a bare commit of one row of the same size, synchronous=FULL, same disk; "
        f"of our time a core of the server worked {busy:.2f} ms",
    )


def post_entry(connection: http.client.HTTPConnection, link: Link, seq: int) -> None:
    """Post deal `seq` of the sheet over an open connection, and wait for the answer."""
    deal = a_deal(seq)
    form = {f"hands.{PLAYERS.index(name)}": cards for name, cards in deal["hands"].items()}
    fields = {"action": "out", "player": deal["player"], "after": seq, "key": f"p-{seq}", **form}
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": "at-home=1"}
    body = urllib.parse.urlencode(fields)
    connection.request("POST", f"/s/{link.token}/entries", body, headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 303, answer.status


def _bare_table(instance: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(instance / "bare.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    return connection


def _commit(table: sqlite3.Connection, size: int) -> None:
    table.execute("INSERT INTO rows (body) VALUES (?)", ("x" * size,))

"""Pages, compared to a constant Flask view behind the same kind of server.

The sheet has five players and twenty deals. The yardstick returns the very bytes of its page.
"""

import http.client
import socket
import statistics
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.clock import seconds
from benchmarks.house import PLAYERS, Server, a_deal, book_in, played_sheet, referee, serving
from benchmarks.load import WRK, requests_a_second
from benchmarks.rows import Aim, Row
from referee.ledger.store import Link
from referee.rules.language import languages

DEALS = 20


def rows(short: bool) -> Iterator[Row]:
    """The page, the poll and an entry."""
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        book = book_in(instance)
        link = played_sheet(book, DEALS)
        with serving(*referee(instance)) as server:
            page, bare = instance / "page.html", instance / "bare.sqlite"
            page.write_bytes(urllib.request.urlopen(f"{server.address}/s/{link.token}").read())
            server.wait_until_idle()
            with serving("benchmarks.constant_server", str(page), str(bare)) as constant:
                if WRK is None:
                    yield Row("Pages", "-", note="left out: wrk is not installed")
                else:
                    yield from _reading(server, constant, link, short)
                yield _writing(server, constant, link, short)


def _reading(server: Server, constant: Server, link: Link, short: bool) -> Iterator[Row]:
    address = f"{server.address}/s/{link.token}"
    size = len(urllib.request.urlopen(address).read())
    cookies = f"Cookie: at-home=1; sheets={link.token}"
    if not short:  # the next row misses what this one would
        yield _beside(
            f"A sheet’s page, {size} bytes; answers a second",
            lambda time: requests_a_second(address, time, [cookies]),
            lambda time: requests_a_second(f"{constant.address}/page", time, [cookies]),
            0.52,
            short,
        )
    packed = [cookies, "Accept-Encoding: gzip"]
    yield _beside(
        "The same page compressed, as phones ask for it; answers a second",
        lambda time: requests_a_second(address, time, packed),
        lambda time: requests_a_second(f"{constant.address}/page", time, [cookies]),
        0.52,
        short,
    )
    if len(languages()) > 1:
        asks = [*packed, f"Accept-Language: {languages()[-1]}"]
        yield _beside(
            "In another language, beside the same in English, in turn; answers a second",
            lambda time: requests_a_second(address, time, asks),
            lambda time: requests_a_second(address, time, packed),
            0.9,
            short,
        )
    with urllib.request.urlopen(f"{address}/board") as board:
        tag = board.headers["HX-PTag"]
    held = [cookies, f"HX-PTag: {tag}", "HX-Request-Type: partial"]
    yield _beside(
        "The poll of a board that has not changed; answers a second",
        lambda time: requests_a_second(f"{address}/board", time, held),
        lambda time: requests_a_second(f"{constant.address}/unchanged", time, held),
        1.5,
        short,
    )


def _beside(
    what: str,
    ours: Callable[[int], float],
    constant: Callable[[int], float],
    target: float,
    short: bool,
) -> Row:
    """Measure both in turn, several times; returns the median of the ratios."""
    time, runs = (1, 2) if short else (4, 7)
    if not short:  # in which the first pages make no difference
        ours(1), constant(1)
    pairs = [(ours(time), constant(time)) for _ in range(runs)]
    ratio = statistics.median(mine / yours for mine, yours in pairs)
    mine, yours = (statistics.median(side) for side in zip(*pairs, strict=True))
    aim = Aim(target, "%", least=True)
    return Row(what, f"{mine:.0f}", f"{yours:.0f}", f"{ratio:.0%}", aim, ratio)


def _writing(server: Server, constant: Server, link: Link, short: bool) -> Row:
    """Post entries one after another, each to the Flask view as well."""
    times = []
    with closing(Writer(server.port)) as ours, closing(Writer(constant.port)) as plain:
        for number in range(30 if short else 200):
            request = ours.entry(link, DEALS + number)
            times.append([seconds(partial(each.post, request)) for each in (ours, plain)])
    mine, theirs = (statistics.median(each) * 1000 for each in zip(*times, strict=True))
    ratio = mine / theirs
    return Row(
        "One entry posted, until the answer is there",
        f"{mine:.2f} ms",
        f"{theirs:.2f} ms, a Flask view with that commit",
        f"{ratio:.2f} ×",
        Aim(1.35, "×"),
        ratio,
    )


class Writer:
    """A client that posts entries over one connection."""

    def __init__(self, port: int) -> None:
        """Open the connection."""
        self._connection = socket.create_connection(("127.0.0.1", port))

    def entry(self, link: Link, seq: int) -> bytes:
        """The request that posts deal `seq` of the sheet."""
        deal = a_deal(seq)
        hands = {f"hands.{PLAYERS.index(name)}": cards for name, cards in deal["hands"].items()}
        fields = {"action": "out", "player": deal["player"], "after": seq, "key": f"p-{seq}"}
        body = urllib.parse.urlencode(fields | hands)
        return (
            f"POST /s/{link.token}/entries HTTP/1.1\r\nHost: x\r\nCookie: at-home=1\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
            f"\r\n{body}"
        ).encode()

    def post(self, request: bytes) -> None:
        """Send it, and read the whole answer."""
        self._connection.sendall(request)
        answer = http.client.HTTPResponse(self._connection)
        answer.begin()
        answer.read()
        assert answer.status == 303, answer.status

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

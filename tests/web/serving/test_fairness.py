"""While one client exhausts a shared resource, other clients are still served.

Each attack is made on the real program over real connections by one address. Another client (the
stranger) makes small requests, from the same address, as behind a proxy, or from another one.
"""

import multiprocessing
import resource
import select
import socket
import sqlite3
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import cycle, product
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.ledger.chain import Mark
from referee.ledger.engine import BUSY_SECONDS
from referee.ledger.store import Ledger, Link
from referee.settings import DATABASE, SETTINGS_FILE
from referee.sheets.book import Book
from tests.support.campaign import usual_or_nightly
from tests.support.proxy import NAME, NGINX, OPENSSL, Proxy
from tests.support.server import FORM, PARTS, PATIENCE, Server, ask, form_with

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it has one address to call from")

ATTACKER, SOMEBODY = "127.0.0.1", "127.0.0.2"
SOON = 9  # seconds within which a stranger is answered, on a machine with other work
LATER = 30  # the same for long pages
WAITS = BUSY_SECONDS - 2  # the same while another program holds the write lock
MOST_MEMORY = 700  # MB
BEHIND = "--public-url", f"https://{NAME}", "--name", ""
ROWS = 400  # enough that playing and showing them takes a while
FILE_AT = "/bring-in"
ENTRIES = "/s/nobody/entries"


class Target:
    """A server with two long sheets: one is attacked, on the other a stranger plays.

    Or two servers behind nginx, whose address is then used.
    """

    def __init__(self, instance: Path, behind_nginx: bool = False) -> None:
        """Write the sheets and start the servers."""
        ledger = Ledger(instance / DATABASE)
        self.attacked, self.other = (f"/s/{_long_sheet(Book(ledger)).token}" for _ in range(2))
        ledger.close()
        self.seen = {self.attacked: ROWS, self.other: ROWS}
        servers = [Server(instance, *BEHIND) for _ in range(2)] if behind_nginx else []
        self.server = servers[0] if servers else Server(instance)
        self._servers = servers or [self.server]
        self._proxy = Proxy(instance, *servers) if servers else None
        self.address = (self._proxy or self.server).address
        self._place = urlsplit(self.address)

    def soon(
        self,
        caller: str,
        path: str,
        form: Mapping[str, object] | bytes | None = None,
        kind: str = FORM,
        seconds: float = SOON,
    ) -> int:
        """Request this path, or send it a form, within these seconds; returns the status."""
        began = time.monotonic()
        status = ask(self.address, path, form, {"Content-Type": kind}, caller).status
        took = time.monotonic() - began
        assert took < seconds, f"{status} after {took:.1f} s"
        return status

    def writes(
        self, caller: str, sheet: str, place: str, seconds: float = SOON, **fields: object
    ) -> int:
        """Send a form that has seen the newest row of this sheet; returns the status."""
        seen = self.seen[sheet]
        sent = {**fields, "after": seen, "key": f"stranger-{seen}"}
        status = self.soon(caller, sheet + place, sent, seconds=seconds)
        self.seen[sheet] += status == 303
        return status

    def records(self, caller: str) -> int:
        return self.writes(caller, self.other, "/entries", action="abandon", reason="no light")

    def memory(self) -> float:
        """The peak memory of any process that answers, in MB."""
        workers = [worker for server in self._servers for worker in server.workers()]
        workers += [self._proxy.process.pid] if self._proxy else []
        status = [Path(f"/proc/{one}/status").read_text(encoding="ascii") for one in workers]
        return max(int(one.partition("VmHWM:")[2].split()[0]) for one in status) / 1000

    def stop(self) -> None:
        """Stop the servers and wait."""
        (self._proxy or self.server).stop()

    def raw(self, path: str, body: bytes = b"", size: int = 0, kind: str = FORM) -> bytes:
        """The bytes of a request for a page, or of a form of `size` bytes or with this `body`."""
        head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: {self._place.netloc}\r\n"
        if body:
            head += f"Content-Type: {kind}\r\n"
            head += f"Content-Length: {size or len(body)}\r\n"
        return head.encode() + b"\r\n" + body

    @contextmanager
    def attacked_with(self, requests: Iterable[bytes]) -> Iterator[None]:
        """Open a connection of the attacker for each of these requests, and send it."""
        place = self._place.hostname, self._place.port or 80
        with ExitStack() as wires:
            for request in requests:
                wire = socket.create_connection(place, PATIENCE, source_address=(ATTACKER, 0))
                wires.enter_context(wire)
                with suppress(OSError):  # the server may close it at any moment
                    wire.sendall(request)
            yield


def _long_sheet(book: Book, rows: int = ROWS) -> Link:
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ann", {})
    for seq in range(rows):
        book.record(link, {"action": "abandon", "reason": "a fire"}, Mark(seq), f"key-{seq}")
    return link


WAYS = ("direct", "behind nginx")


def by_turns(attacks: Iterable[str]) -> list[tuple[str, str]]:
    """Ways and attacks: by day each attack is made by the next way, in a nightly run by both."""
    return usual_or_nightly(
        list(zip(cycle(WAYS), attacks, strict=False)), list(product(WAYS, attacks))
    )


class Targets(dict[str, Target]):
    """Targets by the way to them: directly, or through nginx with the shipped configuration."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        """They are made in this folder, as they are asked for, with these settings."""
        super().__init__()
        self._folder = folder
        self._settings = settings

    def __missing__(self, way: str) -> Target:
        if way == "behind nginx" and not (NGINX and OPENSSL):
            pytest.skip("nginx is not installed")
        instance = self._folder / way.replace(" ", "-")
        instance.mkdir()
        (instance / SETTINGS_FILE).write_text(self._settings, encoding="utf-8")
        self[way] = Target(instance, way == "behind nginx")
        return self[way]


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    """Each is made for the first test that takes this way."""
    made = Targets(tmp_path_factory.mktemp("either"))
    yield made
    for target in made.values():
        target.stop()


@pytest.fixture
def target(targets: Targets) -> Target:
    """The target that is reached directly."""
    return targets["direct"]


@pytest.fixture(params=WAYS)
def either_target(request: pytest.FixtureRequest, targets: Targets) -> Target:
    return targets[request.param]


HeldBack = tuple[str, bytes, int, str, int]
#: The path, the bytes sent, the declared length and content type, and the number of requests.
HELD_BACK: dict[str, HeldBack] = {
    "announced": (FILE_AT, b"a" * 60, 4_194_304, PARTS, 64),
    "forms": (ENTRIES, b"a" * 43_690, 60_000, FORM, 3000),
    "small forms": (ENTRIES, b"a" * 8000, 8192, FORM, 3000),
    "sheets’ files": (FILE_AT, b"a" * 4_194_250, 4_194_304, PARTS, 48),
}


@pytest.mark.parametrize(("either_target", "what"), by_turns(HELD_BACK), indirect=["either_target"])
def test_unfinished_requests_keep_nobody_out(either_target: Target, what: str) -> None:
    """While a client holds back the ends of many, every request of a stranger is answered.

    A nightly run holds back each kind directly and behind nginx.
    """
    check_held_back(either_target, HELD_BACK[what])


def check_held_back(target: Target, held: HeldBack) -> None:
    """Send that many unfinished requests, and check that the strangers' are answered."""
    at, sent, size, kind, number = held
    half, bits = (target.raw(at, part, size, kind) for part in (sent, sent[:60]))
    with target.attacked_with([*[half] * number, *[bits] * 4]):
        for stranger in (ATTACKER, SOMEBODY) * 8:
            assert target.records(stranger) == 303
        for stranger in (ATTACKER, SOMEBODY):
            assert target.soon(stranger, target.other) == 200
            # nginx limits how many sheets one address begins.
            counted = stranger == ATTACKER and target.address != target.server.address
            for file in (b"{}", b"9" * 3_000_000):
                status = target.soon(stranger, FILE_AT, form_with(file), PARTS)
                assert status == 422 or (counted and status == 429)
    assert target.memory() < MOST_MEMORY


LARGE = form_with(b"9" * 4_000_000)
MANY = 10_050  # connections: more than are accepted


@contextmanager
def held_open(target: Target, number: int, callers: Sequence[str]) -> Iterator[None]:
    """Another program holds connections with half of the headers, and replaces closed ones."""
    ways = multiprocessing.get_context("spawn")
    ready = ways.Event()
    holder = ways.Process(target=hold, args=(target.address[7:], number, callers, ready))
    holder.start()
    try:
        assert ready.wait(PATIENCE), "so many connections could not be opened"
        yield
    finally:
        holder.kill()
        holder.join()


def hold(place: str, number: int, callers: Sequence[str], ready: "Event") -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    host, _, port = place.rpartition(":")
    ended, held = select.epoll(), dict[int, socket.socket]()

    def look(timeout: float) -> None:
        for one, event in ended.poll(timeout):
            if event & select.EPOLLOUT and not event & (select.EPOLLHUP | select.EPOLLERR):
                held[one].send(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
                ended.modify(one, select.EPOLLIN | select.EPOLLONESHOT)
            else:
                ended.unregister(one)
                held.pop(one).close()

    for caller in cycle(callers):
        while len(held) >= number:
            ready.set()
            look(-1)
        look(0)
        wire = socket.socket()
        wire.bind((caller, 0))
        wire.setblocking(False)
        with suppress(BlockingIOError):
            wire.connect((host, int(port)))
        held[wire.fileno()] = wire
        ended.register(wire, select.EPOLLOUT | select.EPOLLONESHOT)


def test_many_connections_keep_nobody_out(either_target: Target) -> None:
    """Three addresses that hold all connections lose some to a newcomer, and to one of them.

    In a nightly run for twice as long.
    """
    target = either_target
    with held_open(target, MANY, [ATTACKER, SOMEBODY, "127.0.0.3"]):
        end = time.monotonic() + usual_or_nightly(4, 8)
        for stranger in cycle([ATTACKER, "127.0.0.4"]):
            assert target.records(stranger) == 303
            assert target.soon(stranger, target.other) == 200
            if time.monotonic() > end:
                break
    assert target.memory() < MOST_MEMORY


ENTRY = urllib.parse.urlencode({"action": "abandon", "reason": "x", "after": "1"}).encode()
FLOODS: dict[str, Callable[[Target], list[bytes]]] = {
    "one log": lambda target: [target.raw(f"{target.attacked}/log")] * 900,
    "logs of many sheets": lambda target: [target.raw(f"/s/nobody-{n}/log") for n in range(900)],
    "entries": lambda target: [target.raw(f"{target.attacked}/entries", ENTRY)] * 1500,
    "large files": lambda target: [target.raw(FILE_AT, LARGE, kind=PARTS)] * 100,
}


@pytest.mark.parametrize(("either_target", "flood"), by_turns(FLOODS), indirect=["either_target"])
def test_a_flood_keeps_nobody_waiting(either_target: Target, flood: str) -> None:
    """During it, entries and pages from the same address are answered soon.

    A nightly run floods both directly and behind nginx.
    """
    target = either_target
    with target.attacked_with(FLOODS[flood](target)):
        for _ in range(3):
            assert target.records(ATTACKER) == 303
        assert target.soon(ATTACKER, target.other) == 200
        assert target.soon(ATTACKER, f"{target.other}/log", seconds=LATER) == 200


def test_a_flood_on_a_sheet_does_not_block_it(target: Target) -> None:
    """Corrections by the same link are recorded, and another address can read all deals."""
    with target.attacked_with(FLOODS["one log"](target)):
        for stranger in (ATTACKER, SOMEBODY):
            early = f"/entries/{target.seen[target.attacked] - ROWS + 1}/void"
            sent = {"why": "not ours", "sure": "yes"}
            assert target.writes(stranger, target.attacked, early, LATER, **sent) == 303
        assert target.soon(SOMEBODY, f"{target.attacked}/log", seconds=LATER) == 200


WRITERS = ("/entries", "/undo", "/links", "/entries/3/void")
ASKED: tuple[tuple[str, dict[str, object]], ...] = (
    ("/phone", {"phone": "Ann"}),
    ("/preview", {}),
    ("/entries/3/preview", {}),
)


@pytest.mark.parametrize("stranger", [ATTACKER, SOMEBODY])
def test_requests_that_write_nothing_do_not_wait_for_writers(target: Target, stranger: str) -> None:
    """Another program holds the write lock, and sixteen forms of all kinds wait for it.

    Pages, previews and cookies are answered meanwhile, the forms once the lock is free.
    """
    instance, other = target.server.instance, target.other
    with closing(Ledger(instance / DATABASE)) as ledger:
        written = f"/s/{_long_sheet(Book(ledger), 5).token}"
    with (
        closing(sqlite3.connect(instance / DATABASE, isolation_level=None)) as program,
        ThreadPoolExecutor(16) as phones,
    ):
        program.execute("BEGIN IMMEDIATE")

        def answered(number: int) -> float:
            fields = {"action": "abandon", "reason": "no light", "role": "view", "sure": 1}
            form = {**fields, "after": 5, "key": f"waiting-{number}"}
            path = written + WRITERS[number % len(WRITERS)]
            assert ask(target.server.address, path, form, caller=ATTACKER).status != 503
            return time.monotonic()

        waiting = [phones.submit(answered, number) for number in range(16)]
        for _ in range(3):
            assert target.soon(stranger, "/theme", {"theme": "dark"}, seconds=WAITS) == 303
            for path, form in ASKED:
                sent = {"action": "abandon", "reason": "no light", **form}
                assert target.soon(stranger, other + path, sent, seconds=WAITS) in (200, 303), path
            assert target.soon(stranger, f"{other}/log", seconds=WAITS) == 200
        assert not any(one.done() for one in waiting)
        program.execute("ROLLBACK")
        freed = time.monotonic()
        assert max(one.result() for one in waiting) - freed < SOON

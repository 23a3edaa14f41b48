"""While somebody takes all there is of something, whoever comes then is served all the same.

Each of these attacks is made on the real program, over real connections, by one address; a stranger
comes from the same address, as behind a proxy, or from another one. What they ask for is small, and
they know nothing of how the server shares out what it has.
"""

import gzip
import http.client
import socket
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.ledger.store import Ledger, Link
from referee.settings import DATABASE, SETTINGS_FILE
from referee.sheets.book import MAX_KEPT, Book
from referee.web.answers import compression
from tests.support.server import Server
from tests.vision import drawn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it has one address to call from")

ATTACKER, SOMEBODY = "127.0.0.1", "127.0.0.2"
PATIENCE = 60  # seconds until a test gives up
SOON = 5  # seconds in which a stranger has their answer, on a machine that has much else to do
ROWS = 400  # more than can be played and shown at a glance
BORDER = "border"
CARD = drawn.saved(drawn.row(["9H"]).resize((350, 525)))
PHOTO_AT = "/referee/nine-five-two/follow/photo"
NEW_AT = "/new/multiple-9"

Answer = tuple[int, str]


class House:
    """A server with two long sheets in its book, which it has not opened yet, and who asks it."""

    def __init__(self, instance: Path, program: str = "referee", hourly: int = 100_000) -> None:
        """Write the sheets, then start the server; an address has so many `hourly`, of anything."""
        settings = f"photos_an_hour = {hourly}\nsheets_an_hour = {hourly}\n"
        (instance / SETTINGS_FILE).write_text(settings, encoding="utf-8")
        book, self.attacked, self.other = _two_long_sheets()
        (instance / DATABASE).write_bytes(book)
        self.seen = {self.attacked.token: ROWS, self.other.token: ROWS}
        self.server = Server(instance, program=program)
        self._place = urlsplit(self.server.address)

    def wire(self, caller: str = ATTACKER) -> socket.socket:
        """A connection from this address, on which anything can be said."""
        place = self._place.hostname, self._place.port or 80
        return socket.create_connection(place, PATIENCE, source_address=(caller, 0))

    def head(
        self,
        path: str,
        size: int,
        kind: str = "application/x-www-form-urlencoded",
        cookies: str = "",
    ) -> bytes:
        """What stands before a form of `size` bytes."""
        return (
            f"POST {path} HTTP/1.1\r\nHost: {self._place.netloc}\r\nContent-Type: {kind}\r\n"
            f"Cookie: {cookies}\r\nContent-Length: {size}\r\n\r\n"
        ).encode()

    def get(self, path: str) -> bytes:
        """What asks for a page."""
        return f"GET {path} HTTP/1.1\r\nHost: {self._place.netloc}\r\n\r\n".encode()

    def cookies(self, path: str, caller: str) -> str:
        """The cookies that a phone holds once it has opened this page."""
        with self.wire(caller) as wire:
            wire.sendall(self.get(path))
            answer = http.client.HTTPResponse(wire)
            answer.begin()
            answer.read()
            given = answer.headers.get_all("Set-Cookie", [])
        return "; ".join(one.partition(";")[0] for one in given)

    def asks(self, request: bytes, caller: str) -> Answer:
        """Ask on a connection from this address; what the answer is."""
        with self.wire(caller) as wire:
            wire.sendall(request)
            answer = http.client.HTTPResponse(wire)
            answer.begin()
            return answer.status, answer.read().decode(errors="replace")

    def records(self, caller: str) -> Answer:
        """The stranger records what happened on the other sheet."""
        token = self.other.token
        seen = self.seen[token]
        fields = {"action": "abandon", "reason": "the lights went out", "after": seen}
        body = urllib.parse.urlencode({**fields, "key": f"stranger-{seen}"}).encode()
        answer = self.asks(self.head(f"/s/{token}/entries", len(body)) + body, caller)
        self.seen[token] += answer[0] == 303
        return answer

    def voids(self, caller: str) -> Answer:
        """The stranger voids an early deal on the very sheet that is attacked, by the same link."""
        token = self.attacked.token
        seen = self.seen[token]
        fields = {"why": "it was not ours", "sure": "yes", "after": seen, "key": f"void-{seen}"}
        body = urllib.parse.urlencode(fields).encode()
        path = f"/s/{token}/entries/{seen - ROWS + 1}/void"
        answer = self.asks(self.head(path, len(body)) + body, caller)
        self.seen[token] += answer[0] == 303
        return answer

    def looks(self, caller: str) -> Answer:
        """The stranger looks at the other sheet."""
        return self.asks(self.get(f"/s/{self.other.token}"), caller)

    def reads_all(self, caller: str) -> Answer:
        """The stranger asks for all deals of the other sheet."""
        return self.asks(self.get(f"/s/{self.other.token}/log"), caller)

    def photographs(self, caller: str, cookies: str = "", at: str = PHOTO_AT) -> Answer:
        """The stranger has a photo read."""
        body = _form_with(CARD)
        return self.asks(self.head(at, len(body), _MULTIPART, cookies) + body, caller)

    def photographs_at_sheet(self, caller: str) -> Answer:
        """The stranger has a photo read for a question about the other sheet."""
        return self.photographs(caller, at=f"/s/{self.other.token}/referee/hand/photo")

    def begins(self, caller: str, cookies: str = "") -> Answer:
        """The stranger begins a sheet."""
        body = b"name=Ann&name=Ben&dealer=0"
        kind = "application/x-www-form-urlencoded"
        return self.asks(self.head(NEW_AT, len(body), kind, cookies) + body, caller)


_MULTIPART = f"multipart/form-data; boundary={BORDER}"


def _form_with(photo: bytes) -> bytes:
    head = 'Content-Disposition: form-data; name="photo'
    before = f'--{BORDER}\r\n{head}.for"\r\n\r\nhand\r\n--{BORDER}\r\n{head}"; filename="a"\r\n\r\n'
    return before.encode() + photo + f"\r\n--{BORDER}--\r\n".encode()


@cache
def _two_long_sheets() -> tuple[bytes, Link, Link]:
    """A book, and the links to its sheets."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / DATABASE)
        book = Book(ledger)
        one, other = _long_sheet(book), _long_sheet(book)
        ledger.close()
        return ledger.path.read_bytes(), one, other


def _long_sheet(book: Book) -> Link:
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ann", {})
    for seq in range(ROWS):
        book.record(link, {"action": "abandon", "reason": "a fire"}, seq, f"key-{seq}")
    return link


@pytest.fixture(params=[ATTACKER, SOMEBODY], ids=["same address", "another address"])
def stranger(request: pytest.FixtureRequest) -> str:
    """The address of whoever comes next."""
    return str(request.param)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house with plenty of everything."""
    made = House(tmp_path)
    yield made
    made.server.stop()


@contextmanager
def held(wires: Iterator[socket.socket]) -> Iterator[list[socket.socket]]:
    """These connections, held for as long as somebody is in here."""
    with ExitStack() as stack:
        yield [stack.enter_context(wire) for wire in wires]


def many(house: House, number: int, *parts: bytes) -> Iterator[socket.socket]:
    """So many connections of the attacker, on each of which this has been said."""
    for _ in range(number):
        wire = house.wire()
        with suppress(OSError):  # it may be ended in the middle: that is the server's good right
            wire.sendall(b"".join(parts))
        yield wire


def soon(ask: Callable[[str], Answer], stranger: str, seconds: float = SOON) -> int:
    """The status that the stranger is answered with; it has to come in so many seconds."""
    began = time.monotonic()
    status, _ = ask(stranger)
    took = time.monotonic() - began
    assert took < seconds, f"{status} after {took:.1f} s"
    return status


def again_and_again(ask: Callable[[str], Answer], stranger: str) -> set[int]:
    """The statuses that the stranger is answered with, while all arrives that has been sent."""
    told, end = set[int](), time.monotonic() + 3
    while time.monotonic() < end:
        told.add(soon(ask, stranger))
    return told


# --- what is on its way


def test_forms_whose_end_is_held_back(house: House) -> None:
    """Whoever sends them is refused more, and keeps nobody's form out."""
    half = house.head("/new/multiple-9", 60_000), b"a" * 43_690
    bits = house.head("/new/multiple-9", 60_000), b"a" * 60
    with held(many(house, 1120, *half)), held(many(house, 4, *bits)):
        assert again_and_again(house.records, SOMEBODY) == {303}
        assert soon(house.looks, SOMEBODY) == 200


def test_sheets_files_whose_end_is_held_back(house: House) -> None:
    """They keep out neither a form nor another file."""
    body = _form_with(b"{}").replace(b'name="photo"', b'name="file"')
    half = house.head("/bring-in", 4_194_304, _MULTIPART), b"a" * 4_194_250
    with held(many(house, 16, *half)):
        assert soon(house.records, SOMEBODY) == 303
        small = house.head("/bring-in", len(body), _MULTIPART) + body
        told = again_and_again(lambda caller: house.asks(small, caller), SOMEBODY)
        assert told <= {200, 422}


def test_photos_whose_end_is_held_back(house: House) -> None:
    """Another photo is read, and an entry recorded."""
    half = house.head(PHOTO_AT, 19_000_000, _MULTIPART), b"a" * 16_777_000
    with held(many(house, 4, *half)):
        assert again_and_again(house.records, SOMEBODY) == {303}
        assert soon(house.photographs, SOMEBODY, 20) == 200


# --- what waits


def asked_for(house: House, place: str) -> bytes:
    """What asks for a part of the sheet that is attacked."""
    return house.get(f"/s/{house.attacked.token}{place}")


def test_a_long_entry_on_the_sheet_whose_pages_are_asked_for(house: House, stranger: str) -> None:
    """By the same link, perhaps at the same address: what has arrived is recorded, and soon."""
    with held(many(house, 900, asked_for(house, "/log"))):
        for _ in range(3):
            assert soon(house.voids, stranger, 20) == 303


@pytest.mark.parametrize("place", ["/log", ""])
def test_one_page_asked_for_again_and_again(house: House, stranger: str, place: str) -> None:
    """Nine hundred wait for it; an entry on another sheet is recorded, and its pages come."""
    with held(many(house, 900, asked_for(house, place))):
        for _ in range(3):
            assert soon(house.records, stranger) == 303
        assert soon(house.looks, stranger) == 200
        assert soon(house.reads_all, stranger, 20) == 200


def test_pages_of_many_addresses_asked_for(house: House, stranger: str) -> None:
    """They look like those of many sheets."""
    with ExitStack() as stack:
        for number in range(900):
            wire = stack.enter_context(house.wire())
            wire.sendall(house.get(f"/s/nobody-{number}/log"))
        assert soon(house.records, stranger) == 303
        assert soon(house.looks, stranger) == 200
        assert soon(house.reads_all, stranger, 20) == 200


def test_entries_on_one_sheet_in_great_number(house: House, stranger: str) -> None:
    """Five hundred at once: another sheet’s has its turn."""
    body = urllib.parse.urlencode({"action": "abandon", "reason": "x", "after": "1"}).encode()
    whole = house.head(f"/s/{house.attacked.token}/entries", len(body)) + body
    with held(many(house, 500, whole)):
        for _ in range(3):
            assert soon(house.records, stranger) == 303
        assert soon(house.looks, stranger) == 200


def test_photos_in_great_number(house: House, stranger: str) -> None:
    """Forty wait to be read: another one has its turn, and an entry waits for none of them."""
    body = _form_with(CARD)
    whole = house.head(PHOTO_AT, len(body), _MULTIPART) + body
    with held(many(house, 40, whole)):
        assert soon(house.records, stranger) == 303
        assert soon(house.photographs_at_sheet, stranger, 20) == 200


# --- what there is so much of in an hour


def test_photos_and_sheets_an_hour(tmp_path: Path, stranger: str) -> None:
    """Whoever keeps no cookies has had them all; a phone that opens the page has its own."""
    house = House(tmp_path, hourly=3)
    try:
        for ask, page in (
            (house.photographs, PHOTO_AT.removesuffix("/photo")),
            (house.begins, NEW_AT),
        ):
            told = [ask(ATTACKER)[0] for _ in range(4)]
            assert told[-1] == 429
            assert 429 not in told[:-1]
            assert ask(stranger, house.cookies(page, stranger))[0] in (200, 303)
        assert soon(house.records, ATTACKER) == 303
    finally:
        house.server.stop()


# --- what is remembered


def test_more_is_opened_than_is_remembered(house: House, stranger: str) -> None:
    """Sheets and pages, round and round: the stranger's are made anew, which nobody notices."""
    ledger = Ledger(house.server.instance / DATABASE)
    book = Book(ledger)
    long = [_long_sheet(book).token for _ in range(MAX_KEPT // ROWS)]
    size = len(gzip.compress(house.looks(stranger)[1].encode()))
    short = [
        book.begin("multiple-9", ["Ann", "Ben"], "Ann", {}).token
        for _ in range(8 * compression.MAX_BYTES // (7 * size))
    ]
    ledger.close()
    paths = [*(f"/s/{one}" for one in short), *(f"/s/{one}" for one in long)]
    paths += [f"/s/{one}/entries/{row}" for one in long for row in (1, 2)]
    over, rounds = threading.Event(), list[int]()

    def go_round(paths: list[str]) -> None:
        while not over.is_set():
            statuses = {house.asks(house.get(path), ATTACKER)[0] for path in paths}
            assert statuses == {200}
            rounds.append(len(paths))

    askers = [threading.Thread(target=go_round, args=(paths[place::4],)) for place in range(4)]
    for asker in askers:
        asker.start()
    try:
        while sum(rounds) < len(paths):
            assert soon(house.records, stranger) == 303
            assert soon(house.looks, stranger) == 200
    finally:
        over.set()
        for asker in askers:
            asker.join()

"""Cached pages are never stale, and never somebody else's."""

import gzip
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Event

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.settings import Settings
from referee.sheets.book import Book
from referee.web.answers.compression import PageCache
from referee.web.app import create_app
from tests.support.phone import PARTIAL, Phone

DARK = {"Cookie": "theme=table"}
PLACES = ("", "/board", "/record")
BEN, CAT = {"action": "out", "player": "Ben"}, {"action": "out", "player": "Cat"}


@pytest.fixture
def other(tmp_path: Path, app: Flask) -> FlaskClient:
    """A phone connected to another process that serves the same book."""
    return create_app(Settings(instance=tmp_path)).test_client()


def writings(host: Phone, other: FlaskClient) -> Iterator[None]:
    """Change the sheet in every way, partly through another process; yields after each."""
    elsewhere = Phone(other, host.token)
    yield
    steps: tuple[tuple[Phone, str, Mapping[str, object]], ...] = (
        (host, "/entries", BEN),
        (elsewhere, "/entries", CAT),
        (elsewhere, "/undo", {}),
        (host, "/undo", {}),
        (elsewhere, "/phone", {"phone": "Cat’s"}),
        (elsewhere, "/entries", BEN),
        (elsewhere, "/entries/5/void", {"why": "no", "sure": "yes"}),
        *((elsewhere, "/entries", BEN) for _ in range(5)),
        (elsewhere, "/again", {"seen": 0}),
    )
    for phone, place, fields in steps:
        seq = newest(elsewhere)
        answer = phone.post(place, {"after": seq, "key": f"key-{place}-{seq}", **fields})
        assert answer.status_code == 303, (place, answer.text)
        yield


def newest(phone: Phone) -> int:
    """The newest row of a phone's sheet, as its process knows it."""
    book: Book = phone.client.application.extensions["referee"].book
    link = book.ledger.link(phone.token)
    assert link is not None
    return book.open(link).seq


def test_a_cached_page_is_never_stale(host: Phone, other: FlaskClient, tmp_path: Path) -> None:
    """For every role, as page and as fragment, it equals a fresh one after every change."""
    phones = {host: 3, host.other("score"): 3, host.other("view"): 2}
    seen = set()
    for _ in writings(host, other):
        fresh = create_app(Settings(instance=tmp_path)).test_client()
        for phone, places in phones.items():
            for place, headers in product(PLACES[:places], ({}, PARTIAL, DARK)):
                cached = [phone.get(place, **headers).text for _ in range(2)]
                made = Phone(fresh, phone.token).get(place, **headers).text
                assert cached == [made, made], (phone.token, place)
                seen.add(made)
    assert len(seen) > 100, "the pages of one state are not those of another"


def test_a_page_is_made_and_compressed_once(host: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every phone is sent the very same bytes."""
    packed, compress = [], gzip.compress

    def counted(content: bytes, level: int) -> bytes:
        packed.append(content)
        return compress(content, level)

    monkeypatch.setattr(gzip, "compress", counted)
    plain = host.get()
    answers = [host.get(**{"Accept-Encoding": "gzip"}) for _ in range(3)]
    assert packed == [plain.data]
    assert {gzip.decompress(answer.data) for answer in answers} == {plain.data}
    host.record(BEN, after=0)
    assert host.get().data != plain.data
    assert len(packed) == 2


def test_a_cached_page_ends_with_its_link(host: Phone, other: FlaskClient) -> None:
    """Once another process trashed the sheet or withdrew the link, it is 404."""
    viewer, elsewhere = host.other("view"), Phone(other, host.token)

    def statuses() -> list[int]:
        return [viewer.get(place).status_code for place in ("", "/board")]

    assert statuses() == [200, 200]
    elsewhere.post("/trash", {})
    assert statuses() == [404, 404]
    elsewhere.post("/trash/out", {})
    assert statuses() == [200, 200]
    elsewhere.post("/links", {"role": "view"})
    assert statuses() == [404, 404]


def test_the_cache_has_a_limit_in_bytes() -> None:
    """The least recently used pages are dropped; one that is too large is not cached."""
    pages = PageCache(most_bytes=5000)
    made = []

    def page(key: str, size: int = 2000) -> None:
        def make() -> str:
            made.append(key)
            return text

        text = random.Random(key).randbytes(size).hex()  # compressed, it has half as many bytes
        assert gzip.decompress(pages.page(key, make)).decode() == text

    for key in "ababcacb":  # two have room
        page(key)
    assert made == list("abcab"), "c took the place of a, a that of b, for c was asked for since"
    page("L", 6000)
    page("L", 6000)
    assert made[-2:] == ["L", "L"]


def test_a_page_that_many_ask_for_is_made_once() -> None:
    """Requests for it wait while it is being made; requests for another page don't."""
    pages, begun, go_on, made = PageCache(), Event(), Event(), []

    def make() -> str:
        made.append(1)
        begun.set()
        assert go_on.wait(10)
        return "the page"

    with ThreadPoolExecutor(5) as phones:
        first = phones.submit(pages.page, "here", make)
        assert begun.wait(10)
        others = [phones.submit(pages.page, "here", make) for _ in range(3)]
        other = phones.submit(pages.page, "there", lambda: "another").result(10)
        assert gzip.decompress(other) == b"another"
        go_on.set()
        assert len({id(one.result(10)) for one in (first, *others)}) == 1
    assert made == [1]

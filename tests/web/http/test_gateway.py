"""Requests on their way from the event loop to the app."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]

from referee.ledger.store import Glance
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.work import go_on, take_long
from referee.web import context
from referee.web.app import create_app
from referee.web.http.bodies import (
    BODY_LIMIT,
    MAX_HELD,
    PHOTO_LIMIT,
    SHEET_LIMIT,
    UPLOAD_LIMIT,
)
from referee.web.http.gateway import Gateway, environ
from referee.web.http.polling import Polls
from referee.web.http.refusals import REFUSED
from tests.support.phone import begin

Fields = list[tuple[str, str]]

TOO_MUCH = b"Too much at once."
NOT_ALL = b"The rest of the form never arrived. Send it again."
NO_LENGTH = "This form doesn’t say how long it is. Send it again.".encode()


class Asked:
    """A request as Granian offers it, and what it was answered."""

    def __init__(
        self, path: str, *fields: tuple[str, str], body: tuple[bytes | float, ...] = ()
    ) -> None:
        """`body` comes in these pieces; a number is a pause, of so many seconds."""
        self.headers = _Headers(fields)
        self.scope = SimpleNamespace(
            authority=None, scheme="http", http_version="1.1",
            server="[::1]:9999", client="192.0.2.7:555",
            method="POST" if body else "GET",
            path=path, query_string="x=%20", headers=self.headers,
        )  # fmt: skip
        self._body = body
        self.status = 0
        self.answered: Fields = []
        self.content = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._body:
            if isinstance(piece, bytes):
                yield piece
            else:
                await asyncio.sleep(piece)

    async def client_disconnect(self) -> None:
        """It never hangs up."""
        await asyncio.Event().wait()

    def response_bytes(self, status: int, headers: Fields, content: bytes) -> None:
        """Note the answer."""
        self.status, self.answered, self.content = status, headers, content

    def response_empty(self, status: int, headers: Fields) -> None:
        """Note the answer."""
        self.status, self.answered = status, headers


class _Headers:
    def __init__(self, fields: tuple[tuple[str, str], ...]) -> None:
        self._fields = fields

    def items(self) -> Fields:
        return list(self._fields)

    def get(self, name: str) -> str | None:
        return next((value for one, value in self._fields if one == name), None)

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None


def echo(asked: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    """Answer with what came, and how long it was said to be; or why it was refused."""
    refused = asked.get(REFUSED)
    if refused is not None:
        start_response(f"{refused.status} Refused", [])
        return [str(refused).encode()]
    body = asked["wsgi.input"].read()
    start_response("200 OK", [])
    return [f"{len(body)} of {asked['CONTENT_LENGTH']}".encode()]


def send(gateway: Gateway, *all_of_them: Asked) -> Asked:
    """Let the gateway answer these at once; returns the first."""

    async def answer() -> None:
        await asyncio.gather(*(gateway.__rsgi__(one.scope, one) for one in all_of_them))  # type: ignore[arg-type]

    asyncio.run(answer())
    return all_of_them[0]


def test_a_request_as_wsgi_has_it() -> None:
    """The path in bytes, fields that came twice joined, and only what a client may say."""
    made = environ(
        Asked(
            "/s/ä", ("host", "h:1"), ("cookie", "a=1"), ("cookie", "b=2"), ("accept", "x"),
            ("accept", "y"), ("content-type", "text/plain"), ("x_real", "1"), ("x-real", "2"),
            ("content-length", "7"), ("transfer-encoding", "chunked"),
        ).scope  # type: ignore[arg-type]
    )  # fmt: skip
    assert made["PATH_INFO"].encode("latin-1").decode() == "/s/ä"
    assert (made["REMOTE_ADDR"], made["SERVER_NAME"], made["SERVER_PORT"]) == (
        "192.0.2.7", "::1", "9999",
    )  # fmt: skip
    assert {name: made[name] for name in made if name.startswith(("HTTP_", "CONTENT_"))} == {
        "HTTP_HOST": "h:1", "HTTP_COOKIE": "a=1; b=2", "HTTP_ACCEPT": "x, y",
        "CONTENT_TYPE": "text/plain", "HTTP_X_REAL": "2", "CONTENT_LENGTH": "0",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "body", "told"),
    [
        ((), (), (200, b"0 of 0")),
        ((("content-length", "4"),), (b"ab", b"cd"), (200, b"4 of 4")),
        ((("content-length", "65537"),), (b"a" * BODY_LIMIT, b"b"), (200, b"0 of 65537")),
        ((("content-length", str(UPLOAD_LIMIT + 1)),), (b"a",), (413, TOO_MUCH)),
        ((("content-length", "4"),), (b"ab", 60.0), (408, NOT_ALL)),
        ((("content-length", "4"),), (b"ab",), (400, NOT_ALL)),
        ((("content-length", "4"),), (b"ab", b""), (400, NOT_ALL)),
        ((("transfer-encoding", "chunked"),), (b"ab", b"c"), (411, NO_LENGTH)),
        (
            (("content-length", "3"), ("transfer-encoding", "chunked")),
            (b"ab", b"c"),
            (411, NO_LENGTH),
        ),
    ],
    ids=[
        "none", "said", "long", "far too long", "late", "cut off", "cut off in a piece", "chunks",
        "chunks and a length",
    ],
)  # fmt: skip
def test_bodies(fields: tuple[tuple[str, str], ...], body: Any, told: tuple[int, bytes]) -> None:
    """Received whole before the app is called; one that is long is known by its length alone."""
    gateway = Gateway(echo, body_seconds=0.2)
    answer = send(gateway, Asked("/", *fields, body=body))
    assert (answer.status, answer.content) == told
    assert gateway._bodies.held == 0


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (BODY_LIMIT + 1, f"{BODY_LIMIT + 1} of {BODY_LIMIT + 1}"),
        (SHEET_LIMIT + 1, f"0 of {SHEET_LIMIT + 1}"),
        (4 * SHEET_LIMIT + 1, TOO_MUCH.decode()),
    ],
)
def test_a_page_that_takes_a_file(size: int, told: str) -> None:
    """It gets more than a form may have, and is told of a file that is too large."""
    gateway = Gateway(echo, body_seconds=5)
    asked = Asked("/bring-in", ("content-length", str(size)), body=(b"a" * size,))
    assert send(gateway, asked).content.decode() == told
    assert gateway._bodies.held == 0


def test_all_that_is_sent_at_once_has_a_limit() -> None:
    """Who comes then waits for room that forms take which are whole; those are all answered."""
    gateway = Gateway(echo, body_seconds=1)
    length = ("content-length", "60000")
    many = [Asked("/", length, body=(b"a" * 60_000,)) for _ in range(MAX_HELD // 60_000 + 5)]
    send(gateway, *many)
    assert {one.status for one in many} == {200}
    assert gateway._bodies.held == 0


def test_what_is_held_back_gives_way() -> None:
    """The largest of those on their way, of the address that holds most, and the oldest of them."""
    gateway = Gateway(echo, body_seconds=5)
    held = MAX_HELD // 65_000
    stay = [
        Asked("/", ("content-length", "65000"), body=(b"a" * 60_000, 1.0, b"a" * 5000))
        for _ in range(held)
    ]
    other = Asked("/", ("content-length", "65000"), body=(b"a" * 64_000, 0.5, b"a" * 1000))
    other.scope.client = "192.0.2.8:555"
    small = Asked("/", ("content-length", "20000"), body=(b"a" * 20_000,))
    send(gateway, other, *stay[1:], small)
    assert (other.status, small.status) == (200, 200)
    assert [one.status for one in stay[1:]] == [503, *[200] * (held - 2)]
    assert gateway._bodies.held == 0


PHOTO_AT = "/s/one/entries/photo"


def test_a_photo_has_limits_of_its_own() -> None:
    """Larger than a form may be, but not larger than what is read of a photo."""
    whole = (b"a" * UPLOAD_LIMIT, b"b")
    photo = Asked(PHOTO_AT, ("content-length", str(UPLOAD_LIMIT + 1)), body=whole)
    gateway = Gateway(echo)
    assert send(gateway, photo).content == f"{UPLOAD_LIMIT + 1} of {UPLOAD_LIMIT + 1}".encode()
    assert gateway._bodies.held == 0
    huge = send(gateway, Asked(PHOTO_AT, ("content-length", str(PHOTO_LIMIT + 1)), body=whole))
    assert (huge.status, huge.content) == (413, b"This photo is larger than 20 MB.")


def test_nobody_waits_behind_a_photo() -> None:
    """A long page is answered while a photo is read, even of the same sheet."""
    page_is_there = threading.Event()

    def app(asked: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        take_long()
        if asked["PATH_INFO"] == PHOTO_AT:
            assert page_is_there.wait(30), "the page waited for the photo"
        else:
            page_is_there.set()
        start_response("200 OK", [])
        return [b"answered"]

    photo, page = Asked(PHOTO_AT, ("content-length", "1"), body=(b"a",)), Asked("/s/one/log")
    send(Gateway(app), photo, page)
    assert (photo.content, page.content) == (b"answered", b"answered")


def test_a_poll_takes_no_thread_and_asks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phones with the newest board hear so on the loop; the app is not asked, the book once."""
    app = create_app(Settings(tmp_path))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    asked, glance = list[str](), Book.glance

    def counted(self: Book, token: str) -> Glance | None:
        asked.append(token)
        return glance(self, token)

    monkeypatch.setattr(Book, "glance", counted)

    def never(*_: object) -> list[bytes]:
        raise AssertionError("the app was asked")

    board = f"/s/{host.token}/board"
    tag = host.get("/board").headers["HX-PTag"]
    other_past = f"{tag[:-12]}{12 * '0'}"
    asked.clear()
    polls = Polls(context.state(app).book)
    for fields in (("hx-ptag", tag),), (("if-none-match", f'W/"{tag}"'),):
        answer = send(Gateway(never, polls), Asked(board, *fields))
        assert (answer.status, answer.content) == (304, b"")
        assert ("Cache-Control", "no-store") in answer.answered
    assert asked == [host.token] * 2
    for path, held in ((board, other_past), (board, ""), (board, "host-0"), (board + "/x", tag)):
        answer = send(Gateway(echo, polls), Asked(path, ("hx-ptag", held)))
        assert answer.status == 200


@pytest.fixture
def in_a_thread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths for which a gateway takes a thread from now on."""
    paths, threaded = list[str](), Gateway._in_a_thread

    def counted(self: Gateway, scope: Scope, protocol: HTTPProtocol) -> Any:
        paths.append(scope.path)
        return threaded(self, scope, protocol)

    monkeypatch.setattr(Gateway, "_in_a_thread", counted)
    return paths


def test_a_cached_page_takes_no_thread(tmp_path: Path, in_a_thread: list[str]) -> None:
    """What has to be made is made in a thread; what is cached is answered on the loop, the same."""
    app = create_app(Settings(tmp_path))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    gateway = Gateway(app, Polls(context.state(app).book))
    page = f"/s/{host.token}"
    first, again = (send(gateway, Asked(page, ("host", "x"))) for _ in range(2))
    assert in_a_thread == [page]
    assert first.status == again.status == 200
    assert dict(first.answered) == dict(again.answered)
    assert len(first.content) == len(again.content) > 1000
    host.record({"action": "out", "player": "Ben"}, 0)
    assert b'data-seq="1-' in send(gateway, Asked(page, ("host", "x"))).content
    assert send(gateway, Asked(f"{page}/more", ("host", "x"))).status == 200
    assert send(gateway, Asked("/s/nobody", ("host", "x"))).status == 404
    assert in_a_thread == [page, page, f"{page}/more"]


def test_a_page_that_all_ask_for_takes_one_thread(tmp_path: Path, in_a_thread: list[str]) -> None:
    """The first who asks has it made, the others have it from the cache; or ask for themselves."""
    app = create_app(Settings(tmp_path))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    gateway, page = Gateway(app), f"/s/{host.token}"
    same = [Asked(page, ("host", "x")) for _ in range(3)]
    part = Asked(page, ("host", "x"), ("hx-request-type", "partial"))
    send(gateway, *same, part)
    assert len({len(one.content) for one in same}) == 1
    assert [one.status for one in (*same, part)] == [200] * 4
    assert len(part.content) < len(same[0].content)
    assert in_a_thread == [page] * 2
    assert not gateway._being_made


def test_who_waits_behind_one_who_hangs_up_is_answered() -> None:
    """Whoever asked first has left, and nobody makes the page for them any more."""

    class Leaving(Asked):
        async def client_disconnect(self) -> None:
            """It hangs up as soon as it has asked."""

    def app(asked: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        take_long()
        while asked["HTTP_X"] == "leaves":
            go_on()
        start_response("200 OK", [])
        return [b"answered"]

    leaving = Leaving("/s/one", ("x", "leaves"))
    staying = [Asked("/s/one", ("x", "stays")) for _ in range(2)]
    send(Gateway(app), leaving, *staying)
    assert (leaving.status, [one.content for one in staying]) == (0, [b"answered"] * 2)

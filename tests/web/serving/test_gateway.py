"""The gateway that passes requests from the event loop to the app."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, request
from werkzeug.datastructures import Headers

from referee.web import context
from referee.web.answers.errors import Refused, answer_refused
from referee.web.serving import routes
from referee.web.serving.bodies import (
    BODY_LIMIT,
    MAX_HELD,
    SHEET_LIMIT,
    SMALL,
    UPLOAD_LIMIT,
)
from referee.web.serving.gateway import (
    Crew,
    Gateway,
    GoneError,
    environ,
)
from referee.web.serving.routes import PLAIN, declares
from tests.support.event_loop import run_apart
from tests.support.phone import Phone

Fields = list[tuple[str, str]]
View = Callable[[], str]
Piece = bytes | asyncio.Event

TOO_MUCH = b"Too much at once."
NOT_ALL = b"The rest of the form never arrived. Send it again."
NO_LENGTH = "This form doesn’t say how long it is. Send it again.".encode()


class Asked:
    """A request as Granian passes it, with its answer."""

    def __init__(self, path: str, *fields: tuple[str, str], body: tuple[Piece, ...] = ()) -> None:
        """`body` arrives in these pieces, the next one after an event once that is set."""
        self.headers = Headers(list(fields))
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
        self.is_answered = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._body:
            if isinstance(piece, bytes):
                yield piece
            else:
                await piece.wait()

    async def client_disconnect(self) -> None:
        await asyncio.Event().wait()

    def response_bytes(self, status: int, headers: Fields, content: bytes) -> None:
        self.status, self.answered, self.content = status, headers, content
        self.is_answered.set()

    def response_empty(self, status: int, headers: Fields) -> None:
        self.response_bytes(status, headers, b"")


def app_of(*marked: tuple[str, View]) -> Flask:
    """An app with these views; other paths echo the body's length and declared length."""
    app = Flask("echo")
    app.before_request(answer_refused)
    app.register_error_handler(Refused, lambda refused: (str(refused.says), refused.code))
    for path, view in marked:
        app.add_url_rule(path, path, view, methods=["GET", "POST"])
    app.add_url_rule("/", "echo", echo, methods=["GET", "POST"])
    return app


def echo() -> str:
    """The body's length and its declared length."""
    return f"{len(request.environ['wsgi.input'].read())} of {request.environ['CONTENT_LENGTH']}"


def send(gateway: Gateway, *all_of_them: Asked) -> Asked:
    """Send these requests to the gateway at once; returns the first."""

    async def answer() -> None:
        await asyncio.gather(*(gateway.__rsgi__(one.scope, one) for one in all_of_them))  # type: ignore[arg-type]

    run_apart(answer())
    return all_of_them[0]


def test_a_request_as_wsgi_has_it() -> None:
    """The WSGI environment decodes the path, joins repeated headers, and drops forged ones."""
    made = environ(
        Asked(
            "/s/ä", ("host", "h:1"), ("cookie", "a=1"), ("cookie", "b=2"), ("accept", "x"),
            ("accept", "y"), ("content-type", "text/plain"), ("x_real", "1"), ("x-real", "2"),
            ("content-length", "7"), ("transfer-encoding", "chunked"),
        ).scope,  # type: ignore[arg-type]
        "192.0.2.7",
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
        ((("content-length", "4"),), (b"ab", asyncio.Event()), (408, NOT_ALL)),
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
    """The app gets a body whole, or only its size; one far too long is not read."""
    gateway = Gateway(app_of(), body_seconds=0.2)
    answer = send(gateway, Asked("/", *fields, body=body))
    assert (answer.status, answer.content) == told
    assert held(gateway) == 0


@pytest.mark.parametrize(
    ("mark", "size", "told"),
    [
        (declares(routes.FILE), BODY_LIMIT + 1, f"{BODY_LIMIT + 1} of {BODY_LIMIT + 1}"),
        (declares(routes.FILE), SHEET_LIMIT + 1, f"0 of {SHEET_LIMIT + 1}"),
        (declares(routes.FILE), 4 * SHEET_LIMIT + 1, TOO_MUCH.decode()),
    ],
)
def test_files_have_limits_of_their_own(mark: Callable[[View], View], size: int, told: str) -> None:
    """Larger than those of forms; above, only the size is kept, or nothing is read."""
    gateway = Gateway(app_of(("/there", mark(partial(echo)))), body_seconds=5)
    asked = Asked("/there", ("content-length", str(size)), body=(b"a" * size,))
    assert send(gateway, asked).content.decode() == told
    assert held(gateway) == 0


FILE = 4_000_000  # bytes: nearly as large as a sheet's file may be
FILES = MAX_HELD // FILE  # that fit


def a_file(*pieces: Piece, client: str = "192.0.2.7", size: int = FILE) -> Asked:
    asked = Asked("/there", ("content-length", str(size)), body=pieces)
    asked.scope.client = f"{client}:555"
    return asked


def taking_files(view: View = echo) -> Gateway:
    """A gateway whose only route takes files."""
    return Gateway(app_of(("/there", declares(routes.FILE)(partial(view)))), body_seconds=5)


def test_only_bytes_that_have_arrived_count() -> None:
    """Any number of large bodies that were only announced keep nobody out."""
    gateway = taking_files()
    whole = a_file(b"a" * FILE)
    slow = [a_file(b"a", whole.is_answered) for _ in range(3 * FILES)]
    send(gateway, *slow, whole)
    assert whole.status == 200
    assert {one.status for one in slow} == {400}
    assert held(gateway) == 0


@pytest.mark.parametrize("stranger", ["192.0.2.7", "192.0.2.8"])
def test_when_memory_is_full_the_largest_holder_loses_its_oldest(stranger: str) -> None:
    """A newcomer's files and small forms are received."""
    gateway = taking_files()
    small = Asked("/", ("content-length", "9"), body=(b"a" * 9,))
    half = b"a" * (FILE // 2)
    others = [a_file(half, small.is_answered, half, client=stranger) for _ in range(3)]
    over = [one.is_answered for one in others]
    slow = [a_file(b"a" * (FILE - 1), *over, b"a") for _ in range(FILES)]
    send(gateway, *slow, *others, small)
    statuses = [one.status for one in slow]
    assert statuses == sorted(statuses, reverse=True)
    assert 1 <= statuses.count(503) <= 3
    assert b"Too much is being sent at once" in slow[0].content
    assert [one.status for one in (*others, small)] == [200] * 4
    assert held(gateway) == 0


def test_a_small_form_is_never_refused_for_memory() -> None:
    """Small forms aren't counted, however full the memory is."""
    gateway = Gateway(app_of(), body_seconds=60)
    last = Asked("/")
    small = [
        Asked(
            "/", ("content-length", str(SMALL)), body=(b"a" * (SMALL - 1), last.is_answered, b"a")
        )
        for _ in range(2000)
    ]
    part, rest = b"a" * 64_000, b"a" * 1000
    large = [
        Asked("/", ("content-length", "65000"), body=(part, last.is_answered, rest))
        for _ in range(MAX_HELD // len(part) + 50)
    ]
    send(gateway, *small, *large, last)
    assert {one.status for one in small} == {200}
    assert {one.status for one in large} == {200, 503}
    assert held(gateway) == 0


def test_files_that_wait_for_a_thread_count() -> None:
    """Those beyond the memory are refused; one already in a thread is not."""
    free = threading.Event()

    def busy() -> str:
        assert free.wait(30)
        return echo()

    gateway = taking_files(busy)
    files = [a_file(b"a" * FILE) for _ in range(2 * FILES)]

    class Last(Asked):
        def response_bytes(self, *answer: Any) -> None:
            super().response_bytes(*answer)
            free.set()

    first_refused = Last("/there", ("content-length", str(FILE)), body=(b"a" * FILE,))
    send(gateway, files[0], first_refused, *files[1:])
    assert (files[0].status, first_refused.status) == (200, 503)
    assert [one.status for one in files].count(200) == FILES + 1
    assert held(gateway) == 0


def held(gateway: Gateway) -> int:
    """The bytes of all bodies being received."""
    return MAX_HELD - gateway._bodies.memory.free


@pytest.mark.parametrize(
    ("peer", "named", "client"),
    [
        ("127.0.0.1:555", ("192.0.2.9",), "192.0.2.9"),
        ("[::1]:555", ("2001:db8::9",), "2001:db8::9"),
        ("127.0.0.1:555", ("10.9.9.9, 192.0.2.9",), "192.0.2.9"),  # the client sent the first
        ("127.0.0.1:555", ("10.9.9.9", "192.0.2.9, 10.0.0.3"), "192.0.2.9"),
        ("127.0.0.1:555", (), "127.0.0.1"),
        ("127.0.0.1:555", (" ,",), "127.0.0.1"),
        ("127.0.0.1:555", ("unknown",), "unknown"),
        ("127.0.0.1:555", ("10.0.0.5, 10.0.0.3",), "10.0.0.5"),  # a phone in the proxies' network
        ("[::ffff:127.0.0.1]:555", ("192.0.2.9",), "192.0.2.9"),  # IPv4 on an IPv6 socket
        ("[::ffff:192.0.2.7]:555", ("192.0.2.9",), "192.0.2.7"),
        ("192.0.2.7:555", ("192.0.2.9",), "192.0.2.7"),
        ("[2001:db8::7]:555", ("192.0.2.9",), "2001:db8::7"),
    ],
)
def test_only_a_trusted_proxy_names_the_client(
    peer: str, named: tuple[str, ...], client: str
) -> None:
    """The client is the last address in its X-Forwarded-For that is no trusted proxy."""
    app = app_of()
    app.add_url_rule("/who", "who", lambda: request.remote_addr or "")
    asked = Asked("/who", *(("x-forwarded-for", one) for one in named))
    asked.scope.client = peer
    proxies = [ip_network(one) for one in ("127.0.0.1", "::1", "10.0.0.0/29")]
    assert send(Gateway(app, proxies=proxies), asked).content.decode() == client
    alone = peer.rpartition(":")[0].strip("[]").removeprefix("::ffff:")
    assert send(Gateway(app), asked).content.decode() == alone


@pytest.mark.parametrize("mark", [declares(routes.LONG), lambda view: view])
def test_an_entry_does_not_wait_for_pages(mark: Callable[[View], View]) -> None:
    """It is recorded while all threads for pages, or for long pages, are busy."""
    recorded = threading.Event()

    def busy() -> str:
        assert recorded.wait(30), "the entry waited"
        return "at last"

    def record() -> str:
        recorded.set()
        return "recorded"

    app = app_of(("/s/one/page", mark(busy)), ("/s/one/entries", record))
    entry = Asked("/s/one/entries", ("content-length", "1"), body=(b"a",))
    others = [Asked("/s/one/page") for _ in range(9)]
    send(Gateway(app), *others, entry)
    assert entry.content == b"recorded"
    assert {one.content for one in others} == {b"at last"}


def test_an_unchanged_poll_takes_no_thread(app: Flask, host: Phone) -> None:
    """If its tag has the newest row and the link's role, the event loop answers 304."""
    before = host.get("/board").headers["HX-PTag"]
    host.record({"action": "out", "player": "Ben"}, after=0)
    tag = host.get("/board").headers["HX-PTag"]
    called, answer_one = list[str](), app.wsgi_app

    def noted(asked: Any, start: Any) -> Any:
        called.append(asked["PATH_INFO"])
        return answer_one(asked, start)

    app.wsgi_app = noted  # type: ignore[method-assign, assignment]
    gateway = Gateway(app, context.state(app).book)

    def asks(*fields: tuple[str, str], place: str = "/board") -> int:
        called.clear()
        answer = send(gateway, Asked(f"/s/{host.token}{place}", *fields, ("host", "x")))
        assert (answer.status == 304) == (answer.content == b"" and not called)
        if answer.status == 304:
            assert ("Cache-Control", "no-store") in answer.answered
        return answer.status

    newest = ("hx-ptag", tag)
    assert asks(newest) == 304
    assert asks() == 200
    for other in (before, f"{tag[:-12]}{12 * '0'}", tag.replace("host", "view"), "", "host-0"):
        assert asks(("hx-ptag", other)) == 200
    assert asks(newest, place="/board/x") == 404
    host.post("/trash", {})
    assert asks(newest, ("hx-request", "true")) == 404
    host.post("/trash/out", {})
    assert asks(newest) == 304
    host.post("/links", {"role": "host"})
    assert asks(newest) == 404


# --- threads are shared by turns


async def stays() -> None:
    """A client that waits for its answer."""
    await asyncio.Event().wait()


def test_senders_take_turns() -> None:
    """Four tasks of one do not delay another's only task; a task may fail."""
    had, all_wait = list[str](), threading.Event()

    def work(named: str) -> None:
        all_wait.wait(30)
        had.append(named)
        if named == "a2":
            raise ZeroDivisionError

    async def test() -> None:
        crew, asked = Crew(1), []
        for named in ("a1", "a2", "a3", "b1", "a4", "c1"):
            asked.append(asyncio.ensure_future(crew.do(named[0], stays, partial(work, named))))
            await asyncio.sleep(0)
        all_wait.set()
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(one, ZeroDivisionError) for one in told].count(True) == 1
        assert await crew.do("d", stays, lambda: "at once") == "at once"

    run_apart(test())
    assert had == ["a1", "a2", "b1", "c1", "a3", "a4"]


def test_a_task_whose_client_disconnected_is_skipped() -> None:
    """The next one has its turn."""
    hung_up, noticed, busy = asyncio.Event(), asyncio.Event(), threading.Event()

    async def gone() -> None:
        await hung_up.wait()
        noticed.set()

    async def test() -> None:
        crew = Crew(1)
        first = asyncio.ensure_future(crew.do("a", stays, lambda: busy.wait(30)))
        leaver = asyncio.ensure_future(crew.do("b", gone, lambda: 1 / 0))
        last = asyncio.ensure_future(crew.do("c", stays, lambda: "done"))
        await asyncio.sleep(0)
        hung_up.set()
        await noticed.wait()
        busy.set()
        with pytest.raises(GoneError):
            await leaver
        assert (await first, await last) == (True, "done")

    run_apart(test())


# --- the kinds of routes

#: Every route with a mark. A new one that plays through whole sheets belongs here.
KINDS = {
    "GET /s/<token>/board": "polled",
    "GET /s/<token>/log": "long",
    "GET /s/<token>/print": "long",
    "GET /s/<token>/settle": "long",
    "GET /s/<token>/sheet.json": "long",
    "GET /s/<token>/standings.csv": "long",
    "GET /evenings": "long",
    "GET /e/<token>": "long",
    "POST /s/<token>/settings": "long",
    "POST /s/<token>/entries/<int:seq>": "long",
    "POST /s/<token>/entries/<int:seq>/preview": "long",
    "POST /s/<token>/entries/<int:seq>/void": "long",
    "POST /bring-in": "file",
}

#: A redirect that may first make a link to where it leads, and so waits for writers.
REDIRECTING = "GET /s/<token>/evening"
#: Routes for forms that write nothing, and so need not wait for writers.
ONLY_ASKED = {
    "/theme",
    "/language",
    "/s/<token>/phone",
    "/s/<token>/preview",
    "/s/<token>/entries/<int:seq>/preview",
}


def test_every_route_is_found_with_its_mark(app: Flask) -> None:
    """Exactly the marked routes have a kind; an unknown path is plain."""
    found, odd = kinds_of_routes(app, "referee.web.")
    assert found == KINDS
    assert odd == {f"POST {place}" for place in ONLY_ASKED} | {REDIRECTING}
    gateway = Gateway(app)
    for method, path in (("GET", "/nowhere"), ("PUT", "/"), ("GET", "//x"), ("", ""), ("*", "*")):
        assert gateway.route(method, path) == (PLAIN, method in ("PUT", "", "*"), {})


def kinds_of_routes(app: Flask, room: str) -> tuple[dict[str, str], set[str]]:
    """The kinds of routes in this package, and routes that write on GET, or don't on POST."""
    gateway, found, odd = Gateway(app), dict[str, str](), set[str]()
    for rule in app.url_map.iter_rules():
        if not app.view_functions[rule.endpoint].__module__.startswith(room):
            continue
        values = {name: 1 if name in ("seq", "number") else "x" for name in rule.arguments}
        built = rule.build(values)
        assert built is not None
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            kind, writes, named = gateway.route(method, built[1])
            assert dict(named) == values, rule
            if kind is not PLAIN:
                found[f"{method} {rule.rule}"] = kind.name
            if writes != (method == "POST"):
                odd.add(f"{method} {rule.rule}")
    return found, odd

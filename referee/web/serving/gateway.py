"""From the event loop to the app: requests are received whole, then answered in a thread.

Granian hears thousands of connections on one event loop and offers each request in its interface
RSGI. There a body is awaited; over WSGI a thread would have to wait for it, and as many clients as
there are threads, each keeping back the end of its form, would keep everybody else out.

Three things are done here. What a live board asks every two seconds is answered on the loop itself:
it takes one statement in the database, and to change threads takes longer than the answer. A body
is received, of so many bytes and in so much time (`bodies`). Everything else goes to threads: some
for pages, some for what is recorded, one for what takes long, some for photos, so that none of
these waits for another kind; and each has its turn.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from io import BytesIO
from typing import Any, TypeVar

from flask import Flask

# Its documented names, which it does not mark as exported.
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]
from werkzeug.exceptions import HTTPException
from werkzeug.test import run_wsgi_app

from referee.ledger.chain import Mark
from referee.ledger.errors import LedgerError
from referee.ledger.store import Role
from referee.sheets.book import Book
from referee.web.answers.errors import REFUSED, Refused
from referee.web.answers.security import NOT_STORED
from referee.web.serving.bodies import BODY_SECONDS, Bodies, Kind

View = TypeVar("View", bound=Callable[..., Any])
Result = TypeVar("Result")
Answer = tuple[int, list[tuple[str, str]], bytes]

# Python computes one thing at a time: more threads would only take turns, and two at once that
# compute for long would leave a third of the time to everybody else.
THREADS = {"pages": 2, "entries": 4, "long": 1, "photos": 4}
_CREWS: dict[Kind, str] = {"long": "long", "file": "long", "photo": "photos"}


# --- what a route says of itself, by a mark on its view; all others are done in no time


def _mark(kind: Kind) -> Callable[[View], View]:
    def mark(view: View) -> View:
        view.kind_of_route = kind  # type: ignore[attr-defined]
        return view

    return mark


#: Phones ask this again and again; it answers 304 to whoever has the newest.
polled = _mark("polled")
#: This goes through all of a sheet, or of several, more often than not.
takes_long = _mark("long")
#: A sheet's file is sent here, and played through.
takes_file = _mark("file")
#: A photo is sent here.
takes_photo = _mark("photo")


def tag_of(role: Role, mark: Mark) -> str:
    """What stands for a board: for whom it is, and the newest row it shows.

    With the row goes its hash: after a backup is restored, row 12 may be another one.
    """
    return f"{role}-{mark}"


def tags_held(ptag: str | None, etags: str | None) -> list[str]:
    """The tags of the boards that a request holds, by its `HX-PTag` and its `If-None-Match`."""
    # A proxy that compresses an answer makes its tag a weak one.
    held = [tag.strip().removeprefix("W/").strip('"') for tag in (etags or "").split(",")]
    return [tag for tag in (ptag, *held) if tag]


class GoneError(Exception):
    """Whoever asked has hung up while waiting."""


class Crew:
    """So many threads for one kind of work.

    While all of them are busy, others wait on the event loop, where they take no thread. One waits
    for each sender in turn: whoever sends fifty requests waits fifty times, the next sender once.
    """

    def __init__(self, threads: int) -> None:
        """Nobody waits yet."""
        self._idle = threads
        self._threads = ThreadPoolExecutor(threads)
        self._lines: dict[Hashable, deque[asyncio.Future[None]]] = {}

    async def do(
        self,
        sender: Hashable,
        gone: Callable[[], Coroutine[Any, Any, None]],
        work: Callable[[], Result],
    ) -> Result:
        """What `work` returns, done in a thread when it is this sender's turn.

        `gone()` ends when they hang up. Raises `GoneError` where they did so before their turn.
        """
        loop = asyncio.get_running_loop()
        hung_up = None
        if self._idle:
            self._idle -= 1
        else:
            called, hung_up = loop.create_future(), asyncio.ensure_future(gone())
            self._lines.setdefault(sender, deque()).append(called)
            await called
        try:
            if hung_up and not hung_up.cancel():  # which is to say that it has ended
                raise GoneError
            return await loop.run_in_executor(self._threads, work)
        finally:
            self._call_next()

    def _call_next(self) -> None:
        """Give the thread to the sender who is next; the rest of their line goes to the end."""
        if not self._lines:
            self._idle += 1
            return
        sender = next(iter(self._lines))
        line = self._lines.pop(sender)
        line.popleft().set_result(None)
        if line:
            self._lines[sender] = line


class Gateway:
    """A Flask app as Granian calls it."""

    def __init__(
        self, app: Flask, book: Book | None = None, body_seconds: float = BODY_SECONDS
    ) -> None:
        """`book` has the boards that are polled; a form has to be there in `body_seconds`.

        What is refused reaches the app with a `Refused` in its environment, to make a page of it.
        """
        self._app = app
        self._urls = app.url_map.bind("")
        self._book = book
        self._bodies = Bodies(body_seconds)
        self._crews = {name: Crew(threads) for name, threads in THREADS.items()}

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer one request."""
        kind, named = self.route(scope.method, scope.path)
        if kind == "polled" and self._is_unchanged(scope, named["token"]):
            protocol.response_empty(304, list(NOT_STORED.items()))
            return
        try:
            status, headers, content = await self._answer(kind, scope, protocol)
        except (ProtocolClosed, GoneError):  # hung up: there is nobody to answer
            return
        if content:
            protocol.response_bytes(status, headers, content)
        else:
            protocol.response_empty(status, headers)

    def route(self, method: str, path: str) -> tuple[Kind, Mapping[str, Any]]:
        """The kind of the route that is asked for, and what its address names; plain if nowhere."""
        try:
            endpoint, named = self._urls.match(path, method)
        except HTTPException:  # the app says so, on a page
            return "plain", {}
        return getattr(self._app.view_functions[endpoint], "kind_of_route", "plain"), named

    def _is_unchanged(self, scope: Scope, token: str) -> bool:
        """Whether this is asked by somebody who has the newest board of the link's sheet.

        A board that did change, and a link that was withdrawn, go the ordinary way.
        """
        held = tags_held(scope.headers.get("hx-ptag"), scope.headers.get("if-none-match"))
        if self._book is None or scope.method != "GET" or not held:
            return False
        try:
            glance = self._book.glance(token)
        except LedgerError:
            return False  # the app meets it too, and has a page for it
        if glance is None or glance.trashed is not None:
            return False
        return tag_of(glance.link.role, glance.mark) in held

    async def _answer(self, kind: Kind, scope: Scope, protocol: HTTPProtocol) -> Answer:
        reads = scope.method in ("GET", "HEAD")
        crew = self._crews[_CREWS.get(kind, "pages" if reads else "entries")]
        sender, gone = _sender(scope), protocol.client_disconnect
        try:
            asked = environ(scope, *await self._bodies.receive(kind, scope, protocol))
            return await crew.do(sender, gone, partial(self._call, asked))
        except Refused as refused:
            work = partial(self._call, environ(scope) | {REFUSED: refused})
            status, headers, page = await self._crews["pages"].do(sender, gone, work)
            return status, [*headers, ("Connection", "close")], page

    def _call(self, asked: dict[str, Any]) -> Answer:
        """What the app answers."""
        parts, status, headers = run_wsgi_app(self._app, asked, buffered=True)
        return int(status[:3]), headers.to_wsgi_list(), b"".join(parts)


def _sender(scope: Scope) -> tuple[str, ...]:
    """Who takes turns: an address, and a link to a sheet or an evening, or another page.

    Behind one address may sit a whole house. To read and to write are two things: no correction
    waits behind the pages of its own sheet.
    """
    return scope.client.rpartition(":")[0], scope.method, *scope.path.split("/", 3)[1:3]


def environ(scope: Scope, body: bytes = b"", size: int = 0) -> dict[str, Any]:
    """A request as WSGI describes it (PEP 3333), with a body that was said to have this size."""
    host, _, port = scope.server.rpartition(":")
    made: dict[str, Any] = {
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "CONTENT_LENGTH": str(size),
    }
    for name, value in scope.headers.items():
        variable = _variable(name)
        if variable in made:
            made[variable] += ("; " if variable == "HTTP_COOKIE" else ", ") + value
        elif variable:
            made[variable] = value
    if scope.authority:  # of a whole address as the target, which counts before the header
        made["HTTP_HOST"] = scope.authority
    return made


@lru_cache(maxsize=256)
def _variable(name: str) -> str:
    """What WSGI calls a header field; "" for one that is not passed on.

    The length is that of the body as it was received. A name with an underscore could pass for
    one with a hyphen, which a proxy in front may have set.
    """
    if name in ("content-length", "transfer-encoding") or "_" in name:
        return ""
    variable = name.upper().replace("-", "_")
    return variable if variable == "CONTENT_TYPE" else f"HTTP_{variable}"

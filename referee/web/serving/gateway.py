"""The gateway from the event loop to the app: receives requests whole, answers them in threads.

Granian handles thousands of connections on one event loop and passes each request on through its
RSGI interface, where a body is awaited. With WSGI a thread would wait for it, and as many clients
as there are threads could block the server by holding back the end of a form.

It does three things. The poll that a live board sends every two seconds is answered on the loop if
nothing has changed: that takes one database statement, less than switching threads. Bodies are
received within limits of size and time (`bodies`). Everything else goes to threads: separate ones
for pages, entries and long requests, so that no kind waits for another, and with the senders
taking turns.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import lru_cache, partial
from io import BytesIO
from ipaddress import ip_address
from typing import Any, TypeVar

from flask import Flask

# Documented names that the package does not mark as exported.
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]
from werkzeug.exceptions import HTTPException

from referee.ledger.errors import LedgerError
from referee.settings import Network
from referee.sheets.book import Book
from referee.web.answers.errors import REFUSED, Refused
from referee.web.answers.security import NOT_STORED
from referee.web.serving.bodies import BODY_SECONDS, Bodies
from referee.web.serving.routes import PLAIN, POLLED, Kind, declared_by

Result = TypeVar("Result")
Answer = tuple[int, list[tuple[str, str]], bytes]

# Python runs one thread at a time: more threads would only take turns, and two long computations
# at once would leave a third of the time to all other requests.
THREADS = {"pages": 2, "entries": 4, "long": 1, "corrections": 1}
#: Which threads answer, by the kind of request and whether it writes: a writer may have to wait for
#: another program, and requests that write nothing must not wait behind that.
_CREWS = {
    ("long", False): "long",
    ("long", True): "corrections",
    ("file", True): "corrections",
}


class GoneError(Exception):
    """The client disconnected while its request was waiting."""


class Crew:
    """A pool of threads for one kind of work, with a fair queue.

    While all threads are busy, requests wait on the event loop. Free threads go to the senders in
    turn, so someone with one request does not wait behind another sender's fifty.
    """

    def __init__(self, threads: int) -> None:
        """Start with all threads idle. The last one to work is the next: its caches are warm."""
        self._idle = [ThreadPoolExecutor(1) for _ in range(threads)]
        self._lines: dict[Hashable, deque[asyncio.Future[ThreadPoolExecutor]]] = {}

    async def do(
        self,
        sender: Hashable,
        gone: Callable[[], Coroutine[Any, Any, None]],
        work: Callable[[], Result],
        taken: Callable[[], None] = lambda: None,
    ) -> Result:
        """Run `work` in a thread when it is this sender's turn, and return its result.

        `gone()` completes when the client disconnects. Raises `GoneError` if that is before its
        turn; at its turn it calls `taken()`. Until then it may be canceled.
        """
        loop = asyncio.get_running_loop()
        hung_up = None
        if self._idle:
            thread = self._idle.pop()
        else:
            called, hung_up = loop.create_future(), asyncio.ensure_future(gone())
            self._lines.setdefault(sender, deque()).append(called)
            try:
                thread = await called
            except asyncio.CancelledError:
                hung_up.cancel()
                if not called.cancelled():  # its turn has come at the same time
                    self._call_next(called.result())
                raise
        try:
            if hung_up and not hung_up.cancel():  # it cannot be canceled, so it has completed
                raise GoneError
            taken()
            return await loop.run_in_executor(thread, work)
        finally:
            self._call_next(thread)

    def _call_next(self, thread: ThreadPoolExecutor) -> None:
        """Give the thread to the next sender, and move the rest of their requests to the end."""
        while self._lines:
            sender = next(iter(self._lines))
            line = self._lines.pop(sender)
            called = line.popleft()
            if line:
                self._lines[sender] = line
            if not called.cancelled():
                called.set_result(thread)
                return
        self._idle.append(thread)


class Gateway:
    """A Flask app with the RSGI interface that Granian calls."""

    def __init__(
        self,
        app: Flask,
        book: Book | None = None,
        body_seconds: float = BODY_SECONDS,
        proxies: Sequence[Network] = (),
    ) -> None:
        """`book` is for answering polls; forms have to arrive within `body_seconds`.

        `proxies` are trusted to name the client's address. Refused requests are passed to the app
        with `REFUSED` in their environment, for an error page.
        """
        self._app = app
        self._urls = app.url_map.bind("")
        self._book = book
        self._bodies = Bodies(body_seconds)
        self._proxies = proxies
        #: What sends a heartbeat, and the seconds between two.
        self.heartbeat: tuple[Callable[[], None], float] | None = None
        kinds = (declared_by(view)[0] for view in app.view_functions.values())
        own = {kind.name: kind.threads for kind in kinds if kind.threads}
        self._crews = {name: Crew(threads) for name, threads in (THREADS | own).items()}

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start sending heartbeats from the event loop."""
        if self.heartbeat:
            send_one, seconds = self.heartbeat
            send_one()
            loop.call_later(seconds, self.__rsgi_init__, loop)

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer one request."""
        kind, writes, named = self.route(scope.method, scope.path)
        if kind is POLLED and self._is_unchanged(scope, named["token"]):
            protocol.response_empty(304, list(NOT_STORED.items()))
            return
        try:
            status, headers, content = await self._answer(kind, writes, scope, protocol)
        except (ProtocolClosed, GoneError):  # the client has disconnected
            return
        if content:
            protocol.response_bytes(status, headers, content)
        else:
            protocol.response_empty(status, headers)

    def route(self, method: str, path: str) -> tuple[Kind, bool, Mapping[str, Any]]:
        """The kind of the requested route, whether it may write, and its URL parameters.

        Without such a route it is plain.
        """
        sends = method not in ("GET", "HEAD")
        try:
            endpoint, named = self._urls.match(path, method)
        except HTTPException:  # the app makes an error page
            return PLAIN, sends, {}
        kind, writes = declared_by(self._app.view_functions[endpoint])
        return kind, sends if writes is None else writes, named

    def _is_unchanged(self, scope: Scope, token: str) -> bool:
        """Whether the client of a poll has the newest board of the link's sheet.

        If it has not, if the link was withdrawn, or if another machine would have to be asked, the
        app answers as usual.
        """
        held: str | None = scope.headers.get("hx-ptag")
        if self._book is None or scope.method != "GET" or not held:
            return False
        try:
            glance = self._book.ledger.glance_at_once(token)
        except LedgerError:
            return False  # the app gets the same error, and has a page for it
        if glance is None or glance.trashed is not None:
            return False
        return glance.tag == held

    async def _answer(
        self, kind: Kind, writes: bool, scope: Scope, protocol: HTTPProtocol
    ) -> Answer:
        shared = _CREWS.get((kind.name, writes), "entries" if writes else "pages")
        crew = self._crews[kind.name if kind.threads else shared]
        client = self._client(scope)
        # By address alone a whole house might be one; and with the method, no correction waits
        # behind the pages of its own sheet.
        sender = client, scope.method, *scope.path.split("/", 3)[1:3]
        gone = protocol.client_disconnect
        try:
            received = self._bodies.received(kind.limits, client, scope, protocol)
            async with received as (body, size, taken):
                work = partial(self._call, environ(scope, client, body, size))
                return await crew.do(sender, gone, work, taken)
        except Refused as refused:
            why = refused.code, refused.says  # its traceback would keep the body for a while
        work = partial(self._call, environ(scope, client) | {REFUSED: why})
        status, headers, page = await self._crews["pages"].do(sender, gone, work)
        return status, [*headers, ("Connection", "close")], page

    def _client(self, scope: Scope) -> str:
        """The address of the client: that of the connection, or the one a trusted proxy names.

        A proxy adds the address that it sees at the end of X-Forwarded-For. Where all are trusted,
        as phones in the network of the proxies are, it is the first.
        """
        address: str = scope.client.rpartition(":")[0].strip("[]")
        address = address.removeprefix("::ffff:")  # IPv4 on a socket that also takes IPv6
        named = (value for name, value in scope.headers.items() if name == "x-forwarded-for")
        for one in reversed(",".join(named).split(",")) if self._proxies else ():
            if not self._is_trusted(address):
                break
            address = one.strip() or address
        return address

    def _is_trusted(self, address: str) -> bool:
        try:
            return any(ip_address(address) in network for network in self._proxies)
        except ValueError:
            return False

    def _call(self, environ: dict[str, Any]) -> Answer:
        """The app's response."""
        begun: list[tuple[int, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _: object = None) -> Any:
            begun.append((int(status[:3]), headers))

        parts: Any = self._app(environ, start)  # which may have files to close
        with closing(parts):
            content = b"".join(parts)
        return *begun[-1], content


def environ(scope: Scope, client: str, body: bytes = b"", size: int = 0) -> dict[str, Any]:
    """The WSGI environment of a request by `client` (PEP 3333), whose body has `size` bytes."""
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
        "REMOTE_ADDR": client,
        "CONTENT_LENGTH": str(size),
    }
    for name, value in scope.headers.items():
        variable = _variable(name)
        if variable in made:
            made[variable] += ("; " if variable == "HTTP_COOKIE" else ", ") + value
        elif variable:
            made[variable] = value
    if scope.authority:  # from an absolute request target, which overrides the Host header
        made["HTTP_HOST"] = scope.authority
    return made


@lru_cache(maxsize=256)
def _variable(name: str) -> str:
    """The WSGI variable for a header, "" for one that is not passed on.

    The length is that of the body received. A name with an underscore could be mistaken for one
    with a hyphen, which a proxy in front may have set.
    """
    if name in ("content-length", "transfer-encoding") or "_" in name:
        return ""
    variable = name.upper().replace("-", "_")
    return variable if variable == "CONTENT_TYPE" else f"HTTP_{variable}"

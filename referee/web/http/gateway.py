"""From the event loop to the app: requests are received whole, then answered in a thread.

Granian hears thousands of connections on one event loop and offers each request in its interface
RSGI. There a body is awaited; over WSGI a thread would have to wait for it, and as many clients as
there are threads, each keeping back the end of its form, would keep everybody else out.

What a live board asks every two seconds is answered on the loop itself: it takes one statement in
the database, and to change threads takes longer than the answer. So are a cached page and a static
file. Whether a page is cached turns out on the way: where it is not, that is work
(`sheets/work.py`), of which nothing is allowed on the loop, and a thread begins again (`lanes`).
"""

import asyncio
import sys
from functools import lru_cache, partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

# Its documented names, which it does not mark as exported.
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]

from referee.sheets.work import Allowance, LongWork
from referee.web.http.assets import is_asset
from referee.web.http.bodies import BODY_SECONDS, NO_BODY, Bodies, Body, is_photo
from referee.web.http.connections import Crowd
from referee.web.http.lanes import Lanes
from referee.web.http.listening import most_connections
from referee.web.http.polling import Polls, is_often_cached
from referee.web.http.refusals import REFUSED, Refused
from referee.web.http.security import NOT_STORED
from referee.web.http.turns import GoneError, Who
from referee.web.http.unread import Unread, limit_connections

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes]

_UNCHANGED = list(NOT_STORED.items())


class Gateway:
    """A WSGI app as Granian calls it."""

    def __init__(
        self,
        app: "WSGIApplication",
        polls: Polls | None = None,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        """`polls` knows which boards have not changed; a body has to be there in `body_seconds`.

        What is refused reaches the app with a `Refused` in its environment, to make a page of it.
        """
        self._app = app
        self._refusals: dict[str, Answer] = {}
        self._polls = polls
        self._bodies = Bodies(body_seconds)
        self._lanes = Lanes()
        self._photo_lanes = Lanes()  # a photo takes longer than anybody waits for a board
        self._unread = Unread()
        self._crowd = Crowd(most_connections())
        self._being_made: dict[str, asyncio.Event] = {}

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Before the first request, and once Granian listens."""
        loop.call_soon(limit_connections)
        loop.call_soon(self._crowd.keep_room)

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer one request."""
        if self._is_unchanged(scope):
            protocol.response_empty(304, _UNCHANGED)
            return
        try:
            answer = self._at_once(scope) or await self._behind_the_first(scope, protocol)
        except Refused as refused:
            answer = self._refusal(scope, refused)
        except (ProtocolClosed, GoneError):  # hung up: there is nobody to answer
            return
        status, headers, content = answer
        if content:
            await self._unread.sending(scope.client, len(content))
            protocol.response_bytes(status, headers, content)
        else:
            protocol.response_empty(status, headers)

    def _is_unchanged(self, scope: Scope) -> bool:
        if self._polls is None or scope.method != "GET":
            return False
        asked = scope.headers.get
        return self._polls.unchanged(scope.path, asked("hx-ptag"), asked("if-none-match"))

    def _at_once(self, scope: Scope) -> Answer | None:
        """A static file or a cached page, None where it is neither."""
        if not (_is_page(scope) or (scope.method == "GET" and is_asset(scope.path))):
            return None
        try:
            with Allowance(0).in_force():
                return self._call(environ(scope))
        except LongWork:
            return None

    async def _behind_the_first(self, scope: Scope, protocol: HTTPProtocol) -> Answer:
        """A page is made for the first who asks; the others wait here, and have it from the cache.

        They wait once, and take next to nothing meanwhile. Whatever comes of it, and where the page
        that is cached then is not quite theirs, they ask in a thread of their own after that.
        """
        if not _is_page(scope):
            return await self._in_a_thread(scope, protocol)
        first = self._being_made.get(scope.path)
        if first is not None:
            await first.wait()
            return self._at_once(scope) or await self._in_a_thread(scope, protocol)
        made = self._being_made[scope.path] = asyncio.Event()
        try:
            return await self._in_a_thread(scope, protocol)
        finally:
            del self._being_made[scope.path]
            made.set()

    async def _in_a_thread(self, scope: Scope, protocol: HTTPProtocol) -> Answer:
        """The answer to any other request, once its body is there."""
        async with self._bodies.received(scope, protocol, _who(scope)) as body:
            work = partial(self._answer, scope, body)
            lanes = self._photo_lanes if is_photo(scope.path) else self._lanes
            with self._crowd.answering(scope.client):
                return await lanes.answer(_who(scope), protocol.client_disconnect, work)

    def _answer(self, scope: Scope, body: Body) -> Answer:
        return self._call(environ(scope, body))

    def _refusal(self, scope: Scope, refused: Refused) -> Answer:
        """The page that says so: made once, for thousands may be refused in the same moment."""
        named = f"{refused.status} {refused.says}"
        found = self._refusals.get(named)
        if found is None:
            plain = {name: value for name, value in environ(scope).items() if name[:5] != "HTTP_"}
            asked = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "QUERY_STRING": ""}
            _, told, page = self._call(plain | asked | {REFUSED: refused})
            headers = [field for field in told if field[0] != "Set-Cookie"]  # one phone's, and once
            found = refused.status, [*headers, ("Connection", "close")], page
            self._refusals[named] = found
        return found

    # --- the call

    def _call(self, asked: dict[str, Any]) -> Answer:
        """What the app answers."""
        status, headers = 500, Headers()
        parts: list[bytes] = []

        def start_response(line: str, fields: Headers, _: object = None) -> Any:
            nonlocal status, headers
            status, headers = int(line[:3]), fields
            return parts.append

        answer = self._app(asked, start_response)
        try:
            parts.extend(answer)
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()
        return status, headers, b"".join(parts)


def _is_page(scope: Scope) -> bool:
    """Whether this asks for a page that the cache has more often than not."""
    return bool(scope.method == "GET") and is_often_cached(scope.path)


def _who(scope: Scope) -> Who:
    """Who takes turns: an address, and a link to a sheet or an evening, or another page.

    To read there and to write there are two things: no entry waits behind its own sheet's pages.
    """
    address = scope.client.rpartition(":")[0]
    return Who(address, f"{scope.method} {'/'.join(scope.path.split('/', 3)[:3])}")


def environ(scope: Scope, body: Body = NO_BODY) -> dict[str, Any]:
    """A request as WSGI describes it (PEP 3333)."""
    host, _, port = scope.server.rpartition(":")
    made: dict[str, Any] = {
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(body.content),
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
        "CONTENT_LENGTH": str(body.size),
    }
    _add_fields(made, scope.headers.items())
    if scope.authority:  # of a whole address as the target, which counts before the header
        made["HTTP_HOST"] = scope.authority
    return made


def _add_fields(made: dict[str, Any], fields: Headers) -> None:
    for name, value in fields:
        variable = _variable(name)
        if variable in made:
            made[variable] += ("; " if variable == "HTTP_COOKIE" else ", ") + value
        elif variable:
            made[variable] = value


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

"""From the event loop to the app: requests are received whole, then answered in a thread.

Granian hears thousands of connections on one event loop and offers each request in its interface
RSGI. There a body is awaited; over WSGI a thread would have to wait for it, and as many clients as
there are threads, each keeping back the end of its form, would keep everybody else out.

Three things are done here. What a live board asks every two seconds is answered on the loop itself:
it takes one statement in the database, and to change threads takes longer than the answer. A body
is received, of so many bytes and in so much time (`bodies`). Everything else goes to threads: some
for pages, some for what is recorded, one for what takes long, some for photos, so that none of
these waits for another kind; and each has its turn (`turns`).
"""

import sys
from functools import lru_cache, partial
from io import BytesIO
from typing import Any

from flask import Flask

# Its documented names, which it does not mark as exported.
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]
from werkzeug.test import run_wsgi_app

from referee.web.answers.errors import REFUSED, Refused
from referee.web.answers.security import NOT_STORED
from referee.web.serving.bodies import BODY_SECONDS, NO_BODY, Bodies, Body
from referee.web.serving.polling import Unchanged
from referee.web.serving.routes import Kind, Routes
from referee.web.serving.turns import Crew, GoneError

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes]

# Python computes one thing at a time: more threads would only take turns, and two at once that
# compute for long would leave a third of the time to everybody else.
THREADS = {"pages": 2, "entries": 4, "long": 1, "photos": 4}
_CREWS: dict[Kind, str] = {"long": "long", "file": "long", "photo": "photos"}

_UNCHANGED = list(NOT_STORED.items())


class Gateway:
    """A Flask app as Granian calls it."""

    def __init__(
        self, app: Flask, unchanged: Unchanged | None = None, body_seconds: float = BODY_SECONDS
    ) -> None:
        """`unchanged` knows which boards have not changed; a form has to be there in time.

        What is refused reaches the app with a `Refused` in its environment, to make a page of it.
        """
        self._app = app
        self._routes = Routes(app)
        self._unchanged = unchanged
        self._bodies = Bodies(body_seconds)
        self._crews = {name: Crew(threads) for name, threads in THREADS.items()}

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer one request."""
        kind, named = self._routes.found(scope.method, scope.path)
        if kind == "polled" and self._is_unchanged(scope, named["token"]):
            protocol.response_empty(304, _UNCHANGED)
            return
        try:
            status, headers, content = await self._answer(kind, scope, protocol)
        except (ProtocolClosed, GoneError):  # hung up: there is nobody to answer
            return
        if content:
            protocol.response_bytes(status, headers, content)
        else:
            protocol.response_empty(status, headers)

    def _is_unchanged(self, scope: Scope, token: str) -> bool:
        if self._unchanged is None or scope.method != "GET":
            return False
        asked = scope.headers.get
        return self._unchanged(token, asked("hx-ptag"), asked("if-none-match"))

    async def _answer(self, kind: Kind, scope: Scope, protocol: HTTPProtocol) -> Answer:
        reads = scope.method in ("GET", "HEAD")
        crew = self._crews[_CREWS.get(kind, "pages" if reads else "entries")]
        sender, gone = _sender(scope), protocol.client_disconnect
        try:
            body = await self._bodies.receive(kind, scope, protocol)
            return await crew.do(sender, gone, partial(self._call, environ(scope, body)))
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

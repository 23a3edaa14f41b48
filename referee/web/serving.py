"""Serving the pages with Waitress, and saying where they are."""

import logging
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

try:
    import resource
except ImportError:  # Windows has no such limits to ask
    resource = None  # type: ignore[assignment]

import waitress
from flask import Flask
from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from referee.settings import Settings
from referee.web import create_app
from referee.web.addresses import qr_terminal, reachable, reaches_others

THREADS = 8

# A connection costs no thread before its request is whole, so that slow and half-open clients only
# take up places. There are many of those: a phone with a live board keeps one open all evening, a
# second or third now and then. Who says nothing for a while gives up his own.
CONNECTIONS = 6000
FEW_CONNECTIONS = 400  # where `select` is all there is; Windows can watch 512
KEPT_FREE = 200  # open files for the database (a few for each thread) and for whatever else
WAITING = 2048  # phones that all come at once, back from behind the same proxy, say
SILENT_SECONDS = 30
LOOK_EVERY_SECONDS = 5
HEADER_LIMIT = 32 * 1024
UPLOAD_LIMIT = 1024 * 1024  # beyond this nothing is even read; below it our own page answers


def serve_forever(settings: Settings, say: Callable[[str], None]) -> None:
    """Serve until stopped, after telling `say` the address other phones reach, and its QR code.

    Raises `OSError` with one sentence where the address or port cannot be had, `LedgerError`
    where the database cannot.
    """
    app = create_app(settings)
    # It would note every request that waits for a thread, thousands of lines on a busy evening.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    try:
        server = listen(app, settings)
    except (OSError, ValueError) as error:  # Waitress makes one of the latter of a strange host
        reason = getattr(error, "strerror", None) or "there is no such address"
        message = f"Cannot listen on {settings.host}:{settings.port}: {reason}. Choose another with"
        raise OSError(f"{message} --port or --host.") from error
    here = "localhost" if settings.host in ("0.0.0.0", "::", "*") else settings.host
    port = _port(server)
    opened_as = f"http://{f'[{here}]' if ':' in here else here}:{port}"
    address = reachable(settings.public_url, settings.host, opened_as)
    signal.signal(signal.SIGTERM, _stop)  # before anybody is told that there is something to stop
    say(qr_terminal(address))
    say(f"Referee is at the table: {address}")
    if not reaches_others(address):
        say("Only this machine can open that: no network shared with other phones was found.")
    say(f"Sheets are kept in {settings.database}. Stop with Ctrl+C.")
    server.run()


class HoldsTheLine(WSGITask):  # type: ignore[misc]
    """Waitress's way to answer a request, but that it does not hang up after a 304.

    Waitress closes the connection after every answer that gives no length. One that has no body
    ends with its head and needs none; and a 304 is what a live board gets every two seconds.
    """

    def set_close_on_finish(self) -> None:
        """Hang up after this answer, unless it is such a one and the other side wants to go on."""
        wants = self.request.headers.get("CONNECTION", "").lower()
        if self.has_body or self.version != "1.1" or wants == "close":
            super().set_close_on_finish()


def listen(app: Flask, settings: Settings) -> Any:
    """A server for `app` that has its port and does not answer yet; raises `OSError`, `ValueError`.

    Waitress has no setting for how it answers; this is where it looks for it.
    """
    HTTPChannel.task_class = HoldsTheLine
    return waitress.create_server(app, **server_options(settings))


def server_options(settings: Settings) -> dict[str, Any]:
    """How Waitress is to listen, and how long it puts up with whom."""
    return {
        "host": settings.host,
        "port": settings.port,
        "threads": THREADS,
        "ident": None,
        "connection_limit": connections(),
        "backlog": WAITING,
        "channel_timeout": SILENT_SECONDS,
        "cleanup_interval": LOOK_EVERY_SECONDS,
        "max_request_header_size": HEADER_LIMIT,
        "max_request_body_size": UPLOAD_LIMIT,
        "asyncore_use_poll": hasattr(select, "poll"),  # select alone ends at 1024 open files
    }


def connections() -> int:
    """How many connections there may be at once: as many as the system gives us open files for.

    It is asked for more where it gives few: the usual 1,024 are a default, not the limit.
    """
    if resource is None:
        return FEW_CONNECTIONS
    wanted = CONNECTIONS + KEPT_FREE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS
    return min(CONNECTIONS, max(soft - KEPT_FREE, soft // 2))


def _port(server: Any) -> int:
    """The port that is listened on; the first of them where a host name has several addresses."""
    try:
        return int(server.effective_port)
    except AttributeError:
        return int(server.effective_listen[0][1])


def _stop(*_: object) -> None:
    raise SystemExit(0)

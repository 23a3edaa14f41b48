"""Serving the pages with Waitress, and saying where they are."""

import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

try:
    import resource
except ImportError:  # Windows has no such limits to ask
    resource = None  # type: ignore[assignment]

import waitress
from flask import Flask

from referee.settings import Settings
from referee.web import create_app
from referee.web.http.addresses import qr_terminal, reachable, reaches_others
from referee.web.http.connections import Connections
from referee.web.http.polling import FOUND, Unchanged

THREADS = 8

# A connection costs no thread before its request is whole, so that slow and half-open clients only
# take up places. There are many of those: a phone with a live board keeps one open all evening, a
# second or third now and then. Who says nothing for a while gives up his own.
MANY_CONNECTIONS = 6000
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
    Thread(target=_open_templates, args=(app,), daemon=True).start()
    attend(server)


def listen(app: Flask, settings: Settings) -> Any:
    """A server for `app` that has its port and does not answer yet.

    Raises `OSError` or `ValueError` where it cannot have it.
    """
    return waitress.create_server(app, map=opened_for(app), **server_options(settings))


def opened_for(app: Flask) -> Connections:
    """Waitress's map for a server of this app."""
    polls = app.wsgi_app if isinstance(app.wsgi_app, Unchanged) else None

    def at_once(request: Any) -> bool:
        if polls is None or request.error is not None or not polls.answers(_environ(request)):
            return False
        request.headers[FOUND] = "yes"  # asked once: a row written since does not hold up the loop
        return True

    return Connections(at_once)


def _environ(request: Any) -> dict[str, str]:
    """As much of the WSGI environment as a poll needs, of a request that Waitress has parsed."""
    fields = {f"HTTP_{name}": value for name, value in request.headers.items()}
    return {"REQUEST_METHOD": request.command, "PATH_INFO": request.path, **fields}


def attend(server: Any) -> None:
    """Answer until stopped; what is being answered then is finished."""
    open_now: Connections = getattr(server, "map", None) or server._map
    try:
        open_now.attend()
    except (SystemExit, KeyboardInterrupt):
        server.task_dispatcher.shutdown()


def server_options(settings: Settings) -> dict[str, Any]:
    """How Waitress is to listen, and how long it puts up with whom."""
    return {
        "host": settings.host,
        "port": settings.port,
        "threads": THREADS,
        "ident": None,
        "connection_limit": most_connections(),
        "backlog": WAITING,
        "channel_timeout": SILENT_SECONDS,
        "cleanup_interval": LOOK_EVERY_SECONDS,
        "max_request_header_size": HEADER_LIMIT,
        "max_request_body_size": UPLOAD_LIMIT,
    }


def most_connections() -> int:
    """How many connections there may be at once: as many as the system gives us open files for.

    It is asked for more where it gives few: the usual 1,024 are a default, not the limit.
    """
    if resource is None:
        return FEW_CONNECTIONS
    wanted = MANY_CONNECTIONS + KEPT_FREE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY:
        return MANY_CONNECTIONS
    return min(MANY_CONNECTIONS, max(soft - KEPT_FREE, soft // 2))


def _port(server: Any) -> int:
    """The port that is listened on; the first of them where a host name has several addresses."""
    try:
        return int(server.effective_port)
    except AttributeError:
        return int(server.effective_listen[0][1])


def _open_templates(app: Flask) -> None:
    """Compile the templates before they are asked for, those of the sheets first.

    Jinja does it when a template is used for the first time, and then in every thread that uses
    it: a second or two during which no phone would get an answer.
    """
    names = app.jinja_env.list_templates(extensions=["html"])
    for name in sorted(names, key=lambda name: not name.startswith("sheet/")):
        app.jinja_env.get_template(name)


def _stop(*_: object) -> None:
    raise SystemExit(0)

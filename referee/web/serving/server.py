"""Serving the pages with Granian, and saying where they are.

One process watches over the workers that answer. A worker is forked or spawned, whatever the
system's way is, so what it needs to begin with can be pickled and it opens the book for itself.
"""

import contextvars
import gc
import multiprocessing
import os
import signal
import socket
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import resource
except ImportError:  # Windows has no such limits to ask
    resource = None  # type: ignore[assignment]

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from referee.ledger.store import Ledger
from referee.rules.text import Text, say
from referee.settings import Settings
from referee.web.answers.addresses import qr_terminal, reachable, reaches_others
from referee.web.serving.house_name import HouseName, name_file

if TYPE_CHECKING:
    from referee.web.serving.gateway import Gateway

#: Makes what a worker serves, of the settings and a folder for what all workers have in common.
Make = Callable[[Settings, Path], "Gateway"]

# A connection costs no thread before its request is whole, so that slow and half-open clients only
# take up places. There are many of those: a phone with a live board keeps one open all evening, a
# second or third now and then; and six thousand that never finish a request must leave room.
MAX_CONNECTIONS = 10_000
FEW_CONNECTIONS = 400  # where the system cannot be asked for more
RESERVED_FILES = 200  # open files for the database (a few for each thread) and for whatever else

HEADER_SECONDS = 10  # for a whole head; and so long a connection may say nothing at all
HEADER_LIMIT = 32 * 1024
WAITING = 4096  # phones that all come at once, back from behind the same proxy, say
LAST_SECONDS = 8  # for the answers under way when the program is stopped; Docker gives it ten

# How long a thread computes before another one may: five times as often as usual. An entry changes
# hands some twenty times on its way, and would wait as often for whoever computes a long page.
SWITCH_SECONDS = 0.001

# How many objects more than before make Python look for garbage. To play a sheet through makes
# thousands, all of which are kept; with the usual 700 a third of the time would go to looking.
NEW_OBJECTS = 10_000

_CAN_WAIT = hasattr(signal, "sigwait")  # not on Windows, where Granian's own handlers do
_TO_STDERR = {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
_LOGGING = {
    "handlers": {
        "console": {**_TO_STDERR, "formatter": "generic"},
        "access": {**_TO_STDERR, "formatter": "access"},
    }
}


def serve_forever(settings: Settings, make: Make, tell: Callable[[str], None]) -> None:
    """Serve until stopped; once it answers, `tell` the address other phones reach, and its QR code.

    Raises `OSError` with one sentence where the address or port cannot be had, `LedgerError`
    where the database cannot.
    """
    Ledger(settings.database).close()  # what is wrong with it is told here, not by each worker
    with (
        claimed(settings.host, settings.port) as (address, port),
        tempfile.TemporaryDirectory(prefix="referee-") as folder,
    ):
        server = _server(settings, address, port)

        def tell_line(line: object) -> None:
            with suppress(OSError):  # nobody reads it
                tell(str(line))

        wanted = "" if settings.public_url else settings.name
        name = HouseName(wanted, address, port, name_file(Path(folder)), tell_line)
        _stop_by_signals(server)
        with _announcing(server, settings, (address, port), tell_line, name):
            gc.freeze()  # workers are forked, and have in common what nobody touches
            try:
                server.serve(
                    target_loader=partial(_begin, make, settings, Path(folder)), wrap_loader=False
                )
            except SystemExit:
                if not server.interrupt_signal:  # a worker that ended just before is no failure
                    raise


def _server(settings: Settings, address: str, port: int) -> Any:
    return Granian(
        "referee",
        address=address,
        port=port,
        interface=Interfaces.RSGI,
        workers=settings.workers,
        respawn_failed_workers=True,
        workers_kill_timeout=LAST_SECONDS,
        http=HTTPModes.http1,  # with HTTP/2 as well, silent connections would be waited for
        http1_settings=HTTP1Settings(
            header_read_timeout=HEADER_SECONDS * 1000, max_buffer_size=HEADER_LIMIT
        ),
        websockets=False,
        backlog=WAITING,
        backpressure=most_connections(),  # fewer, and phones would wait until others hang up
        log_level=LogLevels.error,
        log_dictconfig=_LOGGING,
    )


def _stop_by_signals(server: Any) -> None:
    """Let Ctrl+C, SIGTERM and a closed terminal stop the server, whenever they come.

    All are blocked and taken by a thread. A worker inherits that: Ctrl+C, which a terminal sends
    to every process, is for this one to hear, and workers end when it says so. What was ignored
    when the program was started, as by `nohup`, stays so.
    """
    if not _CAN_WAIT:
        return
    to_stop = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    heard = {one for one in to_stop if signal.getsignal(one) is not signal.SIG_IGN}
    signal.pthread_sigmask(signal.SIG_BLOCK, to_stop)

    def wait() -> None:
        signal.sigwait(heard)
        server.signal_handler_interrupt()

    threading.Thread(target=wait, daemon=True).start()


def _begin(make: Make, settings: Settings, shared: Path) -> "Gateway":
    """What this worker serves; called in its process before it answers."""
    if _CAN_WAIT:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # until Granian has its own
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(NEW_OBJECTS)
    return make(settings, shared)


def _end_with_the_parent() -> None:
    """No worker goes on when the process that watches over it was killed, nor keeps its port."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _announcing(
    server: Any,
    settings: Settings,
    place: tuple[str, int],
    tell: Callable[[object], None],
    name: HouseName,
) -> Iterator[None]:
    """Say where the pages are as soon as somebody listens there, and give the place its name."""
    over = threading.Event()

    def announce() -> None:
        while not over.wait(0.02):
            if _listens(*place):
                tell(_announcement(settings, place[1]))
                name.start()  # not before: workers are forked, and it has threads
                return

    announcer = threading.Thread(target=contextvars.copy_context().run, args=(announce,))
    server.on_startup(announcer.start)
    try:
        yield
    finally:
        over.set()
        if announcer.ident is not None:
            announcer.join()
        name.stop()


def _listens(address: str, port: int) -> bool:
    """Whether a worker listens; asked without `getaddrinfo`, which imports something.

    A worker that is forked just then would wait for that import for ever.
    """
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)
    with socket.socket(socket.AF_INET6 if ":" in near else socket.AF_INET) as one:
        return one.connect_ex((near, port)) == 0


def _announcement(settings: Settings, port: int) -> str:
    here = "localhost" if settings.host in ("0.0.0.0", "::") else settings.host
    opened_as = f"http://{f'[{here}]' if ':' in here else here}:{port}"
    address = reachable(settings.public_url, settings.host, opened_as)
    lines: list[str | Text] = [
        qr_terminal(address),
        say("Referee is at the table: {address}", address=address),
    ]
    if not reaches_others(address):
        lines.append(
            say("Only this machine can open that: it isn’t on a network with other phones.")
        )
    kept_in = str(settings.database)
    lines.append(
        say(
            "Sheets are saved in {file}, by SQLite {version}. Press Ctrl+C to stop.",
            file=kept_in,
            version=sqlite3.sqlite_version,
        )
    )
    return "\n".join(map(str, lines))


# --- the address to listen on


@contextmanager
def claimed(host: str, port: int) -> Iterator[tuple[str, int]]:
    """An address in numbers and a port, any free one for 0, that no other program listens on.

    Every worker listens by itself, and Linux lets any program of the same user join in. So the
    address is bound here first, as only one can, and held until the end. Elsewhere all workers
    share one socket, which is itself refused where the address is taken. Raises `OSError` with one
    sentence where it cannot be had.
    """
    try:
        held = _bound(host, port)
    except (OSError, TypeError, UnicodeError) as error:  # the last two for what is no name at all
        says = say(
            "Can’t listen on {host}:{port}: {why}. Choose another with --port or --host.",
            host=host,
            port=str(port),
            why=getattr(error, "strerror", None) or say("there’s no such address"),
        )
        raise OSError(str(says)) from error
    with held:
        address, number = held.getsockname()[:2]
        if sys.platform == "linux":
            # In this order: now workers may join, and another claim, which does not, may not.
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            held.close()
        yield address, number


def _bound(host: str, port: int) -> socket.socket:
    """A socket bound to this address, an IPv4 one unless it is written as IPv6."""
    if not host:
        raise OSError  # it would be every address
    one = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform != "win32":  # where this would mean to share the port with anybody
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind((host, port))
    except BaseException:
        one.close()
        raise
    return one


def most_connections() -> int:
    """How many connections there may be at once: as many as the system gives us open files for.

    It is asked for more where it gives few: the usual 1,024 are a default, not the limit.
    """
    if resource is None:
        return FEW_CONNECTIONS
    files = MAX_CONNECTIONS + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        files = min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - RESERVED_FILES, files // 2)

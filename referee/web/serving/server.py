"""Serve the pages with Granian, and print their address.

One process supervises the workers that answer requests. Workers are forked or spawned, depending
on the system, so what they start with can be pickled, and each opens the book itself.
"""

import contextvars
import gc
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
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

from referee import parent
from referee.ledger.store import Ledger
from referee.rules.text import Text, say
from referee.settings import Settings
from referee.web.answers.addresses import qr_terminal, reachable, reaches_others
from referee.web.serving.connections import keep_room
from referee.web.serving.house_name import keep_announced

if TYPE_CHECKING:
    from referee.web.serving.gateway import Gateway

#: Makes what a worker serves, from the settings and the file for the local network name.
Make = Callable[[Settings, Path], "Gateway"]

# A connection uses no thread until its request is complete, so slow and half-open clients only
# occupy connections. A phone with a live board keeps one open all evening and two or three at
# times, and six thousand clients that never finish a request must leave room for others.
MAX_CONNECTIONS = 10_000
FEW_CONNECTIONS = 400  # where the system's limit cannot be raised
RESERVED_FILES = 200  # open files for the database (a few for each thread) and everything else

HEADER_SECONDS = 10  # for complete headers; also the limit for an idle connection
HEADER_LIMIT = 32 * 1024
WAITING = 4096  # phones connecting at once, when a proxy comes back for example
LAST_SECONDS = 8  # for requests in progress when the program is stopped; Docker allows ten

# How long a thread runs before another may: a fifth of Python's default. Handling an entry switches
# threads some twenty times, and might wait each time for one that computes a long page.
SWITCH_SECONDS = 0.001

# Number of new objects that triggers a garbage collection. Playing through a sheet makes thousands,
# all of which are kept; with the default of 700 a third of the time would go to collecting.
NEW_OBJECTS = 10_000

BEAT_SECONDS = 1.0  # between a worker's heartbeats
PAUSE_SECONDS = 1.0  # of a worker that cannot serve, before it exits
FROZEN_BEATS = 10  # missed in a row before a worker is killed and replaced

_CAN_WAIT = hasattr(signal, "sigwait")  # not on Windows, where Granian's own handlers suffice


def serve_forever(settings: Settings, make: Make, tell: Callable[[str], None]) -> None:
    """Serve until stopped; once a worker listens, `tell` the address for phones and its QR code.

    Raises `OSError` with one sentence if the address or port cannot be used, `LedgerError` if the
    database cannot.
    """
    with closing(Ledger(settings.book)) as ledger:  # errors are reported once, not by each worker
        ledger.engine.check_writable()
        kept_in = say(
            "Sheets are saved in {file}, by {product}. Press Ctrl+C to stop.",
            file=ledger.engine.name,
            product=ledger.engine.product,
        )
    with (
        claimed(settings.host, settings.port) as (address, port),
        tempfile.TemporaryDirectory(prefix="referee-") as folder,
    ):
        heartbeats, heartbeat = multiprocessing.Pipe(duplex=False)
        server = _server(settings, address, port)

        def tell_line(line: object) -> None:
            with suppress(OSError):  # the output may be closed
                tell(str(line))

        file, over = Path(folder, "house-name"), threading.Event()

        def announce() -> None:
            while not _listens(address, port):
                if over.wait(0.02):
                    return
            tell_line(_announcement(settings, port, kept_in))
            # Only now: this has threads, and workers are forked before.
            if settings.name and not settings.public_url:
                keep_announced(settings.name, (address, port), file, tell_line, over)

        in_our_language = contextvars.copy_context().run
        announcer = threading.Thread(target=in_our_language, args=(announce,))
        watcher = threading.Thread(target=_watch, args=(server, heartbeats, over))
        server.on_startup(announcer.start)
        server.on_startup(watcher.start)
        _stop_by_signals(server.signal_handler_interrupt)
        gc.freeze()  # so that forked workers keep sharing this memory
        try:
            begin = partial(_begin, make, settings, file, port, heartbeat)
            server.serve(target_loader=begin, wrap_loader=False)
        except SystemExit:
            if not server.interrupt_signal:  # while stopping, a worker's exit is no failure
                raise
        finally:
            over.set()
            heartbeat.send_bytes(b"0")  # so the watcher need not wait for the next beat
            for thread in (announcer, watcher):
                if thread.ident is not None:
                    thread.join()


def _watch(server: Any, heartbeats: Connection, over: threading.Event) -> None:
    """Until `over`, kill workers whose heartbeat has stopped.

    Counted in rounds, not in time: this process may have been paused as well.
    """
    missed, next_round = dict[int, int](), 0.0
    while not over.is_set():
        if heartbeats.poll(BEAT_SECONDS):
            missed[int(heartbeats.recv_bytes())] = 0
            server.respawned_wrks = _Unlimited()
        if time.monotonic() < next_round:
            continue
        next_round = time.monotonic() + BEAT_SECONDS
        present = [worker.inner.pid for worker in server.wrks]
        missed = {pid: rounds + 1 for pid, rounds in missed.items() if pid in present}
        for pid, rounds in missed.items():
            if rounds > FROZEN_BEATS:
                with suppress(ProcessLookupError):  # on Windows, where nothing kills, this ends it
                    os.kill(pid, signal.SIGKILL if _CAN_WAIT else signal.SIGTERM)


class _Unlimited(dict[int, float]):
    """Always reports old times, so that Granian replaces crashed workers without limit.

    Otherwise it would end once a worker crashes seconds after it was replaced, and the others with
    it, though they serve.
    """

    def get(self, *_: object) -> float:
        """A time before any other."""
        return float("-inf")


def _server(settings: Settings, address: str, port: int) -> Any:
    return Granian(
        "referee",
        address=address,
        port=port,
        interface=Interfaces.RSGI,
        workers=settings.workers,
        respawn_failed_workers=True,
        workers_kill_timeout=LAST_SECONDS,
        http=HTTPModes.http1,  # with HTTP/2 too, it would keep waiting on silent connections
        http1_settings=HTTP1Settings(
            header_read_timeout=HEADER_SECONDS * 1000, max_buffer_size=HEADER_LIMIT
        ),
        websockets=False,
        backlog=WAITING,
        backpressure=most_connections(),  # with fewer, phones would wait for others to disconnect
        log_level=LogLevels.error,
    )


def _stop_by_signals(stop: Callable[[], None]) -> None:
    """Let Ctrl+C, SIGTERM and a closed terminal stop the server at any time.

    These signals are blocked, and one thread waits for them. Workers inherit the mask: Ctrl+C,
    which a terminal sends to every process, is handled here only, and this process stops the
    workers. Signals ignored when the program was started, as by `nohup`, stay ignored.
    """
    if not _CAN_WAIT:
        return
    to_stop = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    awaited = {one for one in to_stop if signal.getsignal(one) is not signal.SIG_IGN}
    signal.pthread_sigmask(signal.SIG_BLOCK, to_stop)

    def wait() -> None:
        signal.sigwait(awaited)
        stop()

    threading.Thread(target=wait, daemon=True).start()


def _begin(
    make: Make, settings: Settings, name_file: Path, port: int, heartbeat: Connection
) -> "Gateway":
    """Prepare this worker's process, and return what it serves."""
    if _CAN_WAIT:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # until Granian sets its own handler
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    parent.when_it_ends(partial(os._exit, 1))  # so that no worker keeps the port
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(NEW_OBJECTS)
    threading.Thread(target=keep_room, args=(port, most_connections()), daemon=True).start()
    try:
        gateway = make(settings, name_file)
    except BaseException:
        time.sleep(PAUSE_SECONDS)  # as it is replaced at once
        raise
    gateway.heartbeat = partial(heartbeat.send_bytes, str(os.getpid()).encode()), BEAT_SECONDS
    return gateway


def _listens(address: str, port: int) -> bool:
    """Whether a worker listens; avoids `getaddrinfo`, which imports a module.

    A worker forked during that import would wait for its lock for ever.
    """
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)
    with socket.socket(socket.AF_INET6 if ":" in near else socket.AF_INET) as one:
        return one.connect_ex((near, port)) == 0


def _announcement(settings: Settings, port: int, kept_in: Text) -> str:
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
    lines.append(kept_in)
    return "\n".join(map(str, lines))


# --- the address to listen on


@contextmanager
def claimed(host: str, port: int) -> Iterator[tuple[str, int]]:
    """Claim an address that no other program listens on: its IP address and port (0: any free one).

    On Linux each worker opens its own socket, and any program of the same user could join them.
    So the address is first bound here exclusively, and held until the end. Elsewhere all workers
    share one socket, which cannot be opened if the address is taken. Raises `OSError` with one
    sentence if the address cannot be used.
    """
    try:
        held = _bound(host, port)
    except (OSError, TypeError, UnicodeError) as error:  # the last two for invalid host names
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
            # In this order: then workers can join, but another program's claim fails.
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            held.close()
        yield address, number


def _bound(host: str, port: int) -> socket.socket:
    if not host:
        raise OSError  # it would mean every address
    one = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if sys.platform != "win32":  # there it would share the port with any program
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind((host, port))
    except BaseException:
        one.close()
        raise
    return one


def most_connections() -> int:
    """The most connections allowed at once, limited by the number of open files.

    Raises this process's soft limit if needed: the usual 1,024 is a default, not the maximum.
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

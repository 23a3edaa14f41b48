"""The served program answers in order and completely, and no client holds up others."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.web.serving.server import HEADER_SECONDS, claimed
from tests.support.plain_gateway import LARGE, PATIENCE
from tests.support.server import Server, ask
from tests.support.until import until

THREADS = 2  # that answer pages
NEW: dict[str, object] = {"name": ["Ann", "Ben"], "dealer": "0"}
FORM = "Content-Type: application/x-www-form-urlencoded"
HALVES = {
    "silent": b"",
    "header": b"GET / HT",
    "body": f"POST /new/multiple-9 HTTP/1.1\r\nHost: x\r\n{FORM}\r\n"
    "Content-Length: 900\r\n\r\na".encode(),
}


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Server]:
    """The small app of `plain_gateway`, served."""
    running = Server(tmp_path, program="tests.support.plain_gateway")
    yield running
    running.stop()


def asking(*paths: str) -> bytes:
    """The bytes of requests for these paths, one right after the other."""
    return b"".join(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode() for path in paths)


def connection_to(server: Server) -> socket.socket:
    """A raw TCP connection to the server."""
    place = urlsplit(server.address)
    return socket.create_connection((place.hostname, place.port or 80), PATIENCE)


def seconds_to_answer(server: Server, path: str = "/robots.txt") -> float:
    """Make a request on a new connection; returns the seconds until the answer."""
    before = time.monotonic()
    assert ask(server.address, path).status == 200
    return time.monotonic() - before


def until_nobody_listens(server: Server) -> None:
    """Wait until the server accepts no more connections."""
    with suppress(ConnectionRefusedError, ConnectionResetError):
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            connection_to(server).close()
        raise AssertionError("it goes on listening")


def begun(server: Server) -> str:
    """Begin a sheet; returns its path."""
    answer = ask(server.address, "/new/multiple-9", NEW)
    assert answer.status == 303
    return answer.leads_to


# --- responses are complete


def test_a_slow_reader_gets_all_of_it(plain: Server) -> None:
    """Slow readers get large answers whole, hold no thread, and can send the next request."""
    with ExitStack() as stack:
        slow, *_ = wires = [stack.enter_context(connection_to(plain)) for _ in range(3 * THREADS)]
        for wire in wires:
            wire.sendall(asking("/large"))
        assert seconds_to_answer(plain) < PATIENCE / 4
        for path, body in ((None, LARGE), ("/next", b"/next")):
            if path:
                slow.sendall(asking(path))
            reader = http.client.HTTPResponse(slow)
            reader.begin()
            assert reader.read() == body


def test_a_form_that_breaks_off_never_reaches_the_app(plain: Server) -> None:
    """Wherever it breaks off."""
    for sent, status in (
        (b"Content-Length: 900\r\n\r\na=1", b"400"),
        (b"Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n", b"411"),
    ):
        with connection_to(plain) as phone:
            phone.sendall(b"POST /form HTTP/1.1\r\nHost: x\r\n" + sent)
            phone.shutdown(socket.SHUT_WR)
            told = phone.recv(65536)
        assert told == b"" or told.split()[1] == status, told


def test_disconnecting_clients_cause_no_error(plain: Server) -> None:
    """Hanging up in a head, a form or a response causes no traceback; others are served."""
    for sent in (b"", b"GET /", HALVES["body"], asking("/large"), asking("/a", "/large", "/b")):
        for _ in range(20):
            with connection_to(plain) as client:
                client.sendall(sent)
    seconds_to_answer(plain)
    plain.process.terminate()
    assert plain.process.stdout is not None
    assert "Traceback" not in plain.process.stdout.read()


# --- no client holds up others


def test_half_open_clients_hold_up_nobody(server: Server) -> None:
    """With 1,500 half-open connections a page still comes."""
    with ExitStack() as stack:
        clients = []
        for sent in HALVES.values():
            for _ in range(500):
                clients.append(stack.enter_context(connection_to(server)))
                clients[-1].sendall(sent)
        for _ in range(5):
            assert seconds_to_answer(server, "/") < HEADER_SECONDS
        dripping = stack.enter_context(connection_to(server))
        dripping.sendall(b"GET / HTTP/1.1\r\nHost: ")
        give_up = time.monotonic() + 3 * HEADER_SECONDS
        dripping.settimeout(0.5)
        with suppress(ConnectionError):  # it hangs up as a byte is on its way
            while time.monotonic() < give_up:
                with suppress(TimeoutError):
                    dripping.recv(1, socket.MSG_PEEK)
                    break
                dripping.sendall(b"x")
        assert time.monotonic() < give_up
        for client in clients:
            client.settimeout(max(0.1, give_up - time.monotonic()))
            told = client.recv(1000)
            assert told == b"" or told.startswith(b"HTTP/1.1 408 "), told


# --- starting and stopping


def test_an_answer_under_way_is_finished(tmp_path: Path, plain: Server) -> None:
    """On SIGTERM the server first answers the requests that it has received."""
    with connection_to(plain) as client:
        client.sendall(asking("/slow"))
        until((tmp_path / "asked").exists)
        plain.process.terminate()
        until_nobody_listens(plain)
        (tmp_path / "go-on").touch()
        reader = http.client.HTTPResponse(client)
        reader.begin()
        assert reader.read() == b"/slow"
    assert plain.process.wait(PATIENCE) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who has which children")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_worker_is_left(tmp_path: Path, number: signal.Signals) -> None:
    """Whichever signal ends the program, its workers end, too, without an error."""
    server = Server(tmp_path, "--workers", "2")
    workers = server.workers()
    assert len(workers) == 2
    server.process.send_signal(number)
    assert server.process.wait(PATIENCE) == (-number if number == signal.SIGKILL else 0)
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    assert server.process.stdout is not None
    assert "Error" not in server.process.stdout.read()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a port is free at once")
def test_a_killed_program_can_restart_at_once(server: Server) -> None:
    """After SIGKILL it gets its port back, even with a connection open."""
    with connection_to(server) as phone:
        phone.sendall(HALVES["body"])
        seconds_to_answer(server)
        server.process.kill()
        server.process.wait()
        server.start()
        seconds_to_answer(server)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who has which children")
def test_a_killed_worker_is_replaced(server: Server) -> None:
    """The new one serves the same address."""
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            seconds_to_answer(server)
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < give_up
            time.sleep(0.01)
        else:
            break
    assert server.workers() != [worker]


def until_others_serve(server: Server, workers: list[int]) -> None:
    """Wait until the server answers with none of these workers left."""
    give_up = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError, http.client.HTTPException):
            seconds_to_answer(server)
            if not {*workers} & {*server.workers()}:
                return
        assert server.process.poll() is None, "the whole server ended"
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who has which children")
def test_workers_that_fall_again_and_again_are_replaced(tmp_path: Path) -> None:
    """However quickly they crash, the server goes on until it is stopped."""
    server = Server(tmp_path, "--workers", "2")
    try:
        for _ in range(4):
            workers = server.workers()
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
            until_others_serve(server, workers)
    finally:
        server.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who has which children")
def test_a_frozen_worker_is_replaced(server: Server) -> None:
    """Its process exists but no longer runs, so it is killed."""
    frozen = server.workers()
    os.kill(frozen[0], signal.SIGSTOP)
    until_others_serve(server, frozen)


def test_stopping_does_not_wait_for_a_heartbeat(tmp_path: Path) -> None:
    """The program ends as soon as its workers have, not after their next beat."""
    server = Server(tmp_path, program="tests.support.rare_heartbeats")
    server.stop()
    assert server.process.returncode == 0


def test_a_system_that_spawns_serves_too(tmp_path: Path) -> None:
    """With spawned workers, as on Windows and macOS, the program serves."""
    server = Server(tmp_path, "--workers", "2", program="tests.support.spawned")
    try:
        assert begun(server).startswith("/s/")
    finally:
        server.stop()
    assert server.process.returncode == 0


@pytest.mark.parametrize(
    ("asked", "unwanted"),
    [
        ("pass", "{'flask', 'jinja2', 'referee.web.app', 'referee.web.serving.gateway'}"),
        # Workers are forked meanwhile: one forked during an import would wait for it.
        ("server._listens('127.0.0.1', 9)", "sys.modules.keys() - before"),
    ],
    ids=["no pages", "nothing while it waits for a worker"],
)
def test_the_supervisor_imports_no_pages(asked: str, unwanted: str) -> None:
    """It answers no requests; while it waits for a worker it imports nothing at all."""
    program = (
        "import sys, referee.cli; from referee.web.serving import server; "
        f"before = {{*sys.modules}}; {asked}; print({unwanted} & {{*sys.modules}})"
    )
    started = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert started.stdout == "set()\n"


def test_only_one_program_can_claim_an_address() -> None:
    """It is taken even before the first worker listens."""
    with claimed("127.0.0.1", 0) as (address, port):
        with (
            pytest.raises(OSError, match=f"Can’t listen on 127.0.0.1:{port}: "),
            claimed(address, port),
        ):
            pass
        with (
            pytest.raises(OSError, match="Choose another with --port or --host"),
            claimed("no such host", 0),
        ):
            pass
    with claimed(address, port):
        pass

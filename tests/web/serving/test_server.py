"""The served program: answered in order, whole and by whoever is free; nobody holds up others."""

import http.client
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.web.serving.server import HEADER_SECONDS, claimed
from tests.support.plain_gateway import LARGE, PATIENCE
from tests.support.server import Server

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
    """Requests for these, one right after the other."""
    return b"".join(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode() for path in paths)


def phone_at(server: Server) -> http.client.HTTPConnection:
    """A connection that stays open."""
    return http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=PATIENCE)


def wire_to(server: Server) -> socket.socket:
    """A connection on which anything can be said."""
    place = urlsplit(server.address)
    return socket.create_connection((place.hostname, place.port or 80), PATIENCE)


def another_is_answered(server: Server, path: str = "/robots.txt") -> float:
    """Somebody else asks on a connection of their own; how many seconds the answer took."""
    began = time.monotonic()
    other = phone_at(server)
    other.request("GET", path)
    assert other.getresponse().status == 200
    other.close()
    return time.monotonic() - began


def until_there(file: Path) -> None:
    """Wait for a file that another process makes."""
    give_up = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def until_nobody_listens(server: Server) -> None:
    """Wait until nobody is let in any more."""
    with suppress(ConnectionRefusedError, ConnectionResetError):
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            wire_to(server).close()
        raise AssertionError("it goes on listening")


def posted(server: Server, path: str, fields: dict[str, object]) -> http.client.HTTPResponse:
    """Send a form on a connection of its own."""
    phone = phone_at(server)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    phone.request("POST", path, urllib.parse.urlencode(fields, doseq=True), kind)
    answer = phone.getresponse()
    answer.read()
    phone.close()
    return answer


def begun(server: Server) -> str:
    """Begin a sheet; returns its path."""
    answer = posted(server, "/new/multiple-9", NEW)
    assert answer.status == 303
    return answer.headers["Location"]


# --- what is asked is answered


def test_what_is_asked_in_one_breath_is_answered_in_order(plain: Server) -> None:
    """Ten requests sent together, twice over one connection, get ten answers in order."""
    paths = [f"/{number}" for number in range(10)]
    with wire_to(plain) as client:
        for _ in range(2):
            client.sendall(asking(*paths))
            told = b""
            while not told.endswith(b"\r\n\r\n/9"):
                told += client.recv(65536)
            bodies = [part[:2].decode() for part in told.split(b"\r\n\r\n")[1:]]
            assert bodies == paths


def test_a_slow_reader_gets_all_of_it(plain: Server) -> None:
    """What a phone takes in sips waits for it, holds up nobody, and is followed by the next."""
    with wire_to(plain) as slow:
        slow.sendall(asking("/large"))
        assert another_is_answered(plain) < PATIENCE / 4
        reader = http.client.HTTPResponse(slow)
        reader.begin()
        assert reader.read() == LARGE
        slow.sendall(asking("/next"))
        reader = http.client.HTTPResponse(slow)
        reader.begin()
        assert reader.read() == b"/next"


def test_many_slow_readers_take_no_thread(plain: Server) -> None:
    """More of them than there are threads, none of whom takes anything of a long answer."""
    with ExitStack() as stack:
        for _ in range(3 * THREADS):
            stack.enter_context(wire_to(plain)).sendall(asking("/large"))
        assert another_is_answered(plain) < PATIENCE / 4


def test_a_form_may_come_in_pieces(plain: Server) -> None:
    """Its end comes a moment later: it is one form."""
    with wire_to(plain) as phone:
        phone.sendall(b"POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\na=1")
        assert select.select([phone], [], [], 0.1)[0] == [], "answered before it was there"
        phone.sendall(b"&b=")
        reader = http.client.HTTPResponse(phone)
        reader.begin()
        assert reader.read() == b"/forma=1&b="


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"Content-Length: 900\r\n\r\na=1", 400),
        (b"Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n", 411),
        (b"Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\nno size\r\n", 411),
        (b"Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n", 411),
        (b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x", 411),
    ],
    ids=["cut off", "chunks cut off", "broken chunks", "whole chunks", "two lengths"],
)
def test_half_a_form_is_no_form(plain: Server, sent: bytes, status: int) -> None:
    """Whatever broke off, the app is not asked; and of two lengths no second request is made."""
    with wire_to(plain) as phone:
        phone.sendall(b"POST /form HTTP/1.1\r\nHost: x\r\n" + sent)
        phone.shutdown(socket.SHUT_WR)
        told = b""
        while more := phone.recv(65536):
            told += more
    assert told == b"" or told.split()[1] == str(status).encode(), told
    assert told.count(b"HTTP/1.1") <= 1


def test_who_hangs_up_leaves_nothing_behind(plain: Server) -> None:
    """In the middle of a head, a form or an answer: nothing is said, others are answered."""
    for sent in (b"", b"GET /", HALVES["body"], asking("/large"), asking("/a", "/large", "/b")):
        for _ in range(20):
            with wire_to(plain) as client:
                client.sendall(sent)
    another_is_answered(plain)
    plain.process.terminate()
    assert plain.process.stdout is not None
    assert "Traceback" not in plain.process.stdout.read()


# --- nobody holds up others


def test_half_open_clients_hold_up_nobody(server: Server) -> None:
    """1,500 of them, silent or in the middle of something: a page still comes.

    They are shown out soon, whatever they left open, which gives their places back.
    """
    with ExitStack() as stack:
        clients = []
        for sent in HALVES.values():
            for _ in range(500):
                clients.append(stack.enter_context(wire_to(server)))
                clients[-1].sendall(sent)
        for _ in range(5):
            assert another_is_answered(server, "/") < HEADER_SECONDS / 2
        give_up = time.monotonic() + 2 * HEADER_SECONDS
        for client in clients:
            client.settimeout(max(0.1, give_up - time.monotonic()))
            told = client.recv(1000)
            assert told == b"" or told.startswith(b"HTTP/1.1 408 "), told


def test_a_client_that_drips_is_shown_out(server: Server) -> None:
    """A byte now and then does not keep the place: a whole head has to be there in time."""
    began = time.monotonic()
    with wire_to(server) as client:
        for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 1000:
            client.sendall(bytes([byte]))
            if select.select([client], [], [], 0.5)[0]:
                break
        assert client.recv(100) == b""
    assert time.monotonic() - began < 1.5 * HEADER_SECONDS


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 400_000 + b"\r\n\r\n", b"431", b""),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n", b"413", b"Too much"),
        (
            f"POST /new/multiple-9 HTTP/1.1\r\nHost: x\r\n{FORM}\r\nContent-Length: 70000\r\n\r\n"
            .encode() + b"a" * 70_000,
            b"413",
            b"Shorten what you typed",
        ),
        (b"nonsense\r\n\r\n", b"400", b""),
    ],
    ids=["header", "upload", "form", "no request"],
)  # fmt: skip
def test_what_is_too_large_is_refused(
    server: Server, sent: bytes, status: bytes, said: bytes
) -> None:
    """An endless head or upload is not read; a long form has the page that says so."""
    with wire_to(server) as client:
        with suppress(OSError):  # it hangs up before it has read everything
            client.sendall(sent)
        answer = b""
        while more := client.recv(65536):
            answer += more
            if said and said in answer:
                break
    assert answer.split()[1] == status
    assert said in answer


def test_who_comes_when_every_thread_is_busy_waits_for_a_turn(
    tmp_path: Path, plain: Server
) -> None:
    """All threads wait for a slow page; who asks then is heard, and answered after them."""
    with ExitStack() as stack:
        waiting = [stack.enter_context(wire_to(plain)) for _ in range(THREADS + 1)]
        for client in waiting[:-1]:
            client.sendall(asking("/slow"))
        until_there(tmp_path / "asked")
        waiting[-1].sendall(asking("/behind"))
        (tmp_path / "go-on").touch()
        for client in waiting:
            reader = http.client.HTTPResponse(client)
            reader.begin()
            assert reader.read() == (b"/behind" if client is waiting[-1] else b"/slow")


def test_long_work_holds_up_nobody(tmp_path: Path, plain: Server) -> None:
    """Many ask for what takes long; who asks for little, or sends a form, has an answer at once."""
    with ExitStack() as stack:
        waiting = [stack.enter_context(wire_to(plain)) for _ in range(5 * THREADS)]
        for client in waiting:
            client.sendall(asking("/long"))
        until_there(tmp_path / "asked")
        another_is_answered(plain)
        assert posted(plain, "/form", {"a": "1"}).status == 200
        assert select.select(waiting, [], [], 0)[0] == [], "all of them still wait"
        (tmp_path / "go-on").touch()
        for client in waiting:
            reader = http.client.HTTPResponse(client)
            reader.begin()
            assert reader.read() == b"/long"


# --- begun and ended


def test_an_answer_under_way_is_finished(tmp_path: Path, plain: Server) -> None:
    """Asked to end, the server first answers whom it has heard."""
    with wire_to(plain) as client:
        client.sendall(asking("/slow"))
        until_there(tmp_path / "asked")
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
    """Whatever ends the program ends its workers, and nothing is said."""
    server = Server(tmp_path, "--workers", "2")
    workers = server.workers()
    assert len(workers) == 2
    server.process.send_signal(number)
    assert server.process.wait(PATIENCE) == (-number if number == signal.SIGKILL else 0)
    give_up = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < give_up
        time.sleep(0.01)
    assert server.process.stdout is not None
    assert "Error" not in server.process.stdout.read()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a port is free at once")
def test_a_program_that_was_killed_begins_again_at_once(server: Server) -> None:
    """Its port is free, though a phone is in the middle of sending something."""
    with wire_to(server) as phone:
        phone.sendall(HALVES["body"])
        another_is_answered(server)
        server.process.kill()
        server.process.wait()
        server.start()
        another_is_answered(server)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who has which children")
def test_a_worker_that_fell_is_replaced(server: Server) -> None:
    """Killed by the system, say: another answers at the same address."""
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            another_is_answered(server)
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < give_up
            time.sleep(0.01)
        else:
            break
    assert server.workers() != [worker]


def test_a_system_that_spawns_serves_too(tmp_path: Path) -> None:
    """Where a process cannot be forked, as on Windows and macOS, workers begin from nothing."""
    server = Server(tmp_path, "--workers", "2", program="tests.support.spawned")
    try:
        assert begun(server).startswith("/s/")
    finally:
        server.stop()
    assert server.process.returncode == 0


def test_the_process_over_the_workers_brings_in_no_pages() -> None:
    """It answers nobody, and would hold them all the same."""
    unwanted = "{'flask', 'jinja2', 'referee.web.app', 'referee.web.serving.gateway'}"
    asking = (
        f"import sys, referee.cli, referee.web.serving.server; print({unwanted} & {{*sys.modules}})"
    )
    started = subprocess.run(
        [sys.executable, "-c", asking], capture_output=True, text=True, timeout=60, check=True
    )
    assert started.stdout == "set()\n"


def test_an_address_is_one_programs() -> None:
    """Nobody else claims it, not even before the first worker listens."""
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


@pytest.mark.parametrize(
    ("soft", "hard", "connections"),
    [(256, 20000, 10000), (256, 1024, 824), (200, 200, 100), (20000, 20000, 10000)],
)
def test_as_many_connections_as_there_may_be_files(soft: int, hard: int, connections: int) -> None:
    """The system is asked for more open files where it gives few; what it refuses is heeded."""
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("this machine does not allow so many open files")
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from referee.web.serving.server import most_connections as most; print(most())"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(told.stdout) == connections


# --- several workers


def test_several_workers_are_as_one(tmp_path: Path) -> None:
    """Written by whichever, an entry is there at once for all."""
    server = Server(tmp_path, "--workers", "3")
    try:
        sheet = begun(server)
        for seq in range(8):
            fields = {"action": "out", "player": ("Ann", "Ben")[seq % 2], "key": f"k{seq}"}
            assert posted(server, f"{sheet}/entries", {**fields, "after": seq}).status == 303
            with ThreadPoolExecutor(8) as phones:  # on connections of their own, so of any worker
                told = list(phones.map(lambda _: _looks(server, sheet), range(8)))
            assert set(told) == {seq + 1}
        tag = urllib.request.urlopen(f"{server.address}{sheet}/board").headers["HX-PTag"]
        assert posted(server, f"{sheet}/trash", {}).status == 303
        for _ in range(12):
            phone = phone_at(server)
            phone.request("GET", f"{sheet}/board", headers={"HX-PTag": tag, "HX-Request": "true"})
            assert phone.getresponse().status == 404
            phone.close()
    finally:
        server.stop()


def _looks(server: Server, sheet: str) -> int:
    """The newest row on a sheet's page."""
    page = urllib.request.urlopen(server.address + sheet, timeout=PATIENCE).read().decode()
    found = re.search(r'data-seq="(\d+)-', page)
    assert found is not None
    return int(found[1])

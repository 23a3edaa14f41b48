"""Photos over real connections: what breaks off on the way keeps nobody else from theirs."""

import http.client
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.settings import SETTINGS_FILE
from referee.web.serving.bodies import MAX_HELD
from tests.support.plain_gateway import PATIENCE
from tests.support.server import Server
from tests.vision import drawn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks for processes in /proc")

SLOW_READING = 6  # seconds until a card is read, on a machine that does other work as well
GONE = 50
ASK = "/referee/nine-five-two/follow"
BORDER = "border"
CARD = drawn.saved(drawn.row(["9H"]).resize((350, 525)))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server, which nothing of all this makes say a word."""
    instance = tmp_path_factory.mktemp("house")
    (instance / SETTINGS_FILE).write_text("photos_an_hour = 100000\n", encoding="utf-8")
    server = Server(instance)
    said: list[str] = []
    assert server.process.stdout is not None
    hearing = threading.Thread(target=said.extend, args=(server.process.stdout,))
    hearing.start()
    yield server
    server.stop()
    hearing.join()
    assert not re.search("Traceback|Error|Warning", "".join(said))


def form(photo: bytes) -> bytes:
    """A question with a photo for its cards, as a browser sends it."""
    head = 'Content-Disposition: form-data; name="photo'
    return (
        f'--{BORDER}\r\n{head}.for"\r\n\r\nhand\r\n--{BORDER}\r\n{head}"; filename="a"\r\n\r\n'
    ).encode() + b"%b\r\n--%b--\r\n" % (photo, BORDER.encode())


def sent(house: Server, body: bytes, share: float = 1) -> socket.socket:
    """A connection on which so much of the form has been sent, and nothing heard yet."""
    place = urlsplit(house.address)
    wire = socket.create_connection((place.hostname, place.port or 80), PATIENCE)
    wire.sendall(
        f"POST {ASK}/photo HTTP/1.1\r\nHost: {place.netloc}\r\n"
        f"Content-Type: multipart/form-data; boundary={BORDER}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
    )
    wire.sendall(body[: int(len(body) * share)])
    return wire


def answered(wire: socket.socket) -> tuple[int, bool]:
    """The status of the answer that comes, and whether the page shows the nine."""
    wire.settimeout(SLOW_READING)
    with wire:
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        return answer.status, b'value="9H"' in answer.read()


def is_read(house: Server) -> bool:
    """Whether a photo has its turn again, at last; who came too early asks once more."""
    give_up = time.monotonic() + SLOW_READING
    while (status := answered(sent(house, form(CARD)))) != (200, True):
        assert status[0] == 503
        assert time.monotonic() < give_up
    return True


def reader_of(house: Server) -> int:
    """The process that reads the photos."""
    [worker] = house.workers()
    children = Path(f"/proc/{worker}/task").glob("*/children")
    [reader] = [int(one) for file in children for one in file.read_text("ascii").split()]
    return reader


def test_phones_that_go_away_while_they_send(house: Server) -> None:
    """What they sent is let go: more, all together, than there is room for."""
    large = form(CARD + bytes(2 * MAX_HELD // GONE))
    for number in range(GONE):
        wire = sent(house, large, share=0.7 + 0.3 * number / GONE)
        wire.shutdown(socket.SHUT_WR)
        assert answered(wire) == (400, False)
    assert is_read(house)


def test_phones_that_go_away_while_their_photo_is_read(house: Server) -> None:
    """The one that is read is read to its end, for nobody; then the next has its turn.

    Meanwhile boards and questions are answered as ever.
    """
    assert is_read(house)
    reader = reader_of(house)
    os.kill(reader, signal.SIGSTOP)
    try:
        for _ in range(GONE):
            sent(house, form(CARD)).close()
        other = http.client.HTTPConnection(urlsplit(house.address).netloc, timeout=PATIENCE)
        other.request("GET", ASK)
        assert other.getresponse().status == 200
        other.close()
    finally:
        os.kill(reader, signal.SIGCONT)
    assert is_read(house)
    assert reader_of(house) == reader


def test_two_photos_of_one_phone_at_once(house: Server) -> None:
    """One is read after the other."""
    with ThreadPoolExecutor(2) as both:
        assert [*both.map(answered, [sent(house, form(CARD)) for _ in range(2)])] == [
            (200, True)
        ] * 2


def test_a_photo_whose_reader_is_killed(house: Server) -> None:
    """Another process reads it, and the phone never knows."""
    assert is_read(house)
    reader = reader_of(house)
    os.kill(reader, signal.SIGSTOP)
    waiting = sent(house, form(CARD))
    os.kill(reader, signal.SIGKILL)
    assert answered(waiting) == (200, True)
    assert reader_of(house) != reader

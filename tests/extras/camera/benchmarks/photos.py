"""Polling phones while photos are read without a pause."""

import http.client
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks.house import Server, book_in, fill, referee, serving
from benchmarks.load import within
from benchmarks.phones import A_TABLE, MOST, poll_and_record
from benchmarks.rows import Aim, Row
from referee.extras.camera.vision.found import is_installed
from referee.ledger.store import Link
from referee.settings import SETTINGS_FILE

PHOTO = Path(__file__).parents[1] / "photos" / "scattered.jpg"
AT_ONCE = 3  # phones that send one photo after another
BORDER = "photo-of-cards"


def rows(short: bool) -> Iterator[Row]:
    """The 99th percentile of polls, the refusals, and the seconds per photo."""
    if not is_installed():
        yield Row("Photos", "-", note="left out: the camera is not installed")
        return
    phones, duration = (200, 4) if short else (MOST, 20)
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        links = fill(book_in(instance), phones // A_TABLE)
        (instance / SETTINGS_FILE).write_text("photos_an_hour = 1000000\n", encoding="utf-8")
        with serving(*referee(instance)) as server:
            server.wait_until_idle()
            with _photographers(server, links) as (taken, refused):
                polls, _ = poll_and_record(server, links, duration)
    slow = within(polls.seconds, 0.99) * 1000
    yield Row(
        f"{phones:,} phones that look every two seconds, while photos are read: 99 % within",
        f"{slow:.0f} ms",
        aim=None if short else Aim(250, "ms", timed=True),
        value=slow,
    )
    yield Row(f"{phones:,}: refused", str(polls.refused), aim=Aim(0), value=polls.refused)
    yield Row(
        f"A photo, {AT_ONCE} at a time, until its cards are there: the middle one",
        f"{statistics.median(taken):.1f} s" if taken else "-",
    )
    yield Row("Photos refused", str(len(refused)), aim=Aim(0), value=len(refused))


@contextmanager
def _photographers(
    server: Server, links: Sequence[Link]
) -> Iterator[tuple[list[float], list[int]]]:
    """Send photos during this block; yields how long each took, and the statuses of refusals."""
    over = threading.Event()
    taken: list[float] = []
    refused: list[int] = []
    body = _form(PHOTO.read_bytes())

    def take(link: Link) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", server.port)) as wire:
            while not over.is_set():
                began = time.perf_counter()
                kind = {"Content-Type": f"multipart/form-data; boundary={BORDER}"}
                wire.request("POST", f"/s/{link.token}/entries/photo", body, kind)
                answer = wire.getresponse()
                page = answer.read()
                if answer.status == 200 and b"data-uses" in page:
                    taken.append(time.perf_counter() - began)
                else:
                    refused.append(answer.status)

    phones = [threading.Thread(target=take, args=(link,)) for link in links[:AT_ONCE]]
    for phone in phones:
        phone.start()
    try:
        yield taken, refused
    finally:
        over.set()
        for phone in phones:
            phone.join()


def _form(photo: bytes) -> bytes:
    """A form of 20th-century Red Nines with a photo for Ann's hand, as a browser sends it."""
    fields = {"action": "out", "photo.for": "hands.0"}
    parts = [
        f'--{BORDER}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = f'--{BORDER}\r\nContent-Disposition: form-data; name="photo"; filename="cards"\r\n\r\n'
    return "".join([*parts, head]).encode() + photo + f"\r\n--{BORDER}--\r\n".encode()

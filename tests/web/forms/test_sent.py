"""A form as it comes: without a key it counts once all the same; a file comes whole."""

import io
import random
import tempfile

import pytest
from flask import Flask
from werkzeug.exceptions import RequestEntityTooLarge

from referee.web.forms.sent import parts_sent
from referee.web.serving.bodies import BODY_LIMIT
from tests.support.phone import Phone, first_in

FILE_LIMIT = 20_000_000  # bytes, of a file of any kind
LIMIT = FILE_LIMIT + BODY_LIMIT  # of one with its form
BEN = {"action": "adjust", "player": "Ben", "points": "1", "reason": "a card too many"}


def newest(phone: Phone) -> str:
    return first_in(phone.get().text, r'data-seq="([^"]+)"')


def test_the_same_form_twice_is_one_entry(host: Phone) -> None:
    """As when a page is loaded again; later it has seen another row, and is another entry."""
    host.get()  # brings the cookie
    for seq in range(1, 4):
        sent = {**BEN, "after": newest(host)}
        assert [host.post("/entries", sent).status_code for _ in range(3)] == [303] * 3
        assert newest(host).startswith(f"{seq}-")
    assert host.post("/entries", {**sent, "points": "2"}).status_code == 409
    other = host.other("score")
    other.get()
    assert other.post("/entries", sent).status_code == 409
    assert Phone(other.client, host.token).post("/entries", sent).status_code == 409
    assert newest(host).startswith("3-")


def test_all_that_is_changed_may_be_sent_twice(host: Phone) -> None:
    """A correction, what is removed, the next sheet: each counts once."""
    host.post("/entries", {**BEN, "after": newest(host)})
    for place, fields in (
        ("/entries/1", {**BEN, "points": "2", "sure": "yes"}),
        ("/entries/1/void", {"sure": "yes"}),
    ):
        sent = {**fields, "after": newest(host)}
        assert [host.post(place, sent).status_code for _ in range(2)] == [303] * 2
    assert newest(host).startswith("3-")
    again = [host.post("/again", {"seen": 0}) for _ in range(2)]
    assert len({answer.headers["Location"] for answer in again}) == 1


def sent(app: Flask, file: bytes, **fields: str) -> tuple[dict[str, str], bytes]:
    """What arrives of a form with this file and these fields."""
    form = {**fields, "file": (io.BytesIO(file), "hand.jpg")}
    with app.test_request_context("/", method="POST", data=form):
        arrived, files = parts_sent(LIMIT)
        return arrived.to_dict(), files["file"].read()


@pytest.mark.parametrize("size", [20_000, BODY_LIMIT, 130_000, 500_000, 1_100_000, FILE_LIMIT])
def test_a_file_of_any_size_arrives_whole(
    app: Flask, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Whatever is in it, and on no disk: what Werkzeug would spool stays in memory."""

    def no_file(*_: object, **__: object) -> None:
        raise AssertionError("a file was about to be written to a disk")

    for kind in ("TemporaryFile", "SpooledTemporaryFile", "NamedTemporaryFile"):
        monkeypatch.setattr(tempfile, kind, no_file)
    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", no_file)
    noise = random.Random(size).randbytes(size)
    for file in (noise, noise.replace(b"\0", b"\r\n--")[:size], b"\r\n" * (size // 2)):
        assert sent(app, file, action="out") == ({"action": "out"}, file)


@pytest.mark.parametrize("fields", [1, 4, 100])
def test_what_is_typed_has_its_own_limit(app: Flask, fields: int) -> None:
    """All of it together, names and all; a file beside it neither takes of it nor adds to it."""
    fits = {f"note{number:03}": "x" * (BODY_LIMIT // fields - 7) for number in range(fields)}
    fits["note000"] += "x" * (BODY_LIMIT % fields)
    for file in (b"", bytes(1_000_000)):
        assert sent(app, file, **fits)[0].keys() == fits.keys()
        with pytest.raises(RequestEntityTooLarge):
            sent(app, file, **{**fits, "note000": fits["note000"] + "x"})
    with pytest.raises(RequestEntityTooLarge):
        sent(app, bytes(LIMIT))

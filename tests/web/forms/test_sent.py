"""Forms as received: one without a key still counts once; files arrive whole."""

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


def test_the_same_form_sent_again_is_one_entry(host: Phone) -> None:
    """Until a newer row has been seen: then the same fields are another entry."""
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


def test_every_change_sent_again_counts_once(host: Phone) -> None:
    """A correction, a removal, and beginning the next sheet."""
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
    """The fields and the file of this form, as received."""
    form = {**fields, "file": (io.BytesIO(file), "hand.jpg")}
    with app.test_request_context("/", method="POST", data=form):
        arrived, files = parts_sent(LIMIT)
        return arrived.to_dict(), files["file"].read()


@pytest.mark.parametrize("size", [20_000, BODY_LIMIT, 130_000, 500_000, 1_100_000, FILE_LIMIT])
def test_a_file_of_any_size_arrives_whole(
    app: Flask, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Whatever its bytes are, and in memory: Werkzeug would spool it to disk."""

    def no_file(*_: object, **__: object) -> None:
        raise AssertionError("a file was about to be written to a disk")

    for kind in ("TemporaryFile", "SpooledTemporaryFile", "NamedTemporaryFile"):
        monkeypatch.setattr(tempfile, kind, no_file)
    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", no_file)
    noise = random.Random(size).randbytes(size)
    for file in (noise, noise.replace(b"\0", b"\r\n--")[:size], b"\r\n" * (size // 2)):
        assert sent(app, file, action="out") == ({"action": "out"}, file)


@pytest.mark.parametrize("fields", [1, 4, 100])
def test_text_fields_have_a_limit_of_their_own(app: Flask, fields: int) -> None:
    """It covers names and values together; a file beside them doesn't count."""
    fits = {f"note{number:03}": "x" * (BODY_LIMIT // fields - 7) for number in range(fields)}
    fits["note000"] += "x" * (BODY_LIMIT % fields)
    for file in (b"", bytes(1_000_000)):
        assert sent(app, file, **fits)[0].keys() == fits.keys()
        with pytest.raises(RequestEntityTooLarge):
            sent(app, file, **{**fits, "note000": fits["note000"] + "x"})
    with pytest.raises(RequestEntityTooLarge):
        sent(app, bytes(LIMIT))

"""A form with a file: the file whole, however large, and the text beside it within its limit."""

import io
import random

import pytest
from flask import Flask
from werkzeug.exceptions import RequestEntityTooLarge

from referee.vision.found import MOST_BYTES
from referee.web.forms.sent import parts_sent
from referee.web.serving.bodies import BODY_LIMIT, PHOTO_LIMIT

SIZES = [20_000, BODY_LIMIT, 130_000, 500_000, 1_100_000, 4_000_000, MOST_BYTES]


def sent(app: Flask, file: bytes, **fields: str) -> tuple[dict[str, str], bytes]:
    """What arrives of a form with this file and these fields."""
    form = {**fields, "photo": (io.BytesIO(file), "hand.jpg")}
    with app.test_request_context("/", method="POST", data=form):
        arrived, files = parts_sent(PHOTO_LIMIT)
        return arrived.to_dict(), files["photo"].read()


@pytest.mark.parametrize("size", SIZES)
def test_a_file_of_any_size_arrives_whole(app: Flask, size: int) -> None:
    """Whatever is in it: line breaks, too, which a form's parts are told apart by."""
    noise = random.Random(size).randbytes(size)
    for file in (noise, noise.replace(b"\0", b"\r\n--")[:size], b"\r\n" * (size // 2)):
        form, arrived = sent(app, file, action="out")
        assert arrived == file
        assert form == {"action": "out"}


@pytest.mark.parametrize("fields", [1, 4, 100])
def test_what_is_typed_has_its_own_limit(app: Flask, fields: int) -> None:
    """All of it together, names and all; a photo beside it neither takes of it nor adds to it."""
    fits = {f"note{number:03}": "x" * (BODY_LIMIT // fields - 7) for number in range(fields)}
    rest = "x" * (BODY_LIMIT % fields)
    for file in (b"", bytes(1_000_000)):
        assert (
            sent(app, file, **{**fits, "note000": fits["note000"] + rest})[0].keys() == fits.keys()
        )
        with pytest.raises(RequestEntityTooLarge):
            sent(app, file, **{**fits, "note000": fits["note000"] + rest + "x"})


def test_a_file_beyond_the_limit_is_refused(app: Flask) -> None:
    """With what was typed beside it."""
    with pytest.raises(RequestEntityTooLarge):
        sent(app, bytes(PHOTO_LIMIT))

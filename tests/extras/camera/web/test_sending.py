"""Receiving photos: their size limits, and their own threads."""

import re
from functools import partial

import pytest
from flask import Flask

from referee.extras.camera.pages import PHOTO_LIMIT
from referee.extras.camera.web import LARGE_PHOTO, PHOTO
from referee.web.serving.bodies import BODY_LIMIT, UPLOAD_LIMIT
from referee.web.serving.gateway import Gateway
from referee.web.serving.routes import declares
from tests.support.proxy import SHIPPED
from tests.web.serving import test_gateway as base
from tests.web.serving.test_gateway import Asked, app_of, echo, held, send


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (UPLOAD_LIMIT + 1, f"{UPLOAD_LIMIT + 1} of {UPLOAD_LIMIT + 1}"),
        (PHOTO_LIMIT + 1, f"{BODY_LIMIT} of {PHOTO_LIMIT + 1}"),
        (LARGE_PHOTO + 1, "This photo is larger than 20 MB."),
    ],
)
def test_a_photo_may_be_larger_than_a_form(size: int, told: str) -> None:
    """Of a large one only the form before it is kept; still larger ones are refused unread."""
    gateway = Gateway(app_of(("/there", declares(PHOTO)(partial(echo)))), body_seconds=5)
    asked = Asked("/there", ("content-length", str(size)), body=(b"a" * size,))
    assert send(gateway, asked).content.decode() == told
    assert held(gateway) == 0


def test_the_proxies_let_a_large_photo_through() -> None:
    """So that Referee says itself that it is too large, and keeps the form."""
    for proxy, most in (
        ("Caddyfile", r"max_size (\d+)MB"),
        ("nginx-processes.conf", r"max_body_size (\d+)m"),
    ):
        (megabytes,) = re.findall(most, (SHIPPED.parent / proxy).read_text(encoding="utf-8"))
        assert int(megabytes) * 1_000_000 > LARGE_PHOTO, proxy


def test_an_entry_does_not_wait_for_photos() -> None:
    """It is recorded while all threads for photos are busy, and more wait for one."""
    base.test_an_entry_does_not_wait_for_pages(declares(PHOTO))


def test_every_route_for_a_photo_is_marked(app: Flask) -> None:
    """Those of entries, corrections and questions, on a sheet and without one."""
    gateway = Gateway(app)
    for place in ("/referee/x/y", "/s/x/entries", "/s/x/entries/1", "/s/x/referee/y"):
        kind, writes, _ = gateway.route("POST", f"{place}/photo")
        assert (kind, writes) == (PHOTO, True)

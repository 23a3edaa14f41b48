"""A sheet in the trash is closed to all but the host, who can restore it at any time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from tests.support.phone import PARTIAL, Phone, begin

NOW = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)  # the sheet has been begun


@pytest.fixture
def at(app: Flask) -> Callable[[float], None]:
    """Set the book's clock to this many days after the sheet was begun."""

    def set_clock(days: float) -> None:
        moment = NOW + timedelta(days=days)
        app.extensions["referee"].book.trash._now = moment.isoformat
        app.extensions["referee"].book.now = moment.isoformat

    set_clock(0)
    return set_clock


def test_put_away_and_taken_out(
    host: Phone, phone_with: Callable[[str], Phone], at: Callable[[float], None]
) -> None:
    """With one more look; meanwhile others are told, and afterwards all is as it was."""
    host.record({"action": "out", "player": "Ben"}, 0)
    viewer, scorer = phone_with("view"), phone_with("score")
    viewer.get()
    assert 'href="/s/' + host.token + '/trash"' in host.get("/more").text
    assert "Move it to the trash" in host.get("/trash").text
    assert host.post("/trash", {}).status_code == 303
    for other in (viewer, scorer):
        answer = other.get("/board", **PARTIAL)
        assert answer.status_code == 404
        assert "the trash" in answer.text
    assert viewer.token not in viewer.client.get("/").text
    assert "in the trash" in host.client.get("/").text
    assert host.get().headers["Location"].endswith("/trash")
    page = host.client.get(f"/s/{host.token}", follow_redirects=True).text
    assert "<b>in the trash</b>" in page
    assert host.record({"action": "out", "player": "Cat"}, 1).status_code == 404
    at(29.9)
    assert host.post("/trash/out", {}).status_code == 303
    assert "Ben" in viewer.get("/board").text
    assert viewer.token in viewer.client.get("/").text
    assert host.record({"action": "out", "player": "Cat"}, 1).status_code == 303


def test_undo_stands_where_the_host_looks(host: Phone, at: Callable[[float], None]) -> None:
    """Only the host's home page names the trashed game, with a button that restores it."""
    answer = host.post("/trash", {})
    home = host.client.get(answer.headers["Location"]).text
    assert "Multiple 9 with Ann, Ben, and Cat is in the trash." in home
    assert f'action="/s/{host.token}/trash/out"' in home
    stranger = host.client.application.test_client()
    assert "Multiple 9" not in stranger.get(answer.headers["Location"]).text
    assert host.post("/trash/out", {}).headers["Location"].endswith(host.token)
    assert "is in the trash." not in host.client.get(answer.headers["Location"]).text
    assert host.client.get("/?away=x").status_code == 200


def test_after_thirty_days(host: Phone, at: Callable[[float], None]) -> None:
    """After thirty days it is not listed any more, but can still be restored."""
    host.post("/trash", {})
    at(29.9)
    assert host.token in host.client.get("/").text
    at(30)
    assert host.token not in host.client.get("/").text
    assert "Restore it" in host.get("/trash").text
    assert host.post("/trash/out", {}).status_code == 303
    assert host.get().status_code == 200


@pytest.mark.parametrize("days", [-40, 400])
def test_a_wild_clock(host: Phone, at: Callable[[float], None], days: float) -> None:
    """A sheet trashed under a wrong clock is listed and can be restored."""
    at(days)
    host.post("/trash", {})
    at(1)
    assert host.token in host.client.get("/").text
    assert host.post("/trash/out", {}).status_code == 303
    assert host.get().status_code == 200


def test_a_clock_without_a_battery(app: Flask, at: Callable[[float], None]) -> None:
    """A sheet played and trashed in 1970, before the clock was set, is still listed."""
    at((datetime(1970, 1, 1, 0, 5, tzinfo=UTC) - NOW).days)
    host = begin(app.test_client(), "pink-nines", ["Ann", "Ben"])
    host.post("/trash", {})
    at(0)
    assert host.token in host.client.get("/").text
    assert host.post("/trash/out", {}).status_code == 303


def test_twice_is_once(host: Phone, at: Callable[[float], None]) -> None:
    """Trashing twice counts thirty days from the first time; restoring twice does no harm."""
    host.post("/trash", {})
    at(10)
    host.post("/trash", {})
    assert host.post("/trash/out", {}).status_code == 303
    assert host.post("/trash/out", {}).status_code == 303
    host.post("/trash", {})
    at(39.9)
    assert host.token in host.client.get("/").text
    at(40)
    assert host.token not in host.client.get("/").text

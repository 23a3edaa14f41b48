"""The trash on the pages: put away, closed to all but the host, taken out for thirty days."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from tests.support.phone import PARTIAL, Phone

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def at(app: Flask) -> Callable[[float], None]:
    """Set the clock of the trash, in days after the first of March."""

    def set_clock(days: float) -> None:
        moment = NOW + timedelta(days=days)
        app.extensions["referee"].book.trash._now = moment.isoformat

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
    assert "in the trash until Mar 31, 2026" in host.client.get("/").text
    assert host.get().headers["Location"].endswith("/trash")
    page = host.client.get(f"/s/{host.token}", follow_redirects=True).text
    assert "in the trash until Mar 31, 2026" in page
    assert host.record({"action": "out", "player": "Cat"}, 1).status_code == 404
    at(29.9)
    assert host.post("/trash/out", {}).status_code == 303
    assert "Ben" in viewer.get("/board").text
    assert viewer.token in viewer.client.get("/").text
    assert host.record({"action": "out", "player": "Cat"}, 1).status_code == 303


def test_after_thirty_days(host: Phone, at: Callable[[float], None]) -> None:
    """It stays in the trash, and the page says so."""
    host.post("/trash", {})
    at(30)
    assert "can’t be restored here anymore" in host.get("/trash").text
    assert "Restore it" not in host.get("/trash").text
    answer = host.post("/trash/out", {})
    assert answer.status_code == 422
    assert "30 days" in answer.text
    assert host.token not in host.client.get("/").text
    assert host.get().status_code == 303


def test_twice_is_once(host: Phone, at: Callable[[float], None]) -> None:
    """Put in again later, the thirty days still count from the first time; taken out as well."""
    host.post("/trash", {})
    at(10)
    host.post("/trash", {})
    assert "until Mar 31, 2026" in host.get("/trash").text
    assert host.post("/trash/out", {}).status_code == 303
    assert host.post("/trash/out", {}).status_code == 303
    host.post("/trash", {})
    assert "until Apr 10, 2026" in host.get("/trash").text


@pytest.mark.parametrize("role", ["view", "score"])
def test_only_the_host(phone_with: Callable[[str], Phone], role: str) -> None:
    """Nobody else sees the trash or puts anything there."""
    other = phone_with(role)
    assert "/trash" not in other.get("/more").text
    assert other.get("/trash").status_code == 403
    for place in ("/trash", "/trash/out"):
        assert other.post(place, {}).status_code == 403
    assert other.get().status_code == 200

"""A sheet in the trash is closed to all but the host, who can restore it at any time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from referee.sheets.hosting import TRASH_DAYS
from tests.support.phone import PARTIAL, Phone, begin

ON_EITHER_ENGINE = True

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


def test_a_sheet_is_trashed_and_restored(host: Phone, at: Callable[[float], None]) -> None:
    """Trashing asks first; meanwhile other links are closed; restoring brings everything back."""
    host.record({"action": "out", "player": "Ben"}, 0)
    viewer, scorer = host.other("view"), host.other("score")
    viewer.get()
    assert 'href="/s/' + host.token + '/trash"' in host.get("/more").text
    asked = host.get("/trash").text
    assert "Move it to the trash" in asked
    assert f"stays in your list for {TRASH_DAYS} days" in asked
    away = host.post("/trash", {}).headers["Location"]
    home = host.client.get(away).text
    assert "Multiple 9 with Ann, Ben, and Cat is in the trash." in home
    assert f'action="/s/{host.token}/trash/out"' in home
    assert "Multiple 9 with" not in viewer.client.get(away).text
    for other in (viewer, scorer):
        answer = other.get("/board", **PARTIAL)
        assert answer.status_code == 404
        assert "the trash" in answer.text
        assert "Check the address" not in answer.text, "which would not help"
    assert viewer.token not in viewer.client.get("/").text
    assert "in the trash" in host.client.get("/").text
    assert host.get().headers["Location"].endswith("/trash")
    page = host.client.get(f"/s/{host.token}", follow_redirects=True).text
    assert "<b>in the trash</b>" in page
    assert host.record({"action": "out", "player": "Cat"}, 1).status_code == 404
    at(29.9)
    assert host.post("/trash/out", {}).headers["Location"].endswith(host.token)
    assert "is in the trash." not in host.client.get(away).text
    assert host.client.get("/?away=x").status_code == 200
    assert "Ben" in viewer.get("/board").text
    assert viewer.token in viewer.client.get("/").text
    assert host.record({"action": "out", "player": "Cat"}, 1).status_code == 303


IN_1970 = (datetime(1970, 1, 1, 0, 5, tzinfo=UTC) - NOW).days


@pytest.mark.parametrize(("begun", "trashed"), [(0, -40), (0, 400), (IN_1970, IN_1970)])
def test_a_wild_clock(
    app: Flask, at: Callable[[float], None], begun: float, trashed: float
) -> None:
    """A sheet trashed under a wrong clock is listed and can be restored."""
    at(begun)
    host = begin(app.test_client(), "pink-nines", ["Ann", "Ben"])
    at(trashed)
    host.post("/trash", {})
    at(1)
    assert host.token in host.client.get("/").text
    assert host.post("/trash/out", {}).status_code == 303
    assert host.get().status_code == 200


def test_after_thirty_days(host: Phone, at: Callable[[float], None]) -> None:
    """It is no longer listed, but can be restored; trashing or restoring twice is once."""
    for begins in (0, 10):
        at(begins)
        host.post("/trash", {})
        at(begins + 10)
        host.post("/trash", {})
        at(begins + 29.9)
        assert host.token in host.client.get("/").text
        at(begins + 30)
        assert host.token not in host.client.get("/").text
        assert "Restore it" in host.get("/trash").text
        for _ in range(2):
            assert host.post("/trash/out", {}).status_code == 303
        assert host.get().status_code == 200

"""Limits: sheets an hour, and rows a sheet."""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.ledger.phone_links import OpenedLink, PhoneLinks
from referee.settings import Settings
from referee.web.app import create_app
from referee.web.http.rate_limit import FullError, RateLimit
from referee.web.http.security import MOST_FIELDS
from referee.web.phone import MOST_READ
from referee.web.site.new import MAX_ROWS
from tests.support.phone import begin

NEW = {"name": ["Ann", "Ben"], "dealer": "0"}


def test_sheets_an_hour(tmp_path: Path) -> None:
    """The third is refused with when to try again; no header makes another address of it."""
    client = create_app(Settings(tmp_path, sheets_an_hour=2)).test_client()
    assert client.post("/new/multiple-9", data={"name": ["Ann"]}).status_code == 422
    for _ in range(2):
        begin(client, "multiple-9", ["Ann", "Ben"])
    refused = client.post("/new/multiple-9", data=NEW, headers={"X-Forwarded-For": "192.0.2.9"})
    assert refused.status_code == 429
    assert "Try again in" in refused.text
    assert 3500 < int(refused.headers["Retry-After"]) <= 3601
    other = client.post("/new/multiple-9", data=NEW, environ_base={"REMOTE_ADDR": "192.0.2.9"})
    assert other.status_code == 303


def test_a_house_is_one_address(tmp_path: Path) -> None:
    """The many addresses of one IPv6 network count as one, another network as another."""
    client = create_app(Settings(tmp_path, sheets_an_hour=1)).test_client(use_cookies=False)
    statuses = [
        client.post("/new/multiple-9", data=NEW, environ_base={"REMOTE_ADDR": asks}).status_code
        for asks in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "", "somewhere")
    ]
    assert statuses == [303, 429, 303, 303, 303]


def test_one_phone_leaves_room_for_the_others_at_its_address(tmp_path: Path) -> None:
    """As many behind a proxy: whoever opens the page for a new sheet may begin one, too."""
    app = create_app(Settings(tmp_path, sheets_an_hour=4))

    def begins(client: FlaskClient) -> int:
        return client.post("/new/multiple-9", data=NEW).status_code

    greedy, stranger, careless = (app.test_client(use_cookies=kept) for kept in (True, True, False))
    while begins(greedy) == 303:
        pass
    while begins(careless) == 303:
        pass
    assert stranger.get("/new/multiple-9").status_code == 200
    assert begins(stranger) == 303
    assert [begins(greedy), begins(careless)] == [429, 429]


def test_an_address_that_is_full_is_shared_evenly() -> None:
    """Ten an hour: Ann had them all; Ben and Cat come and have three each, and no more."""
    window = RateLimit(10)

    def has(phone: str) -> int:
        number = 0
        with suppress(FullError):
            while True:
                with window.one_more("192.0.2.1", phone):
                    number += 1
        return number

    assert [has(phone) for phone in ("Ann", "Ben", "Cat", "Ann", "Ben")] == [10, 5, 3, 0, 0]


def test_the_window_slides() -> None:
    """Room comes back one by one, and who has not been here for long is forgotten."""
    now = [0.0]
    window = RateLimit(2, seconds=10, clock=lambda: now[0])
    for moment in (0.0, 4.0):
        now[0] = moment
        with window.one_more("Ann"):
            pass
    with pytest.raises(FullError) as full, window.one_more("Ann"):
        pass
    assert full.value.wait == 6
    now[0] = 10.0
    with window.one_more("Ann"):
        pass
    now[0] = 30.0
    with window.one_more("Ben"):
        pass
    assert window._counts.execute("SELECT who FROM done").fetchall() == [("Ben",)]


@pytest.mark.skipif(os.name != "posix", reason="rights are another thing there")
def test_who_asks_is_nobody_elses_business(tmp_path: Path) -> None:
    """The file in which processes count holds addresses: its owner alone can read it."""
    before = os.umask(0)
    try:
        RateLimit(1, counts=tmp_path / "counts.sqlite")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "counts.sqlite").stat().st_mode) == 0o600


def test_processes_count_together(tmp_path: Path) -> None:
    """Two that share a file allow as many as one."""
    one, two = (RateLimit(2, counts=tmp_path / "counts.sqlite") for _ in range(2))
    for window in (one, two):
        with window.one_more("Ann"):
            pass
    for window in (one, two):
        with pytest.raises(FullError), window.one_more("Ann"):
            pass


def test_what_fails_is_not_counted() -> None:
    """Only what succeeded takes up room."""
    window = RateLimit(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), window.one_more("Ann"):
            _ = 1 / 0
    with window.one_more("Ann"):
        pass


def test_a_full_sheet(tmp_path: Path) -> None:
    """Nothing is stored beyond the last row, and the page says why."""
    app = create_app(Settings(tmp_path, most_entries=1))
    host = begin(app.test_client(), "multiple-9", ["Ann", "Ben"])
    assert host.record({"action": "out", "player": "Ben"}, 0).status_code == 303
    refused = host.record({"action": "out", "player": "Ann"}, 1)
    assert refused.status_code == 422
    assert "This sheet is full" in refused.text


def test_a_cookie_of_a_thousand_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cookie is read so far, each link is looked up once, and in one go, whatever it says."""
    client = create_app(Settings(tmp_path)).test_client()
    asked, known = list[str](), PhoneLinks.known

    def counted(self: PhoneLinks, tokens: Sequence[str]) -> list[OpenedLink]:
        asked.extend(tokens)
        return known(self, tokens)

    monkeypatch.setattr(PhoneLinks, "known", counted)
    tokens = [f"token-{number:016}" for number in range(1000)]
    client.set_cookie("sheets", ".".join([tokens[0]] * 3 + ["", "<b>", *tokens])[:4000])
    assert client.get("/").status_code == 200
    assert len(asked) == len(set(asked)) <= MOST_READ


@pytest.mark.parametrize("names", [41, 499])
def test_more_names_than_anybody_plays_with(tmp_path: Path, names: int) -> None:
    """The page has no more rows than a game could seat, and says what is wrong."""
    client = create_app(Settings(tmp_path)).test_client()
    fields = {"name": [f"P{number}" for number in range(names)]}
    shown = client.get("/new/multiple-9", query_string=fields)
    refused = client.post("/new/multiple-9", data=fields)
    assert (shown.status_code, refused.status_code) == (200, 422)
    assert [page.text.count('name="name"') for page in (shown, refused)] == [MAX_ROWS] * 2


@pytest.mark.parametrize("sent", ["query_string", "data"])
def test_a_form_has_an_end(tmp_path: Path, sent: str) -> None:
    """500 fields; one more, and it is too much, for whatever page."""
    client = create_app(Settings(tmp_path)).test_client()
    ask = client.get if sent == "query_string" else client.post
    for fields, status in ((MOST_FIELDS, 404), (MOST_FIELDS + 1, 413)):
        text = "&".join(["a="] * fields)
        kind = "application/x-www-form-urlencoded"
        assert ask("/nowhere", content_type=kind, **{sent: text}).status_code == status

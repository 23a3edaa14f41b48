"""Limits: sheets an hour, links read from a cookie, names on a new sheet."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.exceptions import TooManyRequests

from referee.ledger.links import OpenedLink, PhoneLinks
from referee.settings import Settings
from referee.web.answers.errors import RateLimit, too_many_sheets
from referee.web.app import create_app
from referee.web.phone import MOST_READ
from referee.web.site.new import MAX_ROWS
from tests.support.phone import begin

NEW = {"name": ["Ann", "Ben"], "dealer": "0"}


def test_a_phone_begins_only_so_many_sheets_an_hour(tmp_path: Path) -> None:
    """The next is refused and told when to try again; failed tries don't count."""
    client = create_app(Settings(tmp_path, sheets_an_hour=2)).test_client()
    assert client.get("/new/multiple-9").status_code == 200
    assert client.post("/new/multiple-9", data={"name": ["Ann"]}).status_code == 422
    for _ in range(2):
        begin(client, "multiple-9", ["Ann", "Ben"])
    refused = client.post("/new/multiple-9", data=NEW)
    assert refused.status_code == 429
    assert "Try again in" in refused.text
    assert 3500 < int(refused.headers["Retry-After"]) <= 3601


def test_every_phone_has_a_limit_of_its_own(tmp_path: Path) -> None:
    """Also behind one router or proxy; those without cookies share one per address."""
    app = create_app(Settings(tmp_path, sheets_an_hour=1))

    def begins(client: FlaskClient, address: str = "192.0.2.1") -> int:
        asks = {"REMOTE_ADDR": address}
        return client.post("/new/multiple-9", data=NEW, environ_base=asks).status_code

    greedy, stranger, careless = (app.test_client(use_cookies=kept) for kept in (True, True, False))
    for client in (greedy, stranger):
        assert client.get("/new/multiple-9").status_code == 200
    assert [begins(one) for one in (greedy, careless, greedy, careless)] == [303, 303, 429, 429]
    assert [begins(stranger), begins(careless, "192.0.2.2")] == [303, 303]


def test_the_hour_is_a_sliding_window() -> None:
    """Each action counts for an hour from its own moment."""
    now = [0.0]
    limit = RateLimit(2, too_many_sheets, lambda: now[0])
    for moment in (0.0, 1000.0):
        now[0] = moment
        with limit.one_more("Ann"):
            pass
    with pytest.raises(TooManyRequests, match="Try again in 44 minutes"), limit.one_more("Ann"):
        pass
    for moment in (3600.0, 4600.0):
        now[0] = moment
        with limit.one_more("Ann"):
            pass
    with pytest.raises(TooManyRequests), limit.one_more("Ann"):
        pass


def test_an_action_counts_while_it_is_going_on() -> None:
    """Many at once don't pass together. One that fails isn't counted, unless failures are."""
    strict, lenient = (RateLimit(1, too_many_sheets, failures_count=one) for one in (True, False))
    for limit in (strict, lenient):
        with suppress(ZeroDivisionError), limit.one_more("Ann"):
            with pytest.raises(TooManyRequests), limit.one_more("Ann"):
                pass
            1 / 0  # noqa: B018
    with lenient.one_more("Ann"):
        pass
    with pytest.raises(TooManyRequests), strict.one_more("Ann"):
        pass


def test_a_cookie_of_a_thousand_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most `MOST_READ` links are read from it, and each is looked up once."""
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

"""Moving games to another phone: by a code with all its links, once, within ten minutes."""

import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.ledger.links import Handovers, PhoneLinks
from referee.ledger.store import NewSheet, new_token
from referee.web.context import PHONE_COOKIE, state
from referee.web.phone import LIST_COOKIE, ON_LIST, SEEN_COOKIE
from referee.web.site import moving
from tests.support.at_once import WRITERS, at_once
from tests.support.phone import Phone, begin, first_in, words

ON_EITHER_ENGINE = True


def code_on(page: TestResponse) -> str:
    return first_in(page.text, r'value="https?://[^"]+/move/([\w-]+)"')


def a_code(client: FlaskClient) -> str:
    return code_on(client.post("/move", follow_redirects=True))


def test_the_page_of_a_code_can_be_reloaded(host: Phone, other: FlaskClient) -> None:
    """It shows the same code, until the other phone has taken it."""
    shown = host.client.post("/move").headers["Location"]
    code = code_on(host.client.get(shown))
    assert code_on(host.client.get(shown)) == code
    assert take(other, code).status_code == 303
    assert host.client.get(shown).headers["Location"] == "/move"


def form_at(client: FlaskClient, code: str) -> dict[str, str]:
    """The form on the page of a code, opened on another phone; empty if that page has none."""
    found = re.search(r'name="key" value="([^"]+)"', client.get(f"/move/{code}").text)
    return {"key": found[1]} if found else {}


def take(client: FlaskClient, code: str) -> TestResponse:
    """Open the code's address on another phone, and press its button, if there is one."""
    form = form_at(client, code)
    return client.post(f"/move/{code}", data=form) if form else client.get(f"/move/{code}")


@pytest.fixture
def later(app: Flask) -> Callable[[float], None]:
    """Move the book's clock forward by this many minutes."""
    began = datetime.fromisoformat(state(app).book.now())

    def set_clock(minutes: float) -> None:
        moment = (began + timedelta(minutes=minutes)).isoformat(timespec="seconds")
        state(app).book.now = lambda: moment

    return set_clock


@pytest.fixture
def other(app: Flask) -> FlaskClient:
    return app.test_client()


def test_a_code_moves_every_link(app: Flask, host: Phone, other: FlaskClient) -> None:
    """With the same rights; the other phone keeps its own games."""
    scorer = begin(app.test_client(), "pink-nines", ["Dan", "Eve"])
    viewer = begin(app.test_client(), "multiple-9", ["Flo", "Gus"])
    links = (host.token, scorer.link("score"), viewer.link("view"))
    for token in links:
        host.client.get(f"/s/{token}")
    own = begin(other, "pink-nines", ["Hal", "Ivy"])
    code = a_code(host.client)
    asked = unescape(other.get(f"/move/{code}").text)
    assert "3 games come here from your other phone:" in asked
    for role in ("as host", "to keep score", "view only"):
        assert re.search(rf"<dt>{role}</dt><dd>1</dd>", asked)
    answer = take(other, code)
    assert answer.status_code == 303
    home = other.get(answer.headers["Location"]).text
    assert "3 games came along from your other phone." in home
    assert all(token in home for token in (*links, own.token))
    assert Phone(other, host.token).post("/links", {"role": "view"}).status_code == 303
    assert host.token in host.client.get("/").text, "the phone it came from keeps it too"


def test_a_code_works_once(
    app: Flask, host: Phone, other: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened afterwards, it reveals nothing; the same form sent twice counts once."""
    monkeypatch.setattr(moving, "CODE_MINUTES", 7)
    code, late = a_code(host.client), app.test_client()
    late_form, form = form_at(late, code), form_at(other, code)
    for _ in range(2):  # an answer may be lost, or a button pressed twice
        assert other.post(f"/move/{code}", data=form).status_code == 303
    assert host.token in other.get("/").text
    for answer in (
        late.post(f"/move/{code}", data=late_form),
        late.get(f"/move/{code}"),
        take(app.test_client(), code),
    ):
        assert answer.status_code == 404
        assert "This code was used already, was canceled, or is more than 7 minutes" in answer.text
    assert host.token not in late.get("/").text


def test_only_one_of_two_phones_can_take_a_code(app: Flask, host: Phone) -> None:
    """At the same moment."""
    code = a_code(host.client)
    phones = [app.test_client() for _ in range(WRITERS)]
    forms = [form_at(phone, code) for phone in phones]
    statuses = at_once(
        lambda number: phones[number].post(f"/move/{code}", data=forms[number]).status_code
    )
    assert sorted(statuses) == [303, *[404] * (WRITERS - 1)]
    has_it = [host.token in phone.get("/").text for phone in phones]
    assert has_it == [status == 303 for status in statuses]


def test_a_code_works_for_ten_minutes(
    host: Phone, other: FlaskClient, later: Callable[[float], None]
) -> None:
    """Then it is deleted."""
    code = a_code(host.client)
    later(9)
    assert other.get(f"/move/{code}").status_code == 200
    later(10)
    assert take(other, code).status_code == 404
    a_code(host.client)
    ledger = state(host.client.application).ledger
    assert ledger.engine.read("SELECT count(*) FROM handovers") == [(1,)]


@pytest.mark.parametrize("minutes", [-40 * 24 * 60, 40 * 24 * 60])
def test_a_clock_that_is_set_meanwhile(
    host: Phone, other: FlaskClient, later: Callable[[float], None], minutes: float
) -> None:
    """By forty days either way, the code expires; the next one works."""
    code = a_code(host.client)
    later(-1)
    assert other.get(f"/move/{code}").status_code == 200
    later(minutes)
    assert take(other, code).status_code == 404
    assert take(other, a_code(host.client)).status_code == 303


def test_opening_a_codes_address_takes_nothing(app: Flask, host: Phone) -> None:
    """Messengers open every link; a phone without cookies couldn't keep the games."""
    host.client.get("/move")
    code = a_code(host.client)
    for _ in range(3):
        preview = app.test_client().get(f"/move/{code}")
        assert preview.status_code == 200
        assert host.token not in preview.text
    refused = app.test_client(use_cookies=False).post(f"/move/{code}", data={"key": "k"})
    assert refused.status_code == 422
    assert "blocks cookies" in refused.text
    assert take(app.test_client(), code).status_code == 303
    code = a_code(host.client)
    answer = host.client.post("/move/cancel", data={"code": code})
    assert "The code no longer works." in host.client.get(answer.headers["Location"]).text
    assert take(app.test_client(), code).status_code == 404


def test_a_long_list_of_links_is_moved(app: Flask, host: Phone, other: FlaskClient) -> None:
    """As many links as a phone's list may have."""
    book = state(app).book
    tokens = [book.begin("pink-nines", ["Ann", "Ben"], None, {}).token for _ in range(60)]
    host.client.get("/move/none")
    PhoneLinks(state(app).ledger).add("p" * 20, tokens, book.now(), ON_LIST)
    host.client.set_cookie(LIST_COOKIE, "p" * 20)
    answer = take(other, a_code(host.client))
    home = other.get(answer.headers["Location"]).text
    assert "61 games came along" in home
    home = other.get("/?all=1").text
    assert all(token in home for token in (*tokens, host.token))


def test_a_link_that_was_renewed_stays_behind(host: Phone) -> None:
    """Also if it was renewed after the code was made; without links there is no code."""
    viewer = host.other("view")
    viewer.get()
    code = a_code(viewer.client)
    host.post("/links", {"role": "view"})
    other = host.client.application.test_client()
    assert "Scores. Rulings. Records." in other.get(take(other, code).headers["Location"]).text
    assert "There are no games on this phone yet." in other.get("/move").text
    assert other.post("/move").headers["Location"] == "/move"


def test_the_phones_name_is_moved(host: Phone, app: Flask) -> None:
    """To a phone without one; others keep theirs."""
    host.post("/phone", {"phone": "Ann’s"})
    code = a_code(host.client)
    other, named = app.test_client(), app.test_client()
    assert "from the phone called Ann’s:" in unescape(other.get(f"/move/{code}").text)
    take(other, code)
    assert other.get_cookie(PHONE_COOKIE) is not None
    named.set_cookie(PHONE_COOKIE, "Ben")
    take(named, a_code(host.client))
    cookie = named.get_cookie(PHONE_COOKIE)
    assert cookie is not None
    assert cookie.value == "Ben"


def test_of_too_many_codes_the_oldest_goes(
    app: Flask, host: Phone, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest is always made."""
    monkeypatch.setattr("referee.ledger.links.MAX_WAITING", 2)
    codes = []
    for minute in range(3):
        later(minute)
        codes.append(a_code(host.client))
    found = [app.test_client().get(f"/move/{code}").status_code for code in codes]
    assert found == [404, 200, 200]


@pytest.mark.parametrize("forged", [False, True], ids=["honestly", "by chosen cookies"])
def test_one_phone_cannot_displace_the_codes_of_others(
    app: Flask,
    host: Phone,
    later: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
    forged: bool,
) -> None:
    """When there are too many, the phone with most codes loses its oldest.

    Whichever games it puts in them; all phones have opened one sheet, so its link is in every code.
    """
    most = 40
    monkeypatch.setattr("referee.ledger.links.MAX_WAITING", most)
    shared = f"/s/{host.link('view')}"
    for phone in (stranger := app.test_client(), greedy := app.test_client()):
        phone.get(shared)
    begin(stranger, "pink-nines", ["Dan", "Eve"])
    games = [begin(greedy, "pink-nines", ["Flo", "Gus"]).token for _ in range(8)]
    codes = [a_code(host.client), a_code(stranger)]
    later(1)
    for number in range(most):
        if forged:
            chosen = [one for bit, one in enumerate(games) if (number % 255 + 1) & 1 << bit]
            greedy.set_cookie("sheets", ".".join([shared[3:], *chosen]))
        codes.append(a_code(greedy))
    found = [app.test_client().get(f"/move/{code}").status_code for code in codes]
    assert found[:2] == [200, 200]
    assert found.count(404) == 2
    assert found[-1] == 200


def test_a_code_is_kept_secret(
    app: Flask, host: Phone, other: FlaskClient, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """It is in no log, no referrer and no copy of the book."""
    shown = host.client.post("/move", follow_redirects=True)
    code = code_on(shown)
    assert "<svg" in shown.text, "the picture is in the page: an address of its own would tell"
    for answer in (shown, other.get(f"/move/{code}")):
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer.headers["Cache-Control"]
        assert "noindex" in answer.headers["X-Robots-Tag"]
    monkeypatch.setattr(Handovers, "find", lambda *_: 1 / 0)
    with caplog.at_level(logging.DEBUG):
        for page in (f"/move/{code}", shown.request.path):
            assert other.get(page).status_code == 500
    assert "ZeroDivisionError" in caplog.text
    assert code not in caplog.text
    ledger = state(app).ledger
    assert code not in str(ledger.engine.read("SELECT * FROM handovers"))


def test_a_link_to_a_document_of_a_deleted_extra_is_moved(app: Flask, client: FlaskClient) -> None:
    """Its pages are 404, also at the address of a sheet."""
    sheet, token = begin(client, "multiple-9", ["Ann", "Ben"]), new_token()
    league = NewSheet("{}", [("host", token)], state(app).book.now(), kind="league")
    (number,) = state(app).ledger.create_all([league])
    client.set_cookie(SEEN_COOKIE, f"{token}.{sheet.token}")
    assert [client.get(f"/s/{token}{place}").status_code for place in ("", "/trash")] == [404, 404]
    assert "can’t be opened" not in client.get("/").text
    assert "takes the game on this phone" in words(client.get("/move"))
    other = app.test_client()
    assert take(other, a_code(client)).headers["Location"] == "/?moved=1"
    listed = other.get_cookie(LIST_COOKIE)
    assert listed is not None
    known = PhoneLinks(state(app).ledger).of(listed.value)
    assert {(one.link.kind, one.link.document) for one in known} >= {("league", number)}
    assert len(known) == 2

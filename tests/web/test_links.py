"""Who may do what: links that look, links that score, the host, and strangers."""

import json
from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.routing import Rule

from referee.web.guard import HOME_COOKIE
from tests.web.conftest import Phone

ENTRY = {"action": "out", "player": "Cat", "after": 0, "key": "k"}


def writing_routes(app: Flask) -> list[tuple[Rule, str]]:
    """Every route of a sheet with every method that could change something."""
    return [
        (rule, method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
        if "token" in rule.arguments
    ]


def test_a_view_link_changes_nothing(
    app: Flask, host: Phone, phone_with: Callable[[str], Phone]
) -> None:
    """By no route and no method does a link that looks change a sheet."""
    viewer = phone_with("view")
    links = (host.link("view"), host.link("score"))
    routes = writing_routes(app)
    assert len(routes) >= 4
    for rule, method in routes:
        path = rule.rule.replace("<token>", viewer.token).replace("<role>", "view")
        for fields in (ENTRY, {"after": 0, "key": "u"}, {"role": "view"}, {"role": "score"}):
            answer = viewer.client.open(path, method=method, data=fields)
            assert answer.status_code in (403, 404, 422), (path, method, answer.status_code)
    assert json.loads(host.get("/sheet.json").data)["history"] == []
    assert (host.link("view"), host.link("score")) == links


def test_a_view_link_learns_no_other(host: Phone, phone_with: Callable[[str], Phone]) -> None:
    """No page that a viewer gets tells a link that scores, or the host's."""
    viewer = phone_with("view")
    secrets = (host.token, host.link("score"))
    places = ("", "/board", "/share", "/share?code=score", "/more", "/sheet.json", "/referee")
    places += ("/settle", "/evening")
    for place in (*places, "/code/view.svg", "/code/score.svg", "/form"):
        answer = viewer.get(place)
        assert not any(secret in answer.text or secret in str(answer.headers) for secret in secrets)
    assert viewer.get("/code/score.svg").status_code == 404
    assert "data-entry" not in viewer.get().text


def test_a_scoring_link_writes_but_withdraws_nothing(phone_with: Callable[[str], Phone]) -> None:
    """Who may score may record and undo; links are the host's."""
    scorer = phone_with("score")
    assert scorer.post("/entries", ENTRY).status_code == 303
    assert scorer.post("/links", {"role": "view"}).status_code == 403


@pytest.mark.parametrize("role", ["view", "score"])
def test_withdrawn_link(host: Phone, phone_with: Callable[[str], Phone], role: str) -> None:
    """A withdrawn link leads nowhere at once, and the new one works."""
    old = phone_with(role)
    assert old.get().status_code == 200
    assert host.post("/links", {"role": role}).status_code == 303
    for place in ("", "/board", "/share", "/sheet.json"):
        assert old.get(place).status_code == 404
    assert old.post("/entries", ENTRY).status_code == 404
    assert phone_with(role).get().status_code == 200


def test_only_shared_links_can_be_withdrawn(host: Phone) -> None:
    """The host cannot lock himself out by mistake."""
    for role in ("host", "", "whist"):
        assert host.post("/links", {"role": role}).status_code == 422


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "http://localhost"}, True),
        ({"Origin": "http://localhost:1"}, False),
        ({"Origin": "https://elsewhere.example"}, False),
        ({"Origin": "elsewhere"}, False),
        ({}, True),
    ],
)
def test_posts_from_other_sites(host: Phone, headers: dict[str, str], allowed: bool) -> None:
    """A form sent from somebody else's page is refused, whatever it knows."""
    answer = host.post("/entries", ENTRY, **headers)
    assert answer.status_code == (303 if allowed else 403)


def test_a_form_without_referrer(app: Flask, host: Phone) -> None:
    """Origin "null" is our own form if the cookie that never crosses sites comes with it."""
    stranger = app.test_client(use_cookies=False)
    path, null = f"/s/{host.token}/entries", {"Origin": "null"}
    assert stranger.post(path, data=ENTRY, headers=null).status_code == 403
    host.get()
    assert host.client.get_cookie(HOME_COOKIE) is not None
    assert host.post("/entries", ENTRY, Origin="null").status_code == 303


def test_headers_of_every_page(host: Phone) -> None:
    """Nothing is loaded from elsewhere, nothing runs inline, and the link is told to nobody."""
    for answer in (host.get(), host.get("/board"), host.client.get("/nowhere")):
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "noindex" in host.get().headers["X-Robots-Tag"]
    assert "X-Robots-Tag" not in host.client.get("/").headers


def test_no_inline_script_or_style(host: Phone) -> None:
    """The pages keep the policy they announce."""
    for place in ("", "/share", "/more"):
        page = host.get(place).text
        assert "style=" not in page
        assert " on" + "click=" not in page
        assert "<script>" not in page


def test_the_code_is_reachable(app: Flask, monkeypatch: pytest.MonkeyPatch, host: Phone) -> None:
    """Opened as localhost, the link for others carries the address they can reach."""
    monkeypatch.setattr("referee.web.addresses.house_address", lambda: "192.168.7.7")
    assert 'value="http://192.168.7.7/s/' in host.get("/share").text
    assert "cannot reach" not in host.get("/share").text
    monkeypatch.setattr("referee.web.addresses.house_address", lambda: None)
    assert "Other phones cannot reach" in host.get("/share").text

"""Who may do what: view links, score links, the host, and strangers."""

from collections.abc import Callable

import pytest
from flask import Flask

from referee.web.http.security import HOME_COOKIE
from tests.support.phone import Phone

ENTRY = {"action": "out", "player": "Cat", "after": 0, "key": "k"}


def test_a_view_link_learns_no_other(host: Phone, phone_with: Callable[[str], Phone]) -> None:
    """No page that a viewer gets tells a link that scores, or the host's."""
    viewer = phone_with("view")
    secrets = (host.token, host.link("score"))
    places: tuple[str, ...] = (
        "",
        "/board",
        "/share",
        "/share?code=score",
        "/more",
        "/sheet.json",
        "/referee",
    )
    places += ("/settle", "/evening", "/print")
    for place in (*places, "/code/view.svg", "/code/score.svg", "/record"):
        answer = viewer.get(place)
        assert not any(secret in answer.text or secret in str(answer.headers) for secret in secrets)
    assert viewer.get("/code/score.svg").status_code == 404
    assert "data-entry" not in viewer.get().text


def test_a_scoring_link_writes_but_withdraws_nothing(phone_with: Callable[[str], Phone]) -> None:
    """A score link may record and undo; links are the host's."""
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


@pytest.mark.parametrize(
    ("role", "says"),
    [("view", "<b>viewing</b>"), ("score", "<b>keeping score</b>"), ("host", "Every other host")],
)
def test_withdrawing_asks_first(
    host: Phone, phone_with: Callable[[str], Phone], role: str, says: str
) -> None:
    """The share page leads to a question that says what will happen, and changes nothing."""
    before = host.link(role)
    assert f"/stop-sharing?role={role}" in host.get(f"/share?code={role}").text
    page = host.get(f"/stop-sharing?role={role}").text
    assert says in page
    assert "This can’t be undone." in page
    assert host.link(role) == before
    assert host.get("/stop-sharing?role=whist").status_code == 422
    for other in ("view", "score"):
        assert phone_with(other).get(f"/stop-sharing?role={role}").status_code == 403
        assert "/stop-sharing" not in phone_with(other).get("/share").text


def test_only_links_can_be_withdrawn(host: Phone) -> None:
    """What is no link is not withdrawn."""
    for role in ("", "whist"):
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
    monkeypatch.setattr("referee.web.http.addresses.house_address", lambda: "192.168.7.7")
    assert 'value="http://192.168.7.7/s/' in host.get("/share").text
    assert "can’t reach" not in host.get("/share").text
    monkeypatch.setattr("referee.web.http.addresses.house_address", lambda: None)
    assert "Other phones can’t reach" in host.get("/share").text


def test_hosting_is_handed_on_and_taken_back(app: Flask, host: Phone) -> None:
    """The host's code makes another phone host, until it is withdrawn; then it opens nothing."""
    page = host.get("/share?code=host").text
    assert "Makes someone a co-host." in page
    assert ">Host<" in page
    assert "/code/host.svg" not in page, "the code is shown once it is asked for again"
    assert 'id="link"' not in page
    assert "/code/host.svg" in host.get("/share?code=host&sure=yes").text
    assert host.get("/code/host.svg").status_code == 200
    other = Phone(app.test_client(), host.link("host"))
    assert other.post("/links", {"role": "view"}).status_code == 303
    answer = host.post("/links", {"role": "host"})
    assert answer.status_code == 303
    moved_on = Phone(host.client, answer.headers["Location"].split("/")[2])
    assert moved_on.token != host.token
    assert "This is the new code" in moved_on.client.get(answer.headers["Location"]).text
    assert f"/s/{moved_on.token}" in host.client.get("/").text
    for place in ("", "/board", "/share", "/trash"):
        assert other.get(place).status_code == 404
    assert other.post("/links", {"role": "host"}).status_code == 404


def test_only_the_host_hands_on_hosting(phone_with: Callable[[str], Phone]) -> None:
    """A score link gets neither the tab nor the code."""
    scorer = phone_with("score")
    assert ">Host<" not in scorer.get("/share?code=host").text
    assert scorer.get("/code/host.svg").status_code == 404
    assert scorer.post("/links", {"role": "host"}).status_code == 403

"""What each link allows: view links, score links, hosts, and no link."""

from html import unescape

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.web.answers.security import HOME_COOKIE
from referee.web.context import state
from tests.support.at_once import WRITERS, at_once
from tests.support.phone import Phone, first_in

ON_EITHER_ENGINE = True

ENTRY = {"action": "out", "player": "Cat", "after": 0, "key": "k"}


@pytest.mark.parametrize(
    ("role", "places"),
    [
        ("view", "/record /entries/1 /settings /note /trash /stop-sharing?role=view"),
        ("score", "/trash /stop-sharing?role=view /stop-sharing?role=host&name="),
    ],
)
def test_a_link_offers_only_what_it_allows(host: Phone, role: str, places: str) -> None:
    """A viewer is offered no form that writes; only a host is offered what is a host's."""
    other = host.other(role)
    recorded = other.post("/entries", ENTRY).status_code
    assert recorded == (303 if role == "score" else 403)
    host.post("/entries", ENTRY)
    for place in places.split():
        assert other.get(place).status_code == 403, place
        assert place not in other.get().text + other.get("/more").text
    assert ('id="record"' in other.get().text) == (role == "score")
    assert "/stop-sharing" not in other.get("/share").text
    assert ">Host<" not in other.get("/share?code=host").text
    assert other.get("/code/host.svg").status_code == 404
    assert other.post("/hosts", {"name": "Zed"}).status_code == 403
    for withdrawn in ("view", "host"):
        assert other.post("/links", {"role": withdrawn}).status_code == 403
    assert host.link("score") not in host.other("view").get("/share?code=score").text


def test_a_code_says_what_it_allows(host: Phone) -> None:
    """The page with the code says so beside it."""
    told = host.get("/share?code=view").text
    assert "<b>view</b> the sheet, live. They can’t change anything." in told
    told = host.get("/share?code=score").text
    assert "<b>keep score</b>. Show it only to people who should keep score." in told


@pytest.mark.parametrize(
    ("role", "says"),
    [("view", "<b>viewing</b>"), ("score", "<b>keeping score</b>"), ("host", "gets a new address")],
)
def test_withdrawing_asks_first(host: Phone, role: str, says: str) -> None:
    """A page says what it would mean, and changes nothing."""
    before = host.token if role == "host" else host.link(role)
    assert f"/stop-sharing?role={role}" in host.get(f"/share?code={role}").text
    page = host.get(f"/stop-sharing?role={role}").text
    assert says in page
    assert "This can’t be undone." in page
    assert is_host(host)
    if role != "host":
        assert host.link(role) == before
    assert host.get("/stop-sharing?role=whist").status_code == 422


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
        ({"Origin": "http://["}, False),
        ({}, True),
    ],
)
def test_foreign_forms_are_refused(host: Phone, headers: dict[str, str], allowed: bool) -> None:
    """Even with the right link and key."""
    answer = host.post("/entries", ENTRY, **headers)
    assert answer.status_code == (303 if allowed else 403)


def test_a_form_without_referrer(app: Flask, host: Phone) -> None:
    """Its Origin is "null"; a cookie that browsers never send across sites shows it is ours."""
    stranger = app.test_client(use_cookies=False)
    path, null = f"/s/{host.token}/entries", {"Origin": "null"}
    assert stranger.post(path, data=ENTRY, headers=null).status_code == 403
    host.get()
    assert host.client.get_cookie(HOME_COOKIE) is not None
    assert host.post("/entries", ENTRY, Origin="null").status_code == 303


def test_every_page_has_safe_headers(host: Phone) -> None:
    """Nothing loads from elsewhere or runs inline, and no referrer reveals the link."""
    for answer in (host.get(), host.get("/board"), host.client.get("/nowhere")):
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "noindex" in host.get().headers["X-Robots-Tag"]
    assert "X-Robots-Tag" not in host.client.get("/").headers


def test_the_code_has_an_address_that_others_reach(
    app: Flask, monkeypatch: pytest.MonkeyPatch, host: Phone
) -> None:
    """Also if the page was opened as localhost."""
    monkeypatch.setattr("referee.web.answers.addresses.house_address", lambda: "192.168.7.7")
    assert 'value="http://192.168.7.7/s/' in host.get("/share").text
    assert "can’t reach" not in host.get("/share").text
    monkeypatch.setattr("referee.web.answers.addresses.house_address", lambda: None)
    assert "Other phones can’t reach" in host.get("/share").text


def added(app: Flask, host: Phone, name: str) -> Phone:
    """Add a host of this name through `host`; returns their phone."""
    shown = host.post("/hosts", {"name": name}).headers["Location"]
    found = first_in(host.client.get(shown).text, r'value="https?://[^"]+/s/([\w-]+)"')
    return Phone(app.test_client(), found)


def moved_on(phone: Phone, answer: TestResponse) -> Phone:
    """The phone with its host's new link, to which the answer redirects."""
    return Phone(phone.client, answer.headers["Location"].split("/")[2])


def is_host(phone: Phone) -> bool:
    """Whether this phone's link is still a host's."""
    return phone.get("/share?code=host").status_code == 200 and ">Host<" in phone.get("/share").text


def test_a_host_is_added_and_removed_by_name(app: Flask, host: Phone) -> None:
    """Their link allows all that a host may do; removing them asks first, and ends it alone."""
    page = host.get("/share?code=host").text
    assert "A co-host can do everything you can" in page
    assert "/code/host.svg" not in page, "it must not be scanned off a phone lying around"
    assert 'id="link"' not in page
    ben, cat = added(app, host, "Ben’s phone"), added(app, host, "Cat")
    assert "Ben’s phone" in host.get("/share?code=host").text
    assert host.get("/code/host.svg?name=Ben’s phone").status_code == 200
    assert ben.post("/links", {"role": "view"}).status_code == 303
    assert ben.get("/trash").status_code == 200
    asked = unescape(host.get("/stop-sharing?role=host&name=Ben’s phone").text)
    assert "<b>Ben’s phone</b> stops being a host at once" in asked
    assert "will be removed as well" not in asked
    assert is_host(ben), "so far it was only asked"
    remove = {"role": "host", "name": "Ben’s phone"}
    told = host.post("/links", remove).headers["Location"]
    assert "Removed: that link no longer works." in host.client.get(told).text
    for place in ("", "/board", "/share", "/trash"):
        assert ben.get(place).status_code == 404
    assert ben.post("/links", {"role": "host"}).status_code == 404
    assert is_host(cat)
    assert is_host(host)
    assert host.post("/links", remove).status_code == 303, "gone by now"


def test_a_new_host_can_remove_the_one_who_added_them(app: Flask, host: Phone) -> None:
    """That one knew the new host's link, so it is renewed."""
    ben = added(app, host, "Ben")
    assert is_host(host)
    assert "<b>You (this phone)</b>" in host.get("/share?code=host").text
    assert "Whoever started the sheet" in ben.get("/share?code=host").text
    assert "this phone gets a new address" in ben.get("/stop-sharing?role=host&name=").text
    answer = ben.post("/links", {"role": "host", "name": ""})
    new = moved_on(ben, answer)
    assert new.token != ben.token
    assert f"/s/{new.token}" in ben.client.get("/").text
    assert is_host(new)
    assert (host.get().status_code, ben.get().status_code) == (404, 404)


def test_removing_a_host_removes_those_they_added(app: Flask, host: Phone) -> None:
    """The page names them beforehand; no host sees another's link."""
    ben, dan = added(app, host, "Ben"), added(app, host, "Dan")
    cat = added(app, ben, "Cat")
    for place in ("/share", "/share?code=host", "/stop-sharing?role=host&name=Dan", "/more"):
        page = ben.get(place).text
        assert host.token not in page, place
        assert dan.token not in page, place
    for name in ("Dan", "Ben", "", "Zed"):
        assert ben.get(f"/share?code=host&name={name}").status_code == 404
        assert ben.get(f"/code/host.svg?name={name}").status_code == 404
    assert "<b>Cat</b> will be removed as well" in host.get("/stop-sharing?role=host&name=Ben").text
    assert host.post("/links", {"role": "host", "name": "Ben"}).status_code == 303
    assert (ben.get().status_code, cat.get().status_code) == (404, 404)
    assert is_host(dan)


def test_a_host_can_renew_their_own_link(app: Flask, host: Phone) -> None:
    """Their phone gets the new one; the old one stops working."""
    ben = added(app, host, "Ben")
    assert "<b>Ben</b> will be removed as well" in host.get("/stop-sharing?role=host").text
    answer = host.post("/links", {"role": "host"})
    assert "This phone has a new address" in host.client.get(answer.headers["Location"]).text
    assert is_host(moved_on(host, answer))
    assert (host.get().status_code, ben.get().status_code) == (404, 404)


def key_of(phone: Phone, asked: str) -> str:
    """The key of a form that withdraws a link."""
    return first_in(phone.get(f"/stop-sharing?{asked}").text, r'name="key" value="([^"]+)"')


def test_a_lost_answer_loses_no_link(app: Flask, host: Phone) -> None:
    """The same form sent again leads to the new link; another form doesn't."""
    ben = added(app, host, "Ben")
    form = {"role": "host", "name": "Ben", "key": key_of(ben, "role=host")}
    first, again = ben.post("/links", form), ben.post("/links", form)
    assert (first.status_code, again.status_code) == (303, 303)
    assert again.headers["Location"] == first.headers["Location"]
    assert is_host(moved_on(ben, again))
    for other_key in ("", "x"):
        assert ben.post("/links", {**form, "key": other_key}).status_code == 404
    assert host.post("/links", form).status_code == 303, "Ben is removed"
    assert ben.post("/links", form).status_code == 404


@pytest.mark.parametrize("role", ["view", "play", "score"])
def test_a_second_tap_renews_a_link_once(host: Phone, role: str) -> None:
    """The code on the screen stays the one in force, even if another phone makes a third later."""
    forms = [{"role": role, "key": key_of(host, f"role={role}")} for _ in range(2)]
    before = host.link(role)
    for form in forms:
        assert host.post("/links", form).status_code == 303
        shown = host.link(role)
        assert shown != before
        for again in forms[: forms.index(form) + 1]:
            assert host.post("/links", again).status_code == 303
            assert host.link(role) == shown
        before = shown


def test_several_taps_at_once_add_or_remove_a_host_once(app: Flask, host: Phone) -> None:
    """Each tap is acknowledged."""
    phones = [Phone(app.test_client(), host.token) for _ in range(WRITERS)]

    def statuses(path: str, **fields: str) -> set[int]:
        return set(at_once(lambda at: phones[at].post(path, fields).status_code))

    for number in range(5):
        assert statuses("/hosts", name=f"P{number}") == {303}
        assert statuses("/links", role="host", name=f"P{number}") == {303}
    book = state(app).book
    (link,) = book.all_links()
    assert [one.name for one in book.hosting.of(link)] == [""]  # a page's keys may hold any letters


def test_the_first_host_stays_first_if_the_clock_was_set_back(app: Flask, host: Phone) -> None:
    """Their link is the one that the machine's owner gets."""
    book = state(app).book
    book.hosting._now = lambda: "1970-01-01T00:05:00+00:00"
    added(app, host, "Ben")
    (link,) = book.all_links()
    assert link.token == host.token
    assert [one.name for one in book.hosting.of(link)] == ["", "Ben"]


def test_a_hosts_name_is_required_short_and_unique(app: Flask, host: Phone) -> None:
    """The same form twice adds one host."""
    for name, says in [("", "1 to 24 characters"), ("x" * 25, "1 to 24 characters")]:
        answer = host.post("/hosts", {"name": name})
        assert answer.status_code == 422
        assert says in answer.text
    ben = added(app, host, "Ben")
    assert added(app, host, "Ben").token == ben.token
    answer = ben.post("/hosts", {"name": "Ben"})
    assert answer.status_code == 422
    assert "already" in answer.text
    for number in range(18):
        assert host.post("/hosts", {"name": f"P{number}"}).status_code == 303
    assert "No more hosts" in host.post("/hosts", {"name": "Zed"}).text

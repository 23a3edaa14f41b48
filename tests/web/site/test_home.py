"""Home: what is on the table, the games day by day, search, the whole list, the theme."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.ledger.errors import UnavailableError
from referee.ledger.links import PhoneLinks
from referee.rules.registry import GAMES
from referee.rules.text import say
from referee.web import phone as phones
from referee.web.context import state
from referee.web.view.filters import written_day
from tests.support.phone import PARTIAL, Phone, begin, words

NOON = datetime.now(UTC).astimezone().replace(hour=12, minute=0, second=0, microsecond=0)
SetClock = Callable[[float], None]


@pytest.fixture
def many(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[Phone]]:
    """A function that begins that many sheets, past the hourly limit of a phone."""
    monkeypatch.setattr(state(client.application).new_sheets, "_most", 1000)
    return lambda count: [
        begin(client, "pink-nines", ["Ann", f"Ben {number}"]) for number in range(count)
    ]


@pytest.fixture
def at(app: Flask) -> SetClock:
    """Set the book's clock to noon, this many days before today."""

    def set_clock(days_ago: float) -> None:
        moment = (NOON - timedelta(days=days_ago)).astimezone(UTC)
        state(app).book.now = lambda: moment.isoformat(timespec="seconds")

    return set_clock


def played(client: FlaskClient, *names: str, over: bool = False) -> Phone:
    """The host of a sheet on which the last player has won a deal, or the game."""
    host = begin(client, "multiple-9", list(names), target="1" if over else "9")
    assert host.record({"action": "out", "player": names[-1]}, 0).status_code == 303
    return host


def part(answer: TestResponse, heading: str) -> str:
    """The text under this heading, "" if there is none."""
    assert answer.status_code == 200
    found = re.split(r"<(?:h2|summary)[^>]*>", answer.text.partition("<main")[2])
    return next((said for said in map(words, found) if said.startswith(words(heading))), "")


def test_home_introduces_itself_to_a_new_phone(client: FlaskClient) -> None:
    """What this is, how to begin or ask, the games, and how to join somebody’s."""
    page = client.get("/")
    assert "New game" in page.text
    assert "Ask the referee" in page.text
    assert part(page, "Scores. Rulings. Records.")
    known = part(page, "It knows these, and keeps score for any other")
    assert " ".join(str(game.title) for game in [*GAMES.values()][:4]) in known
    assert f"{len(GAMES) - 4} more" in known
    assert "Scan the code on their phone" in page.text
    begin(client, "pink-nines", ["Ann", "Ben"])
    assert "Scores. Rulings. Records." not in client.get("/").text
    assert 'name="q"' not in page.text


def test_a_game_in_progress_comes_first(client: FlaskClient, at: SetClock) -> None:
    """The latest unfinished game of today or yesterday is first, others are below."""
    at(1)
    first = played(client, "Ann", "Ben")
    at(0)
    latest = played(client, "Cat", "Dan")
    page = client.get("/")
    on_table = part(page, "Still on the table")
    assert on_table.startswith("Still on the table Multiple 9 · Deal 2 Dan 1 · Cat 0 Go on")
    assert page.text.index(latest.token) < page.text.index("New game")
    assert page.text.index("New game") < page.text.index(first.token)
    assert "Ann and Ben" in part(page, "Also on the table")
    viewer = latest.other("view")
    viewer.get()
    on_table = part(viewer.client.get("/"), "Still on the table")
    assert "Watch" in on_table
    assert "Go on" not in on_table


def test_all_unfinished_games_of_today_are_listed(client: FlaskClient, at: SetClock) -> None:
    """Of nine today: one first, five more, and three in a fold."""
    at(0)
    hosts = [played(client, "Ann", f"Guest {n}") for n in range(9)]
    page = client.get("/")
    assert [page.text.count(host.token) for host in hosts] == [1] * 9
    assert len(re.findall("Guest", part(page, "Also on the table"))) == 2 * 5  # who plays, leads
    assert part(page, "3 more").count("Ann and Guest") == 3
    assert part(page, "Earlier today") == ""


def test_a_game_in_progress_has_its_leader_first(client: FlaskClient, at: SetClock) -> None:
    """Also where fewest points win; whoever has left comes last, with however good a score."""
    at(0)
    names = ["Ann", "Ben", "Cy"]
    for lowest, said in (("false", "Ben 40 · Cy 30 · Ann 50"), ("true", "Cy 30 · Ben 40 · Ann 50")):
        host = begin(client, "plain-score", names, lowest_wins=lowest)
        points = {f"points.{place}": 50 - 10 * place for place in range(3)}
        assert host.record({"action": "deal", **points}, 0).status_code == 303
        assert host.record({"action": "leave", "player": "Ann"}, 1).status_code == 303
        assert said in part(client.get("/"), "Still on the table")


@pytest.mark.parametrize("days", [0, 1, 3, 30])
def test_games_are_listed_under_their_day(client: FlaskClient, at: SetClock, days: int) -> None:
    """Finished games by the day on which they were last played, each with its winner."""
    at(days)
    played(client, "Ann", "Ben", over=True)
    at(0)
    date = NOON - timedelta(days=days)
    headings = {0: "Today", 1: "Yesterday", 3: f"Last {date:%A}"}
    page = client.get("/")
    assert "Ben won" in part(page, headings.get(days, written_day(date)))
    assert not part(page, "Still on the table")
    if not days:  # while another is on the table, this one is from earlier
        played(client, "Cat", "Dan")
        assert "Ben won" in part(client.get("/"), "Earlier today")


def test_long_unfinished_games_are_folded(client: FlaskClient, at: SetClock) -> None:
    """After a week; until then a game is listed under its day, with its leader."""
    at(8)
    played(client, "Ann", "Ben")
    at(7)
    played(client, "Eve", "Fay")
    at(3)
    played(client, "Cat", "Dan")
    at(0)
    page = client.get("/")
    assert "Ann and Ben" in part(page, "1 game never finished")
    assert "Fay leads" in part(page, written_day(NOON - timedelta(days=7))), (
        "its weekday is today’s"
    )
    assert "Dan leads" in part(page, "Last ")


def test_a_game_with_an_invalid_time_is_listed(client: FlaskClient, app: Flask) -> None:
    """Whatever the clock was."""
    for moment in (
        "2026-13-45T99:00:00+00:00",
        "1970-01-01T00:00:00+00:00",
        "9999-12-31T23:59:59Z",
    ):
        state(app).book.now = lambda moment=moment: moment  # type: ignore[misc]
        played(client, "Ann", "Ben", over=True)
        assert client.get("/").status_code == 200
    assert client.get("/").text.count("Ben won") == 3


def test_games_can_be_searched(client: FlaskClient) -> None:
    """By players and games, ignoring accents and capitals; offered once there are many."""
    played(client, "Zoë", "Ben", over=True)
    begin(client, "pink-nines", ["Ann", "Cat"])
    assert 'name="q"' not in client.get("/").text
    for _ in range(5):
        played(client, "Ann", "Ben")
    assert 'name="q"' in client.get("/").text
    found = client.get("/?q=ZOE+multiple")
    assert "1 game with “ZOE multiple”" in found.text
    assert "Ben won" in found.text
    assert "Pink Nines" not in found.text
    assert client.get("/?q=pink").text.count("<li>") == 1
    assert "No games with “&lt;b&gt;”" in client.get("/?q=<b>").text
    for odd in ("%00", "%F0%9F%82%A1", "a" * 5000, "++", "%ff"):
        assert client.get(f"/?q={odd}").status_code == 200
    assert "<!doctype" not in client.get("/?q=pink", headers=PARTIAL).text


def test_hundreds_of_games_are_listed(
    client: FlaskClient, many: Callable[[int], list[Phone]]
) -> None:
    """The cookie holds some, the phone's list in the book all others."""
    hosts = many(60)
    cookie = client.get_cookie(phones.SEEN_COOKIE)
    assert cookie is not None
    assert len(cookie.value) < 1000
    assert client.get("/").text.count("<li>") <= 5 + 40
    assert "Show 20 earlier games" in client.get("/").text
    everything = client.get("/?all=1").text
    assert all(f'href="/s/{host.token}"' in everything for host in hosts)
    assert client.get("/?q=ben+7").text.count(hosts[7].token) == 1
    other = client.application.test_client()
    assert hosts[0].token not in other.get("/?all=1").text


def test_a_full_list_says_so(
    client: FlaskClient, many: Callable[[int], list[Phone]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its oldest games were dropped."""
    monkeypatch.setattr(phones, "ON_LIST", 20)
    many(30)
    assert "This list is full" not in client.get("/").text
    many(20)
    assert "This list is full" in client.get("/").text


def test_home_works_while_the_book_cannot_be_written(
    client: FlaskClient, many: Callable[[int], list[Phone]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it can, the cookie keeps the links that belong on the list."""

    def refuse(*_: object) -> None:
        raise UnavailableError(say("No."))

    with monkeypatch.context() as full:
        full.setattr(PhoneLinks, "add", refuse)
        hosts = many(30)
    hosts += many(1)
    everything = client.get("/?all=1").text
    assert all(host.token in everything for host in hosts)


def test_links_that_lead_nowhere_are_not_stored(host: Phone) -> None:
    """However many of them a cookie has."""
    host.client.set_cookie(phones.SEEN_COOKIE, ".".join(f"rubbish-{n}" for n in range(100)))
    assert host.get().status_code == 200
    cookie = host.client.get_cookie(phones.LIST_COOKIE)
    assert cookie is not None
    lists = PhoneLinks(state(host.client.application).ledger)
    assert lists.of(cookie.value) == []


def test_a_phone_learns_that_its_link_was_withdrawn(host: Phone) -> None:
    """A game is missing; it doesn't say which."""
    viewer = host.other("view")
    viewer.get()
    host.post("/links", {"role": "view"})
    page = viewer.client.get("/").text
    assert "1 game you opened isn’t listed" in page
    assert "Multiple 9" not in page
    viewer.client.get(f"/s/{host.link('view')}")
    assert "isn’t listed" not in viewer.client.get("/").text


def test_a_sheet_opened_by_several_links_is_listed_once(host: Phone) -> None:
    """With the link that allows most."""
    for role in ("view", "score"):
        host.client.get(f"/s/{host.link(role)}")
    page = host.client.get("/").text
    assert f'href="/s/{host.token}"' in page
    assert host.link("view") not in page
    assert host.client.get_cookie(phones.LIST_COOKIE) is None, "an evening leaves no trace"


def theme(page: str) -> str:
    """The theme of a page."""
    return page.partition('data-theme="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("slug", "scheme", "edge"), [("light", "light", "#f6f0e1"), ("dark", "dark", "#0c1512")]
)
def test_a_chosen_theme_is_kept(client: FlaskClient, slug: str, scheme: str, edge: str) -> None:
    """Every page is sent with it; before, pages follow the phone."""
    page = client.get("/").text
    assert theme(page) == "auto"
    assert 'content="light dark"' in page
    assert page.count('name="theme-color"') == 2, "for the edge by day and by night"
    answer = client.post("/theme", data={"theme": slug})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/#theme")
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    assert "Max-Age=34560000" in answer.headers["Set-Cookie"]
    for path in ("/", "/referee/multiple-9", "/nowhere"):
        answer = client.get(path)
        assert theme(answer.text) == slug
        assert f'name="color-scheme" content="{scheme}"' in answer.text
        assert f'media="all" content="{edge}"' in answer.text
        assert "Cookie" in answer.vary
    assert f'value="{slug}" aria-pressed="true"' in client.get("/").text
    assert client.post("/theme", data={"theme": "auto"}).status_code == 303
    assert theme(client.get("/").text) == "auto"


def test_choosing_a_theme_leads_back_to_the_sheet(host: Phone) -> None:
    """Viewers can choose, too."""
    viewer = host.other("view")
    assert 'action="/theme"' in viewer.get("/more").text
    answer = viewer.client.post("/theme", data={"theme": "dark", "sheet": viewer.token})
    assert answer.headers["Location"] == f"/s/{viewer.token}/more#theme"
    assert theme(viewer.get().text) == "dark"
    assert theme(host.get().text) == "auto"


@pytest.mark.parametrize("sheet", ["//evil.example", "\\evil.example", "../..", "https://evil"])
def test_choosing_a_theme_redirects_to_this_host_only(client: FlaskClient, sheet: str) -> None:
    """Whatever the form names as its sheet."""
    answer = client.post("/theme", data={"theme": "dark", "sheet": sheet})
    assert answer.headers["Location"].startswith("/s/")


@pytest.mark.parametrize("fields", [{}, {"theme": ""}, {"theme": "velvet"}, {"theme": ["\0", "x"]}])
def test_an_unknown_theme_is_refused(client: FlaskClient, fields: dict[str, object]) -> None:
    """The answer names the three there are."""
    answer = client.post("/theme", data=fields)
    assert answer.status_code == 422
    assert "Light, Dark, or Auto" in answer.text

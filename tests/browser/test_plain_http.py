"""Plain http in the house, where browsers forbid much: everything works all the same."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import TakePhone
from tests.support.browser_steps import (
    begin_sheet,
    behind_more,
    follow,
    recorded,
    walk_to_a_new_sheet,
    won,
)
from tests.support.server import Server

# The video is not in the document, so note when it is started.
CATCH_VIDEOS = """
  window.videos = [];
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    if (!videos.includes(this)) videos.push(this);
    return play.call(this);
  };
"""
PLAYING = "() => videos.filter((one) => !one.paused && one.currentTime > 0).length"


@pytest.fixture
def at_home(server: Server) -> str:
    """The server's address as a phone in the house has it, which is no secure context."""
    return server.address.replace("127.0.0.1", "referee.test")


@pytest.fixture
def plain_phone(new_phone: TakePhone) -> Iterator[TakePhone]:
    """Open a phone that resolves that address; any line in its console is a fault."""
    said: list[str] = []

    def take() -> Page:
        page = new_phone(has_touch=True, service_workers="allow")
        page.add_init_script(CATCH_VIDEOS)
        page.on("console", lambda message: said.append(message.text))
        return page

    yield take
    assert said == []


def test_over_plain_http_nothing_asks_for_https(at_home: str, plain_phone: TakePhone) -> None:
    """No service worker, wake lock or share sheet, and no complaint; all else works."""
    page = plain_phone()
    walk_to_a_new_sheet(page, at_home, "Multiple 9", ["Ann", "Ben"])
    lent = "[isSecureContext, 'serviceWorker' in navigator, 'wakeLock' in navigator]"
    assert page.evaluate(lent) == [False, False, False]
    won(page, "Ben")
    recorded(page, 1)
    follow(page, "Share")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    expect(page.get_by_role("button", name="Send it")).to_be_hidden()
    page.get_by_role("link", name="More").click()
    page.get_by_text("Language and appearance").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert "/more" in page.url


def test_a_video_keeps_the_screen_on(at_home: str, plain_phone: TakePhone) -> None:
    """From the first touch on a sheet until it is left, unless this phone has turned it off."""
    page, viewer = plain_phone(), plain_phone()
    walk_to_a_new_sheet(page, at_home, "Multiple 9", ["Ann", "Ben"])
    sheet = page.url
    page.goto(sheet)
    assert page.evaluate("videos.length") == 0, "nobody has touched the sheet"
    page.locator("h1").tap()
    page.wait_for_function(f"{PLAYING} === 1")
    assert page.evaluate("[videos[0].muted, videos[0].loop]") == [False, False]
    page.evaluate("videos[0].currentTime = 3")
    page.wait_for_function("() => videos[0].currentTime < 2 && !videos[0].paused")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{PLAYING} === 0")
    page.evaluate("delete document.hidden")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{PLAYING} === 1")

    page.get_by_role("link", name="More").tap()
    switch = page.get_by_label("Keep the screen on")
    expect(switch).to_be_checked()
    expect(page.get_by_text("Turn it off if it stops your music.")).to_be_visible()
    switch.tap()
    page.wait_for_function(f"{PLAYING} === 0")
    page.goto(sheet)
    page.locator("h1").tap()
    assert page.evaluate("videos.length") == 0
    page.goto(sheet + "/more")
    switch.tap()
    page.wait_for_function(f"{PLAYING} === 1")
    page.goto(at_home)
    page.locator("h1").tap()
    assert page.evaluate("videos.length") == 0, "the sheet has been left"

    page.goto(sheet + "/share")
    viewer.goto(page.locator("#link").input_value() + "?watch=yes")
    viewer.locator("h1").tap()
    assert viewer.evaluate("videos.length") == 0, "who only watches has not asked for it"


def test_joining_and_leaving_appear_on_another_phone(at_home: str, plain_phone: TakePhone) -> None:
    """Joining, leaving and stopping the game are tapped, and appear live on another phone."""
    page, viewer = plain_phone(), plain_phone()
    walk_to_a_new_sheet(page, at_home, "Multiple 9", ["Ann", "Ben", "Cat"])
    sheet = page.url
    page.get_by_role("link", name="Share").tap()
    viewer.goto(page.locator("#link").input_value() + "?watch=yes")
    heads = viewer.locator(".score-pad .name")
    expect(heads).to_have_count(3)
    page.goto(sheet)

    joins = behind_more(page, "Someone joins")
    joins.get_by_label("Who?").fill("Dan")
    joins.locator("input[value=Cat]").tap()
    joins.get_by_role("button", name="Let them in").tap()
    expect(heads).to_have_count(4)

    leaves = behind_more(page, "Someone leaves")
    leaves.locator("input[value=Ben]").tap()
    leaves.get_by_role("button", name="Play on without them").tap()
    expect(viewer.locator("#toast")).to_contain_text("Ben")

    stops = behind_more(page, "Stop here")
    stops.get_by_label("What happened?").fill("The pub closes")
    stops.get_by_role("button", name="End the game").tap()
    expect(viewer.locator("section.over")).to_be_visible()
    expect(viewer.locator("#dock [data-keeps-awake], #dock[data-keeps-awake]")).to_have_count(0)


def test_games_move_to_another_phone(at_home: str, plain_phone: TakePhone) -> None:
    """By the link in the code; the new phone has the same rights."""
    old, new = plain_phone(), plain_phone()
    walk_to_a_new_sheet(old, at_home, "Multiple 9", ["Ann", "Ben"])
    sheet = old.url
    old.goto(at_home)
    old.get_by_role("link", name="Move to another phone").tap()
    old.get_by_role("button", name="Show the code").tap()
    link = old.locator("#link").input_value()
    new.goto(link)
    new.get_by_role("button", name="Bring them here").tap()
    expect(new.get_by_text("1 game came along from your other phone.")).to_be_visible()
    new.get_by_role("link", name="Go on").tap()
    won(new, "Ben")
    recorded(new, 1)
    assert new.url.partition("#")[0] == sheet


def test_a_draft_moves_along_to_the_house_name(tmp_path: Path, plain_phone: TakePhone) -> None:
    """A phone that changes from the IP address to the name keeps its games and its draft."""
    server = Server(tmp_path, "--name", "referee", program="tests.support.house_on_loopback")
    try:
        said = server.process.stdout or ()
        name = next(line for line in said if line.startswith("Its name, which stays"))
        by_name = name.rpartition(": ")[2].strip()
        page = plain_phone()
        begin_sheet(page, server.address, "Any Other Game", ["Ann", "Ben"])
        record = page.url + "/record"
        page.goto(record)
        page.locator("#record input[name='points.0']").fill("17")
        page.goto(server.address + "/move")
        with page.expect_navigation():  # with its scripts
            page.get_by_role("button", name="Show the code").tap()
        follow(page, "Go on by name")
        page.get_by_role("button", name="Bring them here").tap()
        expect(page.get_by_text("1 game came along from your other phone.")).to_be_visible()
        assert page.url.startswith(by_name)
        page.goto(record.replace(server.address, by_name))
        expect(page.locator("#record input[name='points.0']")).to_have_value("17")
    finally:
        server.stop()


def test_two_tabs_send_what_waits_once(at_home: str, new_phone: TakePhone) -> None:
    """Web Locks need https, so two visible tabs agree on who sends in another way.

    However busy this machine is: their clocks stand still until both have seen who it is.
    """
    page = new_phone()
    page.context.add_init_script("AbortSignal.timeout = () => new AbortController().signal;")
    page.clock.install()
    walk_to_a_new_sheet(page, at_home, "Multiple 9", ["Ann", "Ben"])
    assert page.evaluate("[isSecureContext, 'locks' in navigator]") == [False, False]
    beside = page.context.new_page()
    beside.goto(page.url)
    page.context.set_offline(True)
    players = ["Ann", "Ben", "Ben", "Ann"]
    for waiting, player in enumerate(players, start=1):
        won(page, player)
        expect(page.locator("#waiting li")).to_have_count(waiting)
    expect(beside.locator("#waiting li")).to_have_count(len(players))
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/entries"):
            sent.append(str((request.post_data_json or {})["key"]))

    page.context.on("requestfinished", note)  # not those tried without a network
    page.clock.pause_at(time.time() + 3600)
    page.context.set_offline(False)
    for tab in (page, beside):
        tab.wait_for_function("() => localStorage.getItem('sends')")
    while page.evaluate("localStorage.getItem('sends')") != beside.evaluate(
        "localStorage.getItem('sends')"
    ):
        pass
    page.clock.run_for(100)
    page.wait_for_function("() => !localStorage.getItem('sends')")
    page.clock.resume()
    for tab in (page, beside):
        recorded(tab, len(players))
        expect(tab.locator("#waiting")).to_be_hidden()
    sheet = page.evaluate(
        "fetch(location.pathname + '/sheet.json').then((answer) => answer.json())"
    )
    assert [entry["player"] for entry in sheet["entries"]] == players
    assert len(sent) == len(set(sent)) == len(players)


def test_a_tab_closed_while_sending_blocks_nobody(at_home: str, new_phone: TakePhone) -> None:
    """Its claim expires, and only then does the other tab send."""
    page = new_phone()
    walk_to_a_new_sheet(page, at_home, "Multiple 9", ["Ann", "Ben"])
    page.context.set_offline(True)
    won(page, "Ann")
    expect(page.locator("#waiting li")).to_have_count(1)
    until = page.evaluate(
        "const until = Date.now() + 2500; localStorage.setItem('sends', `closed ${until}`); until"
    )
    sent: list[float] = []
    page.on("request", lambda asked: sent.append(time.time()) if asked.method == "POST" else None)
    page.context.set_offline(False)
    recorded(page, 1)
    assert len(sent) == 1
    assert sent[0] * 1000 >= until


def test_a_page_that_is_left_while_it_sends_holds_nobody_up(
    at_home: str, new_phone: TakePhone
) -> None:
    """It gives its claim back, so that the next page sends at once."""
    page = new_phone()
    page.clock.install()
    walk_to_a_new_sheet(page, at_home, "Multiple 9", ["Ann", "Ben"])
    sheet = page.url
    page.context.set_offline(True)
    won(page, "Ann")
    expect(page.locator("#waiting li")).to_have_count(1)
    page.clock.pause_at(time.time() + 3600)  # it has claimed to send, and waits for other tabs
    page.context.set_offline(False)
    page.wait_for_function("localStorage.getItem('sends')")
    page.goto(at_home)
    assert page.evaluate("localStorage.getItem('sends')") is None
    page.clock.resume()
    page.goto(sheet)
    recorded(page, 1)

"""Entries made without a network wait on the phone, and arrive once, in order; refused ones ask."""

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.support.browser_steps import (
    begin_sheet,
    closed,
    entries,
    fill_in,
    form,
    go_on,
    key,
    open_drawer,
    record,
    recorded,
    score,
    sheet_at,
    way,
    won,
)
from tests.support.server import Server

PLAYERS = ["Ann", "Ben", "Cat"]
#: Make the waiting entries a week old; returns that date in words.
A_WEEK_AGO = """() => {
  const [place] = Object.keys(localStorage).filter((one) => one.startsWith("waiting "));
  const entries = JSON.parse(localStorage.getItem(place));
  for (const one of entries) one.at -= 7 * 24 * 3600 * 1000;
  localStorage.setItem(place, JSON.stringify(entries));
  const [{ at }] = entries;
  return new Date(at).toLocaleDateString("en", { day: "numeric", month: "long" });
}"""
#: Fill the phone's storage until nothing more fits.
FILL_THE_STORAGE = """
  for (let size = 1 << 22; size; size >>= 1) {
    try { for (;;) localStorage.setItem(`full ${Math.random()}`, "x".repeat(size)); } catch {}
  }
"""
OUR_ERROR = """<!doctype html><main id="main"><section class="verdict no">
  <p>Something broke.</p><p class="code">500</p></section></main>"""
PORTAL = "<!doctype html><title>Hotel</title><main><p>Log in to use the internet.</p></main>"


@pytest.fixture
def service_workers() -> str:
    return "allow"


def waits(page: Page, *players: str) -> None:
    """Expect exactly these players' deals to be waiting, in this order."""
    expect(page.locator("#waiting li")).to_have_count(len(players))
    for place, player in enumerate(players):
        expect(page.locator("#waiting li").nth(place)).to_contain_text(f": {player} won")


def winners(page: Page) -> list[str]:
    return [entry["player"] for entry in entries(page)]


def test_entries_outlive_the_server_and_the_page(own_server: Server, page: Page) -> None:
    """Made while the server is stopped, they are sent once and in order later, page open or not."""
    begin_sheet(page, own_server.address, "Multiple 9", PLAYERS)
    sheet = page.url
    own_server.stop()
    won(page, "Cat")
    expect(page.locator("#waiting")).to_contain_text("Waiting to be sent: 1")
    expect(page.locator(".score-pad .next")).to_have_text(
        re.compile(r"^\s*Deal 2\s*2\s*Tap to record deal 2")
    )
    waits(page, "Cat")
    asked_next(page, "Deal 2")  # not the same deal once more
    won(page, "Ann")
    waits(page, "Cat", "Ann")
    own_server.start()
    expect(page.locator("#waiting")).to_be_hidden()  # once the page has tried again
    recorded(page, 2)
    asked_next(page, "Deal 3")
    own_server.stop()
    won(page, "Ben")
    waits(page, "Ben")
    context = page.context
    page.close()
    own_server.start()
    page = context.new_page()
    page.goto(sheet)
    recorded(page, 3)
    score(page, "Ben", 1)
    expect(page.locator("#waiting")).to_be_hidden()
    page.reload()
    recorded(page, 3)
    assert winners(page) == ["Cat", "Ann", "Ben"]


def test_a_waiting_entry_is_described_in_words(server: Server, page: Page) -> None:
    """In those of its question, with its button beside it."""
    begin_sheet(page, server.address, "Pink Nines", PLAYERS, card_payments="true")
    open_drawer(page)
    page.locator("[data-also]").nth(1).click()
    page.context.set_offline(True)
    for seat in (0, 2):
        fill_in(form(page, "out"), f"hands.{seat}.plain", "2")
    page.locator("[data-record]:visible").click()
    line = page.locator("#waiting li p").first
    expect(line).to_have_text("Deal 1 of 3: Ben went out on a red nine, Ann 2, Cat 2")
    button = page.locator("#waiting li button").bounding_box()
    row = page.locator("#waiting li").bounding_box()
    assert button is not None
    assert row is not None
    assert row["height"] < 2 * button["height"]


@pytest.mark.parametrize(
    ("game", "field", "said"),
    [
        ("Any Other Game", "points", "Deal 1: Ann 0, Maximilian 7, Cat 0"),
        ("Colorado Nines", "grids", "Round 1 of 9: Ann 0, Maximilian 7, Cat 0"),
    ],
)
def test_a_waiting_entry_names_its_player_once(
    server: Server, page: Page, game: str, field: str, said: str
) -> None:
    """On the tab, on which a long name may be broken, though what is asked has the name as well."""
    begin_sheet(page, server.address, game, ["Ann", "Maximilian", "Cat"])
    open_drawer(page)
    page.context.set_offline(True)
    entry = page.locator(".way[open] form.entry")
    for seat, number in enumerate(re.findall(r" (\d),", f"{said},")):
        fill_in(entry, f"{field}.{seat}", number)
    record(entry)
    expect(page.locator("#waiting li p").first).to_have_text(said)


def test_an_answer_that_was_lost_counts_once(server: Server, page: Page) -> None:
    """The sheet has the entry already; sent again, it is the same one."""
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)

    def lose_the_answer(route):  # type: ignore[no-untyped-def]
        route.fetch(max_redirects=0)
        route.abort()

    page.route("**/entries", lose_the_answer, times=1)
    won(page, "Ben")
    recorded(page, 1)
    waits(page)
    assert winners(page) == ["Ben"]


def needs(page: Page, *players: str) -> None:
    """Expect exactly these players' deals to wait for a person, in this order."""
    refused = page.locator("#waiting .needs li")
    expect(refused).to_have_count(len(players))
    for place, player in enumerate(players):
        expect(refused.nth(place)).to_contain_text(player)
    if players:
        expect(page.locator("#waiting .needs h2")).to_have_text(f"Needs you: {len(players)}")


def will_be_sent(page: Page, number: int) -> None:
    """Expect `number` entries to wait for the network, and the form to be ready for another."""
    expect(page.locator("#waiting .queue li")).to_have_count(number)
    expect(page.locator("#waiting .queue", has_text="back in its form")).to_have_count(0)


def open_refused(page: Page, place: int = 0) -> None:
    """Open a refused entry: it is back in its form."""
    page.locator("#waiting .needs li").nth(place).get_by_role("button", name="Open it").click()
    expect(page.locator("dialog.drawer")).to_be_visible()


def discard_refused(page: Page, place: int = 0) -> None:
    page.locator("#waiting .needs li").nth(place).get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Really discard it?").click()


def asked_next(page: Page, words: str) -> None:
    """Expect the drawer to ask for this next."""
    open_drawer(page)
    expect(page.locator("#record h2")).to_have_text(words)
    page.keyboard.press("Escape")
    closed(page)


def sent_to(page: Page, path: str = "/entries") -> list[str]:
    """A list that collects what this phone posts from now on to addresses ending in `path`."""
    posted: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(path):
            posted.append(request.post_data or "")

    page.on("request", note)
    return posted


def score_link(host: Page) -> str:
    """The current score link, from the host's page."""
    host.goto(sheet_at(host).removesuffix("/share") + "/share?code=score")
    link = host.locator("#link").input_value()
    host.get_by_role("link", name="Back to the sheet").click()
    return link


def stop_sharing(host: Page) -> None:
    """Replace the score link by a new one."""
    host.goto(sheet_at(host) + "/share?code=score")
    host.get_by_role("link", name="Stop sharing this link").click()
    host.get_by_role("button", name="Stop sharing and make a new code").click()
    expect(host.get_by_role("status").or_(host.get_by_text("new code")).first).to_be_visible()
    host.get_by_role("link", name="Back to the sheet").click()
    expect(host.locator("#live")).to_be_visible()


def try_again(page: Page) -> None:
    """Let the page try to send now, as it does every three seconds."""
    page.evaluate("dispatchEvent(new Event('online')) && fetch('/').then(() => true)")


def record_points(page: Page, *points: int) -> None:
    """Type everybody's points in Any Other Game, and record them."""
    open_drawer(page)
    for seat, number in enumerate(points):
        fill_in(form(page, "deal"), f"points.{seat}", str(number))
    page.locator("[data-record]:visible").click()


def test_a_waiting_entry_is_refused_after_the_end(server: Server, page: Page, other: Page) -> None:
    """It can be discarded, or tried again after the end was undone."""
    begin_sheet(page, server.address, "Multiple 9", PLAYERS, target="1")
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    will_be_sent(page, 1)
    won(other, "Ann")
    expect(other.locator(".over")).to_be_visible()
    page.context.set_offline(False)
    needs(page, "Ben")
    page.reload()
    needs(page, "Ben")
    refused = page.locator("#waiting .needs li")
    expect(refused).to_contain_text("The game is over")
    expect(refused.get_by_role("button")).to_have_text(["Discard"])
    other.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".over")).to_have_count(0)
    refused.get_by_role("button", name="Try again").click()
    expect(page.locator("dialog.drawer")).to_be_visible()


def test_waiting_entries_need_a_look_if_another_phone_has_recorded(
    server: Server, page: Page, other: Page
) -> None:
    """Two were entered offline; each has to be looked at, and none is lost."""
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    will_be_sent(page, 1)
    won(page, "Cat")
    will_be_sent(page, 2)
    won(other, "Ann")
    recorded(other, 1)
    page.context.set_offline(False)
    needs(page, "Ben", "Cat")
    will_be_sent(page, 0)
    expect(page.locator("#waiting")).not_to_contain_text("Waiting to be sent")
    expect(page.locator("#waiting .warn").first).to_contain_text(
        "Ann’s win was entered first, as deal 1"
    )
    recorded(page, 1)
    asked_next(page, "Deal 2")
    posted = sent_to(page)
    page.reload()
    needs(page, "Ben", "Cat")
    expect(page.locator("dialog.drawer")).to_be_hidden()
    try_again(page)
    assert posted == []

    for player in ("Ben", "Cat"):
        open_refused(page)
        expect(page.locator(".between")).to_contain_text("Ann won the deal")
        go_on(page)
        expect(form(page, "out").get_by_role("radio", name=player)).to_be_checked()
        expect(page.locator("#waiting .needs li").first).to_contain_text("back in its form")
        if player == "Ben":  # closing the page loses nothing, either
            page.reload()
            needs(page, "Ben", "Cat")
            expect(page.locator("dialog.drawer")).to_be_visible()  # as before, for the next deal
            page.keyboard.press("Escape")
            open_refused(page)
            go_on(page)
        form(page, "out").get_by_role("button", name="Record deal").click()
        closed(page)
    needs(page)
    expect(page.locator("#waiting")).to_be_hidden()
    recorded(page, 3)
    assert winners(page) == ["Ann", "Ben", "Cat"]


def test_an_entry_after_a_waiting_betting_round_is_sent_too(server: Server, page: Page) -> None:
    """The round becomes several rows, but all are this phone's, so nothing conflicts."""
    begin_sheet(page, server.address, "Multiple 9 Hold’em", PLAYERS)
    page.context.set_offline(True)
    open_drawer(page)
    page.locator("#street-does").click()
    will_be_sent(page, 1)
    open_drawer(page)
    way(page, "Blinds")
    blinds = form(page, "blinds")
    fill_in(blinds, "small", "2")
    fill_in(blinds, "big", "4")
    record(blinds)
    will_be_sent(page, 2)
    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    needs(page)
    assert [one["action"] for one in entries(page)] == ["bet", "bet", "bet", "blinds"]


def test_independent_entries_are_sent_past_a_refused_one(server: Server, page: Page) -> None:
    """The first of three is refused for its score; the other two are on the sheet."""
    begin_sheet(page, server.address, "Any Other Game", PLAYERS)
    page.context.set_offline(True)
    record_points(page, 1_000_000_000, 0, 0)
    record_points(page, 0, 2, 0)
    record_points(page, 0, 0, 3)
    will_be_sent(page, 3)
    page.context.set_offline(False)
    needs(page, "1000000000")
    recorded(page, 2)
    asked_next(page, "Deal 3")
    page.reload()
    needs(page, "1000000000")
    record_points(page, 4, 0, 0)  # one entered now is sent, too
    recorded(page, 3)
    needs(page, "1000000000")

    open_refused(page)
    expect(page.locator(".between")).to_contain_text("Ann’s win was entered first, as deal 3.")
    go_on(page)
    expect(page.locator("#waiting .needs .warn")).to_contain_text("at most")  # said still
    fill_in(form(page, "deal"), "points.0", "1")
    expect(page.locator("#waiting .needs li").first).to_contain_text("back in its form")
    page.locator("[data-record]:visible").click()
    recorded(page, 4)
    needs(page)
    score(page, "Ann", 5)


def test_entries_that_depend_on_a_refused_one_wait_with_it(server: Server, page: Page) -> None:
    """In Nine Five Two the targets depend on the dealer, so later deals aren't sent alone."""
    begin_sheet(page, server.address, "Nine Five Two", PLAYERS)
    open_drawer(page)
    expect(key(page, "9")).to_be_visible()  # its scripts have loaded
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    for first, second in ((9, 6), (9, 4), (8, 5)):
        open_drawer(page)
        tricks = form(page, "tricks")
        fill_in(tricks, "tricks.0", str(first))
        fill_in(tricks, "tricks.1", str(second))
        if first == 9 and second == 6:
            fill_in(tricks, "tricks.2", "5")  # four too many
        page.locator("[data-record]:visible").click()
    will_be_sent(page, 3)
    page.context.set_offline(False)
    needs(page, "Deal 1:", "Deal 2:", "Deal 3:")
    follows = "follows on from one that wasn’t recorded"
    said = page.locator("#waiting .needs .warn")
    expect(said.nth(0)).not_to_contain_text(follows)
    expect(said.nth(1)).to_contain_text(follows)
    expect(said.nth(2)).to_contain_text(follows)
    assert entries(page) == []
    discard_refused(page)
    needs(page, "Deal 2:", "Deal 3:")
    open_refused(page)  # it needs a look before it is recorded as the first deal
    page.locator("[data-record]:visible").click()
    needs(page, "Deal 3:")
    recorded(page, 1)
    open_refused(page)
    page.locator("[data-record]:visible").click()
    recorded(page, 2)
    needs(page)


def test_a_refused_entry_does_not_show_on_another_sheet(server: Server, page: Page) -> None:
    """On the same phone, in the same tab or another."""
    begin_sheet(page, server.address, "9 of a Kind", ["Ann", "Ben", "Cat", "Dan", "Eve"])
    other_sheet = sheet_at(page)
    begin_sheet(page, server.address, "Any Other Game", PLAYERS)
    sheet = sheet_at(page)
    page.context.set_offline(True)
    record_points(page, 1_000_000_000, 0, 0)
    record_points(page, 0, 2, 0)
    will_be_sent(page, 2)
    page.context.set_offline(False)
    needs(page, "1000000000")
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(other_sheet)
        expect(tab.locator("#live")).to_be_visible()
        expect(tab.locator("#waiting")).to_be_hidden()
        asked_next(tab, "Round 1")
    page.goto(sheet)
    needs(page, "1000000000")
    discard_refused(page)
    expect(page.locator("#waiting")).to_be_hidden()


def test_waiting_entries_are_sent_by_the_new_link(server: Server, page: Page, other: Page) -> None:
    """The old one was withdrawn while two deals waited."""
    begin_sheet(other, server.address, "Multiple 9", PLAYERS)
    page.goto(score_link(other))
    recorded(page, 0)
    page.context.set_offline(True)
    won(page, "Ben")
    will_be_sent(page, 1)
    won(page, "Cat")
    stop_sharing(other)
    page.context.set_offline(False)
    expect(page.locator("#waiting .needs")).to_contain_text("no longer works")
    needs(page, "Ben", "Cat")
    asked_next(page, "Deal 1")
    page.goto(score_link(other))
    recorded(page, 2)
    expect(page.locator("#waiting")).to_be_hidden()
    assert winners(page) == ["Ben", "Cat"]


def test_an_answer_that_is_no_ruling_is_tried_again(server: Server, page: Page) -> None:
    """As from a captive portal, or from a server with an error or too much to do."""
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    page.context.set_offline(True)
    won(page, "Ben")
    will_be_sent(page, 1)
    won(page, "Cat")
    answers = iter([200, 400, 404, 413, 429, 500, 503, 511])
    page.route("**/entries", lambda route: route.fulfill(status=next(answers, 503), body=PORTAL))
    with page.expect_response("**/entries"):
        page.context.set_offline(False)
    for _ in range(7):
        with page.expect_response("**/entries"):
            page.evaluate("dispatchEvent(new Event('online'))")
        will_be_sent(page, 2)
        needs(page)
    page.unroute("**/entries")
    recorded(page, 2)
    assert winners(page) == ["Ben", "Cat"]


def test_an_entry_that_fails_ten_times_holds_up_no_other(server: Server, page: Page) -> None:
    """It is set aside, and the next one is sent."""
    begin_sheet(page, server.address, "Any Other Game", PLAYERS)
    page.context.set_offline(True)
    record_points(page, 7, 0, 0)
    record_points(page, 0, 2, 0)
    will_be_sent(page, 2)

    stumbled = []

    def stumble(route: Route) -> None:
        if "points.0=7" in (route.request.post_data or ""):
            stumbled.append(route)
            route.fulfill(status=500, body=OUR_ERROR)
        else:
            route.continue_()

    page.route("**/entries", stumble)
    page.context.set_offline(False)
    page.evaluate("setInterval(() => dispatchEvent(new Event('online')), 50)")
    needs(page, "7")
    expect(page.locator("#waiting .warn")).to_contain_text("Something broke")
    recorded(page, 1)
    assert len(stumbled) == 10


def test_a_refused_entry_does_not_replace_a_draft(server: Server, page: Page, other: Page) -> None:
    """It waits beside it."""
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    waits(page, "Ben")
    won(other, "Ann")
    recorded(other, 1)
    open_drawer(page, "Turn by turn")
    cards = form(page, "turn").locator("input[name=cards]")
    cards.fill("8 8")
    page.context.set_offline(False)
    needs(page, "Ben")
    expect(cards).to_have_value("8 8")
    page.keyboard.press("Escape")
    open_refused(page)
    expect(page.locator(".between")).to_contain_text("Ann won the deal")
    go_on(page)
    expect(form(page, "out").get_by_role("radio", name="Ben")).to_be_checked()
    page.keyboard.press("Escape")
    discard_refused(page)
    expect(page.locator("#waiting")).to_be_hidden()
    assert winners(page) == ["Ann"]


def test_an_entry_that_waited_a_week_says_so(server: Server, page: Page, other: Page) -> None:
    """The sheet was finished meanwhile, so it can be discarded."""
    begin_sheet(page, server.address, "Multiple 9", PLAYERS, target="1")
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    waits(page, "Ben")
    entered = page.evaluate(A_WEEK_AGO)
    won(other, "Ann")
    expect(other.locator("section.over")).to_contain_text("Ann wins")
    page.context.set_offline(False)
    page.reload()
    needs(page, "Ben")
    expect(page.locator("#waiting .warn")).to_contain_text("The game is over")
    expect(page.locator("#waiting li")).to_contain_text(entered)
    expect(page.locator("#waiting").get_by_role("button", name="Try again")).to_be_hidden()
    discard_refused(page)
    expect(page.locator("#waiting")).to_be_hidden()
    assert winners(page) == ["Ann"]


def test_two_tabs_of_a_phone_send_each_deal_once(server: Server, page: Page) -> None:
    """Both show it while it waits; what one has settled disappears from the other."""
    begin_sheet(page, server.address, "Any Other Game", PLAYERS)
    other = page.context.new_page()
    other.goto(sheet_at(page))
    page.context.set_offline(True)
    record_points(page, 1_000_000_000, 0, 0)
    for points in range(1, 5):
        record_points(page, 0, points, 0)
    will_be_sent(other, 5)
    page.context.set_offline(False)
    for tab in (page, other):
        needs(tab, "1000000000")
        will_be_sent(tab, 0)
        recorded(tab, 4)
        score(tab, "Ben", 10)
    discard_refused(other)
    expect(page.locator("#waiting")).to_be_hidden()


def test_a_phone_with_full_storage_says_that_nothing_was_kept(server: Server, page: Page) -> None:
    """The entry stays in its form; a refused one is shown as long as the page is open."""
    begin_sheet(page, server.address, "Any Other Game", PLAYERS)
    page.context.set_offline(True)
    record_points(page, 1_000_000_000, 0, 0)
    will_be_sent(page, 1)
    page.evaluate(FILL_THE_STORAGE)
    record_points(page, 5, 6, 7)
    expect(page.locator(".unsent")).to_contain_text("Not sent")
    expect(form(page, "deal").locator("[name='points.2']")).to_have_value("7")
    page.keyboard.press("Escape")
    posted = sent_to(page)
    page.context.set_offline(False)
    needs(page, "1000000000")
    try_again(page)
    assert len(posted) == 1
    open_drawer(page)
    page.locator("[data-record]:visible").click()
    recorded(page, 1)
    score(page, "Cat", 7)


def test_no_round_is_asked_for_after_a_waiting_last_one(server: Server, page: Page) -> None:
    """There is no round 2 of 1."""
    begin_sheet(page, server.address, "Any Other Game", PLAYERS, deals="1")
    page.context.set_offline(True)
    record_points(page, 5, 6, 7)
    will_be_sent(page, 1)
    asked_next(page, "Deal 1 of 1")

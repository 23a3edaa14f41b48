"""A club on a phone: beginning one from a sheet, its table, payments, and moving games."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_steps import begin_sheet, follow, open_drawer, recorded, tap_name
from tests.support.server import Server

FOUR = ["Ann", "Ben", "Cat", "Dan"]


def won_by(page: Page, *winners: str, after: int = 0) -> None:
    """Record deals by tapping who went out first."""
    for deal, winner in enumerate(winners, start=after + 1):
        open_drawer(page)
        tap_name(page, winner)
        recorded(page, deal)


def won_at_once(page: Page, winner: str) -> None:
    """Record the only deal of a game by a request, and see that it is over."""
    assert page.request.post(
        f"{page.url}/entries",
        form={"action": "out", "player": winner, "after": 0, "key": "the-one-deal"},
    ).ok
    page.reload()
    expect(page.locator(".over")).to_be_visible()


def test_a_club_from_its_first_game_on(server: Server, page: Page) -> None:
    """Three games, a record, the season table, and a debt that is paid, and then due again."""
    begin_sheet(page, server.address, "Pink Nines", FOUR, deals="2")
    won_by(page, "Ann", "Ann")
    follow(page, "More")
    follow(page, "Club")
    page.get_by_label("Name of the club").fill("Thursday table")
    page.get_by_role("button", name="Begin the club with this game").click()
    expect(page.locator(".toast")).to_contain_text("This game counts in Thursday table.")
    follow(page, "Open it")
    expect(page.get_by_role("heading", name="Thursday table")).to_be_visible()
    expect(page.locator("tbody th, tr > th[scope=row]").first).to_contain_text("Ann")
    club = page.url.rpartition("/")[2]
    follow(page, "New game at this table")
    page.locator(".games a").filter(has=page.get_by_text("Pink Nines", exact=True)).click()
    for name in FOUR:
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    page.get_by_text("House rules").click()
    page.locator("input[name=deals]").fill("2")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#live")).to_be_visible()
    page.wait_for_load_state()
    won_by(page, "Ben", "Ben")
    expect(page.locator(".fallen")).to_have_count(0)
    begin_sheet(page, server.address, "Pink Nines", FOUR, deals="2", ante="5", club=club)
    won_by(page, "Ann")
    expect(page.locator(".fallen")).to_contain_text("★ Highest deal in Thursday table")
    expect(page.get_by_role("heading", name="Ann +15")).to_be_visible()
    won_by(page, "Dan", after=1)
    follow(page, "More")
    follow(page, "Club")
    follow(page, "Open it")
    table = page.locator(".season tr:has(th[scope=row])")
    expect(table).to_have_count(4)
    expect(table.first).to_contain_text("Ann")
    follow(page, "1 Ann")
    for deal, is_bad in (("Best deal", False), ("Worst deal", True)):
        figure = page.locator(".tile", has_text=deal).locator("b")
        red = figure.evaluate("one => getComputedStyle(one).color === 'rgb(168, 40, 31)'")
        assert red == is_bad, deal
    page.go_back()
    first = page.locator(".to-pay li").first
    owed = first.inner_text()
    first.get_by_role("button", name="Paid").click()
    expect(page.locator(".to-pay .done")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".to-pay .done")).to_have_count(0)
    expect(page.locator(".to-pay li").first).to_have_text(owed, use_inner_text=True)
    follow(page, "Records")
    expect(page.get_by_text("Longest streak")).to_have_count(0)
    page.locator("a.fig").first.click()
    expect(page).to_have_url(re.compile("/deals/1$"))


def test_a_double_tap_begins_one_sheet_and_one_club(server: Server, page: Page) -> None:
    """However long the first request takes."""
    devtools = page.context.new_cdp_session(page)
    page.goto(f"{server.address}/new/multiple-9?name=Ann&name=Ben&dealer=0")
    for begin, found in (("Start", "#live"), ("Begin a club", ".club")):
        slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
        devtools.send("Network.emulateNetworkConditions", slow)
        page.get_by_role("button", name=begin).dblclick(delay=50)
        expect(page.locator(found).first).to_be_visible()
        devtools.send("Network.emulateNetworkConditions", slow | {"latency": 0})
        page.goto(f"{server.address}/clubs")
        page.get_by_label("Name of the club").fill("Thursday table")
    expect(page.get_by_role("link", name="Thursday table")).to_have_count(1)
    page.goto(server.address)
    expect(page.locator("main a[href^='/s/']")).to_have_count(1)


@pytest.mark.parametrize("phone", ["page", "plain"])
def test_one_game_of_an_evening_moves_and_comes_back_by_taps(
    phone: str, server: Server, request: pytest.FixtureRequest
) -> None:
    """To another club and back by Undo; the evening's other game stays."""
    page: Page = request.getfixturevalue(phone)
    clubs = dict[str, str]()
    for name in ("Thursday table", "Kitchen club"):
        page.goto(f"{server.address}/clubs")
        page.get_by_label("Name of the club").fill(name)
        page.get_by_role("button", name="Begin a club").click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        clubs[name] = page.url

    def counted(games: int, paid: list[str], *, club: str) -> None:
        page.goto(clubs[club])
        expect(page.locator(".to-pay .done")).to_contain_text(paid)
        expect(page.get_by_role("button", name="Paid")).to_have_count(0)
        page.goto(f"{clubs[club]}/games")
        expect(page.locator(".day li")).to_have_count(games)

    thursday = clubs["Thursday table"].rpartition("/")[2]
    begin_sheet(page, server.address, "Pink Nines", FOUR[:2], deals="1", club=thursday)
    won_at_once(page, "Ann")
    page.locator("#dock").get_by_role("button", name="Play again").click()
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    won_at_once(page, "Ann")
    sheet = page.url
    page.goto(clubs["Thursday table"])
    page.get_by_role("button", name="Paid").click()
    counted(2, ["Ben paid Ann 2 counters"], club="Thursday table")

    page.goto(sheet)
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="Club").click()
    page.get_by_role("link", name="Kitchen club").click()
    picks = page.get_by_role("navigation", name="Which games?").get_by_role("link")
    picks.filter(has_text="All 2 of this evening").click()
    expect(page.get_by_role("button", name="Count all 2 in Kitchen club")).to_be_visible()
    picks.filter(has_text="This game only").click()
    expect(page.locator(".changes")).to_contain_text("was paid for in Thursday table")
    expect(page.locator(".changes")).to_contain_text("It stays paid, wherever it counts.")
    page.get_by_role("button", name="Count it in Kitchen club").click()
    expect(page.locator(".toast")).to_contain_text("This game counts in Kitchen club.")
    counted(1, ["Ben paid Ann 2 counters"], club="Thursday table")
    counted(1, [], club="Kitchen club")

    page.goto(f"{sheet}/club")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("This game counts in Thursday table.")
    counted(2, ["Ben paid Ann 2 counters"], club="Thursday table")
    counted(0, [], club="Kitchen club")


def test_a_double_tap_on_a_sheet_begins_one_club(server: Server, page: Page) -> None:
    """This phone's list has it, whichever response arrived."""
    begin_sheet(page, server.address, "Pink Nines", FOUR, deals="1")
    follow(page, "More")
    follow(page, "Club")
    page.get_by_label("Name of the club").fill("Thursday table")
    devtools = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    devtools.send("Network.emulateNetworkConditions", slow)
    page.get_by_role("button", name="Begin the club with this game").dblclick(delay=50)
    expect(page.get_by_role("link", name="Open it")).to_be_visible()
    devtools.send("Network.emulateNetworkConditions", slow | {"latency": 0})
    page.goto(f"{server.address}/clubs")
    expect(page.get_by_role("link", name="Thursday table")).to_have_count(1)

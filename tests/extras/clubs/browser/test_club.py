"""A club on a phone: beginning one from a sheet, its table, payments, and moving games."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_steps import (
    begin_sheet,
    begun_sheet,
    follow,
    open_drawer,
    recorded,
    send,
    tap_name,
)
from tests.support.server import Server

FOUR = ["Ann", "Ben", "Cat", "Dan"]


def won_by(page: Page, *winners: str, after: int = 0) -> None:
    """Record deals by tapping who went out first."""
    for deal, winner in enumerate(winners, start=after + 1):
        open_drawer(page)
        tap_name(page, winner)
        recorded(page, deal)


def won_unseen(page: Page, sheet: str, *winners: str) -> None:
    """Record deals by requests: who went out first."""
    for after, winner in enumerate(winners):
        entry = {"action": "out", "player": winner, "after": after, "key": f"deal-{after}"}
        send(page, f"{sheet}/entries", entry)


def played_unseen(page: Page, server: Server, club: str, *winners: str) -> None:
    """Play a game of a club by requests: who went out first in each of its deals."""
    deals = str(len(winners))
    sheet = begun_sheet(page, server.address, "Pink Nines", FOUR, deals=deals, club=club)
    won_unseen(page, sheet, *winners)


def begun_club(page: Page, server: Server, name: str = "Thursday table") -> str:
    """Begin a club by a request, and open it; returns its token."""
    begun = send(page, f"{server.address}/clubs", {"name": name})
    page.goto(server.address + begun.headers["location"])
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.url.rpartition("/")[2]


def test_a_club_begins_with_a_game_and_has_the_next(server: Server, page: Page) -> None:
    """Which is begun from its page, with its players."""
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


def test_a_broken_record_is_announced_on_its_sheet(server: Server, page: Page) -> None:
    """And leads from the club's page of records to its deal."""
    club = begun_club(page, server)
    played_unseen(page, server, club, "Ben", "Ben")
    begin_sheet(page, server.address, "Pink Nines", FOUR, deals="2", ante="5", club=club)
    won_by(page, "Ann")
    expect(page.locator(".fallen")).to_contain_text("★ Highest deal in Thursday table")
    expect(page.get_by_role("heading", name="Ann +15")).to_be_visible()
    won_by(page, "Dan", after=1)
    page.goto(f"{server.address}/c/{club}")
    follow(page, "Records")
    expect(page.get_by_text("Longest streak")).to_have_count(0)
    page.locator("a.fig").first.click()
    expect(page).to_have_url(re.compile("/deals/1$"))


def test_a_table_shows_who_leads_and_what_is_due(server: Server, page: Page) -> None:
    """A payment is noted by a tap, and due again by another; a bad figure is red."""
    club = begun_club(page, server)
    for winners in (("Ann", "Ann"), ("Ben", "Ben"), ("Ann", "Dan")):
        played_unseen(page, server, club, *winners)
    page.reload()
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


def counted(page: Page, club: str, games: int, paid: list[str]) -> None:
    """See how many games count in this club, and what was paid there; nothing is due."""
    page.goto(club)
    expect(page.locator(".to-pay .done")).to_contain_text(paid)
    expect(page.get_by_role("button", name="Paid")).to_have_count(0)
    page.goto(f"{club}/games")
    expect(page.locator(".day li")).to_have_count(games)


@pytest.mark.parametrize("phone", ["page", "plain"])
def test_one_game_of_an_evening_moves_and_comes_back_by_taps(
    phone: str, server: Server, request: pytest.FixtureRequest
) -> None:
    """To another club and back by Undo; the evening's other game stays."""
    page: Page = request.getfixturevalue(phone)
    kitchen = f"{server.address}/c/{begun_club(page, server, 'Kitchen club')}"
    token = begun_club(page, server)
    thursday = f"{server.address}/c/{token}"
    begin_sheet(page, server.address, "Pink Nines", FOUR[:2], deals="1", club=token)
    won_unseen(page, page.url, "Ann")
    page.reload()
    page.locator("#dock").get_by_role("button", name="Play again").click()
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    won_unseen(page, sheet := page.url, "Ann")
    page.goto(thursday)
    page.get_by_role("button", name="Paid").click()
    counted(page, thursday, 2, ["Ben paid Ann 2 counters"])

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
    counted(page, thursday, 1, ["Ben paid Ann 2 counters"])
    counted(page, kitchen, 1, [])

    page.goto(f"{sheet}/club")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("This game counts in Thursday table.")
    counted(page, thursday, 2, ["Ben paid Ann 2 counters"])
    counted(page, kitchen, 0, [])


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

"""No network, no loss: entries wait on the phone, and arrive once, in order, or are asked about."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_steps import (
    begin_sheet,
    form,
    open_drawer,
    recorded,
    score,
    sheet_at,
    way,
    won,
)
from tests.support.server import Server

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]

PLAYERS = ["Ann", "Ben", "Cat"]


def waits(page: Page, *players: str) -> None:
    """These players' deals are shown as waiting, in this order, and nothing else is."""
    expect(page.locator("#waiting li")).to_have_count(len(players))
    for place, player in enumerate(players):
        expect(page.locator("#waiting li").nth(place)).to_contain_text(f": {player}")


def winners(page: Page) -> list[str]:
    """Who won the deals on the sheet, in order, as its file has it."""
    entries = page.request.get(sheet_at(page) + "/sheet.json").json()["entries"]
    return [entry["player"] for entry in entries]


def test_an_entry_outlives_the_page_and_the_server(server: Server, new_phone: TakePhone) -> None:
    """Server stopped, an entry made, page closed, server started, page opened: it arrives once."""
    page = new_phone()
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    sheet = page.url
    server.stop()
    won(page, "Ben")
    expect(page.locator("#waiting")).to_contain_text("Waiting to be sent: 1")
    waits(page, "Ben")
    expect(page.locator("dialog.drawer")).to_be_hidden()
    context = page.context
    page.close()
    server.start()
    page = context.new_page()
    page.goto(sheet)
    recorded(page, 1)
    score(page, "Ben", 1)
    waits(page)
    expect(page.locator("#waiting")).to_be_hidden()
    page.reload()
    recorded(page, 1)
    assert winners(page) == ["Ben"]


def test_entries_made_offline_arrive_in_order(server: Server, new_phone: TakePhone) -> None:
    """Two deals entered without a network are sent by themselves, the first one first."""
    page = new_phone()
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    server.stop()
    won(page, "Cat")
    waits(page, "Cat")
    open_drawer(page)
    expect(page.locator("#record h2")).to_have_text("Deal 2")  # not the same deal once more
    won(page, "Ann")
    waits(page, "Cat", "Ann")
    server.start()
    recorded(page, 2)
    waits(page)
    assert winners(page) == ["Cat", "Ann"]
    open_drawer(page)
    expect(page.locator("#record h2")).to_have_text("Deal 3")
    won(page, "Ben")
    recorded(page, 3)


def test_an_answer_that_was_lost_counts_once(server: Server, new_phone: TakePhone) -> None:
    """The sheet has the entry, but its answer never came: sent again, it is the same entry."""
    page = new_phone()
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)

    def lose_the_answer(route):  # type: ignore[no-untyped-def]
        route.fetch(max_redirects=0)
        route.abort()

    page.route("**/entries", lose_the_answer, times=1)
    won(page, "Ben")
    recorded(page, 1)
    waits(page)
    assert winners(page) == ["Ben"]


def test_what_somebody_else_recorded_is_asked_about(server: Server, new_phone: TakePhone) -> None:
    """Offline, two deals entered; somebody else recorded one: each is asked, none is lost."""
    page, other = new_phone(), new_phone()
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    waits(page, "Ben")
    won(page, "Cat")
    waits(page, "Ben", "Cat")
    won(other, "Ann")
    recorded(other, 1)
    page.context.set_offline(False)
    for number, player in enumerate(("Ben", "Cat"), start=2):
        expect(page.locator(".between")).to_contain_text("Ann won the deal")
        expect(form(page, "out").get_by_role("radio", name=player)).to_be_checked()
        if player == "Ben":  # closing the page now loses nothing either
            expect(page.locator("#waiting li").first).to_contain_text("back in its form")
            page.reload()
            expect(page.locator(".between")).to_contain_text("Ann won the deal")
            expect(form(page, "out").get_by_role("radio", name="Ben")).to_be_checked()
        form(page, "out").get_by_role("button", name="Record deal").click()
        expect(page.locator("#waiting li")).to_have_count(3 - number)
    recorded(page, 3)
    assert winners(page) == ["Ann", "Ben", "Cat"]


def test_what_is_being_typed_is_not_swept_away(server: Server, new_phone: TakePhone) -> None:
    """A question about a waiting entry does not take the place of a form that is half filled in."""
    page, other = new_phone(), new_phone()
    begin_sheet(page, server.address, "Multiple 9", PLAYERS)
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    waits(page, "Ben")
    won(other, "Ann")
    recorded(other, 1)
    way(page, "Turn by turn")
    cards = form(page, "turn").locator("input[name=cards]")
    cards.fill("8 8")
    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_contain_text("The sheet has moved on")
    expect(cards).to_have_value("8 8")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show it now").click()
    expect(page.locator(".between")).to_contain_text("Ann won the deal")
    expect(form(page, "out").get_by_role("radio", name="Ben")).to_be_checked()
    page.keyboard.press("Escape")
    page.locator("#waiting").get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Really discard it?").click()
    expect(page.locator("#waiting")).to_be_hidden()
    assert winners(page) == ["Ann"]


def test_what_the_rules_refuse_is_kept_too(server: Server, new_phone: TakePhone) -> None:
    """Each play of a finished game is refused: the waiting entry says why and can be discarded."""
    page, other = new_phone(), new_phone()
    begin_sheet(page, server.address, "Multiple 9", PLAYERS, target="1")
    other.goto(page.url)
    page.context.set_offline(True)
    won(page, "Ben")
    waits(page, "Ben")
    won(other, "Ann")
    expect(other.locator("section.over")).to_contain_text("Ann wins")
    page.context.set_offline(False)
    expect(page.locator("#waiting .warn")).to_contain_text("moved on")
    waits(page, "Ben")
    page.reload()
    waits(page, "Ben")
    page.locator("#waiting").get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Really discard it?").click()
    expect(page.locator("#waiting")).to_be_hidden()
    assert winners(page) == ["Ann"]

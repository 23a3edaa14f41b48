"""Small screens, phones that only look, and phones that have lost the network."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from referee.rules.registry import GAMES
from tests.support.browser_steps import begin_sheet, recorded, won
from tests.support.server import Server

LONG = ["W" * 24, "Maximilian-Alexander XIV", "Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus"]
SMALL: ViewportSize = {"width": 360, "height": 740}


def sideways(page: Page) -> int:
    """How far the page can be scrolled sideways, in pixels."""
    overflow: int = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return overflow


@pytest.mark.parametrize("slug", GAMES)
def test_nothing_scrolls_sideways(server: Server, page: Page, slug: str) -> None:
    """At 360 pixels every page fits, with the longest names and everything unfolded."""
    page.set_viewport_size(SMALL)
    game = GAMES[slug]
    names = LONG[: min(game.seats(game.house_rules())[-1], len(LONG))]
    query = "&".join(f"name={name}" for name in names)
    dealer = len(names) - 2  # so that the widest name is where hold'em names it: the big blind
    page.goto(f"{server.address}/new/{slug}?{query}&dealer={dealer}")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert sideways(page) == 0
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#live")).to_be_visible()
    sheet = page.url
    places = [
        "",
        "/record",
        "/more",
        "/share",
        "/settle",
        "/print",
        "/referee",
        *[f"/referee/{judge}" for judge in game.judges],
    ]
    for place in places:
        page.goto(sheet + place)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert sideways(page) == 0, place
    page.goto(f"{server.address}/rules/{slug}")
    assert sideways(page) == 0


def test_no_connection_is_said(server: Server, page: Page) -> None:
    """What cannot wait, such as an undo, is not met with silence: it says that it was not sent."""
    begin_sheet(page, server.address, "Multiple 9", ["Ann", "Ben"])
    won(page, "Ben")
    recorded(page, 1)
    page.context.set_offline(True)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_contain_text("Not sent: no connection")
    page.context.set_offline(False)
    page.get_by_role("button", name="Undo").click()
    recorded(page, 0)

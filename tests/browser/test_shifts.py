"""Nothing moves while a page loads, so taps hit what they are aimed at."""

from playwright.sync_api import Page

from referee.rules.registry import GAMES
from tests.browser.conftest import TakePhone
from tests.browser.screens import House

#: The most cumulative layout shift of a page; Lighthouse takes points off from 0.1.
MOST = 0.01

WATCH = """
globalThis.moved = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.moved += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""

#: Whether all scripts have loaded and nothing is being fetched.
AT_REST = """() => document.readyState === "complete"
  && !document.querySelector(".htmx-request, form[data-question]:not([data-asked])")"""
DRAWN = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(globalThis.moved)));
})"""


def moved(page: Page, address: str) -> float:
    """The cumulative layout shift of the page at this address once it is loaded."""
    page.goto(address)
    page.wait_for_function(AT_REST)
    return float(page.evaluate(DRAWN))


def test_nothing_moves_while_a_page_loads(house: tuple[str, House], new_phone: TakePhone) -> None:
    """On every page, those of all judges included."""
    address, there = house
    page = new_phone()
    page.add_init_script(WATCH)
    # With scripts a correction is a drawer of the sheet, so its page is skipped.
    elsewhere = ("correct",)
    places = {
        screen.name: screen.place
        for screen in there.screens()
        if not screen.far and screen.name not in elsewhere
    }
    for slug, game in GAMES.items():
        places |= {f"{slug}: {name}": f"/referee/{slug}/{name}" for name in game.judges}
    moving = places
    for _ in range(3):  # a busy machine may draw a page before all of it has arrived
        moving = {at: place for at, place in moving.items() if moved(page, address + place) > MOST}
    assert moving == {}

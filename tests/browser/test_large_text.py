"""Text at twice its size: nothing is lost, and nothing has to be scrolled sideways."""

import pytest
from playwright.sync_api import Browser

from tests.browser.screens import House
from tests.browser.test_phones import sideways
from tests.support.chromium import PHONE

pytestmark = pytest.mark.browser

TWICE = """
document.documentElement.style.fontSize = "212.5%";
for (const one of document.querySelectorAll("details")) one.open = true;
"""

#: Words and numbers that stick out of the box they stand in, in an element that hides that.
CUT_OFF = """
[...document.querySelectorAll("#page *")].filter((one) => {
  const style = getComputedStyle(one);
  const hides = ["hidden", "clip"].includes(style.overflowX) && !one.matches("input, svg, svg *");
  return hides && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 120))
"""


def test_every_screen(chromium: Browser, house: tuple[str, House]) -> None:
    """At 200 % every screen still fits the width of a phone."""
    address, sheets = house
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    found = {}
    for screen in sheets.screens():
        page.goto(address + screen.place)
        page.evaluate(TWICE)
        if lost := [*page.evaluate(CUT_OFF), *["scrolls sideways"] * (sideways(page) > 0)]:
            found[screen.name] = lost
    context.close()
    assert found == {}

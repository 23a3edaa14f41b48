"""Text at twice its size: nothing is lost, and nothing has to be scrolled sideways."""

import pytest
from playwright.sync_api import Browser

from tests.browser.screens import House, at_text_size
from tests.browser.test_phones import SMALL, sideways

pytestmark = pytest.mark.browser

OPEN_ALL = """
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

#: Words that go on in the next line; longer ones, such as addresses, have to.
BROKEN = r"""
(() => {
  const texts = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
  const [broken, range] = [[], document.createRange()];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: word, index } of text.data.matchAll(/(?<![\w-])\p{L}{2,12}(?![\w-])/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1 && !text.parentElement.closest(".enter, .hidden")) broken.push(word);
    }
  }
  return broken;
})()
"""


def test_every_screen(chromium: Browser, house: tuple[str, House]) -> None:
    """At 200 % every screen still fits the width of a small phone, word by word."""
    address, sheets = house
    context = chromium.new_context(viewport=SMALL)
    page = context.new_page()
    found = {}
    for screen in sheets.screens():
        page.goto(address + screen.place)
        page.evaluate(at_text_size(200))
        page.evaluate(OPEN_ALL)
        lost = page.evaluate(CUT_OFF) + page.evaluate(BROKEN)
        if sideways(page) > 0:
            lost.append("scrolls sideways")
        if lost:
            found[screen.name] = lost
    context.close()
    assert found == {}

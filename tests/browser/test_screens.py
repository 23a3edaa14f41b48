"""Every screen is accessible, has room for large text, and holds still while it loads.

No style sheet of another part reaches it.
"""

import re
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from referee.rules.registry import GAMES
from tests.browser.conftest import TakePhone
from tests.browser.layout_shifts import WATCH, moves
from tests.browser.screens import THEMES, House, at_text_size
from tests.browser.test_styles_of_parts import reaching
from tests.support.browser_steps import sideways
from tests.support.campaign import usual_or_nightly
from tests.support.chromium import PHONE, SMALL, TELEVISION
from tests.support.server import Server

#: By language, screens with words side by side: columns of the pad, keys, tabs, tables.
LONG_WORDS = {
    "de": "sheet-(9-of-a-kind|multiple-9-holdem|red-nines)-middle|sheet-(more|share)|settle"
    "|rules-red-nines|ruling-(collection|follow|hand-of-nine-nines)|.*(head-to-head|-chart)",
    "pl": "home-first|sheet-multiple-9-holdem-over",
}
#: With scripts a correction is a drawer of the sheet, to which its page leads.
IS_A_DRAWER = "correct"
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"
#: Words and numbers that are cut off, as they stick out of an element that hides overflow.
CUT_OFF = """
[...document.querySelectorAll("#page *")].filter((one) => {
  const style = getComputedStyle(one);
  const hides = ["hidden", "clip"].includes(style.overflowX) && !one.matches("input, svg, svg *");
  return hides && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 120))
"""

#: Words broken between lines without a hyphen; longer ones, such as addresses, have to be.
BROKEN = r"""
(() => {
  const texts = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
  const [broken, range] = [[], document.createRange()];
  const words = /(?<![\w\u00ad-])\p{L}{2,12}(?![\w\u00ad-])/gu;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: word, index } of text.data.matchAll(words)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1 && !text.parentElement.closest(".enter, .hidden")) broken.push(word);
    }
  }
  return broken;
})()
"""


def violations(page: Page, *, contrast: bool = True) -> list[str]:
    """The rules that axe-core finds broken on the page, with everything unfolded."""
    page.evaluate(OPEN_ALL)
    rules = {"color-contrast": {"enabled": contrast}}
    options = {"resultTypes": ["violations"], "preload": False, "rules": rules}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]}"
        for one in found
        for node in one["nodes"]
    ]


def lost(page: Page, percent: int = 200) -> list[str]:
    """The words that don't fit on a small phone, with text at this percentage of its size."""
    page.evaluate(at_text_size(percent))
    page.evaluate(OPEN_ALL)
    found: list[str] = page.evaluate(CUT_OFF) + page.evaluate(BROKEN)
    return [*found, *(["scrolls sideways"] if sideways(page) > 0 else [])]


@pytest.mark.parametrize("part", range(3))
def test_every_screen(new_phone: TakePhone, house: tuple[str, House], part: int) -> None:
    """It is opened once, and then looked at in every way.

    Nothing moves while it loads, no style sheet of another part has a rule that matches, no rule of
    axe-core is broken, in either theme, and large text fits. A television’s screen only has to keep
    the rules of axe-core.

    `part` is every third screen. axe-core looks at half of them, and at contrast, which takes four
    times as long as all other rules, on a sixth; the nightly run looks at all, in both themes.
    """
    address, sheets = house
    page = new_phone()
    page.add_init_script(WATCH)
    found = {}
    for screen in list(sheets.screens())[part::3]:
        page.set_viewport_size(TELEVISION if screen.far else PHONE)
        wrong = []
        if screen.far or screen.name == IS_A_DRAWER:
            page.goto(address + screen.place)
        elif moves(page, address + screen.place):
            wrong.append("moves while it loads")
        if not screen.far:
            wrong += reaching(page, screen.place)
        chance = Random(screen.name)
        for theme in usual_or_nightly((chance.choice(THEMES),), THEMES):
            page.emulate_media(color_scheme=theme)
            if (drawn := chance.random()) < usual_or_nightly(1 / 2, 1):
                wrong += violations(page, contrast=drawn < usual_or_nightly(1 / 6, 1))
        page.set_viewport_size(SMALL)
        if wrong := wrong + ([] if screen.far else lost(page)):
            found[screen.name] = wrong
    assert found == {}


def test_nothing_moves_while_the_page_of_a_judge_loads(page: Page, server: Server) -> None:
    page.add_init_script(WATCH)
    judges = [f"{slug}/{judge}" for slug, game in GAMES.items() for judge in game.judges]
    assert [one for one in judges if moves(page, f"{server.address}/referee/{one}")] == []


@pytest.mark.parametrize("tag", LONG_WORDS)
def test_long_words_have_room(chromium: Browser, house: tuple[str, House], tag: str) -> None:
    """With text of the usual size and with large text."""
    address, sheets = house
    phone = chromium.new_context(locale=tag, viewport=SMALL)
    page = phone.new_page()
    found = {}
    screens = [one for one in sheets.screens() if re.fullmatch(LONG_WORDS[tag], one.name)]
    assert screens
    for screen in screens:
        page.goto(address + screen.place)
        if wrong := lost(page, 100) + lost(page):
            found[screen.name] = wrong
    phone.close()
    assert found == {}

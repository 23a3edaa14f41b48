"""Phones at one table, each in its own language."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from referee.rules.language import language, languages, speaking
from referee.rules.text import say
from tests.browser.conftest import TakePhone
from tests.browser.screens import House
from tests.browser.test_install import COPY_HAS, path_of, wait_until
from tests.browser.test_screens import CUT_OFF, OPEN_ALL
from tests.support.browser_steps import (
    begin_sheet,
    choose,
    entries,
    fill_in,
    form,
    key,
    open_drawer,
    record,
    recorded,
    sideways,
    tap_name,
)
from tests.support.campaign import usual_or_nightly
from tests.support.chromium import PHONE, SMALL
from tests.support.server import Server
from tests.support.wire import wire_to

#: The words of keys that break into several lines.
BROKEN = """(keys) => keys.flatMap((key) => {
  const texts = document.createTreeWalker(key, NodeFilter.SHOW_TEXT), broken = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
})"""


@pytest.fixture
def service_workers() -> str:
    return "allow"


def fields(page: Page) -> list[str]:
    """What is filled in: the cards of the first two players who did not go out."""
    filled = form(page, "out").locator("input[name^='hands.']")
    return [filled.nth(place).input_value() for place in (0, 2)]


def test_each_phone_speaks_its_own_language(
    server: Server, page: Page, new_phone: TakePhone
) -> None:
    """One changes it in the middle of an entry: the entry stays, and its copies are renewed."""
    begin_sheet(page, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat"])
    sheet = path_of(page)
    with wire_to(server.address) as wire:
        other = new_phone(locale="de")
        other.goto(wire.address)
        wait_until(other, COPY_HAS, "/", '<html lang="de"')
        other.goto(wire.address + sheet)
        expect(other.locator("html")).to_have_attribute("lang", "de")
        wait_until(other, COPY_HAS, sheet, '<html lang="de"')
        open_drawer(other)
        choose(form(other, "out"), "player", "Ben")
        key(other, "3").click()
        assert fields(other) == ["3", ""]

        other.goto(f"{wire.address}{sheet}/more")
        other.locator("details:has(a[href^='/language']) > summary").click()
        other.locator("a[href^='/language']").first.click()
        other.locator("button[value=he]").click()
        expect(other.locator("html")).to_have_attribute("dir", "rtl")
        wait_until(other, COPY_HAS, "/", '<html lang="he" dir="rtl"')
        wait_until(other, COPY_HAS, sheet, '<html lang="he" dir="rtl"')
        other.goto(wire.address + sheet)
        open_drawer(other)
        assert fields(other) == ["3", ""]
        fill_in(form(other, "out"), "hands.2", "4S")
        record(form(other, "out"))
        recorded(other, 1)
        recorded(page, 1)
        assert [entry["player"] for entry in entries(page)] == ["Ben"]

        wait_until(other, COPY_HAS, sheet, "/deals/1")
        wire.cut()
        other.reload()
        with speaking(language("he")):
            says = str(say("It updates by itself once you’re back online."))
        expect(other.get_by_text(says)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_page_in_another_tab_follows_the_language(
    server: Server, page: Page, other: Page
) -> None:
    """Once its next part comes: the page is loaded anew, and what was filled in stays."""
    begin_sheet(page, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat"])
    other.goto(page.url)
    question = page.context.new_page()
    question.goto(f"{server.address}/referee/red-nines/penalty")
    question.locator("input[name=cards]").fill("K")
    expect(question.locator("#ruling")).to_contain_text("13 points")

    tab = page.context.new_page()
    tab.goto(f"{server.address}/language")
    tab.locator("button[value=he]").click()
    expect(tab.locator("html")).to_have_attribute("lang", "he")
    question.locator("input[name=cards]").fill("K Q")
    expect(question.locator("html")).to_have_attribute("dir", "rtl")
    expect(question.locator("input[name=cards]")).to_have_value("K Q")
    open_drawer(other, "Red aces")
    tap_name(other, "Cat")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")

    open_drawer(page)
    choose(form(page, "out"), "player", "Ben")
    tab.goto(f"{server.address}/language")
    tab.locator("button[value=BVH]").click()
    expect(tab.locator("html")).to_have_attribute("data-letters", "BVH")
    key(page, "3").click()
    expect(page.locator("html")).to_have_attribute("data-letters", "BVH")
    expect(page.locator("dialog.drawer")).to_be_visible()
    assert fields(page) == ["3", ""]


def test_names_stay_as_the_language_is_chosen_in_another_tab(server: Server, page: Page) -> None:
    """A form that comes back with what was typed isn’t lost; the next page has the language."""
    page.goto(f"{server.address}/new/multiple-9")
    names = page.locator("input[name=name]")
    names.nth(0).fill("Ann")
    tab = page.context.new_page()
    tab.goto(f"{server.address}/language")
    tab.locator("button[value=de]").click()
    expect(tab.locator("html")).to_have_attribute("lang", "de")
    rows = names.count()
    page.get_by_role("button", name="Add a player").click()
    expect(names).to_have_count(rows + 1)
    expect(names.nth(0)).to_have_value("Ann")


def test_a_page_is_loaded_anew_only_once(server: Server, page: Page) -> None:
    """Also where its parts come in another language for good."""
    begin_sheet(page, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat"])
    loaded: list[str] = []
    page.on("load", lambda page: loaded.append(page.url))

    def in_hebrew(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "spoken": "he JQK"})

    with page.expect_event("load"):
        page.route("**/board", in_hebrew)
    for _ in range(3):
        with page.expect_response("**/board"):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert len(loaded) == 1


@pytest.mark.parametrize("tag", languages())
def test_every_screen_fits_in_each_language(
    chromium: Browser, house: tuple[str, House], tag: str
) -> None:
    """Nothing scrolls sideways or is cut, with script and without.

    By day it is a sixteenth of the screens, another one in each language, and every other of them
    without script.
    """
    address, sheets = house
    screens = [one for one in sheets.screens() if not one.far]
    own = screens[languages().index(tag) :: usual_or_nightly(16, 1)]
    found = {}
    for scripted in (True, False):
        page = chromium.new_page(locale=tag, java_script_enabled=scripted)
        for screen in own[usual_or_nightly(int(scripted), 0) :: usual_or_nightly(2, 1)]:
            page.goto(address + screen.place)
            page.evaluate(OPEN_ALL)
            for size in (SMALL, PHONE):
                page.set_viewport_size(size)
                if wrong := page.evaluate(CUT_OFF) + [sideways(page)] * (sideways(page) > 0):
                    found[screen.name] = wrong
        page.close()
    assert found == {}


def test_a_phone_on_its_side_breaks_no_word_of_a_key(
    chromium: Browser, house: tuple[str, House]
) -> None:
    """The bar beside the sheet is wide enough for the longest in any language."""
    address, sheets = house
    found = {}
    for tag in languages():
        page = chromium.new_page(locale=tag, viewport={"width": 844, "height": 390})
        for name in ("multiple-9-begun", "9-of-a-kind-middle", "multiple-9-holdem-over"):
            page.goto(address + sheets.at(name))
            if broken := page.locator(".dock > *").evaluate_all(BROKEN):
                found[tag] = broken
        page.close()
    assert found == {}

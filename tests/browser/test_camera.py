"""A photo in place of taps: in a real browser, over http, with a photo of real cards."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_steps import begin_sheet, choose, form, open_drawer, recorded
from tests.support.server import Server

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]

DIAMONDS = Path(__file__).parents[1] / "vision" / "photos" / "row-of-diamonds.jpg"


def test_a_hand_is_read_mended_and_recorded(server: Server, new_phone: TakePhone) -> None:
    """Green where it is sure, amber where not: four taps, and nothing is recorded before the last.

    The ace and the four lie in the open; of a three and a five only corners show. The two and the
    three are in no pack of this game, but the three may be a five.
    """
    page = new_phone(has_touch=True, is_mobile=True)
    begin_sheet(page, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat"])
    open_drawer(page)
    entry = form(page, "out")
    choose(entry, "player", "Ben")
    entry.locator("[name='hands.2.plain']").evaluate("field => field.value = '2'")
    with page.expect_file_chooser() as taken:
        entry.locator("button.camera:visible").tap()
    taken.value.set_files(DIAMONDS)

    mend = page.locator(".mend")
    cards = mend.locator("[data-hand] > .k:not(.ghost)")
    expect(cards).to_have_text(["A♦︎", "4♦︎", "5♦︎", "5♦︎"], timeout=60_000)
    expect(page.locator(".camera-dialog h2")).to_have_text("Ann’s cards")
    expect(mend.locator("svg image")).to_have_attribute("href", re.compile("^blob:http"))
    expect(mend.locator(".outline.sure")).to_have_count(2)
    expect(mend.locator(".outline.doubtful")).to_have_count(2)
    expect(mend).to_contain_text("One card was left out")

    mend.locator(".doubt:visible").get_by_role("button", name="Remove it").tap()
    expect(cards).to_have_text(["A♦︎", "4♦︎", "5♦︎"])
    mend.locator(".doubt:visible").get_by_role("button", name="five of diamonds").tap()
    expect(mend.locator(".outline.sure")).to_have_count(3)
    expect(mend.locator(".doubt")).to_have_count(0)
    mend.get_by_role("button", name="Use these cards").tap()

    expect(page.locator(".camera-dialog")).to_have_count(0)
    expect(entry.locator("[name='hands.0']")).to_have_value("AD 4D 5D")
    expect(page.locator(".score-pad .opens")).to_have_count(0)
    expect(entry.locator(".will")).to_contain_text("Ben")
    page.locator("[data-record]:visible").tap()
    recorded(page, 1)

"""Everybody can use every screen: axe-core finds nothing to object to, in both themes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.screens import THEMES, House
from tests.support.chromium import PHONE

pytestmark = pytest.mark.browser
DIAMONDS = Path(__file__).parents[1] / "vision" / "photos" / "row-of-diamonds.jpg"


#: What depends on the theme.
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def objections(page: Page, options: Mapping[str, object] | None = None) -> list[str]:
    """What axe-core objects to on the page as it stands, everything unfolded."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]}"
        for one in found
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_every_screen(
    chromium: Browser, house: tuple[str, House], theme: Literal["light", "dark"]
) -> None:
    """No rule of axe-core is broken anywhere; in the other theme, none about colours."""
    address, sheets = house
    context = chromium.new_context(viewport=PHONE, color_scheme=theme, bypass_csp=True)
    page = context.new_page()
    found = {}
    for screen in sheets.screens():
        page.goto(address + screen.place)
        if objected := objections(page, CONTRAST if theme == "dark" else None):
            found[screen.name] = objected
    context.close()
    assert found == {}


def test_cards_from_a_photo(chromium: Browser, house: tuple[str, House]) -> None:
    """A card in doubt, and the keys for another; and the same in the other theme."""
    address, _ = house
    context = chromium.new_context(viewport=PHONE, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{address}/referee/nine-five-two/follow")
    with page.expect_file_chooser() as taken:
        page.locator("button.camera").first.click()
    taken.value.set_files(DIAMONDS)
    expect(page.locator(".doubt:visible")).to_be_visible(timeout=60_000)
    found = {}
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for doing in ("a card in doubt", "another card"):
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            if objected := objections(page):
                found[f"{doing}, {theme}"] = objected
        page.get_by_role("button", name="Another card").first.click()
    context.close()
    assert found == {}

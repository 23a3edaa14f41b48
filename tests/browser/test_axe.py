"""Everybody can use every screen: axe-core finds nothing to object to, in both themes."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.screens import THEMES, House
from tests.support.chromium import PHONE

pytestmark = pytest.mark.browser


def objections(page: Page) -> list[str]:
    """What axe-core objects to on the page as it stands, everything unfolded."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]}"
        for one in found
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_every_screen(
    chromium: Browser, house: tuple[str, House], theme: Literal["light", "dark"]
) -> None:
    """No rule of axe-core is broken anywhere."""
    address, sheets = house
    context = chromium.new_context(viewport=PHONE, color_scheme=theme, bypass_csp=True)
    page = context.new_page()
    found = {}
    for screen in sheets.screens():
        page.goto(address + screen.place)
        if objected := objections(page):
            found[screen.name] = objected
    context.close()
    assert found == {}

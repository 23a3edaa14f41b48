"""Questions about several people, tapped on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_phones import SMALL, sideways
from tests.support.server import Server

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]


def keys(page: Page, names: str) -> None:
    """Tap these keys, one after another."""
    for name in names.split():
        page.locator(".docked").get_by_role("button", name=name, exact=True).tap()


def tab(page: Page, name: str) -> None:
    """Open the place with this name."""
    page.locator(".tab", has_text=name).tap()


def test_showdown_of_three_hands_by_taps(server: Server, new_phone: TakePhone) -> None:
    """Two cards, and the next hand has its turn; then the board; nothing scrolls sideways."""
    page = new_phone(has_touch=True)
    page.set_viewport_size(SMALL)
    page.goto(server.address + "/referee/multiple-9-holdem/showdown")
    page.locator("input[name='who.0']").fill("Maximilian-Alexander XIV")
    expect(page.locator(".tab").first).to_contain_text("Maximilian-Alexander XIV")
    keys(page, "8 2")
    page.get_by_role("button", name="Add a player").tap()
    expect(page.locator("input[name='hands.2']")).to_have_count(1)
    expect(page.locator("input[name='hands.0']")).to_have_value("8 2")
    tab(page, "Player 2")
    keys(page, "A 2")
    keys(page, "3 4")
    expect(page.locator("input[name='hands.2']")).to_have_value("3 4")
    expect(page.locator("#ruling")).to_contain_text("Now the board.")
    keys(page, "J 7 9 2 10")
    expect(page.locator("#ruling")).to_contain_text("Maximilian-Alexander XIV wins.")
    assert sideways(page) == 0


def test_scores_and_dealer_by_taps(server: Server, new_phone: TakePhone) -> None:
    """Scores go below nothing, and the dealer is marked beside a name."""
    page = new_phone(has_touch=True)
    page.goto(server.address + "/referee/nine-five-two/exchange")
    keys(page, "1")
    tab(page, "Player 2")
    keys(page, "0")
    page.locator(".switch", has_text="Deals next").filter(visible=True).tap()
    tab(page, "Player 3")
    keys(page, "Minus 1")
    expect(page.locator("input[name='scores.2']")).to_have_value("−1")
    expect(page.locator("#ruling")).to_contain_text("Player 1 (1 up) may give Player 3")

"""Questions about several people, tapped on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_phones import SMALL, sideways
from tests.support.server import Server

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]


def tap_cards(page: Page, field: str, cards: str) -> None:
    """Tap the line, and then the cards on the pad that unfolds: the only one that is."""
    page.locator(f"input[name='{field}']").tap()
    pad = page.locator(".cards-field", has=page.locator(f"input[name='{field}']"))
    for card in cards.split():
        pad.get_by_role("button", name=card, exact=True).tap()
    expect(page.locator(f"input[name='{field}']")).to_have_value(cards)
    expect(page.locator(".pad-fold[open]")).to_have_count(1)


def test_showdown_of_three_hands_by_taps(server: Server, new_phone: TakePhone) -> None:
    """Three hands and a board are tapped; the winner is said, and nothing scrolls sideways."""
    page = new_phone(has_touch=True)
    page.set_viewport_size(SMALL)
    page.goto(server.address + "/referee/multiple-9-holdem/showdown")
    page.locator("input[name='who.0']").fill("Maximilian-Alexander XIV")
    tap_cards(page, "hands.0", "8 2")
    page.get_by_role("button", name="Add a player").tap()
    expect(page.locator(".person")).to_have_count(3)
    expect(page.locator("input[name='hands.0']")).to_have_value("8 2")
    tap_cards(page, "hands.1", "A 2")
    tap_cards(page, "hands.2", "3 4")
    expect(page.locator("#ruling")).to_contain_text("Now the board.")
    tap_cards(page, "board", "J 7 9 2 10")
    expect(page.locator("#ruling")).to_contain_text("Maximilian-Alexander XIV wins.")
    assert sideways(page) == 0


def test_a_pad_stays_under_the_finger(server: Server, new_phone: TakePhone) -> None:
    """While a hand fills up, and the verdict changes with it, no key moves."""
    page = new_phone(has_touch=True)
    page.goto(server.address + "/referee/multiple-9-holdem/showdown")
    page.locator("input[name='hands.0']").tap()
    key = page.locator(".person").first.get_by_role("button", name="8", exact=True)
    before = key.bounding_box()
    key.tap()
    expect(page.locator("#ruling")).to_contain_text("Player 1’s hand is two cards; you entered 1.")
    assert key.bounding_box() == before


def test_scores_and_dealer_by_taps(server: Server, new_phone: TakePhone) -> None:
    """Scores count up and down below nothing, and the dealer is marked in a row."""
    page = new_phone(has_touch=True)
    page.goto(server.address + "/referee/nine-five-two/exchange")
    page.get_by_role("button", name="Player 1: more").tap()
    page.get_by_role("button", name="Player 3: less").tap()
    page.locator(".person").nth(1).locator("label.deals").tap()
    expect(page.locator("input[name='scores.2']")).to_have_value("-1")
    expect(page.locator("#ruling")).to_contain_text("Player 1 (1 up) may give Player 3")

"""Questions about several people, tapped on a phone."""

from playwright.sync_api import Page, expect

from tests.browser.test_phones import SMALL, sideways
from tests.support.server import Server


def keys(page: Page, names: str) -> None:
    """Tap these keys, one after another."""
    for name in names.split():
        page.locator(".docked").get_by_role("button", name=name, exact=True).tap()


def tab(page: Page, name: str) -> None:
    """Open the place with this name."""
    page.locator(".tab", has_text=name).tap()


def test_showdown_of_three_hands_by_taps(server: Server, touch: Page) -> None:
    """Two cards, and the next hand has its turn; then the board; nothing scrolls sideways."""
    touch.set_viewport_size(SMALL)
    touch.goto(server.address + "/referee/multiple-9-holdem/showdown")
    touch.locator("input[name='who.0']").fill("Maximilian-Alexander XIV")
    expect(touch.locator(".tab").first).to_contain_text("Maximilian-Alexander XIV")
    keys(touch, "8 2")
    touch.get_by_role("button", name="Add a player").tap()
    expect(touch.locator("input[name='hands.2']")).to_have_count(1)
    expect(touch.locator("input[name='hands.0']")).to_have_value("8 2")
    tab(touch, "Player 2")
    keys(touch, "A 2")
    keys(touch, "3 4")
    expect(touch.locator("input[name='hands.2']")).to_have_value("3 4")
    expect(touch.locator("#ruling")).to_contain_text("Now the board.")
    keys(touch, "J 7 9 2 10")
    expect(touch.locator("#ruling")).to_contain_text("Maximilian-Alexander XIV wins.")
    assert sideways(touch) == 0


def test_scores_and_dealer_by_taps(server: Server, touch: Page) -> None:
    """Scores go below nothing, and the dealer is marked beside a name."""
    touch.goto(server.address + "/referee/nine-five-two/exchange")
    keys(touch, "1")
    tab(touch, "Player 2")
    keys(touch, "0")
    touch.locator(".switch", has_text="Deals next").filter(visible=True).tap()
    tab(touch, "Player 3")
    keys(touch, "Minus 1")
    expect(touch.locator("input[name='scores.2']")).to_have_value("−1")
    expect(touch.locator("#ruling")).to_contain_text("Player 1 (1 up) may give Player 3")

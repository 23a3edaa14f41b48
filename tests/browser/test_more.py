"""Behind “More” on a phone, and what asks before it changes a sheet: all of it within reach."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.chromium import PHONE, SMALL
from tests.support.served_book import ServedBook


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "360"])
def test_the_button_that_ends_a_game_is_above_the_bar(
    served: ServedBook, page: Page, size: ViewportSize
) -> None:
    """As soon as its form is unfolded; the same for any other form on the page."""
    page.set_viewport_size(size)
    page.goto(served.address(served.sheet("multiple-9-holdem", 3, 2), "/more"))
    page.wait_for_load_state()
    for form in ("Stop here", "Penalty", "Someone new", "Play again, or another game"):
        page.locator("summary").filter(has_text=form).click()
        last = page.locator("details[open] > form button.go:not([hidden])").last
        reaches = """(button) => {
          const end = document.querySelector(".dock").getBoundingClientRect().top;
          return button.getBoundingClientRect().bottom <= end;
        }"""
        page.wait_for_function(reaches, arg=last.element_handle())
        page.locator("summary").filter(has_text=form).click()


def test_nothing_is_half_a_line(served: ServedBook, page: Page) -> None:
    """A cell that is alone in its line takes all of it."""
    for slug in ("pink-nines", "plain-score", "multiple-9-holdem"):
        page.goto(served.address(served.sheet(slug, 4, 2), "/more"))
        for cells in page.locator("section.cells").all():
            edges = cells.locator("> *").evaluate_all(
                "all => all.map(one => Math.round(one.getBoundingClientRect().right))"
            )
            assert edges[-1] == max(edges), (slug, cells.inner_text())


def test_what_a_removal_changes_can_be_decided_at_once(served: ServedBook, page: Page) -> None:
    """However long its table is; the key in the bar is the one that removes."""
    link = served.sheet("pink-nines", 5, 3)
    page.goto(served.address(link, "/entries/2"))
    page.get_by_role("button", name="Remove this deal").click()
    expect(page.locator(".differences")).to_be_visible()
    remove = page.get_by_role("button", name="Remove it")
    expect(remove).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Back to the sheet")).to_have_count(0)
    expect(page.get_by_role("link", name="Leave it as it was")).to_have_count(1)
    remove.click()
    expect(page.locator("#live")).to_be_visible()
    expect(page.locator(".score-pad .opens")).to_have_count(2)

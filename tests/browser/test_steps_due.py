"""The felt card: what to do now, in little space, folding as steps are done."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.ledger.chain import Mark
from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.browser.conftest import TakePhone
from tests.support.campaign import usual_or_nightly
from tests.support.cases import EXAMPLES
from tests.support.chromium import PHONE
from tests.support.served_book import ServedBook
from tests.support.some_deals import some_sheet

QUARTER = PHONE["height"] // 4  # of the screen, in pixels


def states(slug: str) -> Iterator[dict[str, Any]]:
    """Yield sheets of this game: few and many players, and its example before each entry."""
    for players in (2, 6, 16):
        for deals in usual_or_nightly((1,), (0, 1, 2)):
            yield some_sheet(slug, players, deals)
    sheet = EXAMPLES[slug]
    for count in range(0, min(len(sheet["entries"]), 16), usual_or_nightly(3, 1)):
        yield sheet | {"entries": sheet["entries"][:count]}


@pytest.mark.parametrize("slug", GAMES)
def test_the_felt_takes_a_quarter_of_the_screen_at_most(
    served: ServedBook, page: Page, slug: str
) -> None:
    """In every game and state, with one line for each step."""
    tall = {}
    for place, sheet in enumerate(states(slug)):
        page.goto(served.address(served.book.import_sheet(sheet_from(sheet))))
        felt = page.locator(".now")
        if not felt.count():
            continue  # the game is over
        height = (felt.bounding_box() or {"height": 0})["height"]
        if height > QUARTER:
            tall[place] = (round(height), felt.inner_text())
    assert tall == {}


def test_nine_five_two_has_the_height_of_the_mock(served: ServedBook, page: Page) -> None:
    """A line a step; once the deal is under way, one line."""
    link = served.sheet("nine-five-two", 3, 6)
    page.goto(served.address(link))
    felt = page.locator(".now")
    expect(felt.locator("li")).to_have_count(5)
    assert (felt.bounding_box() or {"height": 999})["height"] <= 195
    served.book.record(link, {"action": "trick", "winner": "Ann"}, Mark(6), "trick")
    page.goto(served.address(link))
    assert (felt.bounding_box() or {"height": 999})["height"] <= 60


def test_steps_fold_as_they_are_done(served: ServedBook, touch: Page) -> None:
    """A count in the corner shows them again, so that they can be unticked."""
    touch.goto(served.address(served.sheet("nine-five-two", 3, 6)))
    felt = touch.locator(".now")
    steps = felt.locator("li")
    before = (felt.bounding_box() or {"height": 0})["height"]
    expect(felt.locator(".did")).to_be_hidden()
    steps.first.locator("label").tap()
    expect(steps.first).to_be_hidden()
    expect(felt.locator(".did")).to_have_text("1 of 5")
    assert (felt.bounding_box() or {"height": 999})["height"] < before
    assert (steps.nth(1).locator("label").bounding_box() or {"height": 0})["height"] >= 48
    felt.locator(".did").tap()
    steps.first.locator("label").tap()
    expect(felt.locator(".did")).to_be_hidden()
    for step in range(5):
        steps.nth(step).locator("label").tap()
    expect(felt.locator(".did")).to_have_text("5 of 5")
    assert (felt.bounding_box() or {"height": 999})["height"] <= 60


def test_only_the_step_that_is_due_can_be_ticked(served: ServedBook, new_phone: TakePhone) -> None:
    """With or without script."""
    link = served.sheet("nine-five-two", 3, 6)
    for script in (True, False):
        page = new_phone(java_script_enabled=script)
        page.goto(served.address(link))
        page.locator(".steps label").first.click()
        expect(page.locator(".steps input").first).to_be_checked()
        page.locator(".steps label").nth(2).click(force=True)
        expect(page.locator(".steps :checked")).to_have_count(1)

"""Undo: in sight for eight seconds, and in the row afterwards."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from referee.ledger.chain import Mark
from referee.rules.registry import GAMES
from tests.browser.screens import at_text_size
from tests.support.browser_steps import recorded
from tests.support.campaign import usual_or_nightly
from tests.support.chromium import PHONE, SMALL
from tests.support.served_book import ServedBook
from tests.support.some_deals import some_sheet

ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
TABLET: ViewportSize = {"width": 1024, "height": 768}
LOOKS = [(PHONE, 100), (SMALL, 100), (PHONE, 200), (SMALL, 200), (ON_ITS_SIDE, 100), (TABLET, 100)]
TABLES = usual_or_nightly([(3, 6), (10, 12)], [(2, 1), (3, 6), (6, 9), (10, 12), (4, 40)])

#: Stop the clock of the eight seconds at this moment, in milliseconds.
AT = """(toast, ms) => {
  for (const one of toast.getAnimations()) {
    one.pause();
    one.currentTime = ms;
  }
}"""
#: Whether an element is in sight as a whole, and a tap on its middle hits it.
IN_SIGHT = """one => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && one.contains(met);
}"""


def hold(page: Page, seconds: float = 0) -> None:
    """Stop the clock this many seconds after the last change."""
    page.locator("#toast").evaluate(AT, seconds * 1000)


def undo_in_sight(page: Page) -> bool:
    """Whether Undo can be seen and tapped."""
    return bool(page.locator("#toast button").evaluate(IN_SIGHT))


@pytest.mark.parametrize("slug", list(GAMES)[:: usual_or_nightly(3, 1)])
def test_undo_is_never_covered(served: ServedBook, page: Page, slug: str) -> None:
    """With few deals or many, an opened row, any phone, and text twice as large."""
    covered = []
    for players, deals in TABLES:
        page.goto(served.address(served.sheet(slug, players, deals)))
        for row_open in (False, True):
            if row_open:
                page.locator(".score-pad .opens").last.click()
                expect(page.locator(".unfolded")).to_be_visible()
            for size, text in LOOKS:
                page.set_viewport_size(size)
                page.evaluate(at_text_size(text))
                hold(page)
                for where in ("0", "document.body.scrollHeight"):
                    page.evaluate(f"scrollTo(0, {where})")
                    if not undo_in_sight(page):
                        covered.append((players, deals, size["width"], text, row_open, where))
    assert covered == []


def test_a_poll_without_news_does_not_disturb_the_keys(served: ServedBook, page: Page) -> None:
    """No tap is lost to it."""
    page.goto(served.address(served.sheet("multiple-9", 3, 2)))
    page.evaluate(
        """() => {
          globalThis.blinked = 0;
          const thumb = document.getElementById("thumb");
          const look = new MutationObserver(() => { blinked += 1; });
          look.observe(thumb, { attributeFilter: ["class"] });
        }"""
    )
    for _ in range(2):
        with page.expect_response(lambda answer: answer.status == 304):
            pass
    assert page.evaluate("blinked") == 0


@pytest.mark.parametrize("text", [100, 200])
@pytest.mark.parametrize("slug", ["red-nines-1881", "multiple-9-holdem"])
def test_in_landscape_undo_covers_nothing(
    served: ServedBook, page: Page, slug: str, text: int
) -> None:
    """It is beside the title, not over the pad, the felt, the chart or a key."""
    page.set_viewport_size(ON_ITS_SIDE)
    page.goto(served.address(served.sheet(slug, 4, 3)))
    page.evaluate(at_text_size(text))
    hidden = page.locator("#toast").evaluate(
        """toast => [...document.querySelectorAll("#head :is(.back, h1, p), main section, .dock *")]
          .filter((one) => {
            const [a, b] = [one, toast].map((it) => it.getBoundingClientRect());
            return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
          }).map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert hidden == []


def test_undo_stays_above_a_drawer_that_stays_open(served: ServedBook, touch: Page) -> None:
    """As between bets, where a wrong tap is taken back at once."""
    touch.goto(served.address(served.sheet("multiple-9-holdem", 10, 1), "#record"))
    touch.locator("form.street input[name=raises]").first.click()
    touch.locator("#street-does").tap()
    expect(touch.locator("#toast")).to_contain_text(re.compile("raised|bet"))
    expect(touch.locator("dialog.drawer")).to_be_visible()
    touch.locator("#thumb:not(.steady)").wait_for()  # taps work again
    for size, text in LOOKS:
        touch.set_viewport_size(size)
        touch.evaluate(at_text_size(text))
        hold(touch)
        assert touch.locator("dialog.drawer").is_visible()
        assert undo_in_sight(touch), (size, text)
    touch.locator("#toast button").tap()
    expect(touch.locator("#toast")).to_contain_text("Removed")


def test_after_eight_seconds_undo_is_in_its_row(
    served: ServedBook, page: Page, plain: Page
) -> None:
    """The line disappears, and nothing moves; also without script."""
    link = served.sheet("nine-five-two", 3, 2)
    page.goto(served.address(link))
    rows = page.locator(".score-pad")
    before = rows.bounding_box()
    hold(page, 7.9)
    assert undo_in_sight(page)
    hold(page, 8)
    expect(page.locator("#toast")).not_to_be_visible()
    assert rows.bounding_box() == before
    page.locator(".score-pad .opens").last.click()
    page.locator(".unfolded").get_by_role("button", name="Undo").click()
    expect(page.locator("#toast")).to_contain_text("Deal 2 removed")
    plain.goto(served.address(served.sheet("nine-five-two", 3, 2)))
    plain.locator(".score-pad .opens").last.click()
    plain.locator("main").get_by_role("button", name="Undo").click()
    recorded(plain, 1)


def test_only_the_last_change_has_undo(served: ServedBook, page: Page) -> None:
    """Removing an earlier row asks first, as later ones may depend on it."""
    page.goto(served.address(served.sheet("nine-five-two", 3, 2)))
    page.get_by_role("link", name="Deal 1", exact=True).click()
    expect(page.locator(".unfolded")).to_be_visible()
    expect(page.locator(".unfolded").get_by_role("button", name="Undo")).to_have_count(0)


def test_an_open_row_closes_when_something_is_recorded(served: ServedBook, page: Page) -> None:
    """A poll without news leaves it open."""
    link = served.sheet("nine-five-two", 3, 2)
    page.goto(served.address(link))
    page.get_by_role("link", name="Deal 1", exact=True).click()
    expect(page.locator(".unfolded")).to_be_visible()
    served.book.record(
        link, some_sheet("nine-five-two", 3, 3)["entries"][2], Mark(2), "another phone"
    )
    expect(page.locator("#toast")).to_contain_text("Deal 3")
    expect(page.locator(".unfolded")).to_have_count(0)
    expect(page.get_by_role("link", name="Deal 3", exact=True)).to_be_in_viewport()


def test_the_end_of_a_game_can_be_undone(served: ServedBook, page: Page) -> None:
    """Beside the line that says who won."""
    names = ["Ann", "Ben"]
    link = served.book.begin("multiple-9", names, "Ann", {"target": 1})
    served.book.record(link, {"action": "out", "player": "Ben"}, Mark(0), "out")
    page.goto(served.address(link))
    hold(page, 8)
    page.locator("#ended").get_by_role("button", name="Undo").click()
    expect(page.locator(".now")).to_be_visible()

"""The keys for numbers: each means one thing, and nothing jumps while a sum may go on."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser_steps import (
    begin_sheet,
    choose,
    entries,
    fill_in,
    form,
    open_drawer,
    record,
    recorded,
    score,
)
from tests.support.server import Server
from tests.support.thumb import Thumb

FOUR = ["Ann", "Ben", "Cat", "Dan"]
FIVE = [*FOUR, "Eve"]


def shown(page: Page) -> Locator:
    """The number that is asked for just now."""
    return page.locator("dialog.drawer .figure input.number").filter(visible=True).first


def tapped(thumb: Thumb, keys: str) -> None:
    """Tap these keys, written with blanks between them; “Next” goes on, a name is a tab."""
    for name in keys.split():
        if name == "Next":
            thumb.next()
        elif name in FIVE:
            thumb.tap(thumb.page.locator(".way[open] .tab").filter(has_text=name))
        elif name == "⌫":
            thumb.tap(thumb.page.locator("dialog.drawer [data-types=back]").filter(visible=True))
        else:
            thumb.key({"9♦": "One more red nine"}.get(name, name))


#: Keys tapped for Ann’s hand, what stands in its field then, and what it counts: nines double it.
ONE_HAND = (
    ("2 5 9♦", "25 + 9♦", 68),
    ("9♦ 2 5", "9♦ + 25", 68),
    ("9♦ 9♦ 2", "9♦ + 9♦ + 2", 80),
    ("2 9♦ 9♦ 9♦", "2 + 9♦ + 9♦", 80),  # there are no more than two
    ("2 5 9♦ ⌫", "25", 25),
    ("2 9♦ 9♦ ⌫", "2 + 9♦", 22),
    ("1 3 + 9♦ 5", "13 + 9♦ + 5", 54),
    ("1 3 9♦ + 5 ⌫ ⌫ ⌫", "13", 13),
    ("1 3 + 1 2", "13 + 12", 25),
    ("2 5 9♦ Cat Ann 3 0", "30", 30),  # what was there is replaced, all of it
    ("2 5 Cat Ann 9♦", "25 + 9♦", 68),  # and the red nine goes on with it
)


def test_the_red_nine_key_adds_nine_and_a_red_nine(server: Server, thumb: Thumb) -> None:
    """25 with one red nine is (25 + 9) × 2 to everybody."""
    page, total = thumb.page, 0
    begin_sheet(page, server.address, "Red Nines (20th century)", FOUR, rounds="20")
    for number, (keys, field, counted) in enumerate(ONE_HAND, start=1):
        thumb.open()
        thumb.choose("Ben")
        tapped(thumb, keys)
        expect(shown(page)).to_have_value(field)
        tapped(thumb, "Next 2 Next 3")
        effect = f"= {counted}" if "9♦" in field else f"Ann {counted}"
        expect(page.locator(".way[open] .will")).to_contain_text(effect)
        thumb.record()
        recorded(page, number)
        total += counted
        score(page, "Ann", total)


def test_a_correction_comes_back_as_it_was_typed(server: Server, thumb: Thumb) -> None:
    """The 34 with a red nine among them are 25 + 9 again."""
    page = thumb.page
    begin_sheet(page, server.address, "Red Nines (20th century)", FOUR)
    thumb.open()
    thumb.choose("Ben")
    tapped(thumb, "2 5 9♦ Next 2 Next 3")
    thumb.record()
    recorded(page, 1)
    page.locator(".score-pad .opens").tap()
    page.get_by_role("link", name="Correct").tap()
    expect(shown(page)).to_have_value("25 + 9♦")
    tapped(thumb, "9♦")
    page.get_by_role("button", name="Save the correction").tap()
    score(page, "Ann", (25 + 9 + 9) * 4)
    assert entries(page)[0]["hands"]["Ann"] == {"points": 43, "red_nines": 2}


TYPED = (
    ("Red Nines (20th century)", "points", "25 + 9R", {"points": 34, "red_nines": 1}),
    ("Red Nines (20th century)", "points", "25+9♦+9h", {"points": 43, "red_nines": 2}),
    ("Red Nines (1881)", "plain", "2 + 9R", {"plain": 2, "red_nines": 1}),
    ("Red Nines (1881)", "plain", "9D", {"plain": 0, "red_nines": 1}),
)


@pytest.mark.parametrize("typed", TYPED, ids=lambda typed: f"{typed[0]} {typed[2]}")
def test_without_scripts_a_red_nine_means_the_same(
    server: Server, plain: Page, typed: tuple[str, str, str, dict[str, int]]
) -> None:
    """Typed into the same field, and it comes back as it would have been tapped."""
    game, field, text, held = typed
    begin_sheet(plain, server.address, game, FOUR)
    open_drawer(plain)
    out = form(plain, "out")
    choose(out, "player", "Ben")
    for place, said in ((0, text), (2, "2"), (3, "3")):
        fill_in(out, f"hands.{place}.{field}", said)
    record(out)
    recorded(plain, 1)
    assert entries(plain)[0]["hands"]["Ann"] == held


#: Keys tapped for the four who did not call, and the number of each.
FOUR_HANDS = (
    ("1 7 2 4 1 2 + 7 Next 3 4", (17, 24, 19, 34)),
    ("1 7 2 4 1 2 Next + 7 Next 3 4", (17, 24, 19, 34)),  # back to the field that was left
    ("1 7 2 4 1 2 3 + 7", (17, 24, 12, 10)),
    ("7 Next 2 4 1 2 3 4", (7, 24, 12, 34)),
    ("1 7 2 4 1 2 ⌫ 9 3 4", (17, 24, 19, 34)),
    ("1 7 2 4 1 2 3 4 5", (17, 24, 12, 34)),  # nobody is left for the five
    ("1 7 2 4 1 2 3 4 Cat 6 5 4", (17, 65, 12, 34)),
)


def test_a_sum_stays_with_whose_it_is(server: Server, thumb: Thumb) -> None:
    """12 + 7 is Dan’s 19, and not 12 for Dan and 7 for Eve."""
    page = thumb.page
    begin_sheet(page, server.address, "9 of a Kind", FIVE, target="999")
    for number, (keys, counted) in enumerate(FOUR_HANDS, start=1):
        thumb.open()
        thumb.choose("Ann")
        tapped(thumb, keys)
        thumb.record()
        recorded(page, number)
        hands = entries(page)[-1]["hands"]
        assert tuple(hands[name]["deadwood"] for name in FIVE[1:]) == counted

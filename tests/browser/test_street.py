"""A betting round of ten players on one screen, which asks who folds."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.browser_steps import entries, open_drawer, raises, sideways
from tests.support.chromium import PHONE, SMALL
from tests.support.served_book import ServedBook
from tests.support.some_deals import all_called

TEN = ("Ann", "Ben", "Cy", "Dot", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")
SHOWN = """(part) => {
  const { top, bottom } = part.getBoundingClientRect();
  const hit = document.elementFromPoint(innerWidth / 4, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && Boolean(hit?.closest("form.street"));
}"""


@pytest.fixture
def flop(served: ServedBook, page: Page) -> Page:
    """Ten players; all have called 2, and Ann has bet 2 on the flop."""
    sheet = all_called((TEN[-1], *TEN[:-1]))
    sheet |= {"players": list(TEN), "dealer": "Jo"}
    bet = {"action": "bet", "player": "Ann", "move": "raise", "to": 2}
    sheet["entries"] = [*sheet["entries"][:11], bet]
    page.goto(served.address(served.put(sheet)))
    open_drawer(page)
    return page


def moves(page: Page) -> list[str]:
    """The moves after the flop, such as “Ben folds”."""
    found = [one for one in entries(page)[11:] if one["action"] == "bet"]
    return [f"{one['player']} {one['move']}s" for one in found]


def test_players_who_fold_are_tapped_and_all_others_call(flop: Page) -> None:
    """Another tap takes a fold back; the button says how many call, and the pot then."""
    does = flop.locator("#street-does")
    expect(flop.locator(".asked")).to_contain_text("Ann bet 2. Who folds?")
    expect(does).to_contain_text("All 9 call 2")
    for name in ("Ben", "Eve", "Jo", "Jo"):
        flop.get_by_label(f"{name} folds").click()
    expect(does).to_contain_text("The other 7 call 2")
    expect(does).to_contain_text("36 in the pot, then the turn")
    ben = flop.locator(".seat").filter(has_text="Ben")
    expect(ben.locator(".folds")).to_be_visible()
    expect(ben.locator(".lifts")).to_be_hidden()
    does.click()
    expect(flop.get_by_role("button", name="Record the turn card")).to_be_visible()
    calls = [f"{name} calls" for name in ("Finn", "Gus", "Hal", "Ida", "Jo")]
    assert moves(flop) == ["Ann raises", "Ben folds", "Cy calls", "Dot calls", "Eve folds", *calls]
    expect(flop.locator("#toast")).to_contain_text("Ben and Eve folded, 7 players called")
    flop.locator("#thumb:not(.steady)").wait_for()
    flop.locator("#toast").get_by_role(
        "button", name="Undo"
    ).click()  # above the drawer of the turn
    expect(flop.locator("#toast")).to_contain_text("Removed: Ben and Eve folded")
    assert moves(flop) == ["Ann raises"]


def test_after_a_raise_everybody_is_asked_again(flop: Page) -> None:
    """Players before it have called, those behind it have yet to act; Undo takes it back."""
    does, seats = flop.locator("#street-does"), flop.locator(".seat")
    flop.get_by_label("Ben folds").click()
    raises(flop, "Gus")
    expect(seats.filter(has_text="Hal").locator(".waits")).to_be_visible()
    expect(seats.filter(has_text="Cy").locator(".stays")).to_be_visible()
    flop.get_by_role("button", name="Raise to: more").click()
    expect(does).to_contain_text("Gus raises to 6")
    expect(does).to_contain_text("Cy, Dot, Eve, and Finn call 2, Ben folds before that")
    flop.locator("label.none").click()  # nobody raises
    expect(does).to_contain_text("The other 8 call 2")
    raises(flop, "Gus")
    expect(does).to_contain_text("Gus raises to")
    flop.get_by_role("button", name="pot 34").click()
    expect(does).to_contain_text("Gus raises to 34")  # 2 to call, and the pot of 32 with it
    does.click()
    expect(flop.locator(".asked")).to_contain_text("Gus raised to 34. Who folds?")
    assert moves(flop)[-2:] == ["Finn calls", "Gus raises"]
    expect(flop.locator(".seat.led")).to_contain_text("Gus")
    flop.locator("#page:not(.steady)").wait_for()
    flop.locator("button.undoes").click()
    expect(flop.locator(".asked")).to_contain_text("Ann bet 2. Who folds?")
    expect(flop.locator("dialog.drawer")).to_be_visible()
    assert moves(flop) == ["Ann raises"]


def test_an_undone_round_is_restored_as_a_whole(flop: Page) -> None:
    """A raise with the calls before it; it can be undone again."""
    flop.get_by_label("Ben folds").click()
    raises(flop, "Gus")
    flop.locator("#street-does").click()
    expect(flop.locator(".asked")).to_contain_text("Gus raised to 4")
    before = moves(flop)
    for button, count in (("Undo", 1), ("Bring it back", len(before)), ("Undo", 1)):
        flop.locator("#thumb:not(.steady)").wait_for()
        flop.locator("#toast").get_by_role("button", name=button).click()
        expect(flop.locator("#toast button")).not_to_have_text(button)
        assert moves(flop) == before[:count]


def test_a_hand_that_all_others_folded_is_shown_before_the_next(flop: Page) -> None:
    """In place of the drawer; one tap leads to the next hand."""
    for name in TEN[1:]:
        flop.get_by_label(f"{name} folds").click()
    flop.locator("#street-does").click()
    expect(flop.locator(".told")).to_contain_text("Ann takes 20")
    expect(flop.locator("dialog.drawer")).to_be_hidden()
    flop.locator("#dock:not(.steady)").get_by_role("link", name="Next hand").click()
    open_drawer(flop)
    expect(flop.locator(".asked")).to_contain_text("Who folds?")


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_ten_seats_and_the_button_are_in_sight(flop: Page, size: ViewportSize) -> None:
    """Without scrolling, also while a raise is entered."""
    flop.set_viewport_size(size)
    for name in ("", "Gus"):
        if name:
            raises(flop, name)
            flop.get_by_role("button", name="Raise to: more").click(trial=True)
        for part in (*flop.locator(".seat").all(), flop.locator(".street .go").first):
            assert part.evaluate(SHOWN), part.inner_text()
    assert sideways(flop) == 0


def test_without_script_a_round_is_a_form(served: ServedBook, plain: Page) -> None:
    """With ticks for folds, a choice of the raiser, and a number."""
    link = served.book.begin("multiple-9-holdem", list(TEN[:4]), "Ann", {})
    plain.goto(served.address(link, "/record"))
    plain.get_by_label("Dot folds").check()
    plain.get_by_label("Ben raises").check()
    plain.locator("input[name='to.1']").fill("8")
    plain.get_by_role("button", name="Record").click()
    said = [(one["player"], one["move"]) for one in entries(plain)]
    assert said == [("Dot", "fold"), ("Ann", "call"), ("Ben", "raise")]

"""A photo in place of taps: in a real browser, over http, with a photo of real cards."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser_steps import begin_sheet, choose, form, open_drawer, recorded
from tests.support.server import Server
from tests.vision import drawn

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]

DIAMONDS = Path(__file__).parents[1] / "vision" / "photos" / "row-of-diamonds.jpg"


def test_a_hand_is_read_mended_and_recorded(server: Server, new_phone: TakePhone) -> None:
    """Green where it is sure, amber where not, and nothing is recorded before the last.

    A correction opens on a hand, and takes a photo in place of what was counted there.

    The ace and the four lie in the open; a three, of which only a corner shows, may be a five. The
    two is in no pack of this game. One card is taken out and put back, and the five confirmed.
    """
    page = new_phone(has_touch=True, is_mobile=True)
    begin_sheet(page, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat"])
    open_drawer(page)
    entry = form(page, "out")
    choose(entry, "player", "Ben")
    entry.locator("[name='hands.2.plain']").evaluate("field => field.value = '2'")
    photograph(page, entry.locator("button.camera:visible"), DIAMONDS)

    mend = page.locator(".mend")
    cards = mend.locator("[data-hand] > .k:not(.ghost)")
    expect(cards).to_have_text(["A♦︎", "4♦︎", "5♦︎"], timeout=60_000)
    expect(page.locator(".camera-dialog h2")).to_have_text("Ann’s cards")
    expect(mend.locator("svg image")).to_have_attribute("href", re.compile("^blob:http"))
    expect(mend.locator(".outline.sure")).to_have_count(2)
    expect(mend.locator(".outline.doubtful")).to_have_count(1)
    expect(mend).to_contain_text("One card was left out")
    expect(mend.locator(".doubt:visible button").first).to_be_focused()  # what is to be done

    cards.first.tap()
    mend.get_by_role("button", name="Take back").tap()
    expect(cards).to_have_text(["4♦︎", "5♦︎"])
    mend.locator(".more").tap()
    mend.locator(".suits label[data-suit=D]").tap()
    mend.locator(".key", has_text=re.compile("^A$")).tap()
    expect(cards).to_have_text(["4♦︎", "5♦︎", "A♦︎"])
    cards.nth(1).tap()
    mend.locator(".doubt:visible").get_by_role("button", name="five of diamonds").tap()
    expect(mend.locator(".outline.sure")).to_have_count(2)  # what was put back is not in the photo
    expect(mend.locator(".doubt")).to_have_count(0)
    use = mend.get_by_role("button", name="Use these cards")
    expect(use).to_be_focused()
    use.tap()

    expect(page.locator(".camera-dialog")).to_have_count(0)
    expect(entry.locator("[name='hands.0']")).to_have_value("4D 5D AD")
    expect(page.locator(".score-pad .opens")).to_have_count(0)
    expect(entry.locator(".will")).to_contain_text("Ben")
    page.locator("[data-record]:visible").tap()
    recorded(page, 1)

    page.locator(".score-pad .opens").tap()
    page.get_by_role("link", name="Correct").tap()
    correction = page.locator("dialog[data-correct] form.entry")
    correction.locator(".tab", has_text="Cat").tap()
    photograph(page, correction.locator("button.camera:visible"), DIAMONDS.with_name("single.jpg"))
    expect(cards).to_have_text(["6♦︎"], timeout=60_000)
    mend.get_by_role("button", name="Use these cards").tap()
    expect(correction.locator("[name='hands.2']")).to_have_value("6D")
    expect(correction.locator(".will")).to_contain_text("Ben’s total")


def photograph(page: Page, sign: Locator, photo: Path) -> None:
    """Tap the sign and take this photo."""
    with page.expect_file_chooser() as taken:
        sign.tap()
    taken.value.set_files(photo)


def test_the_sign_comes_with_a_hand(server: Server, new_phone: TakePhone) -> None:
    """Who went out is asked first, and no cards go there; without script, too.

    With script, the photo is left by its own button, or by the phone's, which closes the drawer.
    """
    begun = new_phone(has_touch=True, is_mobile=True)
    begin_sheet(begun, server.address, "Red Nines (1881)", ["Ann", "Ben"])
    sheet = begun.url
    open_drawer(begun)
    sign = form(begun, "out").locator("button.camera:visible")
    expect(sign).to_have_count(0)
    choose(form(begun, "out"), "player", "Ann")
    photograph(begun, sign, DIAMONDS)
    begun.locator(".camera-dialog").get_by_role("button", name="Close").tap()
    expect(sign).to_be_focused()
    photograph(begun, sign, DIAMONDS)
    begun.go_back()
    expect(begun.locator("dialog[open]")).to_have_count(0)

    page = new_phone(java_script_enabled=False)
    page.goto(f"{sheet}/record")
    entry = form(page, "out")
    expect(entry.get_by_text("Who went out?").first).to_be_visible()
    expect(entry.locator("button.camera:visible")).to_have_count(0)
    entry.locator(".tab", has_text="Ben").click()
    entry.locator("button.camera:visible").click()
    expect(page.locator("input[name='photo.for']").first).to_have_value("hands.1")


def test_the_photo_says_whose_cards_it_is_for(server: Server, new_phone: TakePhone) -> None:
    """By the name that was typed beside them, where a question is about several people."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/referee/multiple-9-holdem/showdown")
    for name in ("Player 1: Hands", "Ann"):
        photograph(page, page.locator("button.camera").first, DIAMONDS)
        dialog = page.locator(".camera-dialog")
        expect(dialog.locator("h2")).to_have_text(name)
        dialog.get_by_role("button", name="Close").tap()
        page.locator("[name='who.0']").fill("Ann")


LIES = [["9", "4", "K"], ["10", "A", "7"], ["2", "8", "5"]]
COLUMNS = "9 10 2 | 4 A 8 | K 7 5"


def grid_photo() -> dict[str, str | bytes]:
    """Nine cards three by three, as `LIES` says."""
    suits = iter("HCDSHCDSH")
    photo = drawn.grid([rank + next(suits) for row in LIES for rank in row])
    return {"name": "grid.jpg", "mimeType": "image/jpeg", "buffer": drawn.saved(photo)}


def seen_as(hand: Locator) -> list[list[str]]:
    """The cards of a hand where they stand on the screen: rows from the top, from the left."""
    places: list[tuple[float, float, str]] = []
    for card in hand.locator(".k").all():
        box = card.bounding_box()
        assert box is not None
        above = [top for top, left, _ in places if left == box["x"]]
        assert all(top + box["height"] <= box["y"] for top in above)  # none lies on another
        found = re.match(r"[\dAJQK]*", card.inner_text())
        assert found is not None
        places.append((box["y"], box["x"], found[0]))
    rows: dict[float, list[str]] = {}
    for top, _, rank in sorted(places):
        rows.setdefault(top, []).append(rank)
    return list(rows.values())


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_a_grid_stands_on_the_phone_as_it_lies_on_the_table(
    server: Server, new_phone: TakePhone, scripted: bool
) -> None:
    """At the referee and in the drawer, while it is mended and in the form; and so it counts."""
    page = new_phone(java_script_enabled=scripted)
    begun = f"{server.address}/referee/colorado-nines/grid?columns=J+|"
    page.goto(begun)
    place = page.locator(".cards-field").first
    photographed(page, place.locator("button.camera"), scripted)
    expect(place.locator("input[autocapitalize]")).to_have_value(COLUMNS)
    expect(page.locator("#ruling")).to_contain_text("8 points.")
    assert seen_as(place.locator(".hand")) == LIES

    begin_sheet(page, server.address, "Colorado Nines", ["Ann", "Ben"])
    open_drawer(page)
    grids = form(page, "grids")
    photographed(page, grids.locator("button.camera:visible").first, scripted)
    place = grids.locator(".cards-field").first
    expect(place.locator("input[autocapitalize]")).to_have_value(COLUMNS)
    if scripted:
        grids.locator(".place > label").first.click()  # the next hand had its turn
    assert seen_as(place.locator(".hand")) == LIES


def photographed(page: Page, sign: Locator, scripted: bool) -> None:
    """The grid photographed for the place with this sign, looked at, and used."""
    if scripted:
        with page.expect_file_chooser() as taken:
            sign.click()
        taken.value.set_files(grid_photo())  # type: ignore[arg-type]
    else:
        sign.click()
        page.locator("input[type=file]").set_input_files(grid_photo())  # type: ignore[arg-type]
        page.get_by_role("button", name="Read the cards").click()
    mend = page.locator(".mend")
    expect(mend.locator(".outline.sure")).to_have_count(9, timeout=60_000)
    assert seen_as(mend.locator(".hand")) == LIES
    mend.get_by_role("button", name="Use these cards").click()

"""All hands of a deal in one photo, in a real browser: read, corrected, reassigned, recorded."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.extras.camera import drawn
from tests.support.browser_fixtures import TakePhone
from tests.support.browser_steps import begin_sheet, choose, entries, form, open_drawer, recorded
from tests.support.server import Server

READS = 60_000  # milliseconds within which a photo is read, on a machine that does other work
FOUR = ["Ann", "Ben", "Cy", "Dot"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Cy's hand at the lower edge, Dot's to the left, Ann's across, and a king in the middle."""
    photo = drawn.table(2400, 2400)
    for cards, turn, (x, y) in (
        ("8S 7D 4C", 0, (1200, 2000)),
        ("KC", 30, (1200, 1150)),
        ("AC JH 3S", -90, (400, 1200)),
        ("KD QS 9D", 180, (1200, 350)),
    ):
        hand = Image.new("RGB", (900, 400), drawn.CLOTH)
        texts = cards.split()
        for at, text in enumerate(texts):
            drawn.lay(hand, text, 450 + 270 * (at - (len(texts) - 1) / 2), 200)
        turned = hand.rotate(turn, Image.Resampling.BICUBIC, expand=True, fillcolor=drawn.CLOTH)
        if len(texts) == 1:
            turned = turned.crop((turned.width // 2 - 250, turned.height // 2 - 250,
                                  turned.width // 2 + 250, turned.height // 2 + 250))  # fmt: skip
        photo.paste(turned, (x - turned.width // 2, y - turned.height // 2))
    path = tmp_path / "table.jpg"
    path.write_bytes(drawn.saved(photo))
    return path


def hands(page: Page) -> Locator:
    return page.locator(".hands-read li")


def whose(page: Page) -> dict[str, str]:
    """The cards under each name; the others under a dash."""
    return {
        hand.locator("select option:checked").inner_text(): " ".join(
            hand.locator(".k").all_inner_texts()
        )
        for hand in hands(page).all()
    }


def test_one_photo_records_the_deal(server: Server, touch: Page, table: Path) -> None:
    """Who went out, the photo, whose phone it is, a look at one hand, and one tap to record."""
    begin_sheet(touch, server.address, "Red Nines (20th century)", FOUR)
    open_drawer(touch)
    entry = form(touch, "out")
    button = entry.locator("button.all-hands")
    expect(button).to_be_hidden()  # whose hands there are isn't known yet
    choose(entry, "player", "Ben")
    with touch.expect_file_chooser() as taken:
        button.tap()
    taken.value.set_files(table)
    expect(hands(touch)).to_have_count(4, timeout=READS)
    expect(touch.locator(".hand-of")).to_have_count(4)
    expect(touch.locator(".table-read > svg image")).to_have_count(1)

    touch.locator("select[name='photo.holder']").select_option("Cy")
    expect(touch.locator(".hand-of", has_text="Cy")).to_have_count(1)
    expect(hands(touch).locator("select").nth(1)).to_have_value("2")
    expect(touch.locator("[name='photo.sat']")).to_have_value("Cy")
    assert whose(touch) == {"Ann": "K Q 9", "Cy": "8 7 4", "Dot": "A J 3", "left aside": "K"}
    will = touch.locator(".table-read .will")
    expect(will).to_contain_text("Cy 19")

    touch.get_by_role("button", name="Change the cards of hand 2").tap()
    mend = touch.locator(".mend")
    mend.locator("[data-hand] > .k", has_text="8").tap()
    mend.locator(".key", has_text="5").tap()
    mend.get_by_role("button", name="Use these cards").tap()
    expect(hands(touch)).to_have_count(4)
    assert whose(touch)["Cy"] == "5 7 4"
    expect(will).to_contain_text("Cy 16")
    record = touch.locator("[data-hands]")
    expect(record).to_contain_text("Record round 1")
    record.tap()
    recorded(touch, 1)
    assert entries(touch)[0]["hands"] == {"Ann": "K Q 9R", "Cy": "5 7 4", "Dot": "A J 3"}

    # The phone knows whose it is.
    open_drawer(touch)
    choose(form(touch, "out"), "player", "Ben")
    with touch.expect_file_chooser() as taken:
        form(touch, "out").locator("button.all-hands").tap()
    taken.value.set_files(table)
    expect(touch.locator("[name='photo.sat']")).to_have_value("Cy", timeout=READS)


def test_a_hand_that_is_missing_is_asked_for(server: Server, touch: Page, table: Path) -> None:
    """Nothing is recorded then: the drawer has the others, and goes on with whose is missing.

    Its fields have the letters of the deck.
    """
    touch.context.add_cookies([{"name": "letters", "value": "BDK", "url": server.address}])
    begin_sheet(touch, server.address, "Red Nines (20th century)", [*FOUR, "Eve"])
    open_drawer(touch)
    entry = form(touch, "out")
    choose(entry, "player", "Ben")
    with touch.expect_file_chooser() as taken:
        entry.locator("button.all-hands").tap()
    taken.value.set_files(table)
    expect(hands(touch)).to_have_count(4, timeout=READS)
    aside = hands(touch).locator("select").nth(0)
    aside.select_option("-1")
    expect(touch.locator(".table-read .warn")).to_contain_text("No hand was seen for")
    use = touch.locator("[data-hands]")
    expect(use).to_contain_text("Use these hands")
    use.tap()
    expect(touch.locator(".camera-dialog")).to_have_count(0)
    expect(entry.locator(".tab", has_text="Ann").locator("input")).to_be_checked()
    expect(entry.locator("[name='hands.2']")).not_to_have_value("")
    laid = entry.locator(".cards-field input:not([type])")
    assert "A B 3" in [laid.nth(seat).input_value() for seat in range(5)]
    assert entries(touch) == []


def test_without_script(server: Server, new_phone: TakePhone, table: Path) -> None:
    """Page by page, with a select for each hand."""
    page = new_phone(java_script_enabled=False)
    begun = new_phone()
    begin_sheet(begun, server.address, "Red Nines (20th century)", FOUR)
    page.goto(f"{begun.url}/record")
    entry = form(page, "out")
    entry.locator(".by-name label", has_text="Ben").click()
    entry.locator(".tab", has_text="Ann").click()
    entry.locator("button.all-hands").click()
    page.locator("input[type=file]").set_input_files(table)
    page.get_by_role("button", name="Read the cards").click(timeout=READS)
    expect(hands(page)).to_have_count(4, timeout=READS)
    page.locator("select[name='photo.holder']").select_option("Cy")
    page.get_by_role("button", name="Show whose they are now").click()
    assert whose(page) == {"Ann": "K Q 9", "Cy": "8 7 4", "Dot": "A J 3", "left aside": "K"}
    page.get_by_role("button", name="Use these hands").click()
    expect(form(page, "out").locator("[name='hands.2']")).to_have_value("8 7 4")
    form(page, "out").get_by_role("button", name="Record round 1").click()
    assert entries(begun)[0]["hands"] == {"Ann": "K Q 9R", "Cy": "8 7 4", "Dot": "A J 3"}

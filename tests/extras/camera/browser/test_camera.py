"""Entering cards by photo, over plain http, with photos of real and of drawn cards."""

import os
import re
from collections.abc import Sequence
from itertools import cycle, product
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.browser.screens import THEMES
from tests.browser.test_screens import violations
from tests.extras.camera import drawn
from tests.support.browser_fixtures import TakePhone
from tests.support.browser_steps import begin_sheet, choose, form, open_drawer, recorded, rows
from tests.support.campaign import usual_or_nightly
from tests.support.chromium import PHONE
from tests.support.server import Server

READS = 60_000  # milliseconds for reading a photo, on a machine with other work

PHOTOS = Path(__file__).parents[1] / "photos"
DIAMONDS = PHOTOS / "row-of-diamonds.jpg"
#: A folder with further photos to send through the page.
MORE_PHOTOS = os.environ.get("REFEREE_PHOTOS")


def test_a_hand_is_read_corrected_and_recorded(server: Server, touch: Page) -> None:
    """Sure cards are green, doubtful ones amber; nothing is recorded before the last button.

    A correction of the deal can replace a counted hand by a photo, too.

    Only corners of the three are visible, so it is seen twice, once as a doubtful five. The two is
    in no pack of this game. One card is removed and added again, and the five confirmed.
    """
    begin_sheet(touch, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat"])
    open_drawer(touch)
    entry = form(touch, "out")
    choose(entry, "player", "Ben")
    entry.locator("[name='hands.2.plain']").evaluate("field => field.value = '2'")
    photograph(touch, entry.locator("button.camera:visible"), DIAMONDS)

    mend = touch.locator(".mend")
    cards = mend.locator("[data-hand] > .k:not(.ghost)")
    expect(cards).to_have_text(["A♦︎", "4♦︎", "5♦︎", "5♦︎"], timeout=READS)
    expect(touch.locator(".camera-dialog h2")).to_have_text("Ann’s cards")
    expect(mend.locator("svg image")).to_have_attribute("href", re.compile("^blob:http"))
    expect(mend.locator(".outline.sure")).to_have_count(2)
    expect(mend.locator(".outline.doubtful")).to_have_count(2)
    expect(mend).to_contain_text("One card was left out")
    doubts = mend.locator("[data-open-doubts]")
    expect(doubts).to_have_text("2 cards in doubt")
    expect(mend.locator(".doubt:visible button").first).to_be_focused()  # the next thing to do
    mend.locator(".doubt:visible").get_by_role("button", name="Remove it").tap()
    expect(cards).to_have_text(["A♦︎", "4♦︎", "5♦︎"])
    expect(doubts).to_have_text("1 card in doubt")

    cards.first.tap()
    mend.get_by_role("button", name="Take back").tap()
    expect(cards).to_have_text(["4♦︎", "5♦︎"])
    mend.locator(".more").tap()
    mend.locator(".suits label[data-suit=D]").tap()
    mend.locator(".key", has_text=re.compile("^A$")).tap()
    expect(cards).to_have_text(["4♦︎", "5♦︎", "A♦︎"])
    cards.nth(1).tap()
    mend.locator(".doubt:visible").get_by_role("button", name="five of diamonds").tap()
    expect(mend.locator(".outline.sure")).to_have_count(2)  # a card added is not in the photo
    expect(mend.locator(".doubt")).to_have_count(0)
    expect(doubts).to_be_hidden()
    use = mend.get_by_role("button", name="Use these cards")
    expect(use).to_be_focused()
    use.tap()

    expect(touch.locator(".camera-dialog")).to_have_count(0)
    expect(entry.locator("[name='hands.0']")).to_have_value("4D 5D AD")
    rows(touch, 0)
    expect(entry.locator(".will")).to_contain_text("Ben")
    touch.locator("[data-record]:visible").tap()
    recorded(touch, 1)
    corrected_by_photo(touch)


def corrected_by_photo(page: Page) -> None:
    """Correct the deal, replacing a counted hand by a photo."""
    mend = page.locator(".mend")
    cards = mend.locator("[data-hand] > .k:not(.ghost)")
    page.locator(".score-pad .opens").tap()
    page.get_by_role("link", name="Correct").tap()
    correction = page.locator("dialog[data-correct] form.entry")
    correction.locator(".tab", has_text="Cat").tap()
    photograph(page, correction.locator("button.camera:visible"), DIAMONDS.with_name("single.jpg"))
    expect(cards).to_have_text(["6♦︎"], timeout=READS)
    mend.get_by_role("button", name="Use these cards").tap()
    expect(correction.locator("[name='hands.2']")).to_have_value("6D")
    expect(correction.locator(".will")).to_contain_text("Ben’s total")


def photograph(page: Page, sign: Locator, photo: Path) -> None:
    """Tap the camera and take this photo."""
    with page.expect_file_chooser() as taken:
        sign.tap()
    taken.value.set_files(photo)


def test_only_hands_have_a_camera(server: Server, plain: Page, new_phone: TakePhone) -> None:
    """Not beside the question who went out; also without script."""
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

    plain.goto(f"{sheet}/record")
    entry = form(plain, "out")
    expect(entry.get_by_text("Who went out?").first).to_be_visible()
    expect(entry.locator("button.camera:visible")).to_have_count(0)
    entry.locator(".tab", has_text="Ben").click()
    entry.locator("button.camera:visible").click()
    expect(plain.locator("input[name='photo.for']").first).to_have_value("hands.1")


def test_the_photo_says_whose_cards_it_is_for(server: Server, touch: Page) -> None:
    """By the name typed beside them, in a question about several people."""
    touch.goto(f"{server.address}/referee/multiple-9-holdem/showdown")
    for name in ("Player 1: Hands", "Ann"):
        photograph(touch, touch.locator("button.camera").first, DIAMONDS)
        dialog = touch.locator(".camera-dialog")
        expect(dialog.locator("h2")).to_have_text(name)
        dialog.get_by_role("button", name="Close").tap()
        touch.locator("[name='who.0']").fill("Ann")


LIES = [["9", "4", "K"], ["10", "A", "7"], ["2", "8", "5"]]
COLUMNS = "9 10 2 | 4 A 8 | K 7 5"


def grid_photo(side: int = 0, across: Sequence[int] = ()) -> FilePayload:
    """A photo of nine cards as in `LIES`, some lying `across`, taken from one side."""
    suits, photo = iter("HCDSHCDSH"), drawn.table(1300, 1400)
    for at, rank in enumerate(rank for row in LIES for rank in row):
        x, y = 250 + 400 * (at % 3), 250 + 430 * (at // 3)
        drawn.lay(photo, rank + next(suits), x, y, 90 * (at in across))
    turned = photo.rotate(-side, expand=True)
    return {"name": "grid.jpg", "mimeType": "image/jpeg", "buffer": drawn.saved(turned)}


def seen_as(hand: Locator) -> list[list[str]]:
    """The cards of a hand by their position on the screen, row by row."""
    places: list[tuple[float, float, str]] = []
    for card in hand.locator(".k").all():
        box = card.bounding_box()
        assert box is not None
        above = [top for top, left, _ in places if left == box["x"]]
        assert all(top + box["height"] <= box["y"] for top in above)  # none overlaps another
        found = re.match(r"[\dAJQK]*", card.inner_text())
        assert found is not None
        places.append((box["y"], box["x"], found[0]))
    rows: dict[float, list[str]] = {}
    for top, _, rank in sorted(places):
        rows.setdefault(top, []).append(rank)
    return list(rows.values())


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_a_grid_is_shown_as_on_the_table(
    server: Server, new_phone: TakePhone, scripted: bool
) -> None:
    """In questions and in the drawer, while it is corrected and in the form.

    The photo is taken from the front, and then from the side.
    """
    page = new_phone(java_script_enabled=scripted)
    begun = f"{server.address}/referee/colorado-nines/grid?columns=J+|"
    page.goto(begun)
    photographed(page, page.locator("button.camera:visible"), scripted)
    expect(page.locator("input[autocapitalize]")).to_have_value(COLUMNS)
    expect(page.locator("#ruling")).to_contain_text("8 points.")
    expect(page.locator("#felt .sums span")).to_have_count(3)
    assert seen_as(page.locator("#felt .hand")) == LIES

    begin_sheet(page, server.address, "Colorado Nines", ["Ann", "Ben"])
    open_drawer(page)
    grids = form(page, "grids")
    photographed(page, grids.locator("button.camera:visible").first, scripted, side=90)
    place = grids.locator(".cards-field").first
    expect(place.locator("input[autocapitalize]")).to_have_value(COLUMNS)
    if scripted:
        grids.locator(".place > label").first.click()  # back from the next hand
    assert seen_as(place.locator(".hand")) == LIES


def send_photo(page: Page, sign: Locator, photo: Path | FilePayload, scripted: bool) -> None:
    """Tap the camera and send this photo, by script or by the form of its page."""
    if scripted:
        with page.expect_file_chooser() as taken:
            sign.click()
        taken.value.set_files(photo)
    else:
        sign.click()
        page.locator("input[type=file]").set_input_files(photo)
        page.get_by_role("button", name="Read the cards").click(timeout=READS)


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_if_cards_lie_along_and_across_the_page_asks_for_the_columns(
    server: Server, new_phone: TakePhone, scripted: bool
) -> None:
    """By a picture of each way; the answer can be changed by a tap."""
    page = new_phone(java_script_enabled=scripted)
    page.goto(f"{server.address}/referee/colorado-nines/grid?columns=J+|")
    sign = page.locator("button.camera:visible")
    send_photo(page, sign, grid_photo(across=[0, 2, 4, 6]), scripted)
    expect(page.get_by_text("Which way do the columns run?")).to_be_visible(timeout=READS)
    expect(page.locator("svg.photo image")).to_have_count(2 if scripted else 0)
    hand = page.locator(".mend .hand")
    page.get_by_role("button", name="Across the photo").click()
    expect(page.locator(".mend .outline.sure")).to_have_count(9)
    assert seen_as(hand) == [list(column) for column in zip(*LIES, strict=True)]
    page.get_by_role("button", name="Swap rows and columns").click()
    expect(page.locator("[name='photo.swap']")).to_have_attribute("value", "yes")
    assert seen_as(hand) == LIES
    page.get_by_role("button", name="Use these cards").click()
    expect(page.locator("input[autocapitalize]")).to_have_value(COLUMNS)


def photographed(page: Page, sign: Locator, scripted: bool, side: int = 0) -> None:
    """Photograph the grid from this side, and use the cards."""
    send_photo(page, sign, grid_photo(side), scripted)
    mend = page.locator(".mend")
    expect(mend.locator(".outline.sure")).to_have_count(9, timeout=READS)
    assert seen_as(mend.locator(".hand")) == LIES
    mend.get_by_role("button", name="Use these cards").click()


def nine_of_hearts(side: int, quality: int) -> bytes:
    """A photo of a card on a cloth, with the grain of a dim room."""
    photo = Image.effect_noise((side, side), 10).convert("RGB")
    photo.paste(drawn.row(["9H"]).resize((350, 525)), (100, 60))
    return drawn.saved(photo, quality=quality)


#: JPEG qualities, and the rough sizes in kB: from what the script sends to what phones take.
SIZES = usual_or_nightly(
    {20: (600, 35), 300: (1000, 90), 4000: (3350, 90)},
    {20: (600, 35), 80: (600, 90), 130: (1000, 60), 1400: (2000, 90), 4000: (3350, 90)},
)


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_photos_of_every_size_are_read(
    server: Server, new_phone: TakePhone, tmp_path: Path, scripted: bool
) -> None:
    """Shrunk by the script, or unchanged by the form without script."""
    page = new_phone(java_script_enabled=scripted)
    for size, (side, quality) in SIZES.items():
        photo = tmp_path / f"{size}.jpg"
        photo.write_bytes(nine_of_hearts(side, quality))
        assert 0.8 * size < photo.stat().st_size / 1000 < 1.2 * size
        ask_with(page, server, photo, scripted)
        expect(page.locator(".mend [name='photo.cards']")).to_have_value("9H", timeout=READS)


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_every_photo_arrives(server: Server, new_phone: TakePhone, scripted: bool) -> None:
    """Whatever is read: those of this folder, and all in the folder `REFEREE_PHOTOS`."""
    page = new_phone(java_script_enabled=scripted)
    kept = sorted(PHOTOS.glob("*.jpg"))
    if usual_or_nightly(True, False):
        kept = kept[scripted::2]  # half of them with script, half without
    photos = [*kept, *Path(MORE_PHOTOS or PHOTOS / "none").rglob("*.jpg")]
    arrived = {}
    for photo in photos:
        ask_with(page, server, photo, scripted)
        answer = page.locator(".mend, .from-photo .faults, main .faults").first
        expect(answer).to_be_visible(timeout=READS)
        arrived[photo.name] = page.locator(".mend").count() == 1 or answer.inner_text()
    assert [name for name, found in arrived.items() if found is not True] == []


#: Files that cannot be read, and what the page says.
WRONG = {
    "empty": (b"", "The file is empty."),
    "too large": (b"\xff\xd8" + b"\xff" * 21_000_000, "This photo is larger than 20 MB."),
    "cut short": (
        drawn.saved(drawn.row(["9H"]))[:9000],
        "This photo is damaged or incomplete.",
    ),
    "HEIC": (b"\0\0\0\x18ftypheic" + b"\0" * 99, "This is a HEIC photo"),
    "no photo": (b"%PDF-1.7", "This isn’t a photo"),
}
SCRIPTED = ("script", "no script")


@pytest.mark.parametrize(
    ("wrong", "how"),
    usual_or_nightly(
        list(zip(WRONG, cycle(SCRIPTED), strict=False)), list(product(WRONG, SCRIPTED))
    ),
)
def test_after_a_photo_that_cannot_be_read_another_is_taken(
    server: Server, new_phone: TakePhone, tmp_path: Path, wrong: str, how: str
) -> None:
    """The page says what was wrong, and keeps what was typed.

    By day with script and without by turns, in a nightly run each in both ways.
    """
    scripted = how == "script"
    page = new_phone(java_script_enabled=scripted)
    page.goto(f"{server.address}/referee/nine-five-two/follow?led=4S")
    sent, (photo, says) = tmp_path / "IMG.jpg", WRONG[wrong]
    sent.write_bytes(photo)
    send_photo(page, page.locator("button.camera:visible").first, sent, scripted)
    expect(page.locator(".faults")).to_contain_text(says, timeout=READS)
    if not scripted:
        expect(page.locator("[name='led']").first).to_have_value("4S")
    page.locator("input[type=file]").set_input_files(PHOTOS / "single.jpg")
    if not scripted:
        page.get_by_role("button", name="Read the cards").click(timeout=READS)
    expect(page.locator(".mend [name='photo.cards']")).to_have_value("6D", timeout=READS)


def ask_with(page: Page, server: Server, photo: Path, scripted: bool) -> None:
    """Send this photo from the page of a question that asks for suits."""
    page.goto(f"{server.address}/referee/nine-five-two/follow")
    send_photo(page, page.locator("button.camera").first, photo, scripted)


def test_the_correction_of_a_photo_is_accessible(chromium: Browser, server: Server) -> None:
    """With a card in doubt in the light theme, with the keys for another in the dark one."""
    page = chromium.new_page(viewport=PHONE, bypass_csp=True)
    page.goto(f"{server.address}/referee/nine-five-two/follow")
    with page.expect_file_chooser() as taken:
        page.locator("button.camera").first.click()
    taken.value.set_files(DIAMONDS)
    expect(page.locator(".doubt:visible")).to_be_visible(timeout=60_000)
    found = {}
    for doing, theme in zip(("a card in doubt", "another card"), THEMES, strict=True):
        page.emulate_media(color_scheme=theme)
        if wrong := violations(page):
            found[f"{doing}, {theme}"] = wrong
        page.get_by_role("button", name="Another card").first.click()
    page.close()
    assert found == {}

"""The end of a game on a phone: winners, facts, the picture to send, the next game."""

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from referee.ledger.store import Link
from referee.sheets.evening import EveningBook
from tests.browser.conftest import TakePhone
from tests.support.chromium import PHONE
from tests.support.served_book import ServedBook
from tests.support.some_deals import some_sheet

MOST_BYTES = 250_000


def points_alone(served: ServedBook, players: int, deals: int, last: int | None = None) -> Link:
    """The host's link to a game that ended after `deals` deals, all even but the `last`."""
    sheet = some_sheet("plain-score", players, deals)
    return served.put(sheet | {"options": {"deals": last or deals}})


def test_no_player_is_alone_in_a_row(served: ServedBook, page: Page) -> None:
    """Two or three are side by side, more in pairs, an odd one beside two."""
    for players in range(2, 11):
        page.goto(served.address(points_alone(served, players, 2)))
        for width in (360, 390):
            page.set_viewport_size({"width": width, "height": 740})
            tops = page.locator(".podium li").evaluate_all(
                "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
            )
            rows = list(Counter(tops).values())
            assert sum(rows) == players
            assert rows[0] == (3 if players % 2 else 2), (players, width)
            assert set(rows[1:]) <= {2}, (players, width)


def test_the_cards_shown_are_typical_of_the_game(served: ServedBook, page: Page) -> None:
    """None for Any Other Game."""
    fans = {"nine-five-two": "9♥5♠2♦", "red-nines-1881": "A♥9♥9♦A♦", "plain-score": ""}
    for slug, cards in fans.items():
        sheet = some_sheet(slug, 3, 2)
        over = sheet | {"entries": [*sheet["entries"], {"action": "stop"}]}
        page.goto(served.address(served.put(over)))
        shown = page.locator(".over .fan .k").all_text_contents()
        assert "".join(shown).replace("\ufe0e", "") == cards
        to_pay = page.locator(".facts", has_text="To pay")
        expect(to_pay).to_have_count(1 if slug == "red-nines-1881" else 0)


@pytest.mark.parametrize(("players", "deals"), [(2, 1), (6, 12), (16, 200)])
def test_a_picture_can_be_saved(served: ServedBook, page: Page, players: int, deals: int) -> None:
    """By one tap: a PNG at twice the resolution, small enough to send."""
    page.goto(served.address(points_alone(served, players, deals)))
    with page.expect_download() as coming:
        page.get_by_role("button", name="Picture").click()
    assert coming.value.suggested_filename.startswith("plain-score-20")
    assert coming.value.suggested_filename.endswith(".png")
    body = Path(coming.value.path()).read_bytes()
    assert len(body) <= MOST_BYTES
    with Image.open(io.BytesIO(body)) as picture:
        picture.load()
        assert (picture.format, picture.width) == ("PNG", 780)
        colors = picture.convert("RGB").getcolors(maxcolors=1 << 20)
    assert colors is not None
    assert len(colors) > 50  # it is not blank


def test_the_picture_is_shared_if_the_phone_can_share_files(served: ServedBook, page: Page) -> None:
    """Over https the phone's share sheet gets the file, and nothing is saved."""
    page.add_init_script(
        "navigator.canShare = (what) => what.files.length === 1;"
        "navigator.share = async (what) => { window.shared = what.files[0]; };"
    )
    page.goto(served.address(points_alone(served, 3, 4)))
    page.get_by_role("button", name="Picture").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("[shared.type, shared.name.endsWith('.png'), shared.size > 5000]") == [
        "image/png", True, True,
    ]  # fmt: skip


def test_a_picture_that_can_not_be_made_says_so(served: ServedBook, page: Page) -> None:
    """On the button, where a browser runs out of room for it or refuses to draw."""
    page.goto(served.address(points_alone(served, 3, 4)))
    for fails in ("toBlob = (done) => done(null)", "getContext = () => null"):
        page.reload()
        page.evaluate(f"void (HTMLCanvasElement.prototype.{fails})")
        page.get_by_role("button", name="Picture").click()
        expect(page.get_by_role("button", name="This browser can’t do that.")).to_be_visible()


def test_the_page_scrolls_to_its_top_when_the_game_ends(
    served: ServedBook, new_phone: TakePhone
) -> None:
    """Also on a viewer's phone, and only once."""
    link = points_alone(served, 3, 8, last=9)
    looks = new_phone()
    looks.set_viewport_size({"width": 390, "height": 500})
    looks.goto(f"{served.server.address}/s/{served.book.hosting.links(link)['view']}")
    looks.evaluate("window.scrollTo(0, 300)")
    assert looks.evaluate("scrollY") > 0
    points = {"action": "deal", "points": {"Ann": 30, "Ben": 1, "Cy": 0}}
    served.book.record(link, points, served.book.open(link).mark, "the-last-one")
    expect(looks.locator(".over.just-now h2")).to_have_text("Ann wins")
    looks.wait_for_function("() => scrollY === 0")
    looks.reload()
    expect(looks.locator(".over h2")).to_be_visible()
    expect(looks.locator(".over.just-now")).to_have_count(0)


def test_the_end_has_no_animation_with_reduced_motion(
    served: ServedBook, new_phone: TakePhone
) -> None:
    """As the phone's settings ask."""
    link = points_alone(served, 3, 8, last=9)
    page = new_phone(reduced_motion="reduce")
    page.goto(served.address(link))
    points = {"action": "deal", "points": {"Ann": 30, "Ben": 1, "Cy": 0}}
    served.book.record(link, points, served.book.open(link).mark, "the-last-one")
    expect(page.locator(".over.just-now h2")).to_be_visible()
    moves = "document.getAnimations().filter((one) => one.animationName !== 'undo-stays').length"
    assert page.evaluate(moves) == 0  # the toast disappears without moving


def test_the_first_screen_has_winners_places_facts_and_undo(served: ServedBook, page: Page) -> None:
    """A tap on Undo continues the game, with chart and keys."""
    page.goto(served.address(points_alone(served, 6, 7)))
    dock = page.locator("#dock").bounding_box()
    assert dock is not None
    assert dock["y"] + dock["height"] <= PHONE["height"]
    for part in (".over h2", ".podium li:last-child", ".facts", "#toast"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= dock["y"], part
    expect(page.locator(".chart")).to_have_count(1)
    page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".over")).to_have_count(0)
    expect(page.locator("#chart .chart")).to_be_visible()
    expect(page.locator("#dock").get_by_role("link", name="Record deal 7")).to_be_visible()


def test_play_again_is_one_tap(served: ServedBook, page: Page) -> None:
    """The same players in the same seats, with the next dealer."""
    page.goto(served.address(points_alone(served, 4, 5)))
    page.locator("#dock").get_by_role("button", name="Play again").click()
    expect(page.locator("#live .now")).to_be_visible()
    names = page.locator(".score-pad thead .name")
    expect(names).to_have_count(4)
    expect(names.nth(1)).to_contain_text("deals")  # Ann dealt the first and the fifth


def test_the_end_says_how_often_two_beat_each_other(
    served: ServedBook, page: Page, other: Page
) -> None:
    """In the games of the evening, whichever of them a phone has opened."""
    *evening, alone = (points_alone(served, 2, deals) for deals in (1, 3, 5, 2))
    EveningBook(served.book).join(evening)
    for phone in (page, other):
        phone.goto(served.address(evening[-1]))
        last = phone.locator(".facts li").last
        expect(last).to_have_text(re.compile(r"Ann against Ben this evening\s*3 games to 0"))
    page.goto(served.address(alone))
    page.wait_for_load_state("networkidle")  # the change would have replaced that line
    expect(last_fact := page.locator(".facts li").last).to_contain_text("this evening")
    expect(last_fact).to_contain_text("first game")


def test_without_script_there_is_no_picture(served: ServedBook, plain: Page) -> None:
    """All else is there, such as the next game."""
    plain.goto(served.address(points_alone(served, 3, 4)))
    expect(plain.locator("[data-picture]")).to_be_hidden()
    expect(plain.locator(".over h2")).to_be_visible()
    plain.locator("#dock").get_by_role("button", name="Play again").click()
    expect(plain.locator("#live .now")).to_be_visible()

"""The chart on small screens, on live boards, and on paper."""

from itertools import pairwise

from playwright.sync_api import Locator, Page, expect

from referee.ledger.chain import Mark
from tests.browser.conftest import TakePhone
from tests.browser.test_phones import LONG
from tests.support.browser_steps import form, sideways
from tests.support.chromium import SMALL
from tests.support.served_book import ServedBook
from tests.support.server import Server


def boxes(found: Locator) -> list[dict[str, float]]:
    assert found.count() > 0
    return [box for box in (one.bounding_box() for one in found.all()) if box]  # type: ignore[misc]


def test_nine_names_are_readable_on_a_small_screen(server: Server, page: Page) -> None:
    """Their lines end close together; no name touches another or leaves the screen."""
    page.set_viewport_size(SMALL)
    query = "&".join(f"name={name}" for name in LONG)
    page.goto(f"{server.address}/new/9-of-a-kind?{query}")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="More").click()
    page.get_by_text("Penalty or bonus").click()
    form(page, "adjust").get_by_role("radio", name=LONG[0]).check()
    form(page, "adjust").get_by_label("Points").fill("12")
    form(page, "adjust").get_by_label("What for").fill("a good joke")
    form(page, "adjust").get_by_role("button", name="Record it").click()
    expect(page.locator(".chart .names > g")).to_have_count(9)
    found = boxes(page.locator(".chart .names text"))
    tops = sorted(box["y"] for box in found)
    assert all(below - above >= 13 for above, below in pairwise(tops))
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= SMALL["width"] for box in found)
    small = "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
    assert all(one.evaluate(small) >= 11 for one in page.locator(".chart text").all())
    assert sideways(page) == 0
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="Print").click()
    expect(page.locator(".play")).to_be_visible()
    assert sideways(page) == 0


def test_the_chart_grows_on_a_viewers_phone(served: ServedBook, page: Page) -> None:
    """It appears with the first deal, grows with the next, and stays beside the result."""
    link = served.book.begin("multiple-9", ["Ann", "Ben"], "Ann", {"target": 2})
    page.goto(f"{served.server.address}/s/{served.book.hosting.links(link)['view']}")
    expect(page.locator("#chart")).to_be_hidden()
    served.book.record(link, {"action": "out", "player": "Ann"}, Mark(0), "first")
    expect(page.locator("#chart .chart")).to_be_visible()
    served.book.record(link, {"action": "out", "player": "Ann"}, Mark(1), "second")
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    chart, pad = boxes(page.locator("#live .chart"))[0], boxes(page.locator(".scores"))[0]
    assert chart["y"] < pad["y"]


def test_paper_is_white_and_has_no_buttons(served: ServedBook, new_phone: TakePhone) -> None:
    """Printed by the host in the dark theme: black on white, with the view link's code only."""
    page = new_phone(color_scheme="dark")
    sheet = served.address(served.sheet("multiple-9", 2, 1))
    page.goto(sheet)
    page.get_by_role("link", name="More").click()
    page.get_by_role("link", name="Print").click()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    assert not page.url.startswith(sheet)
    colors = "() => [document.body, document.querySelector('h1')].map(e => getComputedStyle(e))"
    colors += ".map((s, i) => i ? s.color : s.backgroundColor)"
    assert page.evaluate(colors) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.locator(".chart")).to_be_visible()
    for tapped in ("button", ".back", ".bar", "form", ".numbers"):
        expect(page.locator(tapped).locator("visible=true")).to_have_count(0)
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Back").click()
    expect(page).to_have_url(sheet)


def test_rules_print_black_on_white_without_buttons(server: Server, new_phone: TakePhone) -> None:
    """Also in the dark theme."""
    page = new_phone(color_scheme="dark")
    page.goto(f"{server.address}/rules/multiple-9")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".bar, .back").locator("visible=true")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_no_two_of_ten_share_a_color(served: ServedBook, new_phone: TakePhone) -> None:
    """In both themes, on the pad and in the chart; dots stand out from their ground."""
    link = served.sheet("plain-score", 10, 3)
    for scheme in ("light", "dark"):
        page = new_phone(color_scheme=scheme)
        page.goto(served.address(link))
        paint = "all => all.map(one => getComputedStyle(one).backgroundColor)"
        dots = page.locator(".score-pad .name .dot").evaluate_all(paint)
        assert len(set(dots)) == len(dots) == 10, scheme
        stroke = "all => all.map(one => getComputedStyle(one).color)"
        assert page.locator(".chart .lines > g").evaluate_all(stroke) == dots


def test_players_keep_their_colors_when_one_leaves(served: ServedBook, page: Page) -> None:
    """On the pad and in the chart."""
    link = served.sheet("plain-score", 5, 2)
    stroke = """all => Object.fromEntries(all.map(one => {
      const [line, dots] = [...one.children].map(getComputedStyle);
      const look = [line.color, line.strokeDasharray, dots.strokeLinecap];
      return [one.dataset.line, look.join()];
    }))"""
    page.goto(served.address(link))
    before = page.locator(".chart .lines > g").evaluate_all(stroke)
    served.book.record(link, {"action": "leave", "player": "Ben"}, Mark(2), "leave")
    page.goto(served.address(link))
    assert page.locator(".chart .lines > g").evaluate_all(stroke) == before

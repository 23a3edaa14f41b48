"""The score pad on a phone: what is in sight, what a tap unfolds, and live updates."""

from itertools import combinations, pairwise

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from referee.ledger.chain import Mark
from referee.rules.registry import GAMES
from referee.sheets.comparison import Change
from referee.sheets.files import sheet_from
from referee.sheets.history import Remark
from tests.browser.screens import at_text_size
from tests.support.browser_steps import closed, keys, sideways
from tests.support.chromium import PHONE, SMALL
from tests.support.served_book import ServedBook
from tests.support.server import Server
from tests.support.some_deals import NAMES, some_sheet


def test_three_deals_fit_on_the_first_screen(served: ServedBook, page: Page) -> None:
    """With six players in every game: all deals above the key that records."""
    for slug in GAMES:
        page.goto(served.address(served.sheet(slug, 6, 3)))
        dock = page.locator("#dock").bounding_box()
        last = page.locator(".score-pad tbody tr").last.bounding_box()
        assert dock is not None
        assert last is not None
        assert page.locator(".score-pad .opens").count() == 3, slug
        assert last["y"] + last["height"] <= dock["y"], slug
        assert dock["y"] + dock["height"] <= PHONE["height"], slug
        assert page.evaluate("scrollY") == 0, slug


def test_all_rows_have_the_same_height(served: ServedBook, page: Page) -> None:
    """A figure and a word in each cell; details are in the opened row."""
    page.set_viewport_size(SMALL)
    for slug in GAMES:
        page.goto(served.address(served.sheet(slug, 5, 6)))
        rows = page.locator(".score-pad tbody tr:has(.opens)")
        heights = rows.evaluate_all("all => all.map(row => row.getBoundingClientRect().height)")
        assert len(heights) == 6, slug
        assert max(heights) - min(heights) <= 1, (slug, heights)  # a line between two


def test_the_row_of_a_void_deal_has_the_same_height(served: ServedBook, page: Page) -> None:
    """With its reason in small type."""
    sheet = some_sheet("pink-nines", 4, 2)
    sheet["entries"].append({"action": "abandon", "reason": "cards dropped"})
    page.set_viewport_size(SMALL)
    page.goto(served.address(served.put(sheet)))
    void, deal = page.locator("tr.void"), page.locator(".score-pad tbody tr").first
    size = "(row) => row.getBoundingClientRect().height"
    assert void.evaluate(size) - deal.evaluate(size) <= 1
    letters = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    assert void.locator("td").evaluate(letters) < deal.locator("td b").first.evaluate(letters)


@pytest.mark.parametrize("width", [390, 360])
def test_the_head_of_a_dealer_to_act_has_one_line(
    served: ServedBook, page: Page, width: int
) -> None:
    """A column of six has room for an arrow, a short name and a D, and a row for a note's mark."""
    link = served.book.begin("multiple-9-holdem", list(NAMES[:6]), None, {})
    served.book.record(
        link, {"action": "hand", "won": {"Cy": 3}, "lost": {"Ben": 3}}, Mark(0), "hand"
    )
    served.book.remark(link, Remark("deal", "misdealt twice", 1), Mark(1), "note")
    served.book.record(link, {"action": "dealer", "player": "Ann"}, Mark(2), "button")
    for row, player in enumerate(NAMES[3:6], 3):
        bet = {"action": "bet", "player": player, "move": "call"}
        served.book.record(link, bet, Mark(row), player)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(served.address(link))
    expect(page.locator(".acts .d")).to_be_visible()
    names = page.locator(".score-pad thead .name")
    heights = names.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(heights) - min(heights) < 6, heights
    noted = page.locator(".score-pad tbody tr:has(.has-note)")
    number, note = (
        noted.locator(part).bounding_box() for part in (".opens > span + span", ".icon")
    )
    assert number
    assert note
    assert note["y"] + note["height"] <= number["y"] + 1


def test_ten_players_without_scrolling_sideways(served: ServedBook, page: Page) -> None:
    """A row a player, with totals and the latest deals; a swipe inside shows earlier ones."""
    page.set_viewport_size(SMALL)
    page.goto(served.address(served.sheet("multiple-9-holdem", 10, 20)))
    pad = page.get_by_role("table", name="Score pad")
    assert sideways(page) == 0
    expect(pad.get_by_role("rowheader")).to_have_count(10)
    first, last = (pad.get_by_role("columnheader", name=f"Hand {n}", exact=True) for n in (1, 20))
    always = (pad.get_by_role("rowheader", name="Ann"), pad.locator("td.total").first)
    for seen in (*always, last):
        expect(seen).to_be_in_viewport(ratio=1)
    expect(first).not_to_be_in_viewport()
    page.locator(".scores").evaluate("pad => pad.scrollLeft = -pad.scrollWidth")
    for seen in (*always, first):
        expect(seen).to_be_in_viewport(ratio=1)
    edges = [one.evaluate("cell => cell.getBoundingClientRect()") for one in (*always, first)]
    for one, next_ in pairwise(edges):
        assert one["right"] <= next_["left"] + 1


def test_ten_players_on_paper(served: ServedBook, page: Page) -> None:
    """A column each, none beyond the edge of the paper."""
    page.goto(served.address(served.sheet("multiple-9-holdem", 10, 2), "/print"))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 within its margins
    pad = page.locator(".scores").evaluate("pad => pad.getBoundingClientRect().right")
    heads = page.get_by_role("table", name="Score pad").locator("thead th")
    expect(heads).to_have_count(10)
    edges = heads.evaluate_all("all => all.map(one => one.getBoundingClientRect())")
    assert edges[-1]["right"] <= pad
    assert max(one["width"] for one in edges) - min(one["width"] for one in edges) < 8


#: Whether no other element covers the middle of this one.
ON_TOP = """one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
#: Whether two boxes overlap.
MEET = "([a, b]) => a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top"


def test_six_heads_do_not_touch(served: ServedBook, page: Page) -> None:
    """On the smallest screen, with all their marks; the dealer's has the player's color."""
    sheet = some_sheet("9-of-a-kind", 6, 3) | {"options": {"target": 300}}
    page.set_viewport_size(SMALL)
    page.goto(served.address(served.book.import_sheet(sheet_from(sheet))))
    words = page.locator(".score-pad .beside").evaluate_all(
        """all => all.map(one => {
          const range = document.createRange();
          range.selectNodeContents(one);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        })"""
    )
    right = page.locator(".scores").evaluate("pad => pad.getBoundingClientRect().right")
    assert len(words) == 6
    for one, next_ in pairwise([*words, {"left": right}]):
        assert next_["left"] - one["right"] >= 6  # a visible gap, in pixels
    head = page.locator(".score-pad thead th", has=page.locator(".d"))
    paint = "(one, wanted) => getComputedStyle(one.querySelector(wanted[0]))[wanted[1]]"
    own = head.evaluate(paint, [".dot", "backgroundColor"])
    assert own in head.evaluate(paint, [".d", "boxShadow"])  # a ring around the mark
    due = page.locator(".steps label").first.bounding_box() or {"height": 0}
    assert due["height"] >= 48  # the width of a thumb


@pytest.mark.parametrize(("width", "height"), [(844, 390), (1024, 768)])
def test_totals_stay_in_sight_beside_the_drawer(
    served: ServedBook, page: Page, width: int, height: int
) -> None:
    """In landscape and on a tablet the pad makes room for it, and takes it back after."""
    page.set_viewport_size({"width": width, "height": height})
    heads, edge = page.locator(".score-pad thead th"), "one => one.getBoundingClientRect()"
    for slug in ("multiple-9", "multiple-9-holdem"):
        page.goto(served.address(served.sheet(slug, 6, 1)))
        before = heads.last.evaluate(edge)
        page.locator("a.record").first.click()
        expect(page.locator("dialog.drawer")).to_be_visible()
        drawer = page.locator("dialog.drawer").evaluate(edge)
        assert heads.last.evaluate(edge)["right"] <= drawer["left"], slug
        page.get_by_role("link", name="Close").click()
        closed(page)
        assert heads.last.evaluate(edge) == before


@pytest.mark.parametrize("slug", ["nine-five-two", "multiple-9-holdem"])
def test_other_forms_do_not_cover_the_heading(served: ServedBook, page: Page, slug: str) -> None:
    """Nor its close button, also with text twice as large."""
    page.set_viewport_size(SMALL)
    page.goto(served.address(served.sheet(slug, 3, 1), "#record"))
    page.evaluate(at_text_size(200))
    box = "one => one.getBoundingClientRect().toJSON()"
    ways = page.locator(".way:not([open]) > summary").evaluate_all(f"all => all.map({box})")
    assert ways
    for fixed in ("#record-title", ".drawer .close"):
        covered = page.locator(fixed).evaluate(box)
        assert not [way for way in ways if page.evaluate(MEET, [covered, way])], fixed
    page.set_viewport_size({"width": 360, "height": 420})  # too low to show everything
    page.locator(".ways").evaluate(
        """ways => {
          const title = document.getElementById("record-title").getBoundingClientRect();
          const asked = ways.querySelector(".way[open] :is(.tab, label)");
          ways.scrollTop += asked.getBoundingClientRect().top - title.top;
        }"""
    )
    for fixed in ("#record-title", ".drawer .close"):
        assert page.locator(fixed).evaluate(ON_TOP), fixed


def test_no_card_of_a_grid_covers_another(served: ServedBook, touch: Page) -> None:
    """Nine places in three rows, with cards on some of them."""
    touch.goto(served.address(served.sheet("colorado-nines", 3, 0), "#record"))
    for card in "29K27":
        touch.locator("dialog.drawer").get_by_role("button", name=card, exact=True).tap()
    boxes = touch.locator(".way[open] .hand .k:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 9
    assert not [pair for pair in combinations(boxes, 2) if touch.evaluate(MEET, list(pair))]


def test_long_numbers_stay_whole(served: ServedBook, page: Page) -> None:
    """Six players with scores of six digits, in totals and deals, on the smallest screen."""
    names = ["Ann", "Ben", "Cy", "Dot", "Eve", "Finn"]
    link = served.book.begin("plain-score", names, "Ann", {"target": 0})
    points = {name: -99_998 + place for place, name in enumerate(names)}
    for row in range(2):
        served.book.record(link, {"action": "deal", "points": points}, Mark(row), f"deal {row}")
    page.set_viewport_size(SMALL)
    page.goto(served.address(link))
    for part in (".total", "td b"):
        for number in page.locator(f".score-pad {part}").all():
            assert number.evaluate("n => n.scrollWidth <= n.closest('th, td').clientWidth")
            size = number.evaluate("n => parseFloat(getComputedStyle(n).fontSize)")
            assert number.evaluate("n => n.offsetHeight") < 1.5 * size, "it is broken in two"
    assert page.locator(".score-pad .total").first.inner_text() == "−199,996"


def test_the_latest_of_many_deals_are_in_sight(served: ServedBook, plain: Page) -> None:
    """The pad is scrolled to its end, also without script."""
    plain.goto(served.address(served.sheet("nine-five-two", 3, 20)))
    pad = plain.get_by_role("table", name="Score pad")
    expect(pad.get_by_role("rowheader", name="Deal 20")).to_be_in_viewport()
    expect(pad.get_by_role("columnheader", name="Ann")).to_be_in_viewport()
    expect(pad.get_by_role("rowheader", name="Deal 1", exact=True)).not_to_be_in_viewport()


def test_a_tap_opens_and_closes_a_row(served: ServedBook, page: Page, plain: Page) -> None:
    """Anywhere on it; without script it leads to a page."""
    link = served.sheet("nine-five-two", 3, 2)
    page.goto(served.address(link))
    width = "all => all.map(one => Math.round(one.getBoundingClientRect().width))"
    columns = page.locator(".score-pad thead th")
    before = columns.evaluate_all(width)
    page.get_by_role("table", name="Score pad").get_by_text("10 for 9").first.click(force=True)
    expect(page.locator(".unfolds")).to_contain_text("Ann: 10 tricks, 9 needed")
    assert columns.evaluate_all(width) == before
    page.get_by_role("link", name="Deal 1", exact=True).click()
    expect(page.locator(".unfolds")).to_have_count(0)
    plain.goto(served.address(link))
    plain.get_by_role("link", name="Deal 1", exact=True).click()
    expect(plain.locator("main")).to_contain_text("Ann: 10 tricks, 9 needed")
    expect(plain.get_by_role("link", name="Correct")).to_be_visible()


def test_a_row_of_a_long_pad_stays_under_the_finger(served: ServedBook, page: Page) -> None:
    """What unfolds below it is in sight as a whole."""
    page.goto(served.address(served.sheet("nine-five-two", 3, 12)))
    row = page.get_by_role("link", name="Deal 7", exact=True)
    top = "row => row.getBoundingClientRect().top"
    before = row.evaluate(top)
    row.click()
    expect(page.locator(".unfolded")).to_be_in_viewport(ratio=1)
    assert abs(row.evaluate(top) - before) < 1  # pixel


@pytest.mark.parametrize("width", [390, 360])
def test_the_dock_does_not_cover_the_actions_of_an_opened_row(
    served: ServedBook, page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 560})
    page.goto(served.address(served.sheet("multiple-9", 4, 6)))
    page.locator(".score-pad .opens").last.click()
    last = page.locator(".unfolds :is(a, button, summary):visible").last
    expect(last).to_be_visible()
    actions, dock = last.bounding_box(), page.locator("#dock").bounding_box()
    assert actions is not None
    assert dock is not None
    assert actions["y"] + actions["height"] + 8 <= dock["y"]


def test_a_figure_of_a_breakdown_is_on_one_line(served: ServedBook, page: Page) -> None:
    """On the smallest phone, however long its reason; in the opened row and on its page."""
    names = ["Maximilian-Alexander XIV", "Ben", "Cy"]
    link = served.book.begin("plain-score", names, "Ben", {"target": 0})
    points = {"Maximilian-Alexander XIV": -125, "Ben": 25, "Cy": 25}
    served.book.record(link, {"action": "deal", "points": points}, Mark(0), "deal")
    page.set_viewport_size(SMALL)
    for place in ("", "/deals/1"):
        page.goto(served.address(link, place))
        page.evaluate(at_text_size(200))
        for row in page.locator(".opens").all():
            row.click()
        figures = page.locator(".breakdown b")
        expect(figures).to_have_text(["−125", "+25", "+25"])
        lines = """all => all.map(one => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return range.getClientRects().length;
        })"""
        assert figures.evaluate_all(lines) == [1, 1, 1], place


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "360"])
def test_the_keys_of_an_opened_row_are_above_the_bar(
    served: ServedBook, touch: Page, size: ViewportSize
) -> None:
    """And above the last change, while that is told."""
    touch.set_viewport_size(size)
    touch.goto(served.address(served.sheet("pink-nines", 4, 3)))
    touch.wait_for_load_state()
    expect(touch.locator("#toast")).to_be_visible()
    for deal in (3, 1):
        touch.get_by_role("link", name=f"Deal {deal}", exact=True).tap()
        keys = touch.locator(".unfolds .mend").last
        expect(keys).to_be_visible()
        touch.wait_for_function(
            "(keys) => keys.getBoundingClientRect().bottom <= "
            "document.querySelector('#thumb').getBoundingClientRect().top",
            arg=keys.element_handle(),
        )
        touch.get_by_role("link", name=f"Deal {deal}", exact=True).tap()
        expect(keys).to_have_count(0)


def test_grids_lie_as_on_the_table(served: ServedBook, page: Page) -> None:
    """In the opened row: three columns side by side, no card over another, the player below."""
    page.set_viewport_size(SMALL)
    sheet = some_sheet("colorado-nines", 3, 0)
    laid = ("2 2 5 | 9 9 9 | K 3 A", "J J J | 5 5 5 | 7 7 K", "A A A | 2 3 4 | Q Q Q")
    grids = dict(zip(NAMES, laid, strict=False))
    sheet["entries"] = [{"action": "grids", "grids": grids}]
    page.goto(served.address(served.put(sheet)))
    page.get_by_role("link", name="Round 1", exact=True).click()
    groups = page.locator(".unfolds .group")
    expect(groups).to_have_count(3)
    assert len({box["y"] for group in groups.all() if (box := group.bounding_box())}) == 1
    for group in groups.all():
        cards = [box for card in group.locator(".k").all() if (box := card.bounding_box())]
        assert len({round(box["x"]) for box in cards}) == 3
        assert len({round(box["y"]) for box in cards}) == 3
        assert cards[3]["x"] >= cards[0]["x"] + cards[0]["width"]
        name = group.locator("> :last-child").bounding_box()
        assert name is not None
        assert name["y"] >= cards[2]["y"] + cards[2]["height"]


def test_every_page_opens_at_its_top(server: Server, touch: Page) -> None:
    """After a form that was scrolled down, and after recording from further down the sheet."""
    touch.set_viewport_size({"width": 360, "height": 560})
    touch.goto(f"{server.address}/new/nine-five-two?name=Ann&name=Ben&name=Cat")
    begin = touch.get_by_role("button", name="Start")
    begin.scroll_into_view_if_needed()
    assert touch.evaluate("scrollY") > 0
    begin.tap()
    expect(touch.locator("#live")).to_be_visible()
    touch.wait_for_load_state()
    assert touch.evaluate("scrollY") == 0
    touch.evaluate("scrollTo(0, 200)")
    touch.locator("#dock .record").tap()
    keys(touch, "9", "5", "Record deal 1")
    expect(touch.locator("#toast")).to_contain_text("Deal 1")
    touch.wait_for_function("scrollY === 0")


def test_the_last_trick_closes_the_drawer(served: ServedBook, touch: Page) -> None:
    """Before that it stays open; then the deal's row and the next step are in sight."""
    link = served.sheet("nine-five-two", 3, 1)
    for trick in range(14):
        winner = ["Ann", "Ben", "Cy"][trick % 3]
        served.book.record(
            link, {"action": "trick", "winner": winner}, Mark(trick + 1), f"trick {trick}"
        )
    touch.goto(served.address(link, "#record"))
    drawer = touch.locator("dialog.drawer")
    for number in (15, 16):
        expect(drawer.locator(".way[open]")).to_contain_text(f"Who won trick {number}?")
        taps = drawer.locator(".taps:not(.steady) .go")
        taps.filter(has_text="Ben").tap()
    expect(touch.locator("#toast")).to_contain_text("Deal 2")
    expect(drawer).to_be_hidden()
    expect(touch.locator("tr.lit")).to_contain_text("7 for")


def test_ticked_steps_survive_live_updates(served: ServedBook, page: Page) -> None:
    """Until the next deal, which has steps of its own."""
    link = served.sheet("red-nines-1881", 4, 1)
    page.goto(served.address(link))
    page.get_by_label("Ben puts").check()
    served.book.record(link, {"action": "aces", "player": "Ann"}, Mark(1), "aces")
    expect(page.locator("#toast")).to_contain_text("Ann played both red aces")
    expect(page.locator(".did")).to_contain_text("1 of")
    served.book.record(link, some_sheet("red-nines-1881", 4, 2)["entries"][1], Mark(2), "out")
    expect(page.locator("#head")).to_contain_text("Deal 3")
    expect(page.locator(".steps :checked")).to_have_count(0)
    expect(page.locator(".did")).to_be_hidden()


def test_a_new_row_lights_up_once(served: ServedBook, page: Page) -> None:
    """Not on a page just opened, and not again with the next poll."""
    link = served.sheet("multiple-9", 3, 1)
    page.goto(served.address(link))
    expect(page.locator(".lit")).to_have_count(0)
    served.book.record(link, {"action": "out", "player": "Cy"}, Mark(1), "out")
    expect(page.locator("tr.lit")).to_contain_text("+1")
    page.reload()
    expect(page.locator("#toast")).to_contain_text("Deal 2: Cy +1")
    expect(page.locator(".lit")).to_have_count(0)


def test_only_the_changed_cells_of_a_corrected_row_light_up(served: ServedBook, page: Page) -> None:
    link = served.sheet("plain-score", 3, 0)
    points = dict(zip(NAMES, (5, 6, 7), strict=False))
    served.book.record(link, {"action": "deal", "points": points}, Mark(0), "deal")
    page.goto(served.address(link))
    expect(page.locator("tbody td").nth(1)).to_contain_text("6")
    change = Change(1, {"action": "deal", "points": {**points, NAMES[1]: 9}})
    served.book.correct(link, change, served.book.open(link).mark, "change")
    expect(page.locator("td.lit")).to_contain_text("9")
    expect(page.locator(".lit")).to_have_count(1)


def test_a_tap_singles_a_player_out(served: ServedBook, page: Page) -> None:
    """The other lines of the chart fade; another tap brings them back."""
    page.goto(served.address(served.sheet("plain-score", 10, 4)))
    page.get_by_role("button", name="Ida").click()
    expect(page.locator(".lines .faded")).to_have_count(9)
    page.get_by_role("button", name="Ida").click()
    expect(page.locator(".faded")).to_have_count(0)

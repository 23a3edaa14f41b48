"""The drawer in single games: grids, tricks, chips, corrections."""

from playwright.sync_api import Locator, Page, Route, expect

from referee.ledger.chain import Mark
from tests.browser.conftest import TakePhone
from tests.support.browser_steps import (
    Thumb,
    begin_sheet,
    entries,
    form,
    go_on,
    held,
    key,
    keys,
    open_drawer,
    recorded,
    rows,
    score,
    way,
)
from tests.support.served_book import ServedBook
from tests.support.server import Server
from tests.support.some_deals import some_sheet

THREE = ["Ann", "Ben", "Cat"]
FOUR = [*THREE, "Dan"]
GRIDS = ("29K29359A", "J57J57J5K", "6K86K86Q8")


def tab(page: Page, player: str) -> Locator:
    """The tab of a player, in the form that is open."""
    return page.locator(".way[open] [data-seat] > .tab").filter(has_text=player)


def correct(page: Page) -> None:
    """Open the latest row of the pad, and in it the drawer to correct its last entry."""
    page.locator(".score-pad .opens").last.click()
    page.get_by_role("link", name="Correct").last.click()
    expect(page.locator("dialog.drawer")).to_be_visible()


def test_key_badges_count_the_cards_of_the_open_grid(server: Server, thumb: Thumb) -> None:
    """Not those of other tabs."""
    page = thumb.page
    begin_sheet(page, server.address, "Colorado Nines", THREE)
    thumb.open()
    thumb.key(*GRIDS[1])
    two = page.locator(".docked [value='@:2']")
    seven = page.locator(".docked [value='@:7']")
    expect(seven).to_have_attribute("data-count", "2")
    thumb.key("2")
    expect(seven).not_to_have_attribute("data-count", "2")
    expect(two).to_have_attribute("data-count", "1")
    thumb.tap(tab(page, "Ann"))
    expect(seven).to_have_attribute("data-count", "2")
    expect(two).not_to_have_attribute("data-count", "1")
    page.reload()
    expect(tab(page, "Ann").locator("input")).to_be_checked()
    expect(seven).to_have_attribute("data-count", "2")
    expect(two).not_to_have_attribute("data-count", "1")


def test_a_grid_shows_the_points_of_its_columns(server: Server, thumb: Thumb) -> None:
    """While it is filled in; the tab has the total once all nine cards are there."""
    page = thumb.page
    begin_sheet(page, server.address, "Colorado Nines", THREE)
    open_drawer(page, "Nine face up")
    form(page, "last").get_by_role("button", name="Ann").click()
    expect(page.locator(".now")).to_contain_text("Ben")
    thumb.open()
    ann = page.locator(".place[data-seat='0']")
    thumb.key("J", "5", "7", "J")
    expect(ann.locator(".column-sums b")).to_have_text(["20", "1", "1"])
    expect(ann.locator(".counted")).to_contain_text("22 points so far")
    held(page, "4 cards", "–", "–")
    thumb.key("5", "7", "J", "5", "K")
    held(page, "2", "–", "–")
    thumb.key("Take back")  # removes Ann’s king
    expect(tab(page, "Ann").locator("input")).to_be_checked()
    held(page, "8 cards", "–", "–")
    thumb.key("A", *GRIDS[0], *GRIDS[2])
    held(page, "3", "5", "10")
    page.reload()
    held(page, "3", "5", "10")
    thumb.record()
    recorded(page, 1)
    score(page, "Ben", 5)
    correct(page)
    held(page, "3", "5", "10")


def test_a_full_grid_stays_in_sight(server: Server, thumb: Thumb) -> None:
    """With what it counts; the card after it is the first of the next grid."""
    page = thumb.page
    begin_sheet(page, server.address, "Colorado Nines", THREE)
    thumb.open()
    thumb.key(*GRIDS[0])
    expect(page.locator(".way[open] .column-sums")).to_be_visible()
    expect(tab(page, "Ann").locator("input")).to_be_checked()
    thumb.tap(page.locator(".way[open] .docked [value='@:back']"))
    thumb.key("A", "K")
    expect(tab(page, "Ben").locator("input")).to_be_checked()
    expect(tab(page, "Ben").locator("[data-held]")).to_have_text("1 card")


def test_a_tab_counts_cards_in_its_language(
    server: Server, page: Page, new_phone: TakePhone
) -> None:
    """Polish has a form for one, for two to four, and for more."""
    begin_sheet(page, server.address, "Colorado Nines", THREE)
    polish = new_phone(locale="pl")
    polish.goto(page.url)
    open_drawer(polish)
    for rank, said in zip(
        "23456", ("1 karta", "2 karty", "3 karty", "4 karty", "5 kart"), strict=True
    ):
        key(polish, rank).click()
        expect(tab(polish, "Ann").locator("[data-held]")).to_have_text(said)


def test_a_tab_keeps_the_points_of_its_grid(server: Server, thumb: Thumb) -> None:
    """Also while points are asked for in place of the cards."""
    page = thumb.page
    begin_sheet(page, server.address, "Colorado Nines", THREE)
    thumb.open()
    thumb.key(*GRIDS[0])
    counted = page.locator(".way[open] .counted [data-points]").first
    expect(counted).to_be_attached()
    points = counted.get_attribute("data-points") or ""
    expect(tab(page, "Ann").locator("[data-held]")).to_have_text(points)
    thumb.tap(page.locator(".way[open] .how label").filter(has_text="Just the points"))
    expect(tab(page, "Ann").locator("[data-held]")).to_have_text(points)


def test_the_number_filled_in_is_never_negative(server: Server, thumb: Thumb) -> None:
    """If the others' tricks exceed the deal's, the last player’s stay blank."""
    page = thumb.page
    begin_sheet(page, server.address, "Nine Five Two", THREE)
    thumb.open()
    for player, tricks, rest in (("Ann", "12", ""), ("Ben", "9", ""), ("Ben", "4", "0")):
        tab(page, player).click()
        page.locator("input[name^='tricks.']:visible").fill(tricks)
        expect(page.locator("input[name='tricks.2']")).to_have_value(rest)
    tab(page, "Ann").click()
    page.locator("input[name^='tricks.']:visible").fill("9")
    expect(page.locator("input[name='tricks.2']")).to_have_value("3")


def test_the_choice_to_enter_just_points_is_remembered(server: Server, thumb: Thumb) -> None:
    """By this phone, for the next round and other sheets; the field names the player."""
    page = thumb.page
    begin_sheet(page, server.address, "Colorado Nines", THREE)
    thumb.open()
    expect(page.get_by_text("Ann’s points")).to_be_hidden()
    thumb.tap(page.locator(".how label").filter(has_text="Just the points"))
    expect(page.get_by_text("Ann’s points")).to_be_visible()
    thumb.numbers("12", "3", "5")
    thumb.record()
    recorded(page, 1)
    for begun in (False, True):
        if begun:
            begin_sheet(page, server.address, "Colorado Nines", THREE)
        thumb.open()
        expect(page.get_by_text("Ann’s points")).to_be_visible()
        expect(page.locator(".docked [data-types='1']")).to_be_visible()
        page.keyboard.press("Escape")


def test_a_correction_goes_from_tab_to_tab(server: Server, thumb: Thumb) -> None:
    """As recording does; it can be saved at each of them."""
    page = thumb.page
    begin_sheet(page, server.address, "Red Nines (20th century)", FOUR)
    thumb.open()
    thumb.choose("Ben")
    thumb.numbers("31", "22", "45")
    thumb.record()
    recorded(page, 1)
    correct(page)
    for player, digit in (("Ann", "7"), ("Cat", "8"), ("Dan", "9")):
        expect(tab(page, player).locator("input")).to_be_checked()
        thumb.key(digit)
        expect(key(page, "Save the correction")).to_be_visible()
        if player != "Dan":
            thumb.key(f"Next: {'Cat' if player == 'Ann' else 'Dan'} ›")
    expect(page.locator("[data-next]").filter(visible=True)).to_have_count(0)
    thumb.key("Save the correction")
    score(page, "Ann", 7)
    score(page, "Dan", 9)


def test_totals_can_be_entered_after_single_tricks(served: ServedBook, page: Page) -> None:
    """In the middle of a deal, and as a correction of its last trick."""
    link = served.book.begin("nine-five-two", THREE, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page, "Trick by trick")
    for number in (2, 3):
        form(page, "trick").get_by_role("button", name="Ben").click()
        expect(page.get_by_text(f"Who won trick {number}?")).to_be_visible()
    way(page, "Tricks won in deal 1")
    keys(page, "9", "4", "Record deal 1")
    score(page, "Ben", -1)
    expect(page.locator("dialog.drawer")).to_be_hidden()
    for trick in range(15):
        served.book.record(
            link, {"action": "trick", "winner": "Ann"}, Mark(3 + trick), f"trick {trick}"
        )
    page.reload()
    open_drawer(page)
    form(page, "trick").get_by_role("button", name="Ann").click()
    recorded(page, 2)
    expect(page.locator("dialog.drawer")).to_be_hidden()
    correct(page)
    way(page, "Tricks won in deal 2")
    keys(page, "3", "8", "5", "Save the correction")
    expect(page.locator("dialog.drawer")).to_be_hidden()
    score(page, "Ann", 0 + 3 - 2)
    assert len(entries(page)) == 19


def test_a_chicken_is_asked_for_its_matching_cards(server: Server, thumb: Thumb) -> None:
    """Without them it would have failed, so it can't be recorded before."""
    page = thumb.page
    begin_sheet(page, server.address, "9 of a Kind", [*FOUR, "Eve"], chicken="true")
    thumb.open()
    thumb.tap(page.locator(".choice label").filter(has_text="Chicken!"))
    thumb.choose("Eve")
    thumb.key("7")  # the caller comes first, and has matching cards
    thumb.next()
    expect(tab(page, "Eve").locator("input")).to_be_checked()
    thumb.key("8", *"17", *"24", *"21", *"34")
    thumb.record()
    recorded(page, 1)
    entry = entries(page)[0]
    assert entry["hands"]["Eve"] == {"deadwood": 7, "kept": 8}


def test_a_double_tap_on_record_does_not_tap_a_name(server: Server, thumb: Thumb) -> None:
    """The names of Pink Nines appear in the same place, and ignore the second tap."""
    page = thumb.page
    begin_sheet(page, server.address, "Pink Nines", FOUR)
    row = page.locator("a.record").last
    box = row.bounding_box()
    assert box is not None
    for _ in range(2):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("dialog.drawer")).to_be_visible()
    rows(page, 0)
    assert entries(page) == []


def test_a_tap_made_while_the_form_is_fetched_is_kept(served: ServedBook, page: Page) -> None:
    """The next deal’s form arrives after it, as another phone has recorded."""
    link = served.sheet("plain-score", 3, 0)
    page.goto(served.address(link))
    waiting: list[Route] = []
    page.route("**/record", lambda route: waiting.append(route))  # noqa: PLW0108 - it is marked
    deal = some_sheet("plain-score", 3, 1)["entries"][0]
    with page.expect_request("**/record"):
        served.book.record(link, deal, Mark(0), "another phone")
    expect(page.locator("#toast")).to_contain_text("Deal 1")
    open_drawer(page)
    key(page, "1").click()
    with page.expect_response("**/record"):
        waiting[0].continue_()
    expect(page.locator("#record .wrote")).to_contain_text("just wrote Deal 1")
    go_on(page)
    expect(page.locator("#record-title")).to_have_text("Deal 2")
    expect(page.locator("input[name='points.0']")).to_have_value("1")
    keys(page, "Next: Ben ›", "2", "Next: Cy ›", "3", "Record deal 2")
    recorded(page, 2)


def test_the_drawer_opens_before_its_script_loads(server: Server, new_phone: TakePhone) -> None:
    """The network hangs at the first touch: the form is shown, its keys once they work."""
    page = new_phone()
    held: list[Route] = []
    page.route("**/asks.js*", lambda route: held.append(route))  # noqa: PLW0108 - it is marked
    begin_sheet(page, server.address, "Any Other Game", THREE)
    with page.expect_request("**/asks.js*"):
        page.get_by_role("link", name="Record deal 1").first.click()
    expect(page.locator("dialog.drawer")).to_be_visible()
    expect(key(page, "1")).to_be_hidden()
    held[0].continue_()
    keys(page, "1", "Next: Ben ›", "2", "Next: Cat ›", "3", "Record deal 1")
    recorded(page, 1)


def test_scripts_that_failed_are_fetched_again(server: Server, new_phone: TakePhone) -> None:
    """Without a network at the first touch, only that one tap has no keys."""
    page = new_phone()
    begin_sheet(page, server.address, "Any Other Game", THREE)
    page.context.set_offline(True)
    page.get_by_role("link", name="Record deal 1").first.click()
    expect(page.locator("dialog.drawer")).to_be_visible()
    expect(key(page, "1")).to_be_hidden()
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    page.get_by_role("link", name="Record deal 1").first.click()
    keys(page, "1", "Next: Ben ›", "2", "Next: Cat ›", "3", "Record deal 1")
    recorded(page, 1)


def test_a_page_from_before_an_update_reloads(server: Server, new_phone: TakePhone) -> None:
    """Scripts of two versions don't mix: the server says so, or the page notices."""
    page = new_phone()
    begin_sheet(page, server.address, "Any Other Game", THREE)
    of_asks = page.locator("form.asks").first.get_attribute("data-script") or ""
    version = of_asks.partition("?v=")[2]

    def as_before(route: Route) -> None:
        """Once, serve the page as an earlier version would have."""
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(version, "before"))

    page.route(page.url, as_before, times=1)
    page.reload()
    expect(page.locator("form.asks").first).to_have_attribute("data-script", of_asks)
    page.evaluate(
        "document.querySelector('form.asks').dataset.script = '/static/js/forms/asks.js?v=after'"
    )
    page.locator("body").dispatch_event("pointerdown")
    expect(page.locator("form.asks").first).to_have_attribute("data-script", of_asks)
    open_drawer(page)
    keys(page, "1", "Next: Ben ›", "2", "Next: Cat ›", "3", "Record deal 1")
    recorded(page, 1)

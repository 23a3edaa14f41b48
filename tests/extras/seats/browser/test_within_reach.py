"""Keys of a seat: those that are awaited can be tapped without scrolling, others are not shown."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import TakePhone
from tests.browser.screens import at_text_size
from tests.extras.seats.evening import DEALS, NAMES, Evening
from tests.support.browser_steps import send
from tests.support.server import Server

TOUCH = 48  # pixels: as low as a key may be
ROWS = 180  # pixels: the totals and two deals
MARGIN = 14  # pixels from a key to the edge of the screen


@pytest.fixture
def evening(server: Server, new_phone: TakePhone) -> Evening:
    return Evening(server.address, new_phone)


def records(evening: Evening, **entry: str) -> None:
    """Record an entry on Ben's phone."""
    evening.records("by-ben", entry)


def enter_key(page: Page) -> Locator:
    return page.locator("#dock a.record")


def test_whoever_is_out_of_the_round_has_no_key_for_a_hand(evening: Evening) -> None:
    """Cy made a false call."""
    evening.begin("9 of a Kind", NAMES)
    for player in ("Cy", "Dot"):
        expect(enter_key(evening[player].page)).to_be_visible()
    records(evening, action="forfeit", player="Cy")
    evening["Cy"].looks()
    expect(enter_key(evening["Cy"].page)).to_be_hidden()
    expect(enter_key(evening["Dot"].page)).to_be_visible()


def within_reach(key: Locator, percent: int = 200) -> None:
    """Expect a key to be on the screen, with text of this size, without scrolling."""
    page = key.page
    expect(key).to_be_visible()  # else a tap may still be about to lead to its page
    page.evaluate(at_text_size(percent))
    page.evaluate("scrollTo(0, 0)")
    expect(key).to_be_in_viewport(ratio=1)
    page.evaluate(at_text_size(100))


def test_a_figure_is_confirmed_without_scrolling(evening: Evening) -> None:
    """17 tricks together: those who are asked read why, and answer below it."""
    evening.begin("Nine Five Two", NAMES[:3])
    evening["Ann"].opens_pad()
    for name, number in (("Ann", "9"), ("Ben", "5"), ("Cy", "3")):
        evening[name].answers([number])
    for name in NAMES[:3]:
        guest = evening[name]
        guest.asked()
        within_reach(guest.page.get_by_role("button", name="Still"))
        within_reach(guest.page.get_by_role("button", name="Change"))
        guest.stands_by_it()
    for name in NAMES[:3]:
        within_reach(evening[name].page.get_by_role("button", name="Change mine"))
    decides = evening["Ben"].page  # who keeps score sees the sum: in one line on any phone
    for percent in (100, 200):
        decides.set_viewport_size({"width": 360, "height": 740})
        decides.evaluate(at_text_size(percent))
        figures = decides.locator(".clash b")
        expect(figures).to_have_text(["9", "5", "3"])
        assert len({box["y"] for one in figures.all() if (box := one.bounding_box())}) == 1


@pytest.mark.parametrize("name", ["Fold", "Call 2", "Raise to 4"])
def test_a_bet_is_made_without_scrolling(evening: Evening, name: str) -> None:
    evening.begin("Multiple 9 Hold’em", NAMES[:3])
    page = evening["Ann"].page
    page.goto(f"{evening.play}/seat")
    within_reach(page.get_by_role("button", name=name))


def test_whoever_keeps_score_corrects_a_deal_that_they_took_back(evening: Evening) -> None:
    """Their own figure by the same key as on other phones, or it is recorded as it was."""
    evening.plays("Nine Five Two")
    evening.told(1)
    evening.host.locator("#toast button").tap()
    expect(evening.host.locator("[data-gathers]")).to_be_visible()
    within_reach(evening.host.get_by_role("button", name="Record it as it is"))
    evening.host.get_by_role("button", name="Change mine").tap()
    evening["Ben"].answers(["4"])
    evening["Ben"].asked()


def test_a_phone_without_a_seat_has_no_figure_to_change(evening: Evening) -> None:
    """Whoever keeps score does not play, or plays with others on their phone."""
    evening.plays("Nine Five Two")
    evening.told(1)
    change = evening.host.get_by_role("button", name="Change mine")
    evening.host.locator("#toast button").tap()
    expect(change).to_be_visible()
    send(evening.host, f"{evening.at}/seat/leave", {"seat_of": "Ben"})
    evening.host.goto(f"{evening.at}?watch=yes")
    expect(evening.host.locator("#me")).to_contain_text("Your seat is free")
    expect(change).to_be_hidden()


def test_a_deal_that_a_card_tells_is_not_told_again_below(evening: Evening) -> None:
    """Its totals are those of the pad; whoever can undo it has only the key for that."""
    evening.plays("Pink Nines")
    evening.told(1)
    for page in (evening.host, evening["Ann"].page):
        told = page.locator(".told")
        totals = page.locator(".score-pad .total").all_inner_texts()
        expect(told.locator(".total")).to_have_text(totals)
        expect(told.locator("thead")).to_contain_text("stake paid")
    undo = evening.host.locator("#toast").get_by_role("button", name="Undo")
    expect(undo).to_be_in_viewport(ratio=1)
    box, key = evening.host.locator("#toast").bounding_box(), undo.bounding_box()
    assert box is not None
    assert key is not None
    assert box["width"] - key["width"] < TOUCH
    expect(evening["Ann"].page.locator("#toast")).to_be_hidden()


def test_the_pad_is_readable_while_a_deal_is_gathered(evening: Evening) -> None:
    """However tall the card is above it: two deals, and the totals."""
    evening.begin("Red Nines (1881)", NAMES, without=["Ben"])
    for deal in range(2):
        evening.records(f"deal-{deal}", {**DEALS["Red Nines (1881)"].alone})
    evening["Ann"].opens_pad()
    evening["Ann"].calls()
    evening["Ann"].answers(["red_nine=true"])
    evening.host.goto(f"{evening.at}?watch=yes")
    expect(evening.host.locator("[data-gathers]")).to_be_visible()
    box = evening.host.locator(".scores").bounding_box()
    assert box is not None
    assert box["height"] > ROWS


@pytest.mark.parametrize("keys", [["6"], ["6", "1"]])
def test_a_figure_that_is_changed_is_replaced(evening: Evening, keys: list[str]) -> None:
    """As behind a tab of the drawer; half a figure that is still on the phone is gone on with."""
    evening.begin("Any Other Game", NAMES[:3])
    ann = evening["Ann"]
    ann.opens_pad()
    ann.fills_in(["4"])
    ann.page.reload()
    ann.answers(["0"])
    ann.waits()
    ann.page.get_by_role("button", name="Change mine").tap()
    ann.fills_in(keys)
    expect(ann.page.locator("input.number")).to_have_value("".join(keys))
    ann.sends()
    ann.waits()
    ann.page.get_by_role("button", name="Change mine").tap()
    expect(ann.page.locator("input.number")).to_have_value("".join(keys))


@pytest.mark.parametrize("cards", [["K", "7"], ["7"]])
def test_cards_that_are_changed_are_cards(evening: Evening, cards: list[str]) -> None:
    evening.begin("Red Nines (20th century)", NAMES)
    cy = evening["Cy"]
    cy.opens_pad()
    cy.answers(["how=cards", *cards])
    cy.waits()
    cy.page.get_by_role("button", name="Change mine").tap()
    expect(cy.page.locator(".hand .k:visible")).to_have_count(len(cards))
    expect(cy.page.locator("input.number")).to_be_hidden()
    cy.fills_in(["back", "8"])
    expect(cy.page.locator(".hand .k").last).to_contain_text("8")


def test_whoever_has_counted_may_tap_the_cards_instead(evening: Evening) -> None:
    """The keys of the count are out of sight then, and nothing of it is sent."""
    evening.begin("Red Nines (1881)", NAMES[:3])
    ann = evening["Ann"]
    ann.opens_pad()
    ann.fills_in(["5", "red_nines=0", "how=cards"])
    ann.answers(["4", "5"])
    ann.waits()


def test_whoever_calls_after_all_sends_no_number(evening: Evening) -> None:
    """Their points were in before; what they call leaves none."""
    evening.begin("9 of a Kind", NAMES[:5], chicken="true")
    ann = evening["Ann"]
    ann.opens_pad()
    ann.answers(["1", "6"])
    ann.waits()
    ann.page.get_by_role("button", name="Change mine").tap()
    ann.calls()
    ann.sends()
    ann.waits()
    expect(ann.page.locator("#seat")).to_contain_text("9 of a kind!")


def test_the_whole_box_of_a_player_opens_their_figure(evening: Evening) -> None:
    """Their name alone is as low as a line of text; a thumb lands below it."""
    evening.begin("Nine Five Two", NAMES[:3], without=["Ben"])
    ann = evening["Ann"]
    ann.opens_pad()
    ann.answers(["9"])
    ann.waits()
    for name in ("Ann", "Ben"):  # one to change, and one that is due
        evening.host.goto(evening.at)
        box = evening.host.locator(f"[data-gathers] [data-player={name}]")
        size = box.bounding_box() or {"width": 0, "height": 0}
        assert min(size["width"], size["height"]) >= TOUCH, name
        box.tap(position={"x": 3, "y": size["height"] - 3})
        expect(evening.host.locator(f"#record[data-form$=' {name}']")).to_be_visible()


def test_undo_is_offered_to_seats_once(evening: Evening) -> None:
    """Not to a phone that only watches, by the same link."""
    evening.plays("Nine Five Two")
    evening.told(1)
    cy, watcher = evening["Cy"].page, evening.phone("somebody")
    watcher.goto(f"{evening.play}?watch=yes")
    expect(watcher.locator("#me")).to_contain_text("No seat here yet")
    expect(watcher.locator(".undo")).to_be_hidden()
    cy.locator(".undo button").tap()
    cy.get_by_role("button", name="Change mine").tap()
    evening["Cy"].answers(["2"])
    evening.told(1)
    expect(evening["Ann"].page.locator(".undo")).to_be_visible()
    expect(cy.locator(".undo")).to_be_hidden()


@pytest.mark.parametrize("percent", [100, 200])
def test_nothing_covers_undo_where_a_deal_is_told(evening: Evening, percent: int) -> None:
    """Not even for some seconds, and it is there without scrolling."""
    evening.plays("Red Nines (1881)")
    evening.told(1)
    cy = evening["Cy"].page
    cy.set_viewport_size({"width": 360, "height": 740})
    cy.evaluate(at_text_size(percent))
    undo = cy.locator(".undo button")
    expect(undo).to_be_in_viewport(ratio=1)
    box = undo.bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 4]
    assert undo.evaluate("(key, [x, y]) => document.elementFromPoint(x, y) === key", at)


@pytest.mark.parametrize("percent", [100, 200])
def test_the_key_to_enter_for_somebody_does_not_touch_the_edge(
    evening: Evening, percent: int
) -> None:
    """In the drawer, while Ann is to act, who has a phone."""
    evening.begin("Multiple 9 Hold’em", NAMES[:3])
    host = evening.host
    host.goto(evening.at)
    host.emulate_media(reduced_motion="reduce")  # the drawer doesn't rise
    host.set_viewport_size({"width": 360, "height": 740})
    host.locator(".next a").tap()
    host.evaluate(at_text_size(percent))
    enters = host.locator("dialog.drawer").get_by_role("link", name="Enter for Ann")
    below = "key => innerHeight - key.getBoundingClientRect().bottom"
    expect(enters).to_be_in_viewport(ratio=1)
    assert enters.evaluate(below) >= MARGIN


@pytest.mark.parametrize("size", [(390, 844), (360, 740)])
def test_a_grid_is_filled_in_without_scrolling(evening: Evening, size: tuple[int, int]) -> None:
    evening.begin("Colorado Nines", NAMES)
    page = evening["Ann"].page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    evening["Ann"].opens_pad()
    expect(page.locator(".docked .key:visible").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

"""Phones that are apart from the others for a while: without a network, asleep, or playing on."""

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, Route, expect

from referee.rules.language import languages
from tests.browser.conftest import TakePhone
from tests.browser.test_languages import BROKEN
from tests.extras.seats.evening import NAMES, Evening
from tests.support.browser_steps import rows, send
from tests.support.server import Server

#: Cy's figure by Ben's drawer, and what it would have been.
BY_BEN = {"action": "tricks", "tricks.0": "9", "tricks.1": "4", "tricks.2": "3"}
MINE = {"Ann": 9, "Ben": 5, "Cy": 2}


@pytest.fixture
def evening(server: Server, new_phone: TakePhone) -> Evening:
    """Ann, Ben and Cy at Nine Five Two; Ann’s figure is in, the pads of the others are open."""
    evening = Evening(server.address, new_phone)
    evening.begin("Nine Five Two", NAMES[:3])
    evening["Ann"].opens_pad()
    evening["Ann"].answers(["9"])
    evening["Ann"].waits()
    for name in ("Ben", "Cy"):
        evening[name].looks()
        page = evening[name].page
        expect(page.locator("main.own-pad form [data-record]")).to_be_visible()
        # The script that keeps figures is there before a test takes the network away.
        page.evaluate("import(new URL(document.querySelector('#record').dataset.script, location))")
    return evening


def tricks(evening: Evening) -> list[dict[str, int]]:
    return [entry["tricks"] for entry in evening.recorded()]


def tells_that_it_waits(page: Page) -> None:
    expect(page.locator(".unsent")).to_contain_text("It goes by itself")


def test_a_figure_without_a_network_goes_by_itself(evening: Evening) -> None:
    """Once the phone is back, with no further tap; it is the last one, so the deal is recorded."""
    cy = evening["Cy"]
    cy.page.context.set_offline(True)
    cy.answers(["2"])
    tells_that_it_waits(cy.page)
    evening["Ben"].answers(["5"])
    evening["Ben"].waits()
    assert evening.recorded() == []
    cy.page.context.set_offline(False)
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_a_figure_goes_by_itself_after_its_page_was_left(evening: Evening) -> None:
    """The phone went back to the sheet, say: any page of that sheet sends it."""
    ben, cy = evening["Ben"].page, evening["Cy"].page
    for guest, number in ((evening["Ben"], "5"), (evening["Cy"], "2")):
        guest.page.route("**/seat/hand", lambda route: route.abort())
        guest.answers([number])
        tells_that_it_waits(guest.page)
        guest.page.goto("about:blank")
        guest.page.unroute("**/seat/hand")
    assert evening.recorded() == []
    ben.goto(evening.link("Ben"))
    evening["Ben"].waits()
    cy.goto(f"{evening.link('Cy')}/seat")
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_two_figures_on_one_phone_both_go_by_themselves(evening: Evening) -> None:
    """Ben’s seat is on Cy’s phone as well, in a tab of its own; both tabs are closed."""
    page, play = evening["Cy"].page, evening.play
    send(page, f"{play}/seat/take", {"player": "Ben", "sure": "yes"})
    page.context.route("**/seat/hand", lambda route: route.abort())
    for name, number in (("Ben", "5"), ("Cy", "2")):
        evening[name].page = page
        page.goto(f"{play}/seat?player={name}")
        evening[name].answers([number])
        tells_that_it_waits(page)
    page.goto("about:blank")
    page.context.unroute("**/seat/hand")
    page.goto(play)
    rows(page, 1)
    assert tricks(evening) == [MINE]


def test_a_phone_is_told_that_its_seat_moved(server: Server, new_phone: TakePhone) -> None:
    """While it lies on the table, with the sheet open: one tap brings the seat back."""
    evening = Evening(server.address, new_phone)
    evening.begin("Nine Five Two", NAMES[:3])
    cy = evening["Cy"]
    send(evening.host, f"{evening.play}/seat/take", {"player": "Cy", "sure": "yes"})
    cy.looks()
    expect(cy.page.locator("#me")).to_contain_text("Your seat moved to another phone.")
    cy.page.get_by_role("button", name="That’s wrong").tap()
    cy.told_whose()


@pytest.mark.parametrize("bad_gateway", [False, True], ids=["no network", "no server"])
def test_a_figure_is_kept_until_it_has_arrived(evening: Evening, bad_gateway: bool) -> None:
    """The next page of the sheet can't send it either: that page stays, and goes on trying."""
    cy = evening["Cy"]
    cy.page.route("**/seat/hand", lambda route: route.abort())
    cy.answers(["2"])
    tells_that_it_waits(cy.page)
    cy.page.goto("about:blank")
    if bad_gateway:
        cy.page.route("**/seat/hand", lambda route: route.fulfill(status=502))
    for _ in range(2):
        with cy.page.expect_request("**/seat/hand"):
            cy.page.goto(evening.link("Cy"))
        expect(cy.page.locator(".score-pad")).to_be_visible()
    cy.page.unroute("**/seat/hand")
    cy.waits()
    evening["Ben"].answers(["5"])
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_a_figure_that_waited_until_the_deal_was_recorded(evening: Evening) -> None:
    """Its player sees both, and says that it isn't right."""
    cy = evening["Cy"]
    cy.page.context.set_offline(True)
    cy.answers(["2"])
    tells_that_it_waits(cy.page)
    evening.records("by-ben", BY_BEN)
    cy.page.context.set_offline(False)
    expect(cy.page.locator(".verdict")).to_contain_text("You’d entered 2")
    expect(cy.page.locator(".verdict")).to_contain_text("It says +1 for Cy")
    cy.page.get_by_role("button", name="Not right").tap()
    evening.host.goto(evening.at)
    expect(evening.host.locator("body")).to_contain_text("Cy says 2")
    assert tricks(evening) == [{"Ann": 9, "Ben": 4, "Cy": 3}]


def test_a_figure_stays_while_its_phone_changes_its_language(evening: Evening) -> None:
    """It is filled in but not sent, and is sent from the same pad in Hebrew."""
    cy = evening["Cy"]
    cy.fills_in(["2"])
    pad = cy.page.url
    cy.page.goto(urljoin(pad, "/language"))
    cy.page.locator("button[value=he]").tap()
    expect(cy.page.locator("html")).to_have_attribute("dir", "rtl")
    cy.page.goto(pad)
    cy.tap(cy.page.locator("main.own-pad [data-record]"))
    evening["Ben"].answers(["5"])
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_a_figure_that_was_recorded_as_it_waited_asks_nothing(evening: Evening) -> None:
    """Ben entered the same for Cy: the phone shows the deal, as all do."""
    cy = evening["Cy"]
    cy.page.context.set_offline(True)
    cy.answers(["2"])
    tells_that_it_waits(cy.page)
    evening["Ben"].answers(["5"])
    evening["Ben"].waits()
    evening.enters_for("Cy", ["2"])
    cy.page.context.set_offline(False)
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_a_figure_whose_answer_was_lost_counts_once(evening: Evening) -> None:
    """It completed the deal; sent again it leads to the sheet, and asks nothing."""
    cy = evening["Cy"]
    lost = list[int]()

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch(max_redirects=0).status)
        route.abort()

    evening["Ben"].answers(["5"])
    evening["Ben"].waits()
    cy.page.route("**/seat/hand", lose)
    cy.answers(["2"])
    evening.told(1)
    assert lost == [303]
    assert tricks(evening) == [MINE]


def test_another_figure_takes_the_place_of_one_that_waits(evening: Evening) -> None:
    """Filled in while the first could not be sent: it is sent by a tap, and alone."""
    cy = evening["Cy"]
    cy.page.context.set_offline(True)
    cy.answers(["3"])
    tells_that_it_waits(cy.page)
    cy.page.locator("main.own-pad label").filter(has_text=re.compile(r"^\s*2\s*$")).tap()
    expect(cy.page.locator(".unsent")).to_have_count(0)
    cy.page.context.set_offline(False)
    cy.page.get_by_role("button", name="That’s mine").tap()
    cy.waits()
    evening["Ben"].answers(["5"])
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_pads_close_and_open_again(evening: Evening) -> None:
    """The deal wasn't over after all: what Ann had entered is in her pad the next time."""
    ann, cy = evening["Ann"], evening["Cy"]
    ann.page.get_by_role("button", name="Not over yet").tap()
    for guest in (ann, evening["Ben"], cy):
        expect(guest.page.locator(".score-pad")).to_be_visible()
        expect(guest.page.locator(".gathering")).to_have_count(0)
    cy.opens_pad()
    cy.answers(["2"])
    cy.waits()
    ann.looks()
    expect(ann.page.locator("main.own-pad input[name='tricks.0'][value='9']")).to_be_checked()
    ann.page.get_by_role("button", name="That’s mine").tap()
    ann.waits()
    evening["Ben"].answers(["5"])
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_a_phone_in_a_pocket_is_away(server: Server, new_phone: TakePhone) -> None:
    """All see it once others have waited; back again it opens its pad, and counts."""
    evening = Evening(server.address, new_phone)
    evening.begin("Nine Five Two", NAMES[:3])
    ann, cy = evening["Ann"], evening["Cy"]
    cy.page.goto("about:blank")
    ann.opens_pad()
    ann.answers(["9"])
    ann.waits()
    evening["Ben"].looks()
    expect(evening.host.locator("main.own-pad form [data-record]")).to_be_visible()
    send(ann.page, f"{evening.play}/seat/away")  # as its page does automatically
    expect(ann.page.locator("#seat .spots")).to_contain_text("away")
    evening["Ben"].answers(["5"])
    expect(evening.host.get_by_role("link", name="Enter for Cy")).to_be_visible()
    cy.page.goto(evening.play)
    cy.answers(["2"])
    evening.told(1)
    assert tricks(evening) == [MINE]


def test_points_or_cards_are_remembered_by_person(server: Server, new_phone: TakePhone) -> None:
    """Two players have seats on one phone: the choice of one does not apply to the other."""
    evening = Evening(server.address, new_phone)
    evening.begin("Red Nines (1881)", NAMES[:3], without=["Ben", "Cy"])
    page = evening["Ann"].page
    send(page, f"{evening.play}/seat/take", {"player": "Cy"})
    chosen = page.locator("form.asks[data-asked] [name=how]:checked")
    page.goto(f"{evening.play}/seat?player=Ann")
    expect(chosen).to_have_value("count")
    page.locator(".how label", has_text="Tap the cards").tap()
    for player, way in (("Cy", "count"), ("Ann", "cards")):
        page.goto(f"{evening.play}/seat?player={player}")
        expect(chosen).to_have_value(way)


def test_a_phone_on_its_side_breaks_no_word_of_a_key(server: Server, new_phone: TakePhone) -> None:
    """Those of whoever keeps score and of whoever plays along, in any language."""
    evening = Evening(server.address, new_phone)
    evening.begin("Nine Five Two", NAMES[:3], without=NAMES)
    found = {}
    for tag in languages():
        page = new_phone(locale=tag, viewport={"width": 844, "height": 390})
        for at in (evening.at, evening.play):
            page.goto(at)
            if broken := page.locator(".dock > *").evaluate_all(BROKEN):
                found[tag] = broken
    assert found == {}


def test_a_pad_opened_early_learns_how_the_deal_ended(server: Server, new_phone: TakePhone) -> None:
    """Its title says that it is over, and nobody holds both red nines if Ann went out on one."""
    evening = Evening(server.address, new_phone)
    evening.begin("Red Nines (1881)", NAMES[:3], without=["Ben"])
    evening["Cy"].opens_pad()
    cy = evening["Cy"].page
    both = cy.get_by_text("Yes, two", exact=True)
    expect(both).to_be_visible()
    expect(cy.get_by_role("heading", level=1)).to_have_text("Deal 1")
    evening["Ann"].opens_pad()
    evening["Ann"].calls()
    evening["Ann"].answers(["red_nine=true"])
    evening["Ann"].waits()
    evening["Cy"].looks()
    expect(cy.get_by_role("heading", level=1)).to_have_text("Deal 1 is over")
    expect(both).to_be_hidden()
    expect(cy.get_by_text("Yes, one", exact=True)).to_be_visible()

"""Two players on one phone: Cy and Dot, at a game of points; Ben keeps score."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TakePhone
from tests.extras.seats.evening import Evening
from tests.support.browser_steps import begun_sheet, send
from tests.support.server import Server


@pytest.fixture
def evening(server: Server, new_phone: TakePhone) -> Evening:
    evening = Evening(server.address, new_phone)
    evening.begin("Any Other Game", ["Ben", "Cy", "Dot"], without=["Dot"])
    page = evening["Cy"].page
    send(page, f"{evening.play}/seat/take", {"player": "Dot"})
    page.reload()
    return evening


def own_columns(page: Page) -> list[str]:
    return page.locator(".score-pad thead .own").all_inner_texts()


def test_the_columns_of_both_are_marked(evening: Evening) -> None:
    page = evening["Cy"].page
    expect(page.locator(".score-pad thead .own")).to_have_count(2)
    assert [name.split()[0] for name in own_columns(page)] == ["Cy", "Dot"]


def test_both_enter_theirs_one_after_the_other(evening: Evening) -> None:
    """Each changes theirs by a tap on their own name; told, both rows are marked."""
    cy = evening["Cy"]
    tabs = cy.page.locator("nav.whose a")
    cy.opens_pad()
    cy.answers(["5"])
    expect(cy.page.get_by_text("Dot’s points")).to_be_visible()
    cy.answers(["4"])
    expect(cy.page.get_by_text("Dot’s is in")).to_be_visible()
    tabs.filter(has_text="Cy").tap()
    expect(cy.page.get_by_text("Cy’s is in")).to_be_visible()
    tabs.filter(has_text="Dot").tap()
    expect(cy.page.get_by_text("Dot’s is in")).to_be_visible()
    cy.changes(["back", "6"])
    evening["Ben"].looks()
    evening["Ben"].answers(["0"])
    evening.told(1)
    assert evening.recorded() == [{"action": "deal", "points": {"Ben": 0, "Cy": 5, "Dot": 6}}]
    expect(cy.page.locator(".told .own-row")).to_have_count(2)
    expect(cy.page.locator(".told .own-row").last).to_contain_text(re.compile("Dot"))


def test_a_sheet_that_lies_open_asks_for_a_seat(server: Server, new_phone: TakePhone) -> None:
    """Ben’s, which keeps score: once a guest has taken the first seat."""
    evening = Evening(server.address, new_phone)
    evening.sit_at(begun_sheet(evening.host, server.address, "Any Other Game", ["Ben", "Cy"]), [])
    host = evening.host
    host.goto(evening.at)
    assert host.locator("#me").text_content() == ""
    send(evening.phone("Cy"), f"{evening.play}/seat/take", {"player": "Cy"})
    evening.guest("Ben").looks()
    expect(host.locator("#me")).to_contain_text("Which seat is yours?")

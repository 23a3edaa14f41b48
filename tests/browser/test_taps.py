"""The most taps that common tasks may take; each digit and each card is a tap."""

import pytest
from playwright.sync_api import expect

from referee.rules.registry import GAMES
from tests.support.browser_steps import Thumb, begin_sheet, rows, score
from tests.support.cases import tables_of
from tests.support.server import Server


def test_a_ruling_on_five_cards_takes_seven_taps_from_home(server: Server, thumb: Thumb) -> None:
    """The referee, the question, five cards; there is no button to send."""
    page = thumb.page
    page.goto(server.address)
    thumb.tap(page.get_by_role("link", name="Ask the referee"))
    with page.expect_navigation():  # with its scripts
        thumb.tap(page.get_by_role("link", name="Is this discard legal?"))
    for card in ("8", "4", "4", "A", "A"):
        thumb.tap(page.get_by_role("button", name=card, exact=True))
    expect(page.locator("#ruling")).to_contain_text("Yes: two nines")
    assert thumb.taps <= 7


def test_a_new_sheet_takes_three_taps_and_one_a_known_player(server: Server, thumb: Thumb) -> None:
    """Luck decides who deals first."""
    page, names = thumb.page, ["Ann", "Ben", "Cat", "Dan"]
    begin_sheet(page, server.address, "Pink Nines", names)
    page.goto(server.address)
    thumb.tap(page.get_by_role("link", name="New game"))
    with page.expect_navigation():
        thumb.tap(page.locator(".games a").filter(has=page.get_by_text("Multiple 9", exact=True)))
    for place, name in enumerate(names):
        thumb.tap(page.get_by_role("button", name=name, exact=True))
        expect(page.locator("input[name=name]").nth(place)).to_have_value(name)
    thumb.tap(page.get_by_role("button", name="Start"))
    expect(page.locator(".score-pad")).to_contain_text("Dan")
    assert thumb.taps <= 3 + len(names)


@pytest.mark.parametrize("slug", GAMES)
def test_the_usual_deal_takes_few_taps(server: Server, thumb: Thumb, slug: str) -> None:
    """From the sheet to the recorded deal."""
    usual = tables_of(slug)["usual"]
    names = ["Ann", "Ben", "Cat", "Dan", "Eve"][: usual["players"]]
    begin_sheet(thumb.page, server.address, str(GAMES[slug].title), names)
    thumb.open()
    thumb.follow(usual["steps"])
    rows(thumb.page, 1)
    assert thumb.taps <= usual["taps"]
    for name, points in usual.get("scores", {}).items():
        score(thumb.page, name, points)


def test_keys_stay_in_place_below_any_ruling(server: Server, thumb: Thumb) -> None:
    """However long it is."""
    page = thumb.page
    page.goto(server.address + "/referee/multiple-9/discard")
    key, verdict = page.get_by_role("button", name="7", exact=True), page.locator("#ruling")
    places = []
    for card, said in (
        ("8", "Not yet"), ("4", "12"), ("4", "16"), ("A", "17"), ("A", "Yes: two nines"),
        ("2", "20"), ("K", "33"), ("K", "46"),
    ):  # fmt: skip
        thumb.tap(page.get_by_role("button", name=card, exact=True))
        expect(verdict).to_contain_text(said)
        expect(page.locator("#ruling")).not_to_have_class("htmx-request")
        places.append((key.bounding_box() or {"y": -1.0})["y"])
    assert max(places) - min(places) < 1  # pixel: a page is scrolled by whole ones
    expect(verdict.locator("h2")).to_be_in_viewport()

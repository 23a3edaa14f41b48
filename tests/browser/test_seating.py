"""Seats are ordered by dragging, or by arrows."""

from playwright.sync_api import Page, expect

from tests.support.server import Server


def names(page: Page) -> list[str]:
    return [box.input_value() for box in page.locator("input[name=name]").all()]


def test_a_seat_is_dragged(server: Server, page: Page) -> None:
    """Dan is dragged past two others and stays the first dealer; arrows work, too."""
    page.goto(server.address + "/new/multiple-9?name=Ann&name=Ben&name=Cat&name=Dan&dealer=3")
    page.get_by_role("radio", name="Player 4 deals first").check()
    arrow = page.get_by_role("button", name="Move player 4 up").bounding_box()
    above = page.get_by_role("button", name="Move player 2 up").bounding_box()
    assert arrow
    assert above
    page.mouse.move(arrow["x"] + 20, arrow["y"] + 20)
    page.mouse.down()
    page.mouse.move(arrow["x"] + 20, above["y"] + 30, steps=6)
    page.mouse.up()
    assert names(page) == ["Ann", "Dan", "Ben", "Cat"]
    expect(page.get_by_role("radio", name="Player 2 deals first")).to_be_checked()
    page.get_by_role("button", name="Move player 2 up").click()
    expect(page.locator("input[name=name]").first).to_have_value("Dan")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".now")).to_contain_text("Dan deals 5 each")


def test_enter_begins_no_sheet(server: Server, page: Page) -> None:
    """It goes to the next name, with a new row after the last; in an empty one to Start."""
    page.goto(server.address + "/new/multiple-9")
    names = page.locator("input[name=name]")
    names.first.focus()
    for number, name in enumerate(("Ann", "Ben", "Cat"), start=2):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(names.nth(number - 1)).to_be_focused()
    expect(names).to_have_count(4)
    page.keyboard.press("Enter")  # nobody else
    expect(page.get_by_role("button", name="Start")).to_be_focused()
    assert page.url.endswith("/new/multiple-9")


def test_whoever_luck_picked_is_named_until_somebody_else_is_tapped(
    server: Server, page: Page
) -> None:
    """Start stays where it is meanwhile."""
    page.goto(server.address + "/new/nine-five-two")
    for seat, name in enumerate(("Grandma Josephine", "Maximilian Otto", "Wilhelmina Rosa")):
        page.locator("input[name=name]").nth(seat).fill(name)
    start = page.get_by_role("button", name="Start")
    before = start.bounding_box()
    page.get_by_role("button", name="Draw lots").click()
    picked = page.get_by_text("Luck picked")
    expect(picked).to_be_visible()
    assert start.bounding_box() == before
    page.locator("[name=dealer]:not(:checked)").first.check(force=True)
    expect(picked).to_be_hidden()
    assert start.bounding_box() == before


def test_enter_begins_no_sheet_without_scripts(server: Server, plain: Page) -> None:
    """The form is shown again, with the names that were typed."""
    plain.goto(server.address + "/new/multiple-9")
    names = plain.locator("input[name=name]")
    for seat, name in enumerate(("Ann", "Ben")):
        names.nth(seat).fill(name)
    plain.keyboard.press("Enter")
    expect(names.nth(1)).to_have_value("Ben")
    assert plain.url.endswith("/new/multiple-9")

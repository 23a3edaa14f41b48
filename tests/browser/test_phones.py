"""Small screens, phones without a network, and withdrawn links."""

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.rules.registry import GAMES
from tests.support.browser_fixtures import phones_of
from tests.support.browser_steps import (
    begin_sheet,
    fill_in,
    follow,
    form,
    open_drawer,
    record,
    recorded,
    sideways,
)
from tests.support.campaign import usual_or_nightly
from tests.support.chromium import SMALL
from tests.support.served_book import ServedBook
from tests.support.server import Server

LONG = ["W" * 24, "Maximilian-Alexander XIV", "Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus"]


@pytest.mark.parametrize("slug", GAMES)
def test_nothing_scrolls_sideways(server: Server, page: Page, slug: str) -> None:
    """Every page fits in 360 pixels, with the longest names and everything unfolded."""
    page.set_viewport_size(SMALL)
    game = GAMES[slug]
    names = LONG[: min(game.seats(game.house_rules())[-1], len(LONG))]
    query = "&".join(f"name={name}" for name in names)
    dealer = len(names) - 2  # so that the widest name has hold'em's big blind
    page.goto(f"{server.address}/new/{slug}?{query}&dealer={dealer}")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert sideways(page) == 0
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#live")).to_be_visible()
    sheet = page.url
    judges = usual_or_nightly((), tuple(game.judges))
    for place in (
        "",
        "/record",
        "/more",
        "/settle",
        "/print",
        *(f"/referee/{one}" for one in judges),
    ):
        page.goto(sheet + place)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert sideways(page) == 0, place
    page.goto(f"{server.address}/rules/{slug}")
    assert sideways(page) == 0


def test_a_link_is_copied_where_the_clipboard_is_denied(server: Server, page: Page) -> None:
    """By the older `execCommand`."""
    begin_sheet(page, server.address, "Multiple 9", ["Ann", "Ben"])
    follow(page, "Share")
    write = "navigator.clipboard.writeText('').then(() => 'written', ({ name }) => name)"
    assert page.evaluate(write) == "NotAllowedError"
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def test_a_link_that_can_not_be_copied_stays_selected(server: Server, page: Page) -> None:
    """And the button says that this browser can't copy it."""
    begin_sheet(page, server.address, "Multiple 9", ["Ann", "Ben"])
    follow(page, "Share")
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="This browser can’t do that.")).to_be_visible()
    assert page.evaluate("link.selectionEnd - link.selectionStart === link.value.length")


def test_a_deal_is_recorded_where_storage_is_blocked(served: ServedBook, page: Page) -> None:
    """Nothing is remembered, and no script stops at that."""
    blocked = "get() { throw new DOMException('blocked', 'SecurityError'); }"
    for name in ("localStorage", "sessionStorage"):
        page.add_init_script(f"Object.defineProperty(window, '{name}', {{ {blocked} }});")
    page.goto(served.address(served.sheet("plain-score", 2, 1)))
    open_drawer(page)
    for seat in range(2):
        fill_in(form(page, "deal"), f"points.{seat}", "3")
    record(form(page, "deal"))
    recorded(page, 2)


def test_a_test_fails_where_the_server_lacks_a_file(chromium: Browser, server: Server) -> None:
    """As it does where a phone's console has an error."""
    with pytest.raises(AssertionError) as failed, phones_of(chromium) as take:
        take().goto(f"{server.address}/static/js/none.js")
    assert f"404 for GET {server.address}/static/js/none.js" in str(failed.value)


def test_an_undo_without_a_connection_says_that_it_was_not_sent(
    served: ServedBook, page: Page
) -> None:
    """Unlike entries it can't wait."""
    page.goto(served.address(served.sheet("multiple-9", 2, 1)))
    page.context.set_offline(True)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_contain_text("Not sent: no connection")
    page.context.set_offline(False)
    page.get_by_role("button", name="Undo").click()
    recorded(page, 0)


# --- withdrawn links


def test_an_open_page_says_that_its_link_was_withdrawn(
    server: Server, page: Page, other: Page
) -> None:
    """By itself, and no longer once the sheet is restored."""
    begin_sheet(page, server.address, "Multiple 9", ["Ann", "Ben"])
    sheet = page.url
    page.get_by_role("link", name="Share").click()
    other.goto(page.locator("#link").input_value() + "?watch=yes")
    note = other.get_by_role("alert")

    page.goto(f"{sheet}/more")
    page.get_by_role("link", name="Put it away").click()
    page.get_by_role("button", name="Move it to the trash").click()
    expect(page.get_by_text("Multiple 9 with Ann and Ben is in the trash.")).to_be_visible()
    expect(note).to_contain_text("The host has moved this to the trash")
    expect(other.locator("#live")).to_be_visible()
    expect(other.locator("#dock")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(note).to_have_count(0)
    expect(other.locator("#dock")).to_be_visible()

    page.get_by_role("link", name="Share").click()
    page.get_by_role("link", name="Stop sharing this link").click()
    page.get_by_role("button", name="Stop sharing and make a new code").click()
    expect(note).to_contain_text("no longer works")
    expect(note).to_contain_text("won’t change anymore")

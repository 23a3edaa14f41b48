"""Links on real phones: an open page whose link is withdrawn, hosting, the trash."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.browser_steps import begin_sheet
from tests.support.server import Server


def test_an_open_page_says_that_its_link_was_withdrawn(
    server: Server, new_phone: Callable[..., Page]
) -> None:
    """It says so by itself, and says no more once the sheet is restored."""
    host, viewer = new_phone(), new_phone()
    begin_sheet(host, server.address, "Multiple 9", ["Ann", "Ben"])
    sheet = host.url
    host.get_by_role("link", name="Share").click()
    viewer.goto(host.locator("#link").input_value())
    note = viewer.get_by_role("alert")

    host.goto(f"{sheet}/more")
    host.get_by_role("link", name="Put it away").click()
    host.get_by_role("button", name="Move it to the trash").click()
    expect(host.get_by_text("Multiple 9 with Ann and Ben is in the trash.")).to_be_visible()
    expect(note).to_contain_text("The host has moved this sheet to the trash")
    expect(viewer.locator("#live")).to_be_visible()
    host.get_by_role("button", name="Undo").click()
    expect(note).to_have_count(0)

    host.get_by_role("link", name="Share").click()
    host.get_by_role("link", name="Stop sharing this link").click()
    host.get_by_role("button", name="Stop sharing and make a new code").click()
    expect(note).to_contain_text("no longer works")
    expect(note).to_contain_text("won’t change anymore")


def test_a_host_is_removed_by_name(server: Server, new_phone: Callable[..., Page]) -> None:
    """The phone of whoever is removed is told; the host who stays goes on where they were."""
    host, other = new_phone(), new_phone()
    begin_sheet(host, server.address, "Multiple 9", ["Ann", "Ben"])
    sheet = host.url
    host.get_by_role("link", name="Share").click()
    host.get_by_role("link", name="Host").click()
    host.get_by_label("Who’s to be a co-host?").fill("Ben’s phone")
    host.get_by_role("button", name="Make a code for them").click()
    expect(host.get_by_text("Makes Ben’s phone a co-host.")).to_be_visible()
    other.goto(host.locator("#link").input_value())
    expect(other.locator("#live")).to_be_visible()
    host.get_by_role("link", name="Remove").click()
    host.get_by_role("button", name="Remove this host").click()
    expect(host.get_by_text("that link no longer works")).to_be_visible()
    expect(other.get_by_role("alert")).to_contain_text("no longer works")
    host.get_by_role("link", name="Back to the sheet").click()
    expect(host.locator("#live")).to_be_visible()
    assert host.url.partition("#")[0] == sheet.partition("#")[0]
    host.get_by_role("link", name="Record deal 1", exact=True).click()
    expect(host.locator("form[data-entry]").first).to_be_visible()


def test_a_hosts_own_link_is_changed(server: Server, new_phone: Callable[..., Page]) -> None:
    """The page moves on to the new link, and whoever holds the old one is told."""
    host, other = new_phone(), new_phone()
    begin_sheet(host, server.address, "Multiple 9", ["Ann", "Ben"])
    before = host.url
    other.goto(before)
    expect(other.locator("#live")).to_be_visible()
    host.get_by_role("link", name="Share").click()
    host.get_by_role("link", name="Host").click()
    host.get_by_role("link", name="Change this phone’s own link").click()
    host.get_by_role("button", name="Change it").click()
    expect(host.get_by_text("This phone has a new address for the sheet.")).to_be_visible()
    assert not host.url.startswith(before)
    host.get_by_role("link", name="Back to the sheet").click()
    host.get_by_role("link", name="Record deal 1", exact=True).click()
    expect(host.locator("form[data-entry]").first).to_be_visible()
    expect(other.get_by_role("alert")).to_contain_text("no longer works")

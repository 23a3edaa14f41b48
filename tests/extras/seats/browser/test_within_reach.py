"""Keys of a seat: those that are awaited can be tapped without scrolling, others are not shown."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import TakePhone
from tests.extras.seats.evening import NAMES, Evening
from tests.support.server import Server


@pytest.fixture
def evening(server: Server, new_phone: TakePhone) -> Evening:
    return Evening(server.address, new_phone)


def records(evening: Evening, **entry: str) -> None:
    """Record an entry on Ben's phone."""
    form: dict[str, Any] = {"after": "0", "key": "by-ben", **entry}
    sent = evening.host.request.post(f"{evening.at}/entries", form=form, max_redirects=0)
    assert sent.status == 303, sent.text()


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

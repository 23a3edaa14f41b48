"""The end of a hand of hold’em: whatever the table shows is on the sheet before the next deal."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.browser.test_phones import SMALL, sideways
from tests.support.browser_steps import recorded, score
from tests.support.chromium import PHONE
from tests.support.server import Server
from tests.support.thumb import Thumb

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]

TEN = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
BOARD = ("J 7 9", "2", "10")
HANDS = ("Q 5", "K A", "A 2", "6 9", "10 2", "4 4", "8 2", "10 7", "8 7", "K K")  # Jo’s is best

#: How far what is asked in the drawer could be scrolled, in pixels.
TO_SCROLL = """() => {
  const { scrollHeight, clientHeight } = document.querySelector(".drawer .ways");
  return scrollHeight - clientHeight;
}"""


def all_called(players: Sequence[str]) -> dict[str, Any]:
    """A sheet on which everybody has called 2 and checked to the end: the cards are to be shown."""
    _, small, big, *others = players
    calls = [*((name, "call") for name in (*others, players[0], small)), (big, "check")]
    entries = [{"action": "bet", "player": name, "move": move} for name, move in calls]
    for cards in BOARD:
        entries.append({"action": "board", "cards": cards})
        for name in (*players[1:], players[0]):
            entries.append({"action": "bet", "player": name, "move": "check"})
    return {"referee": 1, "game": "multiple-9-holdem", "players": list(players),
            "dealer": players[0], "options": {}, "entries": entries}  # fmt: skip


@pytest.fixture
def showdown(server: Server, tmp_path: Path) -> Callable[[Sequence[str]], str]:
    """Where these players are about to show their cards."""

    def sheet_of(players: Sequence[str]) -> str:
        ledger = Ledger(tmp_path / "referee.sqlite")
        token = Book(ledger).take_in(sheet_from(all_called(players))).token
        ledger.close()
        return f"{server.address}/s/{token}"

    return sheet_of


def test_ten_hands_within_one_screen(
    showdown: Callable[[Sequence[str]], str], new_phone: TakePhone
) -> None:
    """A tap a card and none a player: the next has its turn by itself, and nothing is scrolled."""
    thumb = Thumb(new_phone(has_touch=True, is_mobile=True))
    page = thumb.page
    page.goto(showdown(TEN))
    thumb.open()
    drawer = page.locator("dialog.drawer")
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)
        assert page.evaluate(TO_SCROLL) == 0
        expect(drawer).to_be_in_viewport(ratio=1)
    for number, hand in enumerate(HANDS):
        expect(drawer.locator(".foot .go").filter(visible=True)).to_be_in_viewport(ratio=1)
        expect(drawer.locator(".tab").nth(number).locator("input")).to_be_checked()
        thumb.key(*hand.split())
    expect(drawer.locator(".foot .will")).to_contain_text("Jo +20: the pot with 7 nines")
    assert page.evaluate(TO_SCROLL) == 0
    assert sideways(page) == 0
    thumb.record()
    recorded(page, 1)
    assert thumb.taps == 1 + 2 * len(HANDS) + 1
    score(page, "Jo", 218)


def test_the_rest_muck_with_one_tap(
    showdown: Callable[[Sequence[str]], str], new_phone: TakePhone
) -> None:
    """The best hand is shown, the others go face down: six taps, however many they are."""
    thumb = Thumb(new_phone(has_touch=True, is_mobile=True))
    page = thumb.page
    page.goto(showdown(TEN[:5]))
    thumb.open()
    thumb.tap(page.locator(".way[open] .tab").filter(has_text="Dan"))
    thumb.key("6", "9", "The rest muck")
    said = page.locator(".way[open] .tab [data-held]")
    expect(said).to_have_text(["mucked", "mucked", "mucked", "2 cards", "mucked"])
    expect(page.locator(".way[open] [data-hand] > .k:not(.ghost)")).to_have_count(
        2
    )  # no card is “-”
    thumb.record()
    recorded(page, 1)
    assert thumb.taps == 6
    score(page, "Dan", 206)  # won 8, and has posted the next big blind

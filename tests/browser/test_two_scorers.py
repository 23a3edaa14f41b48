"""Two phones keep score of one sheet: each deal counts once, and whoever was late is told."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from referee.ledger.store import Link
from referee.rules.registry import GAMES
from tests.support.browser_steps import (
    entries,
    key,
    open_drawer,
    recorded,
    tap_name,
)
from tests.support.table import Table

FOUR = ["Ann", "Ben", "Cy", "Dot"]
ONE_TAP = ["multiple-9", "pink-nines"]

#: Tap here as soon as the board has changed: what lies under the finger then.
TAP_AT_THE_NEWS = """([x, y]) => document.addEventListener("htmx:after:swap", () => {
  if (document.body.dataset.met) return;
  const met = document.elementFromPoint(x, y)?.closest("a, button");
  document.body.dataset.met = met?.textContent || "nothing";
  met?.click();
})"""


@pytest.fixture
def ben(table: Table) -> "Ben":
    return Ben(table)


class Ben:
    """Another phone, called Ben, which writes on a sheet."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.written = 0

    def begins(self, slug: str, **options: Any) -> Link:
        """Begin a sheet of this game; returns its link."""
        self.link = self.table.book.begin(
            slug, FOUR[: GAMES[slug].seats(GAMES[slug].house_rules())[-1]], "Ann", options
        )
        return self.link

    def writes(self, entry: Mapping[str, Any], by: str = "Ben") -> None:
        """Record an entry as the newest."""
        self.written += 1
        link = Link(self.link.token, self.link.sheet, "host", by=by)
        sheet = self.table.book.open(self.link)
        self.table.book.record(link, entry, sheet.mark, f"ben-{self.written}")


def won(player: str) -> dict[str, str]:
    return {"action": "out", "player": player}


def middle(button: Locator) -> tuple[float, float]:
    """The middle of a button, once it lies still."""
    button.click(trial=True)
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def told(page: Page, *words: str) -> Locator:
    """What stands in the drawer of what another phone wrote."""
    box = page.locator("#record .wrote")
    for one in words:
        expect(box).to_contain_text(one)
    return box


@pytest.mark.parametrize("slug", ONE_TAP)
@pytest.mark.parametrize("moment", ["before the news", "with the news", "after the news"])
def test_a_deal_counts_once(table: Table, page: Page, other: Page, slug: str, moment: str) -> None:
    """Both ask who won deal 1. Ben's phone records; Ann's finger comes down where it was aimed."""
    link = table.book.begin(slug, FOUR, "Ann", {})
    board: list[Route] = []
    if moment == "before the news":
        page.route("**/board", lambda route: board.append(route))  # noqa: PLW0108 - it is marked
    for phone in (page, other):
        phone.goto(table.address(link))
        open_drawer(phone)
    x, y = middle(
        key(page, "Dot") if slug == "multiple-9" else page.locator(".taps-record .go").last
    )
    if moment == "with the news":
        page.evaluate(TAP_AT_THE_NEWS, [x, y])
    tap_name(other, "Dot")
    recorded(other, 1)
    if moment == "before the news":
        page.mouse.click(x, y)
        told(page, "Not recorded: Dot’s win was entered first, as deal 1.")
        expect(page.locator("#record").get_by_role("radio", name="Dot")).to_be_checked()  # kept
    else:
        told(page, "just wrote Deal 1: Dot")
        page.mouse.click(x, y)
    if moment == "with the news":
        expect(page.locator("body")).to_have_attribute("data-met", "nothing")
    assert [entry["player"] for entry in entries(page)] == ["Dot"]
    expect(page.locator("#record h2")).to_contain_text("Deal")
    key(page, "Record deal 2").first.click()
    expect(page.locator("#record h2")).to_contain_text("Deal 2")
    if moment == "before the news":
        key(page, "Record deal 2").click()
    else:
        expect(page.locator(".steady")).to_have_count(0)
        page.mouse.click(x, y)  # the names stand where they stood
    recorded(page, 2)
    assert [entry["player"] for entry in entries(page)] == ["Dot", "Dot"]

"""Two phones keep score of one sheet: each deal counts once, and a late phone learns of it."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, Request, Route, expect

from referee.ledger.chain import Mark
from referee.ledger.store import Link
from referee.rules.registry import GAMES
from referee.sheets.history import Remark
from tests.support.browser_steps import (
    closed,
    entries,
    go_on,
    held,
    key,
    keys,
    open_drawer,
    recorded,
    tap_name,
)
from tests.support.campaign import usual_or_nightly
from tests.support.served_book import ServedBook
from tests.support.some_deals import some_sheet

FOUR = ["Ann", "Ben", "Cy", "Dot"]
ONE_TAP = ["multiple-9", "pink-nines"]

#: Tap here as soon as the board has changed; returns what was hit.
TAP_AT_THE_NEWS = """([x, y]) => document.addEventListener("htmx:after:swap", () => {
  if (document.body.dataset.met || document.getElementById("live").dataset.written === "0") return;
  const met = document.elementFromPoint(x, y)?.closest("a, button");
  document.body.dataset.met = met?.textContent || "nothing";
  met?.click();
})"""


class Ben:
    """Another phone, called Ben, that writes on the sheet."""

    def __init__(self, served: ServedBook, link: Link) -> None:
        self.book, self.link = served.book, replace(link, by="Ben")

    def writes(self, entry: Mapping[str, Any]) -> None:
        """Record an entry on top of all others."""
        mark = self.book.open(self.link).mark
        self.book.record(self.link, entry, mark, f"ben-{mark}")


def won(player: str) -> dict[str, str]:
    return {"action": "out", "player": player}


def middle(button: Locator) -> tuple[float, float]:
    """The middle of a button once it no longer moves."""
    button.click(trial=True)
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def told(page: Page, *words: str) -> Locator:
    """The drawer's text about what another phone wrote.

    Somebody looks at the phone, so that it polls at once instead of every two seconds.
    """
    page.locator("body").dispatch_event("visibilitychange")
    box = page.locator("#record .wrote")
    for one in words:
        expect(box).to_contain_text(one)
    return box


@pytest.mark.parametrize("slug", ONE_TAP)
@pytest.mark.parametrize("moment", ["before the news", "with the news", "after the news"])
def test_a_deal_counts_once(
    served: ServedBook, page: Page, other: Page, slug: str, moment: str
) -> None:
    """Both ask who won deal 1. Ben's phone records it just before Ann taps a name."""
    link = served.book.begin(slug, FOUR, "Ann", {})
    board: list[Route] = []
    if moment == "before the news":
        page.route("**/board", lambda route: board.append(route))  # noqa: PLW0108 - it is marked
    for phone in (page, other):
        phone.goto(served.address(link))
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
        page.mouse.click(x, y)  # the names are in the same place
    recorded(page, 2)
    assert [entry["player"] for entry in entries(page)] == ["Dot", "Dot"]


def posts(page: Page) -> list[str]:
    """A list that collects the addresses to which this phone sends entries from now on."""
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if is_entry(one) else None)
    return sent


def is_entry(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith(("/entries", "/undo"))


@pytest.mark.parametrize("slug", GAMES)
def test_another_phones_entry_closes_every_question(
    served: ServedBook, page: Page, slug: str
) -> None:
    """In every game no key records until somebody taps to go on.

    By day in one of the ways of the drawer, in a nightly run in each.
    """
    deal = some_sheet(slug, 3, 1)["entries"][0]
    page.goto(served.address(served.sheet(slug, 3, 0)))
    ways = page.locator(".way > summary").count()
    turn = list(GAMES).index(slug) % ways
    for place in usual_or_nightly((turn,), range(ways)):
        link = served.sheet(slug, 3, 0)
        page.goto(served.address(link))
        open_drawer(page)
        page.locator(".way").nth(place).evaluate("way => { way.open = true; }")
        Ben(served, link).writes(deal)
        told(page, "Ben’s phone just wrote")
        expect(page.locator(".steady")).to_have_count(0)
        sent = posts(page)
        for button in page.locator(".ways :is(button, label, summary):visible").all():
            button.click(force=True)
        assert (sent, len(entries(page))) == ([], 1)
        go_on(page)
        expect(page.locator("#record-title")).to_contain_text("2")
        assert len(entries(page)) == 1


def test_a_draft_continues_after_another_entry_of_its_deal(served: ServedBook, page: Page) -> None:
    """Ben’s phone records the red aces; the hands counted so far are kept."""
    link = served.book.begin("red-nines-1881", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    page.locator(".by-name label", has_text="Ben").first.click()
    keys(page, "3", "Next: Cy ›", "4")
    held(page, "3", "out", "4", "–")
    Ben(served, link).writes({"action": "aces", "player": "Cy"})
    told(page, "Ben’s phone just wrote", "Cy played both red aces")
    held(page, "3", "out", "4", "–")
    go_on(page)
    held(page, "3", "out", "4", "–")
    page.reload()
    held(page, "3", "out", "4", "–")
    keys(page, "Next: Dot ›", "5", "Record deal 1")
    recorded(page, 1)


def test_a_draft_is_kept_when_another_phone_records_the_deal(
    served: ServedBook, page: Page
) -> None:
    """It is then in the form for the next deal."""
    link = served.book.begin("plain-score", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    keys(page, "7", "Next: Ben ›", "8")
    Ben(served, link).writes({"action": "deal", "points": {"Ann": 7, "Ben": 8, "Cy": 0, "Dot": 0}})
    told(page, "just wrote Deal 1").get_by_role("link", name="Look").click()
    recorded(page, 1)
    open_drawer(page)
    told(page, "just wrote Deal 1")
    go_on(page)
    expect(page.locator("#record-title")).to_have_text("Deal 2")
    held(page, "7", "8", "–", "–")
    page.reload()
    held(page, "7", "8", "–", "–")


def test_a_draft_of_a_deal_recorded_meanwhile_can_be_discarded(
    served: ServedBook, page: Page
) -> None:
    """Then the form of the next deal is empty."""
    link = served.book.begin("plain-score", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    keys(page, "7", "Next: Ben ›", "8")
    Ben(served, link).writes({"action": "deal", "points": {"Ann": 7, "Ben": 8, "Cy": 0, "Dot": 0}})
    told(page, "just wrote Deal 1").get_by_role("button", name="Discard mine").click()
    recorded(page, 1)
    open_drawer(page)
    expect(page.locator("#record-title")).to_have_text("Deal 2")
    held(page, "–", "–", "–", "–")
    page.reload()
    held(page, "–", "–", "–", "–")


def test_a_late_response_does_not_replace_the_form(served: ServedBook, page: Page) -> None:
    """The network hung after the tap to go on, and by now another form is being filled in."""
    link = served.book.begin("plain-score", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    keys(page, "7", "Next: Ben ›", "8")
    Ben(served, link).writes({"action": "deal", "points": {"Ann": 7, "Ben": 8, "Cy": 0, "Dot": 0}})
    box = told(page, "just wrote Deal 1")
    hanging: list[Route] = []
    page.route("**/entries", lambda route: hanging.append(route))  # noqa: PLW0108 - it is marked
    expect(page.locator(".steady")).to_have_count(0)
    with page.expect_request("**/entries"):
        page.locator("[data-goes-on]").click()
    box.get_by_role("button", name="Discard mine").click()
    recorded(page, 1)
    expect(page.locator("#record .wrote")).to_have_count(0)
    open_drawer(page)
    keys(page, "5", "Next: Ben ›")
    with page.expect_response("**/entries"):
        hanging[0].continue_()
    page.evaluate("fetch('/').then(() => new Promise((done) => setTimeout(done)))")
    held(page, "5", "–", "–", "–")


def test_the_drawer_says_that_another_phone_ended_the_game(served: ServedBook, page: Page) -> None:
    """There is nothing more to record, so it can only be closed."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {"target": 1})
    page.goto(served.address(link))
    open_drawer(page)
    Ben(served, link).writes(won("Dot"))
    told(page, "just wrote").get_by_role("link", name="Look").click()
    closed(page)
    expect(page.locator("section.over")).to_contain_text("Dot wins")
    expect(page.locator("[data-goes-on]")).to_have_count(0)


def test_undo_removes_what_the_other_phone_wrote(served: ServedBook, page: Page) -> None:
    """Then the question about that deal is open again."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    Ben(served, link).writes(won("Dot"))
    told(page, "Dot").get_by_role("button", name="Undo").click()
    recorded(page, 0)
    open_drawer(page)
    expect(page.locator("#record-title")).to_have_text("Deal 1")
    tap_name(page, "Cy")
    recorded(page, 1)


def test_another_phones_note_closes_no_question(served: ServedBook, page: Page) -> None:
    """It doesn't affect the deal, which is recorded by one tap."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    with page.expect_response("**/board"):
        served.book.remark(link, Remark("sheet", "at the lake"), Mark(0), "note")
    expect(page.locator("#live")).to_have_attribute("data-seq", re.compile("^1-"))
    expect(page.locator(".wrote")).to_have_count(0)
    tap_name(page, "Cy")
    recorded(page, 1)


def test_another_phones_entry_closes_a_correction(served: ServedBook, page: Page) -> None:
    """Its effect may have changed, so it is shown again."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {})
    Ben(served, link).writes(won("Dot"))
    page.goto(served.address(link, "#correct-1"))
    choice = page.locator("#record .by-name label", has_text="Cy")
    choice.click()
    Ben(served, link).writes(won("Ann"))
    told(page, "just wrote Deal 2: Ann +1")
    go_on(page)
    expect(page.get_by_role("radio", name="Cy")).to_be_checked()
    key(page, "Save the correction").click()
    closed(page)
    assert [entry["player"] for entry in entries(page)] == ["Cy", "Ann"]


def test_a_correction_whose_deal_was_removed_leads_to_its_page(
    served: ServedBook, page: Page
) -> None:
    """Also when the drawer's address is opened afterwards."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {})
    Ben(served, link).writes(won("Dot"))
    page.goto(served.address(link, "#correct-1"))
    page.locator("#record .by-name label", has_text="Cy").click()
    served.book.undo(replace(link, by="Ben"), served.book.open(link).mark)
    page.locator("[data-goes-on]").click()
    for _ in range(2):
        expect(page.get_by_role("heading", name="Removed")).to_be_visible()
        expect(page.locator("h1")).to_have_count(1)
        page.goto(served.address(link, "#correct-1"))


def test_going_on_without_a_connection_says_so(served: ServedBook, page: Page) -> None:
    """The next tap works once it is back."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {})
    page.goto(served.address(link))
    open_drawer(page)
    Ben(served, link).writes(won("Dot"))
    told(page, "Dot")
    page.context.set_offline(True)
    button = page.locator("[data-goes-on]")
    button.click()
    expect(button).to_have_text("No connection. Try again in a moment.")
    page.context.set_offline(False)
    go_on(page)
    tap_name(page, "Cy")
    recorded(page, 2)


def test_without_script_the_form_is_kept(served: ServedBook, plain: Page) -> None:
    """A key or Record shows the rows in between, with the form for the next deal."""
    link = served.book.begin("multiple-9", FOUR, "Ann", {"scoring": "cards"})
    ben, left = Ben(served, link), {name: "5" for name in FOUR if name != "Dot"}
    plain.goto(served.address(link, "/record"))
    plain.locator(".way[open] .by-name label", has_text="Cy").click()
    ben.writes({**won("Dot"), "left": left})
    plain.locator(".way[open]").get_by_role("button", name="Record deal 1").click()
    said = "Dot’s win was entered first, as deal 1."
    expect(plain.get_by_role("alert")).to_contain_text(f"Not recorded: {said}")
    assert len(entries_of(served, link)) == 1
    expect(plain.locator(".by-name").get_by_role("radio", name="Cy")).to_be_checked()
    expect(plain.locator("#record-title")).to_have_text("Deal 2")
    ben.writes({**won("Dot"), "left": left})
    plain.locator(".way[open] .tab").nth(1).click()
    plain.locator(".way[open]").get_by_role("button", name="5", exact=True).click()
    expect(plain.get_by_role("alert")).to_contain_text("Recorded in the meantime")
    expect(plain.locator("#record-title")).to_have_text("Deal 3")
    assert len(entries_of(served, link)) == 2


def entries_of(served: ServedBook, link: Link) -> list[Any]:
    return [step.entry for step in served.book.open(link).course.steps]

"""An evening at the kitchen table: one phone keeps the score, another scans its code."""

import io

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from referee.rules.registry import GAMES
from referee.sheets.files import play_through, read_sheet, result
from tests.support.browser_steps import (
    begin_sheet,
    choose,
    fetch,
    fill_in,
    form,
    open_drawer,
    record,
    recorded,
    rows,
    score,
    sheet_at,
    tap_name,
    walk_to_a_new_sheet,
    way,
    won,
)
from tests.support.cases import tables_of
from tests.support.server import Server


def test_evening(server: Server, page: Page, other: Page) -> None:
    """Home, new sheet, two deals, a refused entry, undo, share; the other phone sees deal three."""
    walk_to_a_new_sheet(page, server.address, "Multiple 9", ["Ann", "Ben", "Cat"])
    assert "/s/" in page.url
    for number, winner in enumerate(["Ben", "Cat"], start=1):
        won(page, winner)
        recorded(page, number)

    open_drawer(page, "Turn by turn")
    turn = form(page, "turn")
    expect(turn.locator(".tab").first).to_have_text("Ann’s turn")
    for card in ("6", "3"):
        turn.get_by_role("button", name=card, exact=True).click()
    expect(turn.locator("input[name=cards]")).to_have_value("6 3")
    turn.get_by_role("button", name="Record the turn").click()
    expect(page.get_by_role("alert")).to_contain_text("only allowed as your last play")
    expect(form(page, "turn").locator("input[name=cards]")).to_have_value("6 3")
    rows(page, 2)

    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    recorded(page, 1)
    expect(page.locator(".head")).to_contain_text("Deal 2")

    page.get_by_role("link", name="Share").click()
    code = page.get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    expect(code).to_have_js_property("complete", True)
    seen = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))
    assert [one.text for one in seen] == [page.get_by_label("Link", exact=True).input_value()]

    other.goto(f"{seen[0].text}?watch=yes")  # else it may be asked for its seat
    expect(other.locator(".score-pad")).to_contain_text("Ben")
    expect(other.locator("form.entry")).to_have_count(0)
    page.get_by_role("link", name="Back to the sheet").click()
    won(page, "Ann")
    recorded(page, 2)
    expect(other.locator("#toast")).to_contain_text("Deal 2: Ann +1")
    expect(other.locator(".now")).to_contain_text("Cat deals 5 each")
    expect(other.locator(".head")).to_contain_text("Deal 3")
    expect(other.locator("#said")).to_have_text("Deal 2: Ann +1")
    expect(page.locator("#toast")).to_be_focused()


@pytest.mark.parametrize("slug", GAMES)
def test_a_deal_of_each_game_without_scripts(server: Server, plain: Page, slug: str) -> None:
    """The form of each game, filled in, records the scores of its case."""
    done = tables_of(slug)["filled_in"]
    begin_sheet(plain, server.address, str(GAMES[slug].title), done["players"])
    open_drawer(plain)
    entry = plain.locator("#record form.entry").filter(
        has=plain.locator(f"input[name=action][value={done['action']}]")
    )
    if not entry.is_visible():
        way(plain, "Just the result")
    for name, value in done.get("radio", {}).items():
        choose(entry, name, value)
    for name, text in done.get("fill", {}).items():
        fill_in(entry, name, text)
    if "tap" in done:
        tap_name(plain, done["tap"])
    else:
        record(entry)
    recorded(plain, 1)
    sheet = read_sheet(fetch(plain, sheet_at(plain) + "/sheet.json").body())
    found = result(play_through(sheet.game, sheet.table, sheet.entries))
    assert found["scores"] == done["scores"]
    for name, points in done["scores"].items():
        score(plain, name, points)


def test_keys_faults_and_entries_work_without_scripts(server: Server, plain: Page) -> None:
    """The pages are plain forms then."""
    walk_to_a_new_sheet(plain, server.address, "Multiple 9", ["Ann", "Ben"])
    open_drawer(plain, "Turn by turn")
    choose(form(plain, "turn"), "player", "Ben")
    plain.locator(".tab", has_text="Cards laid down").click()
    for card in ("6", "3"):
        form(plain, "turn").get_by_role("button", name=card, exact=True).click()
    turn = form(plain, "turn")
    expect(turn.locator("input[name=cards]")).to_have_value("6 3")
    turn.get_by_role("button", name="Record the turn").click()
    expect(plain.get_by_role("alert")).to_contain_text("only allowed as your last play")
    form(plain, "turn").locator("input[name=cards]").fill("9 9")
    form(plain, "turn").get_by_role("button", name="Record the turn").click()
    expect(plain.locator("#live")).to_be_visible()
    recorded(plain, 1)

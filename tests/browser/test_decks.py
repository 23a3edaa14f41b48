"""The letters of the deck on the table: on keys and cards, as they are tapped and typed."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TakePhone
from tests.support.browser_steps import begin_sheet, entries, open_drawer, rows, sheet_at
from tests.support.server import Server

#: Types into a field that another one hides.
FILL = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def choose(page: Page, server: Server, letters: str) -> None:
    page.goto(f"{server.address}/language")
    page.get_by_role("button", name=" ".join(letters), exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-letters", letters)


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_a_question_is_tapped_and_typed_as_the_deck_has_it(
    server: Server, new_phone: TakePhone, scripted: bool
) -> None:
    """The felt shows the same letters, and takes the right card back."""
    page = new_phone(java_script_enabled=scripted)
    choose(page, server, "VDR")
    page.goto(f"{server.address}/referee/red-nines/penalty")
    for key in ("V", "D", "R"):
        page.locator(".docked").get_by_role("button", name=key, exact=True).click()
        expect(page.locator(f"#felt [data-rank={key}]")).to_have_count(1)
    line = page.locator("input[name=cards]")
    expect(line).to_have_value("V D R")
    expect(page.locator("#ruling")).to_contain_text("36 points")
    page.locator("#felt [data-card=Q]").click()
    expect(line).to_have_value("V R")
    line.fill("r 9R")
    if not scripted:
        page.get_by_role("button", name="Ask").click()
    expect(page.locator("#ruling")).to_contain_text("44 points")
    expect(page.locator("#felt .k")).to_have_count(2)


@pytest.mark.parametrize(("deck", "shown"), [("VDR", "DD345678R"), ("JQK", "QQ345678K")])
def test_a_draft_keeps_its_cards_when_another_deck_comes_to_the_table(
    server: Server, page: Page, deck: str, shown: str
) -> None:
    """A Dutch V is a queen, a French one a jack: its cards get the letters of the deck."""
    choose(page, server, "BVH")
    begin_sheet(page, server.address, "Colorado Nines", ["Ann", "Ben"])
    sheet = sheet_at(page)
    open_drawer(page)
    line = page.locator("input[name='grids.0']")
    line.fill("V V 3 4 5 6 7 8 H")
    expect(page.locator("[data-hand]:visible .k").first).to_have_text("V")
    choose(page, server, deck)
    page.goto(sheet)
    open_drawer(page)
    expect(page.locator("[data-hand]:visible .k")).to_have_text([*shown])
    expect(line).to_have_value(" ".join(shown))
    for key in ("End", "Backspace", deck[2]):
        line.press(key)  # typed again, it is a king again
    expect(page.locator("[name='grids.1:letters']")).to_have_count(int(deck != "JQK"))
    page.locator("input[name='grids.1']").evaluate(FILL, "7")
    page.get_by_role("button", name="Record round 1").click()
    expect(page.get_by_role("link", name="Record round 2", exact=True)).to_be_visible()
    assert entries(page)[-1]["grids"] == {"Ann": "Q 4 7 | Q 5 8 | 3 6 K", "Ben": 7}


@pytest.mark.parametrize(("deck", "line"), [("BDK", "9♦ D B"), ("VDR", "9♦ D V")])
def test_a_suit_of_a_draft_stays_one(server: Server, page: Page, deck: str, line: str) -> None:
    """As its sign, where its letter could be a second card."""
    begin_sheet(page, server.address, "Red Nines (20th century)", ["Ann", "Ben", "Cat", "Dan"])
    sheet = sheet_at(page)
    open_drawer(page)
    typed = page.locator("input[name='hands.1']")
    typed.evaluate(FILL, "9D Q J")
    choose(page, server, deck)
    page.goto(sheet)
    open_drawer(page)
    expect(typed).to_have_value(line)


def test_a_hand_that_a_draft_leaves_out_keeps_the_letters_of_the_deck(
    server: Server, page: Page
) -> None:
    """Whoever went out has no hand, until it was somebody else."""
    choose(page, server, "BDK")
    begin_sheet(page, server.address, "Red Nines (1881)", ["Ann", "Ben", "Cat", "Dan"])
    open_drawer(page)
    form = page.locator("form[data-draft]:has([name=action][value=out])")
    form.locator("[name=player][value=Ben]").evaluate("name => name.click()")
    letters = form.locator("[name='hands.1:letters']")
    expect(letters).to_be_disabled()
    form.locator("input[name='hands.0']").evaluate(FILL, "7S")
    page.reload()
    expect(letters).to_be_disabled()
    assert letters.input_value() == "BDK:SHDCR"


def test_a_suit_that_is_written_as_its_sign_has_its_color(server: Server, page: Page) -> None:
    """The same as if it were written as its letter."""
    begin_sheet(page, server.address, "Colorado Nines", ["Ann", "Ben"])
    open_drawer(page)
    page.locator("input[name='grids.0']").fill("9♦ K 2")
    card = page.locator("[data-hand]:visible .k").first
    expect(card).to_have_text("9♦\ufe0e")
    expect(card).to_have_attribute("data-suit", "D")


def test_two_phones_have_one_sheet_in_two_decks(server: Server, page: Page, other: Page) -> None:
    """Each shows it in its own letters, and a correction begins with them."""
    choose(page, server, "BDK")
    begin_sheet(page, server.address, "Colorado Nines", ["Ann", "Ben"])
    sheet = sheet_at(page)
    other.goto(sheet)
    open_drawer(page)
    page.locator("input[name='grids.0']").fill("B B B | D K 2 | 3 3 3")
    page.locator("input[name='grids.1']").evaluate(FILL, "7")
    page.get_by_role("button", name="Record round 1").click()
    rows(other, 1)
    for phone, letters in ((page, "BDK"), (other, "JQK")):
        phone.goto(f"{sheet}/deals/1")
        shown = phone.locator(".columns .k").all_inner_texts()
        assert shown == [*letters[0] * 3, *letters[1:], "2", "3", "3", "3"]
    page.get_by_role("link", name="Correct").click()
    expect(page.locator("input[name='grids.0']")).to_have_value("B B B | D K 2 | 3 3 3")

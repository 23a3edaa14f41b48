"""Games with unusual forms: red nines, and a betting round with a side pot."""

import pytest
from playwright.sync_api import Page, expect

from referee.ledger.chain import Mark
from tests.support.browser_steps import (
    begin_sheet,
    fill_in,
    form,
    open_drawer,
    raises,
    score,
)
from tests.support.served_book import ServedBook
from tests.support.server import Server


def test_a_tapped_hand_says_what_it_costs(server: Server, page: Page) -> None:
    """Less if going out on a red nine was not announced."""
    names = ["Ann", "Ben", "Cat", "Dan"]
    begin_sheet(page, server.address, "Red Nines (20th century)", names, must_announce="true")
    open_drawer(page)
    out = form(page, "out")
    page.get_by_label("Dan went out on a red nine").click()
    fill_in(out, "hands.1.points", "20")
    fill_in(out, "hands.0", "A K 9R")
    ann = out.locator(".place[data-seat='0'] .counted")
    expect(ann).to_contain_text("168 points")
    expect(out.locator(".will")).to_contain_text("Ann (33 + 9) × 4 = 168, Ben 20 × 2 = 40")
    out.locator(".tab").first.click()
    out.get_by_text("it was announced").click()  # but it was not
    expect(ann).to_be_empty()
    expect(out.locator(".will")).to_contain_text("Ann (33 + 9) × 2 = 84, Ben 20")


@pytest.mark.parametrize("slug", ["red-nines-1881", "red-nines", "pink-nines"])
def test_a_red_nine_can_be_read_otherwise(server: Server, page: Page, slug: str) -> None:
    """After a six it is a seven; one key makes it a nine, another the next card tapped."""
    page.goto(f"{server.address}/referee/{slug}/run")
    keys, cards = page.locator(".pad"), page.locator("input[name=cards]")

    def tap(*names: str) -> None:
        for name in names:
            if len(name) > 1 and name[-1] in "SD":
                page.locator(f".suits [data-suit={name[-1]}]").first.click()
                name = name[:-1]  # noqa: PLW2901 - its suit has been tapped
            keys.get_by_role("button", name=name, exact=True).first.click()

    suited = slug == "red-nines-1881"
    tap(*(("6D", "9D") if suited else ("6", "Red nine")))
    expect(page.locator("#ruling")).to_contain_text(
        "The nine of diamonds stands for" if suited else "The red nine stands for"
    )
    tap("The red nine is a nine")
    expect(cards).to_have_value("6D 9D=9D" if suited else "6 9R=9")
    expect(page.locator("#ruling h2")).to_have_text("No")
    tap("Take back", "9D" if suited else "Red nine", "stands for…", "7D" if suited else "7")
    expect(cards).to_have_value("6D 9D=7D" if suited else "6 9R=7")
    expect(page.locator("#ruling h2")).to_contain_text("Yes")


def test_betting_hand_with_side_pot(served: ServedBook, page: Page) -> None:
    """An all-in for less, a side pot, and a showdown that pays both pots."""
    names = ["Ann", "Ben", "Cat", "Dan"]
    link = served.book.begin("multiple-9-holdem", names, "Ann", {"stack": 50})
    for row, player in enumerate(("Ben", "Cat")):
        bought = {"action": "buy", "player": player, "amount": 50}
        served.book.record(link, bought, Mark(row), f"chips {row}")
    page.goto(served.address(link))
    open_drawer(page)
    does = page.locator("#street-does")
    expect(page.locator(".asked")).to_contain_text("The bet is 2. Who folds?")
    page.get_by_label("Dan folds").click()
    for player, to in (("Ann", "50"), ("Ben", "100")):
        raises(page, player, to)
        expect(does).to_contain_text(f"{player} raises to {to}")
        does.click()
        expect(page.locator(".asked")).to_contain_text(f"{player} raised to {to}.")
    expect(does).to_contain_text("Cat calls 98")
    does.click()
    board = form(page, "board")  # nobody can bet: all of it at once
    fill_in(board, "cards", "J 7 9 2 10")
    board.get_by_role("button", name="Record the board").click()
    show = form(page, "show")
    for seat, cards in ((0, "K K"), (1, "8 7"), (2, "Q 5")):
        fill_in(show, f"hands.{seat}", cards)
    expect(show.locator(".will")).to_contain_text(
        "Ann takes 150 with seven nines, Ben takes 100 with six nines"
    )
    show.get_by_role("button", name="Settle the hand").click()
    page.get_by_role("link", name="Next hand: Ben deals").click()
    for player, chips in (("Ann", 148), ("Ben", 100), ("Cat", 0), ("Dan", 49)):
        score(page, player, chips)
    page.get_by_role("link", name="Hand 1").click()
    expect(page.locator(".unfolded")).to_contain_text(
        "the main pot with 7 nines (K+K+10, J+7, and 9), left over: 2"
    )

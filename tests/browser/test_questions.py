"""The referee's pages: cards on the felt, the verdict above the keys."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from referee.rules.registry import GAMES
from tests.browser.conftest import TakePhone
from tests.browser.screens import QUESTIONS
from tests.support.browser_steps import sideways
from tests.support.campaign import usual_or_nightly
from tests.support.chromium import SMALL
from tests.support.server import Server

KEYS = usual_or_nightly(2, 10)

#: Whether the whole verdict's line is in sight, above the keys and under nothing.
IN_SIGHT = """() => {
  const line = document.querySelector("#ruling h2").getBoundingClientRect();
  const on = document.elementFromPoint(line.left + 4, line.top + line.height / 2);
  return line.top >= 0 && line.bottom <= innerHeight && Boolean(on.closest("#ruling"));
}"""


def tap(page: Page, names: str) -> None:
    for name in names.split():
        page.locator(".docked").get_by_role("button", name=name, exact=True).tap()


@pytest.mark.parametrize("slug", GAMES)
def test_the_verdict_stays_in_sight_after_each_key(server: Server, touch: Page, slug: str) -> None:
    """On a small phone too, and before the first key."""
    touch.set_viewport_size({"width": 360, "height": 640})
    for judge in GAMES[slug].judges:
        touch.goto(f"{server.address}/referee/{slug}/{judge}")
        assert touch.evaluate(IN_SIGHT), judge
        for key in touch.locator(".docked .keys:visible .key:not(.beside-cards)").all()[:KEYS]:
            key.tap()
            assert touch.evaluate(IN_SIGHT), judge
            assert touch.evaluate("document.scrollingElement.scrollTop") == 0, judge


def test_the_verdict_stays_in_sight_with_the_longest_rulings(server: Server, touch: Page) -> None:
    """For each question with cards."""
    for name, question in QUESTIONS.items():
        touch.goto(f"{server.address}/referee/{quote(question, safe='/?=&+%:;*')}")
        assert touch.evaluate(IN_SIGHT), name


def test_text_on_a_card_fits_the_card(server: Server, page: Page) -> None:
    """A red nine shows its suit, and the card that it stands for."""
    page.goto(f"{server.address}/rules/red-nines-1881")
    too_full = "(cards) => cards.filter((one) => one.scrollHeight > one.clientHeight + 1).length"
    assert page.locator(".k small").count() > 0
    assert page.locator(".k").evaluate_all(too_full) == 0


def test_cards_lie_in_groups_with_their_sums(server: Server, touch: Page) -> None:
    """A key that would complete a group glows until it is tapped."""
    touch.goto(f"{server.address}/referee/multiple-9/discard")
    tap(touch, "8 4 4 A")
    expect(touch.locator("#ruling h2")).to_have_text("Not yet: they make 17")
    expect(touch.locator(".key.would")).to_have_text(["A", "10"])
    tap(touch, "A")
    expect(touch.locator("#ruling h2")).to_have_text("Yes: two nines")
    expect(touch.locator("#felt .group")).to_have_count(2)
    expect(touch.locator("#felt .sum")).to_have_text(["8 + 1 = 9", "4 + 4 + 1 = 9"])
    expect(touch.locator(".key.would")).to_have_count(0)
    touch.get_by_role("button", name="Take back", exact=True).tap()
    expect(touch.locator("#ruling h2")).to_have_text("Not yet: they make 17")


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_a_tap_on_a_card_removes_it(server: Server, new_phone: TakePhone, scripted: bool) -> None:
    """Also from the middle of a group; the card is a button of the form."""
    page = new_phone(java_script_enabled=scripted)
    page.goto(f"{server.address}/referee/multiple-9/discard?cards=8+4+4+A+A")
    page.locator("#felt [data-card='8']").click()
    expect(page.locator("input[name=cards]")).to_have_value("4 4 A A")
    expect(page.locator("#ruling h2")).to_have_text("Not yet: they make 10")
    expect(page.locator("#felt .back-card")).to_have_count(4)


def test_a_grid_is_shown_as_on_the_table(server: Server, touch: Page) -> None:
    """Nine places, tapped row by row, a sum below each column; each card can be removed."""
    touch.goto(f"{server.address}/referee/colorado-nines/grid")
    expect(touch.locator("#felt .ghost")).to_have_count(9)
    tap(touch, "J 5 A J 6 K")
    expect(touch.locator("input[name=columns]")).to_have_value("J J | 5 6 | A K")
    expect(touch.locator("#felt .ghost")).to_have_count(3)
    tap(touch, "J 7 2")
    expect(touch.locator("#felt .sums span")).to_have_count(3)
    expect(touch.locator("#ruling")).to_contain_text("points.")
    touch.locator("#felt [data-card='7']").tap()
    expect(touch.locator("input[name=columns]")).to_have_value("J J J | 5 6 | A K 2")
    touch.locator("#felt [data-card='5']").tap()  # the cards below it move up
    expect(touch.locator("input[name=columns]")).to_have_value("J J J | 6 | A K 2")
    expect(touch.locator("#felt [data-card]").nth(1)).to_have_attribute("data-card", "6")


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_hand_and_board_are_one_row(server: Server, new_phone: TakePhone, scripted: bool) -> None:
    """The first two are the hand, the others the board: seven taps in all."""
    page = new_phone(java_script_enabled=scripted)
    page.goto(f"{server.address}/referee/multiple-9-holdem/hand")
    expect(page.locator("#felt .in-row .ghost")).to_have_count(7)
    for card in ["8", "2", "J", "7", "9", "2", "10"]:
        page.locator(".docked").get_by_role("button", name=card, exact=True).click()
    expect(page.locator("input[name=hole]")).to_have_value("8 2")
    expect(page.locator("input[name=board]")).to_have_value("J 7 9 2 10")
    expect(page.locator("#ruling h2")).to_have_text("5 nines, 1 rank left over.")
    tops = {card.bounding_box()["y"] for card in page.locator("#felt .in-row .k").all()}  # type: ignore[index]
    assert len(tops) == 1


# --- questions about several people


def tab(page: Page, name: str) -> None:
    """Tap the tab with this name."""
    page.locator(".tab", has_text=name).tap()


def test_three_hands_and_a_board_are_tapped_without_tabs(server: Server, touch: Page) -> None:
    """After two cards the next hand opens, then the board; nothing scrolls sideways."""
    touch.set_viewport_size(SMALL)
    touch.goto(server.address + "/referee/multiple-9-holdem/showdown")
    touch.locator("input[name='who.0']").fill("Maximilian-Alexander XIV")
    expect(touch.locator(".tab").first).to_contain_text("Maximilian-Alexander XIV")
    tap(touch, "8 2")
    touch.get_by_role("button", name="Add a player").tap()
    expect(touch.locator("input[name='hands.2']")).to_have_count(1)
    expect(touch.locator("input[name='hands.0']")).to_have_value("8 2")
    tab(touch, "Player 2")
    tap(touch, "A 2")
    tap(touch, "3 4")
    expect(touch.locator("input[name='hands.2']")).to_have_value("3 4")
    expect(touch.locator("#ruling")).to_contain_text("Now the board.")
    tap(touch, "J 7 9 2 10")
    expect(touch.locator("#ruling")).to_contain_text("Maximilian-Alexander XIV wins.")
    assert sideways(touch) == 0


def test_scores_and_dealer_are_tapped(server: Server, touch: Page) -> None:
    """Scores can be negative; the dealer is marked beside a name."""
    touch.goto(server.address + "/referee/nine-five-two/exchange")
    tap(touch, "1")
    tab(touch, "Player 2")
    tap(touch, "0")
    touch.locator(".switch", has_text="Deals next").filter(visible=True).tap()
    tab(touch, "Player 3")
    tap(touch, "Minus 1")
    expect(touch.locator("input[name='scores.2']")).to_have_value("−1")
    expect(touch.locator("#ruling")).to_contain_text("Player 1 (1 up) may give Player 3")


def test_adding_a_player_keeps_what_was_entered(server: Server, touch: Page) -> None:
    """On the tabs and in the answer."""
    touch.goto(server.address + "/referee/multiple-9-holdem/pots")
    tap(touch, "1 0 0")
    tab(touch, "Player 2")
    tap(touch, "2 0 0")
    held = touch.locator(".tab [data-held]")
    expect(held).to_have_text(["100", "200"])
    touch.get_by_role("button", name="Add a player").tap()
    expect(held).to_have_text(["100", "200", "–"])


def test_the_first_digit_replaces_a_zero(server: Server, touch: Page) -> None:
    """“What do I pay?” begins with 0 cards; a tap on 2 makes it 2, not 02."""
    touch.goto(server.address + "/referee/red-nines-1881/payment")
    tap(touch, "2")
    expect(touch.locator("input[name=plain]")).to_have_value("2")
    tap(touch, "0 + 0 5")
    expect(touch.locator("input[name=plain]")).to_have_value("20 + 5")


def test_cards_shrink_to_fit_on_the_felt(server: Server, touch: Page) -> None:
    """The sixth is beside the fifth; the link to the rule ends above the tabs."""
    touch.goto(server.address + "/referee/red-nines/run")
    tap(touch, "A 2 3 4 5 6")
    laid = touch.locator("#felt [data-of=cards] .k")
    expect(laid).to_have_count(6)
    expect(touch.locator("#ruling")).to_contain_text("Yes A seven must follow.")
    assert len({card.bounding_box()["y"] for card in laid.all()}) == 1  # type: ignore[index]
    rule = touch.locator("#ruling .rule").bounding_box()
    tab_there = touch.locator(".tab").first.bounding_box()
    assert rule is not None
    assert tab_there is not None
    assert rule["y"] + rule["height"] <= tab_there["y"]


def test_a_question_about_numbers_has_no_empty_felt(server: Server, touch: Page) -> None:
    """It appears with an answer that shows cards or pots."""
    touch.goto(server.address + "/referee/red-nines-1881/payment")
    expect(touch.locator("#ruling")).to_be_visible()
    expect(touch.locator(".laid")).to_be_hidden()
    tap(touch, "2")
    expect(touch.locator("#ruling")).to_contain_text("Pay 2: 2 cards.")
    expect(touch.locator(".laid")).to_be_visible()

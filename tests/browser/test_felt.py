"""The referee's pages: cards on the felt, the verdict above the keys."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from referee.rules.registry import GAMES
from tests.browser.screens import QUESTIONS
from tests.support.campaign import often
from tests.support.server import Server

pytestmark = pytest.mark.browser
TakePhone = Callable[..., Page]

JUDGES = [f"{slug}/{name}" for slug, game in GAMES.items() for name in game.judges]

KEYS = often(5, 10)

#: Whether the whole verdict's line is in sight, above the keys and under nothing.
IN_SIGHT = """() => {
  const line = document.querySelector("#ruling h2").getBoundingClientRect();
  const on = document.elementFromPoint(line.left + 4, line.top + line.height / 2);
  return line.top >= 0 && line.bottom <= innerHeight && Boolean(on.closest("#ruling"));
}"""


def tap(page: Page, names: str) -> None:
    """Tap these keys, one after another."""
    for name in names.split():
        page.locator(".docked").get_by_role("button", name=name, exact=True).tap()


@pytest.mark.parametrize("judge", JUDGES)
def test_the_verdict_is_in_sight_whatever_is_tapped(
    server: Server, new_phone: TakePhone, judge: str
) -> None:
    """On a small phone too, before anything is tapped and after each key."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{server.address}/referee/{judge}")
    assert page.evaluate(IN_SIGHT)
    for key in page.locator(".docked .keys:visible .key:not(.camera)").all()[:KEYS]:
        key.tap()
        assert page.evaluate(IN_SIGHT)
        assert page.evaluate("document.scrollingElement.scrollTop") == 0


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_verdict_is_in_sight_beside_every_ruling(
    server: Server, new_phone: TakePhone, name: str
) -> None:
    """However much there is to say."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/referee/{quote(QUESTIONS[name], safe='/?=&+%:;*')}")
    assert page.evaluate(IN_SIGHT)


def test_cards_lie_in_groups_with_their_sums(server: Server, new_phone: TakePhone) -> None:
    """And what one more card would do glows on the keys until it is there."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/referee/multiple-9/discard")
    tap(page, "8 4 4 A")
    expect(page.locator("#ruling h2")).to_have_text("Not yet: they make 17")
    assert page.locator(".key.would").all_inner_texts() == ["A", "10"]
    tap(page, "A")
    expect(page.locator("#ruling h2")).to_have_text("Yes: two nines")
    expect(page.locator("#felt .group")).to_have_count(2)
    assert page.locator("#felt .sum").all_inner_texts() == ["8 + 1 = 9", "4 + 4 + 1 = 9"]
    expect(page.locator(".key.would")).to_have_count(0)


def test_a_tap_on_a_card_takes_it_back(server: Server, new_phone: TakePhone) -> None:
    """Out of the middle of a group; the phone takes it off the felt before it is ruled on."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/referee/multiple-9/discard?cards=8+4+4+A+A")
    page.locator("#felt [data-card='8']").tap()
    expect(page.locator("input[name=cards]")).to_have_value("4 4 A A")
    expect(page.locator("#ruling h2")).to_have_text("Not yet: they make 10")
    expect(page.locator("#felt .back-card")).to_have_count(4)


def test_a_tap_on_a_card_takes_it_back_without_script(server: Server, new_phone: TakePhone) -> None:
    """The card is a button of the form."""
    page = new_phone(java_script_enabled=False)
    page.goto(f"{server.address}/referee/multiple-9/discard?cards=8+4+4+A+A")
    page.locator("#felt [data-card='8']").click()
    expect(page.locator("input[name=cards]")).to_have_value("4 4 A A")
    expect(page.locator("#ruling h2")).to_have_text("Not yet: they make 10")


def test_a_grid_lies_as_it_lies(server: Server, new_phone: TakePhone) -> None:
    """Nine places, tapped row by row, a sum under each column; each card can be taken back."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/referee/colorado-nines/grid")
    expect(page.locator("#felt .ghost")).to_have_count(9)
    tap(page, "J 5 A J 5 K")
    expect(page.locator("input[name=columns]")).to_have_value("J J | 5 5 | A K")
    expect(page.locator("#felt .ghost")).to_have_count(3)
    tap(page, "J 7 2")
    expect(page.locator("#felt .sums span")).to_have_count(3)
    expect(page.locator("#ruling")).to_contain_text("points.")
    page.locator("#felt [data-card='7']").tap()
    expect(page.locator("input[name=columns]")).to_have_value("J J J | 5 5 | A K 2")


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_seven_cards_in_one_row(server: Server, new_phone: TakePhone, scripted: bool) -> None:
    """Two of them are the hand, the others the board: seven taps, nothing between them."""
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


@pytest.mark.parametrize(
    ("judge", "cards"),
    [
        ("multiple-9/discard", "8 4 4 A A"),
        ("multiple-9/discard", "9 9"),
        ("9-of-a-kind/claim", "4 4 2 9"),
        ("9-of-a-kind/trade", "4 4"),
        ("red-nines/run", "6 7 8"),
        ("nine-five-two/trick", "K 9 A"),
        ("nine-five-two/discard", "K 9 A 2"),
        ("multiple-9-holdem/showdown", "8 2 K A"),
    ],
)
def test_no_red_while_cards_are_being_tapped(
    server: Server, new_phone: TakePhone, judge: str, cards: str
) -> None:
    """What is not whole yet is not wrong."""
    page = new_phone(has_touch=True, is_mobile=True)
    page.goto(f"{server.address}/referee/{judge}")
    suits = page.locator(".docked .suits label")
    for place, card in enumerate(cards.split()):
        if suits.count():
            suits.nth(place % suits.count()).tap()
        with page.expect_response(lambda answer: "/referee/" in answer.url):
            tap(page, card)
        expect(page.locator(".htmx-request")).to_have_count(0)
        expect(page.locator("#ruling .says.no")).to_have_count(0)

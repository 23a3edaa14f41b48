"""What is mirrored on a page in a right-to-left language, and what isn't."""

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import TakePhone
from tests.support.server import Server


@pytest.fixture
def hebrew(new_phone: TakePhone) -> Page:
    """A phone whose language is Hebrew."""
    return new_phone(locale="he")


def middle(one: Locator) -> float:
    """How far from the left the middle of something is."""
    box = one.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


def test_a_square_of_cards_lies_as_on_the_table(server: Server, hebrew: Page) -> None:
    """Its first place is at the top left, as it is called; its heading is at the right."""
    hebrew.goto(f"{server.address}/referee/colorado-nines/opening")
    square = hebrew.locator(".places")
    first, second = (square.locator("label").nth(at) for at in (0, 1))
    assert middle(first) < middle(second) < middle(square.locator("legend"))


def test_a_caption_under_cards_is_a_sentence_of_the_page(server: Server, hebrew: Page) -> None:
    """The player named first in it is at the right; the cards are read from the left."""
    hebrew.goto(f"{server.address}/referee/multiple-9/discard?cards=8+4+4+2")
    ways = "(one) => getComputedStyle(one).direction"
    assert hebrew.locator(".laid .group .sum").first.evaluate(ways) == "rtl"
    assert hebrew.locator(".laid .group .hand").first.evaluate(ways) == "ltr"


def test_a_word_beside_keys_is_where_a_line_begins(server: Server, hebrew: Page) -> None:
    """At the right of the suits, which are as on other phones, and of the choice below it."""
    hebrew.goto(f"{server.address}/referee/nine-five-two/trick?cards=KS+9H+AS")
    suits = hebrew.locator(".above .suits")
    last = suits.locator("label").last.bounding_box()
    whole = suits.bounding_box()
    assert last is not None
    assert whole is not None
    assert last["x"] + last["width"] < whole["x"] + whole["width"] - 20
    hebrew.goto(server.address)
    letters = hebrew.locator("nav.games a").last
    box = letters.bounding_box()
    assert box is not None
    assert middle(letters.locator("bdi")) > box["x"] + box["width"] / 2


def test_a_hand_is_said_after_its_player(server: Server, hebrew: Page) -> None:
    """A number after a name in Latin letters would else be read before it."""
    hebrew.goto(
        f"{server.address}/referee/multiple-9-holdem/showdown"
        "?who.0=Ann&hands.0=Q+5&who.1=Ben&hands.1=9+9&board=Q+Q+J+J+4"
    )
    name = hebrew.locator(".ranking b").first
    assert name.inner_text() == "\u2068Ann\u2069"


def test_what_opens_points_to_the_left(server: Server, hebrew: Page) -> None:
    """In the direction in which the following words are."""
    hebrew.goto(f"{server.address}/new/pink-nines")
    points = "(one) => getComputedStyle(one, '::before').content"
    assert hebrew.locator("summary").first.evaluate(points) == '"◂"'

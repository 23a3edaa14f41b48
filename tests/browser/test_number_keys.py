"""The number keys of every game: however fast they are tapped, the entry is as meant."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from referee.rules.registry import GAMES
from tests.support.browser_steps import (
    Thumb,
    begin_sheet,
    entries,
    held,
    recorded,
    score,
)
from tests.support.campaign import usual_or_nightly
from tests.support.cases import tables_of
from tests.support.number_taps import RED_NINE, Person, pad_of
from tests.support.server import Server

FIVE = ["Ann", "Ben", "Cat", "Dan", "Eve"]
FOUR = FIVE[:4]


#: The games with number keys: how to open them, and where an entry has the numbers.
NUMBERS = {slug: tables["numbers"] for slug in GAMES if "numbers" in (tables := tables_of(slug))}
FINE = (12, 3, 5, 4)  # numbers that every hand can have, unless a game has others


def recorded_numbers(asked: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """Each player's number and red nines in an entry."""
    held = {name: entry[asked["field"]][name] for name in asked["asked"]}
    if "part" not in asked:
        return {name: (number, 0) for name, number in held.items()}
    return {name: (one[asked["part"]], one.get("red_nines", 0)) for name, one in held.items()}


@pytest.mark.parametrize("seed", range(1, usual_or_nightly(2, 20)))
@pytest.mark.parametrize("slug", NUMBERS)
def test_keys_at_random_record_what_was_meant(
    server: Server, thumb: Thumb, slug: str, seed: int
) -> None:
    """Tapped as fast as possible, the entry has the numbers of the model."""
    tap_at_random(thumb, server.address, slug, seed)


def tap_at_random(thumb: Thumb, address: str, slug: str, seed: int, taps: int = 50) -> None:
    """Tap keys at random and record; impossible hands are replaced before."""
    page, asked, game = thumb.page, NUMBERS[slug], str(GAMES[slug].title)
    begin_sheet(page, address, game, FIVE[: asked["players"]], **asked.get("options", {}))
    thumb.open()
    thumb.follow(asked.get("steps", ()))
    fast, pad = Fast(page), pad_of(asked)
    person = Person(pad)
    for move in person.moves(Random(f"{game} {seed}"), taps):
        fast.tap(move)
    fast.settled(person)
    for player, fine in zip(pad.asked, asked.get("fine", FINE), strict=False):
        number = person.numbers[player]
        if number.plain != fine or number.red_nines or not number.parts:
            for move in (player, *([str(fine)] if pad.whole else str(fine))):
                fast.tap(move)
                person.tap(move)
    fast.settled(person)
    thumb.record()
    recorded(page, 1)
    meant = {name: (one.plain, one.red_nines) for name, one in person.numbers.items()}
    assert recorded_numbers(asked, entries(page)[0]) == meant


#: Whether the drawer is open, no longer moves, and takes every tap.
AT_REST = """() => {
  const drawer = document.querySelector("dialog.drawer[open]");
  return drawer && !drawer.getAnimations().length && !drawer.querySelector(".steady");
}"""


class Fast:
    """Taps the places of keys without waiting for anything."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.places: dict[str, tuple[float, float]] = {}
        self.tapped: list[str] = []
        page.wait_for_function(AT_REST)

    def tap(self, *moves: str) -> None:
        """Tap keys, tabs, or Next, one after another."""
        for move in moves:
            if move not in self.places:
                box = self._found(move).bounding_box()
                assert box is not None
                self.places[move] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            self.page.touchscreen.tap(*self.places[move])
            self.tapped.append(move)

    def _found(self, move: str) -> Locator:
        drawer = self.page.locator("dialog.drawer")
        if move == "Next":
            return drawer.locator("[data-next]").filter(visible=True)
        if move in FIVE:
            return drawer.locator(".way[open] .tab").filter(has_text=move)
        keys = drawer.locator(".docked [data-puts], .docked [data-types]").filter(visible=True)
        return keys.filter(has_text=re.compile(rf"^\s*(\+ )?{re.escape(move)}\s*$")).first

    def settled(self, person: Person) -> None:
        """Wait until the drawer shows the model's numbers, and the tab that it has open."""
        way = self.page.locator(".way[open]")
        expect(way.locator(".tab:has(:checked) span"), str(self.tapped)).to_have_text(person.at)
        for player, number in person.numbers.items():
            place = way.locator(".place[data-seat]").filter(
                has=way.page.get_by_text(player, exact=True)
            )
            field = place.locator(":is(.number, .cards-field > input):not([type])").first
            text = r"\s*\+\s*".join(map(re.escape, number.parts))
            expect(field, str(self.tapped)).to_have_value(re.compile(f"^{text}$"))


# --- a hand or a round at a time


def shown(page: Page) -> Locator:
    """The number in the open field."""
    return page.locator("dialog.drawer .figure input.number").filter(visible=True).first


#: Keys tapped for Ann’s hand, the text of its field then, and its points, which red nines double.
ONE_HAND = (
    ("2 5 9♦", "25 + 9♦", 68),
    ("9♦ 9♦ 2", "9♦ + 9♦ + 2", 80),
    ("9♦ 2 5", "9♦ + 25", 68),
    ("2 9♦ 9♦ 9♦", "2 + 9♦ + 9♦", 80),  # a pack has two
    ("2 5 9♦ ⌫", "25", 25),
    ("2 9♦ 9♦ ⌫", "2 + 9♦", 22),
    ("1 3 + 9♦ 5", "13 + 9♦ + 5", 54),
    ("1 3 9♦ + 5 ⌫ ⌫ ⌫", "13", 13),
    ("1 3 + 1 2", "13 + 12", 25),
    ("2 5 9♦ Cat Ann 3 0", "30", 30),  # in a reopened field a digit replaces the number
    ("2 5 Cat Ann 9♦", "25 + 9♦", 68),  # and a red nine is added
)


def test_the_red_nine_key_adds_nine_and_a_red_nine(server: Server, thumb: Thumb) -> None:
    """25 and a red nine count (25 + 9) × 2."""
    page = thumb.page
    begin_sheet(page, server.address, "Red Nines (20th century)", FOUR)
    thumb.open()
    thumb.choose("Ben")
    fast = Fast(page)
    fast.tap("Cat", "2", "Next", "3")
    for keys, field, counted in ONE_HAND:
        fast.tap("Ann", "⌫", *keys.split())
        expect(shown(page)).to_have_value(field)
        effect = f"= {counted}," if "9♦" in field else f"Ann {counted},"
        expect(page.locator(".way[open] .will")).to_contain_text(effect)
    thumb.record()
    recorded(page, 1)
    score(page, "Ann", 68)


def test_a_correction_comes_back_as_it_was_typed(server: Server, thumb: Thumb) -> None:
    """34 with a red nine among them is shown as 25 + 9♦."""
    page = thumb.page
    begin_sheet(page, server.address, "Red Nines (20th century)", FOUR)
    thumb.open()
    thumb.choose("Ben")
    Fast(page).tap(*"25", RED_NINE, "Next", "2", "Next", "3")
    thumb.record()
    recorded(page, 1)
    page.locator(".score-pad .opens").tap()
    page.get_by_role("link", name="Correct").tap()
    expect(shown(page)).to_have_value("25 + 9♦")
    Fast(page).tap(RED_NINE)
    page.get_by_role("button", name="Save the correction").tap()
    score(page, "Ann", (25 + 9 + 9) * 4)
    assert entries(page)[0]["hands"]["Ann"] == {"points": 43, "red_nines": 2}


#: Keys tapped for the four who did not call, and the number of each.
FOUR_HANDS = (
    ("1 7 2 4 1 2 Next + 7 Next 3 4", (17, 24, 19, 34)),  # plus returns to the field before
    ("1 7 2 4 1 2 3 + 7", (17, 24, 12, 10)),
    ("7 Next 2 4 1 2 3 4", (7, 24, 12, 34)),
    ("1 7 2 4 1 2 ⌫ 9 3 4", (17, 24, 19, 34)),
    ("1 7 2 4 1 2 3 4 5", (17, 24, 12, 34)),  # the five is ignored: nobody is left
    ("1 7 2 4 1 2 3 4 Cat 6 5 4", (17, 65, 12, 34)),
    ("1 7 2 4 1 2 + 7 Next 3 4", (17, 24, 19, 34)),
)


def test_a_sum_stays_with_its_player(server: Server, thumb: Thumb) -> None:
    """12 + 7 is Dan’s 19, and not 12 for Dan and 7 for Eve."""
    page = thumb.page
    begin_sheet(page, server.address, "9 of a Kind", FIVE)
    thumb.open()
    thumb.choose("Ann")
    fast = Fast(page)
    for keys, counted in FOUR_HANDS:
        for name in reversed(FIVE[1:]):
            fast.tap(name, "⌫")
        fast.tap(*keys.split())
        held(page, "called it", *map(str, counted))
    thumb.record()
    recorded(page, 1)
    hands = entries(page)[-1]["hands"]
    assert tuple(hands[name]["deadwood"] for name in FIVE[1:]) == counted

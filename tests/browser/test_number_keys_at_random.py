"""Keys for numbers tapped at random, as fast as they can be: each game records what was meant."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from playwright.sync_api import Locator, Page, expect

import referee
from referee.rules.registry import GAMES
from tests.support.browser_steps import begin_sheet, entries, recorded
from tests.support.campaign import often
from tests.support.number_taps import RED_NINE, Pad, Person
from tests.support.server import Server
from tests.support.thumb import Thumb

FIVE = ["Ann", "Ben", "Cat", "Dan", "Eve"]
FOUR = FIVE[:4]


class Asked(Struct, frozen=True):
    """A game whose numbers are tapped: how to come to its pad, and how an entry has them."""

    players: list[str]
    pad: Pad
    begin: Callable[[Thumb], None]
    field: str  # of the entry
    part: str = ""  # of a hand
    rules: dict[str, str] = {}
    fine: tuple[int, ...] = (12, 3, 5, 4)  # numbers that every hand can have

    def recorded(self, entry: dict[str, Any]) -> dict[str, Any]:
        """What an entry has for each player: a number, and how many red nines."""
        held = {name: entry[self.field][name] for name in self.pad.asked}
        if not self.part:
            return {name: (number, 0) for name, number in held.items()}
        return {name: (one[self.part], one.get("red_nines", 0)) for name, one in held.items()}


def named(player: str) -> Callable[[Thumb], None]:
    """Open the drawer and answer its first question with this name."""

    def begin(thumb: Thumb) -> None:
        thumb.open()
        thumb.choose(player)

    return begin


def just_the_points(thumb: Thumb) -> None:
    """Colorado’s grids as points; who went out first is not asked."""
    thumb.open()
    thumb.tap(thumb.page.locator(".how label").filter(has_text="Just the points"))


DIGITS = tuple("1234567890")
BUT_BEN = ("Ann", "Cat", "Dan")
GAMES_WITH_NUMBERS = {
    "Red Nines (20th century)": Asked(
        FOUR,
        Pad(BUT_BEN, (*DIGITS, "+", RED_NINE, RED_NINE, "⌫"), red_nines=2),
        named("Ben"),
        "hands",
        "points",
    ),
    "Red Nines (1881)": Asked(
        FOUR,
        Pad(BUT_BEN, (*map(str, range(1, 11)), RED_NINE, RED_NINE, "⌫"), whole=True, red_nines=2),
        named("Ben"),
        "hands",
        "plain",
        fine=(4, 3, 5),
    ),
    "Pink Nines": Asked(
        FOUR,
        Pad(BUT_BEN, (*map(str, range(1, 13)), RED_NINE, "⌫"), whole=True, red_nines=2),
        named("Ben"),
        "hands",
        "plain",
        {"card_payments": "true"},
        fine=(4, 3, 5),
    ),
    "9 of a Kind": Asked(
        FIVE,
        Pad(("Ben", "Cat", "Dan", "Eve"), (*DIGITS, "+", "⌫"), full=2),
        named("Ann"),
        "hands",
        "deadwood",
    ),
    "Nine Five Two": Asked(
        FIVE[:3],
        Pad(("Ann", "Ben", "Cat"), (*map(str, range(17)), "⌫"), whole=True, sum_to=16),
        Thumb.open,
        "tricks",
        fine=(9, 4, 3),
    ),
    "Colorado Nines": Asked(
        FIVE[:3],
        Pad(("Ann", "Ben", "Cat"), (*DIGITS, "+", "⌫")),
        just_the_points,
        "grids",
    ),
    "Any Other Game": Asked(
        FIVE[:3], Pad(("Ann", "Ben", "Cat"), (*DIGITS, "+", "⌫")), Thumb.open, "points"
    ),
}


def test_every_game_with_keys_for_numbers_is_tapped() -> None:
    """A game that joins with number keys is held to the model too; Hold’em counts by itself."""
    pages = (Path(referee.__file__).parent.parent / "templates/games").glob("*/entry.html")
    with_keys = {
        page.parent.name for page in pages if "_keys(" in page.read_text().replace("card_keys(", "")
    }
    assert with_keys == {
        game.slug for game in GAMES.values() if str(game.title) in GAMES_WITH_NUMBERS
    } | {"multiple-9-holdem"}


@pytest.mark.parametrize("seed", range(1, often(2, 20)))
@pytest.mark.parametrize("game", GAMES_WITH_NUMBERS)
def test_keys_at_random_record_what_was_meant(
    server: Server, thumb: Thumb, game: str, seed: int
) -> None:
    """Whatever is tapped, as fast as it can be, the entry has what a person means by it."""
    tap_at_random(thumb, server.address, game, seed)


def tap_at_random(thumb: Thumb, address: str, game: str, seed: int, taps: int = 50) -> None:
    """Tap the keys of a game, and record; a hand that nobody can have is counted anew before."""
    page, asked = thumb.page, GAMES_WITH_NUMBERS[game]
    begin_sheet(page, address, game, asked.players, **asked.rules)
    asked.begin(thumb)
    fast, person = Fast(page), Person(asked.pad)
    for move in person.moves(Random(f"{game} {seed}"), taps):
        fast.tap(move)
    fast.settled(person)
    for player, fine in zip(asked.pad.asked, asked.fine, strict=False):
        number = person.numbers[player]
        if number.plain != fine or number.red_nines or not number.parts:
            for move in (player, *([str(fine)] if asked.pad.whole else str(fine))):
                fast.tap(move)
                person.tap(move)
    fast.settled(person)
    thumb.record()
    recorded(page, 1)
    entry = entries(page)[0]
    meant = {name: (one.plain, one.red_nines) for name, one in person.numbers.items()}
    assert asked.recorded(entry) == meant


class Fast:
    """Touches at the places where keys lie, without waiting for anything."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.places: dict[str, tuple[float, float]] = {}
        self.tapped: list[str] = []
        expect(page.locator("dialog.drawer .steady")).to_have_count(0)

    def tap(self, move: str) -> None:
        """A key, a tab, or Next."""
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
        """The drawer shows what was meant: every number, and whose is open."""
        open_tab = self.page.locator(".way[open] .tab:has(:checked) span")
        assert open_tab.inner_text() == person.at, self.tapped
        for place in self.page.locator(".way[open] .place[data-seat]").all():
            player = place.locator(".tab span").inner_text()
            if player in person.numbers:
                number = place.locator(":is(.number, .cards-field > input):not([type])").first
                shown, meant = number.input_value(), person.numbers[player].text
                assert shown.replace(" ", "") == meant.replace(" ", ""), (player, self.tapped)

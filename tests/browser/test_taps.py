"""How often a thumb must touch the phone: ceilings, each digit and each card counted as a tap."""

from collections.abc import Callable

import pytest
from msgspec import Struct
from playwright.sync_api import expect

from tests.support.browser_steps import Thumb, begin_sheet, rows, score
from tests.support.server import Server


def test_from_home_to_a_ruling_on_five_cards(server: Server, thumb: Thumb) -> None:
    """Seven: the referee, the question, five cards; there is nothing to send."""
    page = thumb.page
    page.goto(server.address)
    thumb.tap(page.get_by_role("link", name="Ask the referee"))
    with page.expect_navigation():  # with its scripts
        thumb.tap(page.get_by_role("link", name="Is this discard legal?"))
    for card in ("8", "4", "4", "A", "A"):
        thumb.tap(page.get_by_role("button", name=card, exact=True))
    expect(page.locator("#ruling")).to_contain_text("Yes: two nines")
    assert thumb.taps <= 7


def test_a_new_sheet_with_known_players(server: Server, thumb: Thumb) -> None:
    """Three and one a player; luck has picked the first dealer in sight."""
    page, names = thumb.page, ["Ann", "Ben", "Cat", "Dan"]
    begin_sheet(page, server.address, "Pink Nines", names)
    page.goto(server.address)
    thumb.tap(page.get_by_role("link", name="New game"))
    with page.expect_navigation():
        thumb.tap(page.locator(".games a").filter(has=page.get_by_text("Multiple 9", exact=True)))
    for place, name in enumerate(names):
        thumb.tap(page.get_by_role("button", name=name, exact=True))
        expect(page.locator("input[name=name]").nth(place)).to_have_value(name)
    expect(page.locator(".lots")).to_contain_text("Luck picked")
    thumb.tap(page.get_by_role("button", name="Start"))
    expect(page.locator(".score-pad")).to_contain_text("Dan")
    assert thumb.taps <= 3 + len(names)


def one_name(thumb: Thumb) -> None:
    """The winner: the name records."""
    thumb.open()
    thumb.choose("Ben")


def nine_five_two(thumb: Thumb) -> None:
    """Two numbers of tricks, one key each; the third fills itself in."""
    thumb.open()
    thumb.key("10", "4")
    thumb.record()


def nine_of_a_kind(thumb: Thumb) -> None:
    """Who called, and four counted hands of two digits, each of which leads to the next."""
    thumb.open()
    thumb.choose("Ann")
    thumb.key(*"17", *"24", *"21", *"34")
    thumb.record()


def red_nines_1881(thumb: Thumb) -> None:
    """Who went out, and what three others hold."""
    thumb.open()
    thumb.choose("Ann")
    thumb.numbers("3", "2", "5")
    thumb.record()


def red_nines(thumb: Thumb) -> None:
    """Who went out, and what three others count."""
    thumb.open()
    thumb.choose("Ann")
    thumb.numbers("31", "22", "45")
    thumb.record()


def colorado_nines(thumb: Thumb) -> None:
    """Three grids, tapped row by row; the ninth card leads to the next grid."""
    thumb.open()
    for cards in ("29K29359A", "J57J57J5K", "A2QA3QA4Q"):
        thumb.key(*cards)
    thumb.record()


def a_bet(thumb: Thumb) -> None:
    """All call: once the drawer is open it stays, so a street is one tap, and one for each fold."""
    thumb.open()
    thumb.tap(thumb.page.locator("#street-does"))


def any_other_game(thumb: Thumb) -> None:
    """Three numbers, one of them with two digits."""
    thumb.open()
    thumb.numbers("5", "12", "0")
    thumb.record()


class Usual(Struct, frozen=True):
    """A game's usual deal: the number of players, how to enter it, and the taps allowed."""

    game: str
    players: int
    written: Callable[[Thumb], None]
    ceiling: int
    scores: dict[str, int] = {}


USUAL = (
    Usual("Multiple 9", 3, one_name, 2, {"Ben": 1}),
    Usual("Nine Five Two", 3, nine_five_two, 5, {"Ann": 1}),
    Usual("9 of a Kind", 5, nine_of_a_kind, 12, {"Ben": 0}),
    Usual("Red Nines (1881)", 4, red_nines_1881, 8),
    Usual("Red Nines (20th century)", 4, red_nines, 11, {"Ben": 31}),
    Usual("Pink Nines", 4, one_name, 2),
    Usual("Colorado Nines", 3, colorado_nines, 30),
    Usual("Multiple 9 Hold’em", 3, a_bet, 2),
    Usual("Any Other Game", 3, any_other_game, 8, {"Ben": 12}),
)


@pytest.mark.parametrize("usual", USUAL, ids=lambda usual: usual.game)
def test_the_usual_deal(server: Server, thumb: Thumb, usual: Usual) -> None:
    """A deal is written down with no more taps than these, keys and cards counted."""
    names = ["Ann", "Ben", "Cat", "Dan", "Eve"][: usual.players]
    begin_sheet(thumb.page, server.address, usual.game, names)
    usual.written(thumb)
    rows(thumb.page, 1)
    assert thumb.taps <= usual.ceiling
    for name, points in usual.scores.items():
        score(thumb.page, name, points)


def test_no_key_moves_away_under_the_thumb(server: Server, thumb: Thumb) -> None:
    """Whatever the ruling, and however much of it there is, the keys stay where they are."""
    page = thumb.page
    page.goto(server.address + "/referee/multiple-9/discard")
    key, verdict = page.get_by_role("button", name="7", exact=True), page.locator("#ruling")
    places = []
    for card, said in (
        ("8", "Not yet"), ("4", "12"), ("4", "16"), ("A", "17"), ("A", "Yes: two nines"),
        ("2", "20"), ("K", "33"), ("K", "46"),
    ):  # fmt: skip
        thumb.tap(page.get_by_role("button", name=card, exact=True))
        expect(verdict).to_contain_text(said)
        expect(page.locator("#ruling")).not_to_have_class("htmx-request")
        places.append((key.bounding_box() or {"y": -1.0})["y"])
    assert max(places) - min(places) < 1  # pixel: a page is scrolled by whole ones
    expect(verdict.locator("h2")).to_be_in_viewport()

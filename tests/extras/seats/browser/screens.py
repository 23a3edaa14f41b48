"""The screens of seats, to look at."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.rules.registry import GAMES

if TYPE_CHECKING:
    from tests.browser.screens import House, Screen

PARTS: dict[str, str] = {}


def screens(house: "House") -> "Iterator[Screen]":
    """What a scorekeeper is asked for somebody, in each game; and choosing a seat."""
    from tests.browser.screens import Screen  # noqa: PLC0415 - which finds this module first

    for slug in GAMES:
        yield Screen(f"seat-{slug}", house.at(f"{slug}-begun", "/seat?player=Ben&change=yes"))
    link = house.book.hosting.links(house.sheets["twenty-deals"])["play"]
    yield Screen("seats", f"/s/{link}/seat")

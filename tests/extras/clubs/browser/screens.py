"""The screens of a club, to look at."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.extras.clubs.book import ClubBook
from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.support.cases import EXAMPLES

if TYPE_CHECKING:
    from tests.browser.screens import House, Screen

#: The addresses of the pages that its style sheets are for.
PARTS = {"club": r"^/c/", "settling": r"^/c/"}
ONE_DEAL = {"action": "out", "player": "Cat"}


def screens(house: "House") -> "Iterator[Screen]":
    """A club with a game of each kind that is over, and nine more of one."""
    from tests.browser.screens import Screen  # noqa: PLC0415 - which finds this module first

    clubs = ClubBook(house.book.ledger, house.book)
    club = clubs.begin("Thursday table")
    clubs.put(club, (house.sheets[f"{slug}-over"] for slug in GAMES))
    short = sheet_from(EXAMPLES["pink-nines"] | {"options": {"deals": 1}, "entries": [ONE_DEAL]})
    clubs.put(club, [house.book.import_sheet(short) for _ in range(9)])
    at = f"/c/{club.token}"
    yield Screen("club", at)
    for place in (
        *("player?who=ann", "head-to-head?who=ann&other=ben", "chart?by=rating", "records"),
        *("games", "people", "settle?rate=0.10&sign=€"),
    ):
        yield Screen(f"club-{place.partition('?')[0]}", f"{at}/{place}")
    yield Screen("club-room", f"{at}/room", far=True)

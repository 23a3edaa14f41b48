"""Nine games of one day: offered as an evening, joined by one tap, and taken apart by one."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from referee.ledger.chain import Mark
from referee.ledger.store import Ledger
from referee.rules.registry import GAMES
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from referee.sheets.history import Remark
from referee.web.phone import SEEN_COOKIE
from tests.support.server import Server
from tests.support.some_deals import some_sheet

PEOPLE = "Ann, Ben, Cy, Dot, and Eve"


@pytest.fixture
def all_games(own_server: Server) -> Iterator[list[str]]:
    """The host links of a sheet of each game, written an hour ago."""
    moment = (datetime.now(UTC) - timedelta(hours=1)).isoformat(timespec="seconds")
    with closing(Ledger(own_server.instance / "referee.sqlite")) as ledger:
        book = Book(ledger, now=lambda: moment)
        sheets = [sheet_from(some_sheet(slug, 5, 1)) for slug in GAMES]
        links = dict(zip(GAMES, book.import_sheets(sheets), strict=True))
        book.remark(links["plain-score"], Remark("title", "Rummy"), Mark(1), "title")
        yield [link.token for link in links.values()]


@pytest.mark.parametrize("phone", ["page", "plain"])
def test_all_games_of_a_day_become_an_evening_by_one_tap(
    phone: str, all_games: list[str], own_server: Server, request: pytest.FixtureRequest
) -> None:
    """With and without scripts; taken apart, each is as before."""
    page: Page = request.getfixturevalue(phone)
    home = own_server.address
    page.context.add_cookies([{"name": SEEN_COOKIE, "value": ".".join(all_games), "url": home}])
    page.goto(home)
    offer = page.locator(".offer")
    expect(offer.get_by_role("heading")).to_contain_text(f"These {len(all_games)} games")
    expect(offer.get_by_role("heading")).to_contain_text(f"look like one evening: {PEOPLE}.")
    expect(offer.get_by_role("listitem")).to_have_count(4)
    offer.get_by_text(f"{len(all_games) - 4} more").click()
    expect(offer.get_by_role("listitem")).to_have_count(len(all_games))
    expect(offer).to_contain_text("Rummy")
    offer.get_by_role("button", name="Join as one evening").click()

    expect(page.locator(".toast")).to_contain_text(f"{len(all_games)} games are one evening now.")
    games = page.locator("section.played").get_by_role("listitem")
    expect(games).to_have_count(len(all_games))
    expect(games.filter(has_text="Rummy")).to_have_count(1)
    page.get_by_role("link", name="Home").click()
    expect(page.locator(".offer")).to_have_count(0)
    page.get_by_role("link", name="Evenings").click()
    page.get_by_role("link", name=f"{len(all_games)} games").click()

    page.get_by_text("Not one evening?").click()
    page.get_by_role(
        "button", name=f"Split off the {len(all_games)} games that were joined"
    ).click()
    expect(page.locator(".toast")).to_contain_text("They stay separate.")
    page.get_by_role("link", name="Evenings").click()
    expect(page.locator(".offer")).to_contain_text("Rummy")
    expect(page.get_by_role("link", name=f"{len(all_games)} games")).to_have_count(0)

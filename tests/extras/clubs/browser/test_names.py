"""Names of any length in a club's narrow columns: none is cut, or broken without a hyphen."""

from playwright.sync_api import Page, expect

from referee.extras.clubs.book import ClubBook
from referee.rules.language import languages
from tests.browser.test_names import NAMES, assert_whole, renamed
from tests.support.browser_steps import sideways
from tests.support.cases import EXAMPLES
from tests.support.chromium import SMALL
from tests.support.served_book import ServedBook


def test_a_name_is_never_cut_or_broken_in_a_club(served: ServedBook, page: Page) -> None:
    """In a season table of six, and on a sheet whose last deal may have set a record."""
    clubs = ClubBook(served.book.ledger, served.book)
    club = clubs.begin("Thursday table")
    over = [served.put(renamed(sheet)) for sheet in EXAMPLES.values()]
    outs = [{"action": "out", "player": name} for name in NAMES[:6]]
    six = {"referee": 1, "game": "pink-nines", "players": list(NAMES[:6]), "entries": outs}
    over.append(served.put(six | {"options": {"deals": 6}}))
    clubs.put(club, over)
    at = f"{served.server.address}/c/{club.token}"
    two = f"{at}/head-to-head?who=dorothy&other=maximilian"
    assert_whole(page, (*map(served.address, over), at, two))


#: The words in the heads of the season table that are broken.
BROKEN = """(head) => {
  const found = [], range = document.createRange();
  for (const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT); texts.nextNode();) {
    range.selectNodeContents(texts.currentNode);
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
    if (lines.size > 1) found.push(texts.currentNode.data.trim());
  }
  return found;
}"""


def test_no_head_is_broken_in_any_language(served: ServedBook, page: Page) -> None:
    """The figures of a season table are as wide as the words over them."""
    page.set_viewport_size({"width": 360, "height": 740})
    clubs = ClubBook(served.book.ledger, served.book)
    club = clubs.begin("Thursday table")
    clubs.put(club, [served.put(sheet) for sheet in EXAMPLES.values()])
    broken = {}
    for tag in languages():
        page.set_extra_http_headers({"Accept-Language": tag})
        page.goto(f"{served.server.address}/c/{club.token}")
        expect(page.locator("html")).to_have_attribute("lang", tag)
        broken[tag] = page.locator(".season thead").evaluate(BROKEN)
        assert sideways(page) == 0
    assert {tag: heads for tag, heads in broken.items() if heads} == {}


def test_the_longest_name_keeps_within_a_small_screen(served: ServedBook, page: Page) -> None:
    """On the page of a club, whose last day it won."""
    page.set_viewport_size(SMALL)
    clubs = ClubBook(served.book.ledger, served.book)
    club = clubs.begin("Thursday table")
    won = {"game": "pink-nines", "players": ["W" * 24, "Ann"], "options": {"deals": 1}}
    entries = [{"action": "out", "player": "W" * 24}]
    clubs.put(club, [served.put({"referee": 1, **won, "entries": entries})])
    page.goto(f"{served.server.address}/c/{club.token}")
    expect(page.locator(".last-day")).to_be_visible()
    assert sideways(page) == 0

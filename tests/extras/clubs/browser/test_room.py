"""The big screen: readable from afar, needs no touch, and survives failures."""

from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from referee.extras.clubs.pages import room
from referee.ledger.chain import Mark
from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.sheets.files import sheet_from
from referee.web.context import state
from tests.browser.conftest import TakePhone
from tests.support.chromium import PHONE, TELEVISION
from tests.support.served_book import ServedBook
from tests.support.server import Server, ask
from tests.support.some_deals import some_sheet

REM = TELEVISION["height"] / 25
EVERY = 6000  # milliseconds between the screen's requests

#: Elements with overflowing content, some of which is cut off.
CUT = """[...document.querySelectorAll(".total, .panel, .seats, #room")].flatMap((one) => {
  const box = one.getBoundingClientRect();
  const inside = [...one.querySelectorAll("table, .total")].map((it) => it.getBoundingClientRect());
  const within = (it) => it.right <= box.right + 1 && it.bottom <= box.bottom + 1;
  return one.scrollWidth > one.clientWidth + 1 || !inside.every(within) ? [one.className] : [];
})"""
SMALLEST = """Math.min(...[...document.querySelectorAll(".total")].map(
  (one) => parseFloat(getComputedStyle(one).fontSize)))"""


@pytest.mark.parametrize(
    "pair",
    [
        [("nine-five-two", 3), ("multiple-9-holdem", 4)],
        [("red-nines-1881", 6), ("colorado-nines", 8)],
        [("red-nines", 5), ("multiple-9-holdem", 10)],
        [("pink-nines", 4), ("9-of-a-kind", 6)],
        [("plain-score", 9)],
        [("plain-score", 16)],
    ],
    ids=str,
)
def test_totals_are_read_from_afar(
    served: ServedBook, new_phone: TakePhone, pair: list[tuple[str, int]]
) -> None:
    """They are 8 % of the height, and complete, in every pair of games."""
    links = [served.sheet(slug, players, 5) for slug, players in pair]
    screen = new_phone(viewport=TELEVISION)
    if len(links) == 1:
        screen.goto(served.address(links[0], "/room"))
    else:
        evening = EveningBook(served.book).join(links)
        screen.goto(f"{served.server.address}/e/{evening}/room")
    expect(screen.locator(".panel")).to_have_count(len(pair))
    expect(screen.locator(".total")).to_have_count(sum(players for _, players in pair))
    assert screen.evaluate(SMALLEST) >= 0.08 * TELEVISION["height"]
    assert screen.evaluate(CUT) == []


def test_six_players_are_distinguishable_on_a_phone(
    served: ServedBook, new_phone: TakePhone
) -> None:
    """The text about one player does not run into the next."""
    phone = new_phone(viewport=PHONE)
    phone.goto(served.address(served.sheet("9-of-a-kind", 6, 4), "/room"))
    expect(phone.locator(".across thead small")).to_have_count(6)
    words = phone.evaluate(
        """[...document.querySelectorAll(".across thead small")].map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          const { left, right } = range.getBoundingClientRect();
          return [left, right];
        })"""
    )
    assert all(after[0] - before[1] >= 4 for before, after in pairwise(words)), words


def test_long_names_are_not_cut(served: ServedBook, new_phone: TakePhone) -> None:
    """They go on in a second line, as does the title."""
    names = ["Grandma Ruth", "Christopher-John", "Al"]
    links = [served.book.begin("multiple-9-holdem", names, None, {}) for _ in range(2)]
    evening = EveningBook(served.book).join(links)
    screen = new_phone(viewport=TELEVISION)
    screen.goto(f"{served.server.address}/e/{evening}/room")
    expect(screen.locator(".across")).to_have_count(2)
    words = screen.locator(".name b, .panel h2, .panel h2 small")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert words.evaluate_all(cut) == 0
    assert screen.evaluate(CUT) == []


#: Players with totals of so many digits: together they have every size of totals.
ACROSS = ((3, 2), (5, 3), (6, 3), (7, 3), (8, 3))
TOTAL = """[...document.querySelectorAll(".total")].map(
  (one) => parseFloat(getComputedStyle(one).fontSize))[0]"""


@pytest.mark.parametrize("deals", [3, 5])
def test_no_deal_is_cut(
    client: FlaskClient,
    served: ServedBook,
    new_phone: TakePhone,
    monkeypatch: pytest.MonkeyPatch,
    deals: int,
) -> None:
    """At any size of the totals, over all of the screen or half, with names of several lines."""
    monkeypatch.setattr(room, "DEALS_SHOWN", deals)
    book, sizes, screen = state(client.application).book, set[str](), new_phone(viewport=TELEVISION)
    screen.route(  # the pages of this process, with the styles of the server
        "**/room",
        lambda to: to.fulfill(
            content_type="text/html; charset=utf-8",
            body=client.get(urlsplit(to.request.url).path).text,
        ),
    )
    for players, digits in ACROSS:
        for shortest in ("Al", "Christopher-John", "Maximiliane von Habsburg"):
            names = [shortest, *(f"{place}. Grandma Ruth" for place in range(1, players))]
            deal = {"action": "deal", "points": dict.fromkeys(names, 10**digits // 6)}
            links = [book.begin("plain-score", names, None, {}) for _ in range(2)]
            for link in links:
                for number in range(5):
                    book.record(link, deal, Mark(number), f"deal {number}")
            evening = EveningBook(book).join(links)
            for path in (f"/s/{links[0].token}/room", f"/e/{evening}/room"):
                screen.goto(f"{served.server.address}{path}")
                assert screen.evaluate(CUT) == [], (names, path)
                across = screen.locator(".panel").filter(has=screen.locator(".across"))
                for size in across.evaluate_all("all => all.map((one) => one.dataset.size)")[:1]:
                    assert screen.evaluate(TOTAL) == pytest.approx(float(size) * REM, abs=0.1)
                    expect(screen.locator(".across .latest")).to_have_count(across.count())
                    sizes.add(size)
    assert sizes == set(map(str, room.SIZES))


def test_the_screen_goes_on_after_a_failure(own_server: Server, new_phone: TakePhone) -> None:
    """It says since when there is no connection, and continues when the server is back."""
    ledger = Ledger(own_server.instance / "referee.sqlite")
    link = Book(ledger).import_sheet(sheet_from(some_sheet("multiple-9", 3, 1)))
    ledger.close()
    record = {"action": "out", "player": "Ben", "key": "k"}
    screen = new_phone(viewport=TELEVISION)
    screen.clock.install()
    screen.goto(f"{own_server.address}/s/{link.token}/room")
    total = screen.locator(".total")
    expect(total).to_have_text(["1", "0", "0"])
    page = ask(own_server.address, f"/s/{link.token}/board").text
    seen = page.partition('data-seq="')[2].partition('"')[0]
    answer = ask(own_server.address, f"/s/{link.token}/entries", {**record, "after": seen})
    assert answer.status == 303
    screen.clock.run_for(EVERY)
    expect(total).to_have_text(["1", "1", "0"])
    assert screen.locator(".latest td").all_text_contents() == ["0", "+1", "0"]
    lost = screen.get_by_text("No connection since")
    expect(lost).to_be_hidden()
    own_server.stop()
    screen.clock.run_for(EVERY)
    expect(lost).to_be_visible()
    expect(total).to_have_text(["1", "1", "0"])
    own_server.start()
    screen.clock.run_for(EVERY)
    expect(lost).to_be_hidden()
    put_away = f"/s/{link.token}/trash"
    assert ask(own_server.address, put_away, {}).status == 303
    screen.clock.run_for(EVERY)
    expect(screen.get_by_text("no longer works")).to_be_visible()
    assert ask(own_server.address, f"{put_away}/out", {}).status == 303
    screen.clock.run_for(EVERY)
    expect(total).to_have_text(["1", "1", "0"])


def test_the_screen_follows_a_language_chosen_in_another_tab(
    served: ServedBook, new_phone: TakePhone
) -> None:
    """With the direction in which it is written."""
    screen = new_phone(viewport=TELEVISION)
    screen.clock.install()
    screen.goto(served.address(served.sheet("multiple-9", 2, 1), "/room"))
    html = screen.locator("html")
    expect(html).to_have_attribute("lang", "en")
    tab = screen.context.new_page()
    tab.goto(f"{served.server.address}/language")
    tab.locator("button[value=he]").click()
    expect(tab.locator("html")).to_have_attribute("lang", "he")
    screen.clock.run_for(EVERY)
    expect(html).to_have_attribute("lang", "he")
    expect(html).to_have_attribute("dir", "rtl")


def test_the_tables_take_turns(served: ServedBook, new_phone: TakePhone) -> None:
    """They change at every second request; the address stays the same."""
    links = [served.sheet("multiple-9", 2, deals) for deals in (1, 2, 3)]
    evening = EveningBook(served.book).join(links)
    address = f"{served.server.address}/e/{evening}/room"
    screen = new_phone(viewport=TELEVISION)
    screen.clock.install()
    screen.goto(address)
    for deal in (2, 2, 4, 4):
        screen.locator("#room").evaluate("room => { room.dataset.seen = ''; }")
        expect(screen.locator("#room")).to_contain_text(f"Deal {deal}")
        screen.clock.run_for(EVERY)
        expect(screen.locator("#room[data-seen]")).to_have_count(0)
    expect(screen.locator("#room")).to_contain_text("Deal 2")
    assert screen.url == address

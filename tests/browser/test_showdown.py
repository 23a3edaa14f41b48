"""The showdown of hold’em: recording hands, the board, and the account of who won."""

import re
import time
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from referee.ledger.chain import Mark
from tests.browser.conftest import TakePhone
from tests.browser.screens import at_text_size
from tests.support.browser_steps import Thumb, recorded, score, sideways
from tests.support.chromium import PHONE, SMALL
from tests.support.served_book import ServedBook
from tests.support.some_deals import all_called

#: Where these players are about to show their cards.
Showdown = Callable[[Sequence[str]], str]
TEN = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
HANDS = ("Q 5", "K A", "A 2", "6 9", "10 2", "4 4", "8 2", "10 7", "8 7", "K K")  # Jo’s is best

#: How far the drawer's questions can be scrolled, in pixels.
TO_SCROLL = """() => {
  const { scrollHeight, clientHeight } = document.querySelector(".drawer .ways");
  return scrollHeight - clientHeight;
}"""

#: The top of the drawer once it is at rest.
TOP_AT_REST = """async (drawer) => {
  await Promise.all(drawer.getAnimations().map((one) => one.finished));
  return drawer.getBoundingClientRect().top;
}"""

#: How many lines the text of an element has.
LINES = """(element) => {
  const text = document.createRange();
  text.selectNodeContents(element);
  return new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
}"""


@pytest.fixture
def showdown(served: ServedBook) -> Showdown:
    """A function that adds a sheet where these players are about to show their cards."""
    return lambda players: served.address(served.put(all_called(players)))


def test_ten_hands_are_entered_on_one_screen(showdown: Showdown, thumb: Thumb) -> None:
    """A tap a card: the next player's tab opens by itself, and nothing scrolls."""
    page = thumb.page
    page.goto(showdown(TEN))
    thumb.open()
    drawer = page.locator("dialog.drawer")
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)
        expect(drawer).to_be_in_viewport(ratio=1)
        assert page.evaluate(TO_SCROLL) == 0
    for number, hand in enumerate(HANDS):
        expect(drawer.locator(".foot .go").filter(visible=True)).to_be_in_viewport(ratio=1)
        expect(drawer.locator(".tab").nth(number).locator("input")).to_be_checked()
        thumb.key(*hand.split())
    expect(drawer.locator(".foot .will")).to_have_text(
        re.compile(r"Jo takes 20 \(net \+18\)\s+with seven nines; Ida had six nines")
    )
    assert page.evaluate(TO_SCROLL) == 0
    assert sideways(page) == 0
    said = drawer.locator(".foot .will")
    for text in (100, 200):
        page.evaluate(at_text_size(text))
        assert said.evaluate("(said) => said.scrollHeight <= said.clientHeight"), text
    page.evaluate(at_text_size(100))
    thumb.record()
    recorded(page, 1)
    assert thumb.taps == 1 + 2 * len(HANDS) + 1
    thumb.tap(page.get_by_role("link", name="Next hand: Ben deals"))
    score(page, "Jo", 218)


def test_all_other_hands_are_mucked_by_one_tap(showdown: Showdown, thumb: Thumb) -> None:
    """Six taps in all if only the best hand is shown."""
    page = thumb.page
    page.goto(showdown(TEN[:5]))
    thumb.open()
    thumb.tap(page.locator(".way[open] .tab").filter(has_text="Dan"))
    thumb.key("6", "9", "The rest muck")
    said = page.locator(".way[open] .tab [data-held]")
    expect(said).to_have_text(["mucked", "mucked", "mucked", "4 nines", "mucked"])
    expect(page.locator(".way[open] [data-hand] > .k:not(.ghost)")).to_have_count(
        2
    )  # no card is “-”
    thumb.record()
    recorded(page, 1)
    assert thumb.taps == 6
    thumb.tap(page.get_by_role("link", name="Next hand: Ben deals"))
    score(page, "Dan", 206)  # won 8, posted the next big blind


def test_the_board_and_the_pot_are_shown_above_the_hands(showdown: Showdown, thumb: Thumb) -> None:
    """Each tab says what its hand makes."""
    page = thumb.page
    page.goto(showdown(TEN[:3]))
    thumb.open()
    felt = page.locator("dialog.drawer .felt-board")
    expect(felt.locator(".k")).to_have_text(["J", "7", "9", "2", "10"])
    expect(felt).to_contain_text("6 in the pot")
    expect(felt).to_be_in_viewport(ratio=1)
    thumb.key("8", "7")
    expect(page.locator(".way[open] .tab [data-held]")).to_have_text(["6 nines", "–", "–"])
    will = page.locator(".foot .will").filter(visible=True)
    expect(will).to_contain_text("Ann leads with six nines · Ben and Cat to come")
    anns = page.locator(".way[open] .tab").filter(has_text="Ann")
    expect(anns.locator("input")).not_to_be_checked()  # it has gone on by itself
    thumb.tap(anns)
    expect(anns.locator("input")).to_be_checked()
    expect(page.locator(".makes").filter(visible=True)).to_have_text(
        re.compile(r"Ann has six nines\s+J\+7 · 10\+8 · 7\+2 · 9")
    )
    thumb.key("Take back")
    # Nothing is said while the second card is missing.
    expect(page.locator(".makes").filter(visible=True)).to_have_count(0)
    expect(page.locator(".way[open] .tab [data-held]")).to_have_text(["1 card", "–", "–"])


def test_a_late_answer_says_nothing_of_other_cards(showdown: Showdown, thumb: Thumb) -> None:
    """What two cards make arrives as one of them is taken back, before the next is asked for."""
    page = thumb.page
    late: list[Route] = []

    def hold(answer: Route) -> None:
        late.append(answer)

    page.route("**/preview", hold)
    page.goto(showdown(TEN[:3]))
    thumb.open()
    page.clock.install()
    page.clock.pause_at(time.time() + 60)  # from here on a timer ends only when it is told to
    thumb.key("8", "7")
    with page.expect_request("**/preview"):
        page.clock.run_for(200)
    thumb.tap(page.locator(".way[open] .tab").filter(has_text="Ann"))
    page.clock.run_for(300)  # the keys take taps again
    thumb.key("Take back")
    late.pop().continue_()
    page.clock.run_for(100)
    expect(page.locator(".foot .will")).to_contain_text("Ann leads")
    expect(page.locator(".makes").filter(visible=True)).to_have_count(0)
    page.unroute("**/preview")
    with page.expect_response("**/preview"):
        page.clock.run_for(100)
    expect(page.locator(".foot .will")).not_to_contain_text("Ann leads")
    expect(page.locator(".makes").filter(visible=True)).to_have_count(0)
    expect(page.locator(".way[open] .tab [data-held]")).to_have_text(["1 card", "–", "–"])


def test_a_screen_reader_reads_the_flop_card_by_card(served: ServedBook, thumb: Thumb) -> None:
    """It would read J79 as one word."""
    book = served.book
    link = book.begin("multiple-9-holdem", ["Ann", "Ben"], None, {})
    book.record(link, {"action": "bet", "player": "Ann", "move": "call"}, Mark(0), "a")
    book.record(link, {"action": "bet", "player": "Ben", "move": "check"}, Mark(1), "b")
    thumb.page.goto(served.address(link))
    thumb.open()
    thumb.key("J", "7", "9")
    thumb.tap(thumb.page.get_by_role("button", name="Record the flop"))
    expect(thumb.page.locator("#said")).to_have_text("jack, seven, nine on the board")


def test_a_player_who_folded_keeps_a_tab(served: ServedBook, page: Page) -> None:
    """It says so instead of asking for a hand."""
    sheet = all_called(TEN[:4])
    sheet["entries"][0] = {"action": "bet", "player": "Dan", "move": "fold"}
    sheet["entries"] = [
        one for one in sheet["entries"] if one.get("player") != "Dan" or one["move"] == "fold"
    ]
    page.goto(served.address(served.put(sheet)))
    page.locator("a.record").first.click()
    expect(page.locator("dialog.drawer .way[open] .tab.folded")).to_have_text(
        re.compile(r"Dan\s*folded")
    )


def test_the_end_of_a_hand_closes_where_storage_is_blocked(
    showdown: Showdown, thumb: Thumb
) -> None:
    """For as long as the page stays."""
    page, blocked = thumb.page, "get() { throw new DOMException('blocked', 'SecurityError'); }"
    page.add_init_script(f"Object.defineProperty(window, 'sessionStorage', {{ {blocked} }});")
    page.goto(showdown(TEN[:3]))
    thumb.open()
    thumb.key("4", "4", "K", "K", "8", "7")
    thumb.record()
    expect(page.locator(".told")).to_be_visible()
    thumb.tap(page.get_by_role("link", name="Next hand: Ben deals"))
    expect(page.locator(".told")).to_be_hidden()


def test_the_end_of_a_hand_shows_who_won_with_which_cards(
    showdown: Showdown, thumb: Thumb, new_phone: TakePhone
) -> None:
    """In groups, on every phone, until the next hand begins."""
    page, other = thumb.page, new_phone()
    page.goto(showdown(TEN[:3]))
    other.goto(page.url)
    thumb.open()
    thumb.key("4", "4", "K", "K", "8", "7")
    thumb.record()
    for phone in (page, other):  # everybody at the table sees it
        told = phone.locator(".told")
        expect(told.get_by_role("heading")).to_have_text("Ben takes 6")
        expect(told).to_contain_text("with seven nines; Cat had six nines")
        groups = told.locator(".group")
        expect(groups).to_have_text(
            [
                re.compile(r"KK10\s*13 \+ 13 \+ 10 = 36\s*4 nines"),
                re.compile(r"J7\s*11 \+ 7 = 18\s*2 nines"),
                re.compile(r"9\s*9\s*1 nine"),
                re.compile(r"2\s*unused"),
            ]
        )
        expect(told.locator(".own")).to_have_text(["K", "K"])
        rows = told.locator("tbody tr")
        expect(rows).to_have_count(3)
        expect(rows.first).to_have_text(re.compile(r"Ben\s*KK\s*7 nines\s*\+4\s*204"))
        expect(phone.locator(".scores")).to_be_hidden()
    thumb.tap(page.get_by_role("link", name="Next hand: Ben deals"))
    expect(page.locator(".told")).to_be_hidden()
    expect(page.locator(".scores")).to_be_visible()
    expect(page.get_by_role("link", name="Record hand 2").first).to_be_visible()
    page.reload()  # this phone has gone on, and stays there
    expect(page.locator(".scores")).to_be_visible()
    expect(other.locator(".told")).to_be_visible()
    thumb.open()
    thumb.tap(page.locator("#street-does"))
    expect(other.locator(".told")).to_have_count(0)  # the next hand has begun


def test_the_end_of_a_hand_parts_no_number_from_its_word(served: ServedBook, thumb: Thumb) -> None:
    """Beside long names and large stacks on a small phone."""
    sheet = all_called(["Alexandra", "Benjamin", "Christopher", "Dorothea"])
    page = thumb.page
    page.set_viewport_size(SMALL)
    page.goto(served.address(served.put(sheet | {"options": {"stack": 20000}})))
    thumb.open()
    thumb.key("10", "9", "K", "K", "8", "7", "10", "4")
    thumb.record()
    told = page.locator(".told")
    expect(told.locator("tbody tr")).to_have_count(4)
    for text in told.locator(".makes > span:not(.hand), thead th").all():
        assert text.evaluate(LINES) == 1, text.inner_text()
    assert sideways(page) == 0


def test_without_script_the_pad_is_below_the_end_of_a_hand(showdown: Showdown, plain: Page) -> None:
    """Both are on the page."""
    plain.goto(showdown(TEN[:3]))
    plain.locator("a.record").first.click()
    for seat, hand in enumerate(("4 4", "K K", "8 7")):
        plain.locator(f"input[name='hands.{seat}']").evaluate(
            "(field, hand) => field.value = hand", hand
        )
    plain.get_by_role("button", name="Settle the hand").click()
    expect(plain.locator(".told")).to_be_visible()
    expect(plain.locator(".scores")).to_be_visible()
    expect(plain.get_by_role("link", name="Record hand 2").first).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_ten_players_stay_in_sight(served: ServedBook, page: Page, size: ViewportSize) -> None:
    """While the flop is tapped, the drawer covers nobody; during betting it shows their seats."""
    sheet = all_called(TEN)
    page.set_viewport_size(size)
    so_far = sheet | {"entries": sheet["entries"][:10]}
    page.goto(served.address(served.put(so_far)))
    page.locator("a.record").first.click()
    drawer = page.locator("dialog.drawer[open]")
    expect(drawer).to_be_visible()
    edge = drawer.evaluate(TOP_AT_REST)
    rows = page.locator(".score-pad tbody tr")
    expect(rows).to_have_count(len(TEN))
    for row in rows.all():
        assert row.evaluate("(row) => row.getBoundingClientRect().bottom") <= edge, row.inner_text()


def side_pots() -> dict[str, object]:
    """A sheet file: Fay is all in on the flop; six play on for a side pot that Jo wins."""
    sheet = all_called((TEN[-1], *TEN[:-1])) | {"players": list(TEN), "dealer": "Jo"}
    short = {"action": "adjust", "player": "Fay", "points": -150, "reason": "a loan", "to": "Ann"}
    told = "Ann r2,Ben,Cat,Dan f,Eve,Fay r48,Gus,Hal f,Ida,Jo,Ann f,Ben,Cat,Eve"
    bets: list[dict[str, object]] = []
    for player, _, move in (one.partition(" ") for one in told.split(",")):
        kind = {"": "call", "f": "fold"}.get(move, "raise")
        raised = {"to": int(move[1:])} if kind == "raise" else {}
        bets.append({"action": "bet", "player": player, "move": kind, **raised})
    six = [name for name in TEN if name not in ("Ann", "Dan", "Fay", "Hal")]
    bets.append({"action": "board", "cards": "2"})
    bets.append({"action": "bet", "player": "Ben", "move": "raise", "to": 14})
    bets += [{"action": "bet", "player": name, "move": "call"} for name in six[1:]]
    bets.append({"action": "board", "cards": "10"})
    bets += [{"action": "bet", "player": name, "move": "check"} for name in six]
    bets.append({"action": "show", "hands": {"Fay": "K K", "Jo": "8 7", "Ben": "Q 5"}})
    entries = [short, *sheet["entries"][:11], *bets]
    return sheet | {"entries": entries}


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_a_hand_of_ten_ends_on_one_screen(
    served: ServedBook, page: Page, size: ViewportSize
) -> None:
    """Pot by pot, the main one first, with why it is limited; the cards in one line."""
    page.set_viewport_size(size)
    page.goto(served.address(served.put(side_pots())))
    pots = page.locator(".of-pot")
    expect(pots.nth(0)).to_contain_text(re.compile(r"The main pot\s+358\s+Fay\s+Fay all in"))
    expect(pots.nth(0)).to_contain_text("seven nines")
    expect(pots.nth(1)).to_contain_text(
        re.compile(r"The side pot\s+84\s+Jo\s+from the 6 who put in more")
    )
    for pot in pots.all():
        groups = pot.locator(".group")
        tops = {groups.nth(n).bounding_box()["y"] for n in range(groups.count())}  # type: ignore[index]
        assert len(tops) == 1
    stacks = page.locator(".stacks li")
    expect(stacks).to_have_count(10)
    expect(stacks.first).to_have_text(re.compile(r"Fay\s*\+308\s*358"))
    dock = page.locator("#dock").bounding_box()
    last = page.locator(".stacks").bounding_box()
    assert dock is not None
    assert last is not None
    assert last["y"] + last["height"] <= dock["y"]
    assert sideways(page) == 0

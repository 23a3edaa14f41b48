"""The drawer: drafts survive, no tap records by accident, and keys don't move."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser_steps import (
    Thumb,
    begin_sheet,
    begun_sheet,
    choose,
    entries,
    fill_in,
    follow,
    form,
    held,
    key,
    keys,
    open_drawer,
    raises,
    recorded,
    rows,
    score,
    sheet_at,
    tap_name,
    way,
)
from tests.support.server import Server

FOUR = ["Ann", "Ben", "Cat", "Dan"]


def half_a_deal(page: Page) -> None:
    """Fill in that Ben went out, and the hands of Ann and Cat; Dan's is missing."""
    open_drawer(page)
    choose(form(page, "out"), "player", "Ben")
    key(page, "3").click()
    key(page, "Next: Cat ›").click()
    key(page, "4").click()
    held(page, "3", "out", "4", "–")


def test_a_draft_survives(server: Server, page: Page) -> None:
    """A question to the referee and back, a reload, and another entry of the same deal."""
    begin_sheet(page, server.address, "Red Nines (1881)", FOUR)
    half_a_deal(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog.drawer")).to_be_hidden()
    follow(page, "Referee")
    page.go_back()
    open_drawer(page)
    held(page, "3", "out", "4", "–")
    page.reload()
    expect(page.locator("dialog.drawer")).to_be_visible()  # open as before
    held(page, "3", "out", "4", "–")
    way(page, "Red aces")
    tap_name(page, "Ann")
    open_drawer(page)
    held(page, "3", "out", "4", "–")
    key(page, "Next: Dan ›").click()
    key(page, "5").click()
    key(page, "Record deal 1").click()
    open_drawer(page)
    expect(page.locator("#record h2")).to_have_text("Deal 2 of 4")
    expect(form(page, "out").locator("input[name=player]:checked")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator(".score-pad .opens").click()
    page.get_by_role("link", name="Correct").last.click()
    held(page, "3", "out", "4", "5")  # and no red nines


SWAPPED = "done => document.addEventListener('htmx:after:swap', done, { once: true })"
IN_PLACE = """done => new MutationObserver((changes, observer) => {
    if (!document.querySelector(".score-pad .opens")) return;
    observer.disconnect();
    const { port1, port2 } = new MessageChannel(); // the next task: a timer would be later
    port1.onmessage = done;
    port2.postMessage("");
}).observe(document.body, { childList: true, subtree: true })"""


@pytest.mark.parametrize("moment", [IN_PLACE, SWAPPED], ids=["in place", "swapped"])
def test_a_tap_while_the_drawer_still_closes_opens_the_next_deal(
    server: Server, page: Page, moment: str
) -> None:
    """The browser is then still going back from the address of the closed drawer."""
    begin_sheet(page, server.address, "Pink Nines", FOUR)
    open_drawer(page)
    page.evaluate(f"""() => ({moment})(() => {{
        document.body.dataset.tapped = "";
        document.querySelector("a.record").click();
    }})""")
    tap_name(page, "Ann")
    page.locator("body[data-tapped]").wait_for()
    expect(page.locator("#record h2")).to_have_text("Deal 2 of 4")
    expect(page.locator("dialog.drawer")).to_be_visible()
    page.go_back()
    expect(page.locator("dialog.drawer")).to_be_hidden()
    expect(page).to_have_url(sheet_at(page))


def test_closing_the_drawer_twice_stays_on_the_sheet(server: Server, page: Page) -> None:
    """The second tap comes while the browser is still going back."""
    page.goto(server.address)
    begin_sheet(page, server.address, "Pink Nines", FOUR)
    sheet = sheet_at(page)
    open_drawer(page)
    page.locator("dialog.drawer .close").evaluate("close => { close.click(); close.click(); }")
    expect(page.locator("dialog.drawer")).to_be_hidden()
    open_drawer(page)
    expect(page).to_have_url(f"{sheet}#record")


def test_the_back_button_only_closes_the_drawer(server: Server, page: Page) -> None:
    """So do Esc and the button in its corner; the sheet stays scrolled as it was."""
    begin_sheet(page, server.address, "Pink Nines", FOUR)
    drawer, sheet = page.locator("dialog.drawer"), sheet_at(page)
    for close in (
        page.go_back,
        lambda: page.keyboard.press("Escape"),
        lambda: drawer.get_by_label("Close").click(),
    ):
        open_drawer(page)
        close()
        expect(drawer).to_be_hidden()
        expect(page).to_have_url(sheet)


def tap_twice(page: Page, button: Locator, gap: int) -> None:
    """Tap this button, and its place once more after that many milliseconds."""
    box = button.bounding_box()
    assert box is not None
    page.evaluate(
        """([x, y, gap]) => new Promise((done) => {
          const tap = () => document.elementFromPoint(x, y)?.closest("a, button")?.click();
          tap();
          setTimeout(() => { tap(); done(); }, gap);
        })""",
        [box["x"] + 9, box["y"] + 9, gap],
    )


@pytest.mark.parametrize("gap", [100, 200])
def test_two_quick_taps_record_one_bet(server: Server, touch: Page, gap: int) -> None:
    """The next question's buttons appear in the same place, and ignore the second tap."""
    begin_sheet(touch, server.address, "Multiple 9 Hold’em", ["Ann", "Ben", "Cat"])
    open_drawer(touch)
    raises(touch, "Ann")
    call = touch.locator("form.street .go").filter(visible=True)
    expect(call).to_contain_text("Ann raises to 4")
    call.tap(trial=True)
    tap_twice(touch, call, gap)
    expect(touch.locator(".asked")).to_contain_text("Ann raised to 4. Who folds?")
    assert [entry["player"] for entry in entries(touch)] == ["Ann"]


def test_a_hands_result_can_be_recorded_once_it_adds_up(server: Server, page: Page) -> None:
    """Who won is asked first; blinds count as lost automatically."""
    six = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]
    begin_sheet(page, server.address, "Multiple 9 Hold’em", six)
    open_drawer(page, "Just the result")
    hand = form(page, "hand")
    choose(hand, "winners", "Ben")  # the small blind
    expect(page.locator(".score-pad .total").last).to_be_in_viewport(ratio=1)
    expect(page.locator(".now")).to_be_hidden()  # the tall drawer takes its room
    held(page, "–", "–", "−2", "–", "–", "–")
    expect(hand.locator("input[name='won.1']")).to_be_focused()
    key(page, "8").click()
    expect(key(page, "Record hand 1")).to_be_hidden()
    page.locator(".way[open] .tab").filter(has_text="Fay").click()
    key(page, "6").click()
    key(page, "Record hand 1").click()
    recorded(page, 1)
    for name, chips in (("Ben", 208), ("Fay", 194), ("Cat", 197), ("Dan", 198), ("Ann", 200)):
        score(page, name, chips)  # Cat and Dan have posted the next blinds
    page.locator(".score-pad .opens").click()
    page.get_by_role("link", name="Correct").click()
    expect(hand.locator("[name=winners]:checked")).to_have_value("Ben")
    held(page, "–", "8", "−2", "–", "–", "−6")


def test_unticking_a_winner_discards_what_they_won(server: Server, page: Page) -> None:
    """Their blind counts as lost again."""
    begin_sheet(page, server.address, "Multiple 9 Hold’em", ["Ann", "Ben", "Cat"])
    open_drawer(page, "Just the result")
    hand = form(page, "hand")
    choose(hand, "winners", "Cat")
    key(page, "3").click()
    for name in ("Cat", "Ann"):
        choose(hand, "winners", name)  # untick Cat, tick Ann
    key(page, "3").click()
    held(page, "3", "−1", "−2")
    expect(hand.locator(".will")).to_contain_text("Ann +3, Ben −1, Cat −2")
    key(page, "Record hand 1").click()
    recorded(page, 1)


def test_a_second_tap_on_record_does_nothing(server: Server, touch: Page) -> None:
    """The dock is there once the drawer is closed, and ignores that tap."""
    begin_sheet(touch, server.address, "Nine Five Two", ["Ann", "Ben", "Cat"])
    open_drawer(touch)
    keys(touch, "9", "5")
    expect(touch.locator("dialog.drawer .will")).to_contain_text("No score changes")
    record = key(touch, "Record deal 1")
    record.tap(trial=True)
    tap_twice(touch, record, 100)
    expect(touch.locator("#toast")).to_contain_text("Deal 1")
    recorded(touch, 1)
    touch.locator("#dock").get_by_role("link", name="Referee").click()  # a later tap works
    expect(touch.get_by_role("heading", name="Ask the referee")).to_be_visible()


def test_enter_goes_to_the_next_number_and_does_not_record(server: Server, page: Page) -> None:
    """After the last number it focuses the button; one more Enter records."""
    begin_sheet(page, server.address, "Any Other Game", ["Ann", "Ben"])
    open_drawer(page)
    points = form(page, "deal")
    points.locator("input[name='points.0']").press_sequentially("3+6+2")
    expect(points.locator(".sum").first).to_have_text("= 11")
    page.keyboard.press("Enter")
    expect(points.locator("input[name='points.1']")).to_be_focused()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(key(page, "Record deal 1")).to_be_focused()
    rows(page, 0)
    key(page, "Record deal 1").press("Enter")
    recorded(page, 1)
    score(page, "Ann", 11)


def test_enter_without_scripts_shows_the_form_again(server: Server, plain: Page) -> None:
    """With what was typed; nothing is recorded."""
    begin_sheet(plain, server.address, "Any Other Game", ["Ann", "Ben"])
    sheet = plain.url
    open_drawer(plain)
    fill_in(form(plain, "deal"), "points.0", "7")
    plain.keyboard.press("Enter")
    expect(form(plain, "deal").locator("input[name='points.0']")).to_have_value("7")
    plain.goto(sheet)
    recorded(plain, 0)


def test_no_key_moves_while_hands_are_tapped(server: Server, page: Page) -> None:
    """The keys and the button stay in place for all cards of four hands."""
    begin_sheet(page, server.address, "Red Nines (1881)", FOUR)
    open_drawer(page)
    out = form(page, "out")
    choose(out, "player", "Ben")
    out.locator(".how label", has_text="Tap the cards").click()
    places = []
    for name in ("7", "K", "Next: Cat ›", "5", "5", "5", "5", "5", "5", "5", "5", "Next: Dan ›"):
        key(page, name).click()
        places.append(
            [key(page, "8").bounding_box(), form(page, "out").locator(".foot").bounding_box()]
        )
    assert all(place == places[0] for place in places)


def test_answers_about_a_round_can_be_changed(server: Server, page: Page) -> None:
    """Also after a reload; a Chicken asks for its caller's matching cards."""
    begin_sheet(page, server.address, "9 of a Kind", [*FOUR, "Eve"], chicken="true")
    open_drawer(page)
    end, will = form(page, "end"), page.locator(".way[open] .will")
    open_tab = end.locator(".place.first > .tab")
    choose(end, "by", "chicken")
    choose(end, "callers", "Eve")
    open_tab.click()
    choose(end, "callers", "Ann")  # instead of Eve: a Chicken has one caller
    end.locator("[data-seat] > .tab").first.click()
    for digit in ("10", "7", "24", "21", "34", "12"):  # points, and 7 matching cards
        for figure in digit:
            key(page, figure).click()
    held(page, "10", "24", "21", "34", "12")
    expect(will).to_contain_text("Ann +51")
    expect(open_tab).to_have_text("Ann called Chicken")
    open_tab.click()
    choose(end, "by", "nine")
    choose(end, "callers", "Ben")
    expect(open_tab).to_have_text("Ann and Ben called")
    expect(will).to_contain_text("Ann +67, Ben +67")
    page.reload()
    expect(will).to_contain_text("Ann +67, Ben +67")
    fill_in(end, "hands.2.cards", "AS 2S 3S 4S 5S 6S 7S 8S 9H")
    held(page, "called it", "called it", "9 cards", "34", "12")
    expect(will).to_contain_text("Ann +55, Ben +55")
    key(page, "Record round 1").click()
    score(page, "Ben", 55)


def test_a_second_tap_is_not_sent_while_the_first_is_on_its_way(server: Server, page: Page) -> None:
    """Its answer would close the drawer of the next deal."""
    begin_sheet(page, server.address, "Pink Nines", FOUR)
    sent: list[Route] = []
    page.route("**/entries", lambda route: sent.append(route))  # noqa: PLW0108 - it is marked
    open_drawer(page)
    with page.expect_request("**/entries"):
        tap_name(page, "Ann")
    tap_name(page, "Ben")
    sent[0].continue_()
    recorded(page, 1)
    open_drawer(page)
    expect(page.locator("#record h2")).to_have_text("Deal 2 of 4")
    assert len(sent) == 1


#: Tap here this many milliseconds after the keys were dimmed, `times` times; taps are counted.
TAP_AFTER_EACH_DIMMING = """([x, y, wait, times]) => {
  const { dataset } = document.body;
  dataset.taps = 0;
  const tap = () => {
    if (Number(dataset.taps) === times) return;
    dataset.taps = Number(dataset.taps) + 1;
    document.elementFromPoint(x, y)?.closest("a, button")?.click();
  };
  const dimmed = new WeakSet();
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!target.matches(".taps.steady") || dimmed.has(target)) continue;
      dimmed.add(target);
      setTimeout(tap, wait);
    }
  }).observe(document.body, { subtree: true, attributeFilter: ["class"] });
  tap();
}"""
#: Whether the keys are dim when they appear, and after how many milliseconds they no longer are.
DIM = """() => new Promise((done) => document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.target.id !== "page") return;
  const since = performance.now();
  let was = null;
  const look = () => {
    const key = document.querySelector(".way[open] .taps .go");
    const dim = key?.closest(".steady");
    if (dim) was ??= `${getComputedStyle(dim).opacity} ${key.ariaDisabled}`;
    if (!was || dim) return requestAnimationFrame(look);
    done([was, key.ariaDisabled, performance.now() - since]);
  };
  look();
}))"""
BETWEEN_TWO_TAPS = 270  # milliseconds: with the answer a tap each 0.4 s


def test_nine_quick_taps_record_nine_tricks(server: Server, page: Page) -> None:
    """None is lost."""
    begin_sheet(page, server.address, "Nine Five Two", ["Ann", "Ben", "Cat"])
    open_drawer(page, "Trick by trick")
    winner = page.locator(".taps .go").first
    winner.click(trial=True)
    box = winner.bounding_box()
    assert box is not None
    page.evaluate(TAP_AFTER_EACH_DIMMING, [box["x"] + 9, box["y"] + 9, BETWEEN_TWO_TAPS, 9])
    expect(page.locator("body")).to_have_attribute("data-taps", "9")
    expect(page.locator(".way[open] p")).to_contain_text("Who won trick 10?")
    assert [entry["winner"] for entry in entries(page)] == ["Ann"] * 9


def test_keys_that_ignore_taps_are_dim(server: Server, page: Page) -> None:
    """And disabled for screen readers, for about a quarter of a second."""
    begin_sheet(page, server.address, "Nine Five Two", ["Ann", "Ben", "Cat"])
    open_drawer(page, "Trick by trick")
    page.evaluate(f"() => {{ window.dim = ({DIM})(); }}")
    page.locator(".taps .go").first.click()
    was, after, took = page.evaluate("window.dim")
    assert (was, after) == ("0.5 true", None)
    assert took < 5000, took  # on a machine with other work


def test_the_rounds_of_a_hand_follow_one_another(server: Server, page: Page) -> None:
    """Each button works as soon as it is no longer dim."""
    begin_sheet(page, server.address, "Multiple 9 Hold’em", ["Ann", "Ben", "Cat"])
    open_drawer(page)
    call = page.locator(".way[open] .foot .go:visible").last
    call.click(trial=True)
    tap_twice(page, call, 100)  # the second tap is ignored
    key(page, "7").click()
    keys(page, "8", "2")
    key(page, "Record the flop").click()
    expect(page.locator(".way[open] .foot .go:visible").last).to_contain_text("check")
    page.locator(".way[open] .foot .go:visible").last.click()
    expect(page.locator("#record")).to_contain_text("The turn")
    played = [(entry["action"], entry.get("player", "")) for entry in entries(page)]
    assert played == [
        *(("bet", name) for name in ("Ann", "Ben", "Cat")),
        ("board", ""),
        *(("bet", name) for name in ("Ben", "Cat", "Ann")),
    ]


#: Tap these two one right after the other.
TWO_AND_RECORD = """() => {
  const buttons = [...document.querySelectorAll("dialog.drawer button")];
  buttons.find((one) => one.textContent === "2").click();
  buttons.find((one) => one.matches("[data-record]") && !one.hidden).click();
}"""


def test_record_works_right_after_the_last_figure(server: Server, page: Page) -> None:
    """The tap before was on a key, so it can't be a double tap."""
    begin_sheet(page, server.address, "Any Other Game", ["Ann", "Ben"])
    for deal in range(1, 4):
        open_drawer(page)
        keys(page, "1", "Next: Ben ›")
        expect(page.locator(".steady")).to_have_count(0)
        page.evaluate(TWO_AND_RECORD)
        recorded(page, deal)
        score(page, "Ben", 2 * deal)


@pytest.mark.parametrize(
    ("game", "players", "step"),
    [
        ("Nine Five Two", 3, "key 3"),
        ("Red Nines (1881)", 4, "choose Ann"),
        ("Red Nines (20th century)", 4, "choose Ann"),
        ("9 of a Kind", 5, "choose Ann"),
    ],
)
def test_next_skips_nobody_to_whom_the_form_went_by_itself(
    server: Server, thumb: Thumb, game: str, players: int, step: str
) -> None:
    """Who taps it then, meaning this very step, is still asked; a second tap does skip."""
    page = thumb.page
    begin_sheet(page, server.address, game, [*FOUR, "Eve"][:players])
    thumb.open()
    thumb.follow([step])
    chosen = page.locator(".way[open] [data-seat] > .tab:has(input:checked)")
    expect(chosen).to_contain_text("Ben")
    thumb.next()
    expect(chosen).to_contain_text("Ben")
    thumb.next()
    expect(chosen).to_contain_text("Cat")


def test_next_after_a_number_keeps_each_number_with_its_player(
    server: Server, thumb: Thumb
) -> None:
    """The third would fill itself, and nothing would look wrong."""
    begin_sheet(thumb.page, server.address, "Nine Five Two", FOUR[:3])
    thumb.open()
    thumb.key("3")
    thumb.next()
    thumb.key("5")
    held(thumb.page, "3", "5", "8")


@pytest.mark.parametrize(("at", "leads_to"), [("[data-next]", "Cat"), (".number", "Ben")])
def test_only_who_has_moved_to_next_by_keys_goes_on_at_once(
    server: Server, page: Page, at: str, leads_to: str
) -> None:
    """They know whose turn it is; Enter in a field may mean the step just taken."""
    begin_sheet(page, server.address, "Nine Five Two", FOUR[:3])
    open_drawer(page)
    chosen = page.locator(".way[open] [data-seat] > .tab:has(input:checked)")
    key(page, "3").press("Enter")
    expect(chosen).to_contain_text("Ben")
    page.locator(f".way[open] {at}").filter(visible=True).press("Enter")
    expect(chosen).to_contain_text(leads_to)


def test_the_button_says_that_no_card_keeps_everything(server: Server, thumb: Thumb) -> None:
    """A turn in Multiple 9 can be recorded without a card, but not by surprise."""
    page = thumb.page
    begin_sheet(page, server.address, "Multiple 9", FOUR[:2])
    thumb.open()
    way(page, "Turn by turn")
    button = page.locator(".way[open] [data-record]")
    expect(button).to_have_text("Ben keeps everything")
    thumb.key("9")
    expect(button).to_have_text("Record the turn")
    thumb.tap(page.locator(".way[open] [value$=':back']"))
    expect(button).to_have_text("Ben keeps everything")


def test_without_scripts_words_say_that_no_card_keeps_everything(
    server: Server, plain: Page
) -> None:
    plain.goto(begun_sheet(plain, server.address, "Multiple 9", FOUR[:2]) + "/record")
    plain.get_by_text("Turn by turn").click()
    expect(plain.get_by_text("Leave this empty if they keep everything.")).to_be_visible()


def test_the_button_names_the_last_hand_that_is_missing(server: Server, thumb: Thumb) -> None:
    """It records nothing before, as that would be refused."""
    page = thumb.page
    begin_sheet(page, server.address, "Any Other Game", FOUR[:3])
    thumb.open()
    thumb.key("4")
    thumb.next()
    thumb.key("5")
    thumb.next()
    missing = page.get_by_role("button", name="Cat is missing")
    record = page.get_by_role("button", name="Record deal 1")
    expect(missing).to_be_disabled()
    expect(record).to_be_hidden()
    thumb.key("6")
    expect(missing).to_be_hidden()
    expect(record).to_be_visible()


def test_without_scripts_names_are_below_their_question(server: Server, plain: Page) -> None:
    """No keys before a hand is asked for in cards, and no button behind the bar below."""
    plain.goto(begun_sheet(plain, server.address, "Red Nines (20th century)", FOUR) + "/record")
    name = plain.locator(".by-name label").first.bounding_box()
    hand = plain.locator("[data-seat] > .tab").first.bounding_box()
    assert name
    assert hand
    assert name["y"] < hand["y"]
    keys_of_cards = plain.locator("[data-pad-of=cards]")
    expect(keys_of_cards).to_be_hidden()
    plain.locator("[data-seat] > .tab input").first.check(force=True)
    expect(keys_of_cards).to_be_hidden()
    plain.locator("[name=how][value=cards]").check(force=True)
    expect(keys_of_cards).to_be_visible()
    plain.set_viewport_size({"width": 360, "height": 560})
    button, bar = plain.locator("[data-record]"), plain.locator(".dock")
    button.scroll_into_view_if_needed()
    low, top = button.bounding_box(), bar.bounding_box()
    assert low
    assert top
    assert low["y"] + low["height"] <= top["y"]

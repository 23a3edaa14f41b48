"""An evening at which each phone is its owner’s pad, as those at the table tap it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, TimeoutError, expect

from tests.extras.seats.evening import DEALS, NAMES, Evening, Guest
from tests.support.browser_fixtures import phones_of
from tests.support.browser_steps import behind_more, rows, send
from tests.support.chromium import PHONE
from tests.support.server import Server

STAYS_MS = 3000  # longer than a page needs to be led away


@pytest.fixture(scope="module")
def evening(server: Server, chromium: Browser) -> Iterator[Evening]:
    """The phones of one evening, which keep their storage from game to game."""
    with phones_of(chromium, service_workers="block") as new_phone:
        yield Evening(server.address, new_phone)


@pytest.mark.parametrize("game", DEALS)
def test_everybody_enters_their_own(evening: Evening, game: str) -> None:
    """Pads open automatically; Ben enters for Eve, who has no phone, and all phones show it."""
    evening.plays(game)
    evening.told(1)
    evening.same_by_one_phone(game, DEALS[game].names, [DEALS[game].alone])
    ann, others = DEALS[game].taps
    assert evening["Ann"].taps <= ann
    assert max(guest.taps for guest in evening.guests.values() if guest.name != "Ann") <= others


def test_a_whole_hand_fits_on_the_felt(evening: Evening) -> None:
    """All eight cards of the deal are side by side, and the page is no wider than the phone."""
    evening.begin("Red Nines (1881)", NAMES[:3], without=["Ben"])
    evening["Ann"].opens_pad()
    evening["Ann"].calls()
    evening["Ann"].answers(["red_nine=false"])
    evening["Ann"].waits()
    cy = evening["Cy"]
    cy.looks()
    cy.fills_in(["8", "red_nines=0"])
    expect(cy.page.locator(".on-felt .will")).to_contain_text("You pay Ann 8")
    assert cy.page.evaluate("innerWidth") == PHONE["width"]


def test_ones_own_cards_are_seen_only_while_they_are_held(evening: Evening) -> None:
    """By a finger, even without :active, or a key; a screen reader then has their names."""
    evening.begin("Red Nines (1881)", NAMES[:3], without=["Ann", "Ben"])
    page = evening["Cy"].page
    form = {"seat_of": "Cy", "deal": "0", "action": "out", "hands.2": "5H KS"}
    send(page, f"{evening.play}/seat/hand", form)
    page.goto(f"{evening.play}/seat")
    held, five = page.locator(".peek"), page.locator(".peek .k").first
    label, none = "Hold to see your cards", "rgba(0, 0, 0, 0)"
    expect(held).to_have_accessible_name(label)
    page.evaluate("import(new URL(document.querySelector('.mine').dataset.script, location).href)")
    for begins, ends in (("pointerdown", "pointerup"), ("keydown", "keyup"), ("click", "click")):
        expect(held).to_have_accessible_name(label)
        expect(five).to_have_css("color", none)
        held.dispatch_event(begins, {"key": "Enter"})
        expect(held).to_have_accessible_name(re.compile("five.*king"))
        expect(five).not_to_have_css("color", none)
        held.dispatch_event(ends)
    expect(five).to_have_css("color", none)


def test_a_tap_counts_as_somebody_else_sits_down(evening: Evening) -> None:
    """The board is new, but the key under the finger is the same."""
    evening.begin("Any Other Game", NAMES[:3], without=["Cy"])
    ann = evening["Ann"]
    ann.page.evaluate("""() => {
        const board = new AbortController();
        document.addEventListener("htmx:after:swap", (event) => {
            if (event.detail.ctx.response.status !== 200) return;  // nothing is new
            board.abort();
            document.querySelector("#dock a.record").click();
        }, { signal: board.signal });
    }""")
    evening.sits("Cy")
    ann.looks()
    expect(ann.page.locator("main.own-pad #record")).to_be_visible()


def three(evening: Evening) -> tuple[Guest, Guest, Guest]:
    """Ann, Ben and Cy begin Nine Five Two."""
    evening.begin("Nine Five Two", NAMES[:3])
    return evening["Ann"], evening["Ben"], evening["Cy"]


def tricks(evening: Evening, **taken: str) -> None:
    """Enter tricks; the first calls the deal over, the pads of the others open."""
    for place, (name, number) in enumerate(taken.items()):
        if not place:
            evening[name].opens_pad()
        evening[name].answers([number])
        if place < 2:
            evening[name].waits()


def test_an_open_pad_hears_who_went_out(evening: Evening) -> None:
    """Ben asked everybody before Ann said so; what Cy has filled in stays, and costs double."""
    evening.begin("Red Nines (1881)", NAMES[:4], without=["Dot"])
    ann, cy = evening["Ann"], evening["Cy"]
    evening.host.locator(".deal-over button").tap()
    for guest in (ann, cy):
        guest.looks()
    cy.fills_in(["3", "red_nines=0"])
    expect(cy.page.get_by_role("link", name="I went out")).to_be_visible()
    ann.calls()
    ann.answers(["red_nine=true"])
    ann.waits()
    cy.looks()
    felt = cy.page.locator(".on-felt")
    expect(felt).to_contain_text("Ann went out on a red nine")
    expect(felt).to_contain_text("Ann is in")
    expect(felt).to_contain_text("You pay Ann 6")
    expect(cy.page.get_by_role("link", name="I went out")).not_to_be_visible()
    expect(cy.page.locator("[name='hands.2.plain'][value='3']")).to_be_checked()


def test_a_call_made_by_mistake_leaves_the_others_theirs(evening: Evening) -> None:
    """Ann says that she went out, and takes it back: Cy's pad, open since then, offers it again.

    He had begun to say so, and leaves that for his hand: the keys for it are there.
    """
    evening.begin("Red Nines (1881)", NAMES[:3])
    ann, cy = evening["Ann"], evening["Cy"]
    ann.opens_pad()
    ann.calls()
    ann.answers(["red_nine=false"])
    ann.waits()
    cy.looks()
    went_out = cy.page.get_by_role("link", name="I went out")
    expect(cy.page.locator(".on-felt")).to_contain_text("Ann went out")
    expect(went_out).not_to_be_visible()
    ann.page.get_by_role("button", name="Change").tap()
    ann.page.get_by_role("link", name="No, that wasn’t me").tap()
    ann.answers(["3", "red_nines=0"])
    cy.looks()
    cy.tap(went_out)
    cy.fills_in(["red_nine=true"])
    cy.page.get_by_role("button", name="Still playing").tap()
    cy.opens_pad()
    cy.answers(["2", "red_nines=0"])
    cy.waits()


def test_two_may_have_called(evening: Evening) -> None:
    """In 9 of a Kind both may have it: Cy calls after he has read that Dot did."""
    evening.begin("9 of a Kind", NAMES[:5])
    dot, cy = evening["Dot"], evening["Cy"]
    dot.opens_pad()
    dot.calls()
    dot.answers(["by=nine"])
    dot.waits()
    cy.looks()
    expect(cy.page.locator(".on-felt")).to_contain_text("Dot called")
    cy.calls()
    cy.answers(["by=nine"])
    cy.waits()
    for name in ("Ann", "Ben", "Eve"):
        evening[name].looks()
        evening[name].answers(["9"])
    evening.told(1)
    assert sorted(evening.recorded()[0]["callers"]) == ["Cy", "Dot"]


def test_players_in_conflict_count_again(evening: Evening) -> None:
    """Seventeen tricks: one changes theirs, and next time all stand by it, and Ben decides."""
    ann, ben, cy = three(evening)
    tricks(evening, Ann="9", Cy="3", Ben="5")
    for guest in (ann, ben, cy):
        guest.asked()
    assert evening.recorded() == []
    cy.changes(["2"])
    evening.told(1)
    tricks(evening, Ann="9", Cy="3", Ben="5")
    for guest in (ann, ben, cy):
        guest.asked()
        guest.stands_by_it()
    expect(ben.page.locator("#seat")).to_contain_text("Still not all can be right")
    ben.page.get_by_role("button", name="Enter for Cy").tap()
    ben.answers(["2"])
    evening.told(2)
    alone = {"action": "tricks", "tricks.0": "9", "tricks.1": "5", "tricks.2": "2"}
    evening.same_by_one_phone("Nine Five Two", NAMES[:3], [alone, alone])


def test_a_deal_taken_back_keeps_what_was_entered(evening: Evening) -> None:
    """A player who was wrong undoes the deal and changes their figure: it is recorded again."""
    ann, _, cy = three(evening)
    tricks(evening, Ann="9", Cy="2", Ben="5")
    evening.told(1)
    cy.page.get_by_role("button", name="Undo").tap()
    evening.told(0)
    expect(cy.page.locator("#seat")).to_be_visible()
    cy.page.go_back()
    expect(cy.page.locator(".gathering")).to_be_visible()
    with pytest.raises(TimeoutError):
        cy.page.wait_for_selector("#seat", timeout=STAYS_MS)
    cy.page.goto(f"{evening.play}/seat?change=yes")
    cy.answers(["1"])
    for name in ("Ann", "Ben"):
        evening[name].asked()
    ann.changes(["10"])
    evening.told(1)


def fails_to_ask(guest: Guest) -> None:
    """The server answers twice that it is too busy to say anything new, and then no more."""
    page, polls = guest.page, "**/seat/felt?*"
    busy = "<main id=main class=busy>Too busy</main>"
    page.route(polls, lambda route: route.fulfill(status=503, body=busy, content_type="text/html"))
    for _ in range(2):  # the second is asked for once the first has been dealt with
        with page.expect_response(polls):
            guest.looks()
    page.unroute(polls)


def test_a_seat_waits_through_errors(evening: Evening) -> None:
    """The content of a phone stays there, and it continues automatically."""
    ann, _, _ = three(evening)
    tricks(evening, Ann="9")
    fails_to_ask(ann)
    ann.waits()
    for name, number in (("Cy", "2"), ("Ben", "5")):
        evening[name].answers([number])
    evening.told(1)


def test_a_pad_waits_for_its_turn_through_errors(evening: Evening) -> None:
    """At Hold’em, while somebody else is to act."""
    evening.begin("Multiple 9 Hold’em", NAMES[:3], without=["Ann", "Ben"])
    cy = evening["Cy"]
    cy.page.get_by_role("link", name="Your cards").tap()
    expect(cy.page.locator(".nothing")).to_contain_text("Ann to act")
    fails_to_ask(cy)
    expect(cy.page.locator(".nothing")).to_contain_text("Ann to act")


def records_by_drawer(evening: Evening) -> None:
    """Ben records a deal of three for everybody."""
    deal = {"action": "deal", "points.0": "1", "points.1": "2", "points.2": "3"}
    evening.records("by-ben", deal)


def test_an_untouched_pad_gives_way_to_the_deal_once_recorded(evening: Evening) -> None:
    """Ann has entered nothing that could be late; Cy has, and may still send it."""
    evening.begin("Any Other Game", NAMES[:3])
    ann, cy = evening["Ann"], evening["Cy"]
    for guest in (ann, cy):
        guest.opens_pad()
    cy.fills_in(["4"])
    records_by_drawer(evening)
    for guest in (ann, cy):
        guest.looks()
    rows(ann.page, 1)
    expect(cy.page.locator(".own-pad .wrote")).to_contain_text("Already recorded")


def test_a_phone_with_a_late_figure_learns_that_it_is_late(evening: Evening) -> None:
    """Cy’s pad is filled in while Ben records by the drawer: Cy says that it isn’t right."""
    evening.begin("Any Other Game", NAMES[:3], without=["Ann"])
    cy, host = evening["Cy"], evening.host
    cy.opens_pad()
    cy.fills_in(["4"])
    records_by_drawer(evening)
    cy.sends()
    expect(cy.page.locator(".verdict")).to_contain_text("Already recorded")
    expect(cy.page.locator(".verdict")).to_contain_text("It says +3 for Cy")
    cy.page.get_by_role("button", name="Not right").tap()
    evening["Ben"].looks()
    expect(host.locator("body")).to_contain_text("Cy says 4")
    evening.told(1)


def test_a_phone_that_dies_and_one_that_is_handed_back_hold_up_nobody(evening: Evening) -> None:
    """Ben enters for both; the next holder of the seat enters their own."""
    evening.begin("Any Other Game", NAMES[:4])
    evening["Dot"].page.goto("about:blank")
    cy = evening["Cy"]
    cy.page.get_by_role("link", name="Not me").tap()
    cy.page.get_by_role("button", name="Hand Cy’s seat back").tap()
    evening["Ann"].opens_pad()
    evening["Ann"].answers(["5"])
    evening["Ben"].answers(["6"])
    evening.enters_for("Cy", ["7"])
    evening["Ben"].waits()
    evening.enters_for("Dot", ["8"])
    cy.sit(evening.play)
    del evening.guests["Dot"]
    evening.told(1)


def test_the_deals_before_stand_below_the_one_that_is_told(evening: Evening) -> None:
    evening.begin("Any Other Game", NAMES[:2])
    ann, ben = evening["Ann"], evening["Ben"]
    for deal, points in ((1, "5"), (2, "7")):
        ann.opens_pad()
        ann.answers([points])
        ann.waits()
        ben.answers(["6"])
        evening.told(deal)
    told, before = ann.page.locator(".told"), ann.page.locator(".scores")
    expect(told).to_contain_text("7")
    expect(before).to_contain_text("5")
    tops = [one.evaluate("it => it.getBoundingClientRect().top") for one in (told, before)]
    assert tops == sorted(tops)


def test_somebody_joins_and_somebody_leaves(evening: Evening) -> None:
    """Dot comes later and takes her seat; Cy, who goes home, is no longer asked for anything."""
    game, names = "Any Other Game", NAMES[:3]

    def everybody_enters(**points: str) -> None:
        for place, (name, number) in enumerate(points.items()):
            if not place:
                evening[name].opens_pad()
            evening[name].answers([number])
            if place < len(points) - 1:
                evening[name].waits()

    evening.begin(game, names)
    host = evening.host
    everybody_enters(Ann="1", Ben="2", Cy="3")
    evening.told(1)
    joins = behind_more(host, "Someone joins")
    joins.get_by_label("Who?").fill("Dot")
    joins.locator("input[value=Cy]").tap()
    joins.get_by_role("button", name="Let them in").tap()
    rows(host, 2)
    evening.sits("Dot")
    everybody_enters(Dot="4", Ann="1", Ben="2", Cy="3")
    evening.told(3)  # newcomers and leavers have a row, too
    leaves = behind_more(host, "Someone leaves")
    leaves.locator("input[value=Cy]").tap()
    leaves.get_by_role("button", name="Play on without them").tap()
    rows(host, 4)
    everybody_enters(Dot="5", Ann="6", Ben="7")
    evening.told(5)
    deals = [
        {"action": "deal", "points.0": "1", "points.1": "2", "points.2": "3"},
        {"action": "join", "player": "Dot", "left_of": "Cy"},
        {"action": "deal", "points.0": "1", "points.1": "2", "points.2": "3", "points.3": "4"},
        {"action": "leave", "player": "Cy"},
        {"action": "deal", "points.0": "6", "points.1": "7", "points.2": "5"},
    ]
    evening.same_by_one_phone(game, names, deals)


def test_all_keys_are_in_sight_once_somebody_is_in(evening: Evening) -> None:
    """Below a grid, too: none is behind the button."""
    evening.begin("Colorado Nines", NAMES[:3], without=["Ben"])
    evening["Ann"].opens_pad()
    evening["Ann"].answers(["2", "9", "K", "2", "9", "3", "5", "9", "A"])
    evening["Ann"].waits()
    cy = evening["Cy"]
    cy.looks()
    expect(cy.page.locator("main.own-pad [data-record]")).to_be_visible()
    for height in (844, 664):  # a phone's, and what the bars of its browser leave
        cy.page.set_viewport_size({"width": PHONE["width"], "height": height})
        last = cy.page.get_by_role("button", name="Take back").filter(visible=True).bounding_box()
        foot = cy.page.locator(".foot").bounding_box()
        assert last is not None
        assert foot is not None
        assert last["y"] + last["height"] <= foot["y"]
    cy.page.set_viewport_size(PHONE)

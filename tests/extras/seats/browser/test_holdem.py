"""A hand of Hold'em on three phones: hole cards stay on each until they are shown."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from tests.extras.seats.evening import TOUCH, Evening, with_key
from tests.support.browser_fixtures import phones_of
from tests.support.browser_steps import fetch, send
from tests.support.server import Server

GAME, NAMES = "Multiple 9 Hold’em", ["Ann", "Ben", "Cy"]
HOLE = {"Ann": ["Q", "5"], "Ben": ["K", "K"], "Cy": ["8", "7"]}
MOVES = [("Ann", "Call 2"), ("Ben", "Call 1"), ("Cy", "Check")]


@pytest.fixture
def evening(server: Server, chromium: Browser) -> Iterator[Evening]:
    """An evening that is about to begin."""
    with phones_of(chromium, service_workers="block") as new_phone:
        yield Evening(server.address, new_phone)


def begins(evening: Evening, *with_phones: str) -> None:
    """Begin a hand of Ann, Ben and Cy, of whom these have their seats on phones."""
    evening.begin(GAME, NAMES, without={*NAMES} - {*with_phones})


def faces(page: Page) -> Locator:
    """The two hole cards, as drawn."""
    return page.locator("#look .k")


def opens_cards(evening: Evening, name: str) -> None:
    """Open the page with a player's own cards, and enter them: a tap each."""
    guest = evening[name]
    guest.page.locator("#dock a[href$='/seat']").tap()
    guest.taps = 0
    for card in HOLE[name]:
        guest.tap(guest.page.locator(".hole-keys").get_by_role("button", name=card, exact=True))
    expect(guest.page.get_by_role("button", name="Hold to peek")).to_be_visible()
    assert guest.taps == 2


def bet(player: str, move: str, **to: str) -> dict[str, str]:
    return {"action": "bet", "player": player, "move": move, **to}


def lays(evening: Evening, cards: str) -> None:
    """Ben's phone records cards on the board."""
    evening.records(f"lays {cards}", {"action": "board", "cards": cards})


def moves(page: Page, words: str = "Check") -> None:
    """Bet with this button, once it is there, and wait until that is done."""
    page.get_by_role("button", name=words).tap()
    expect(page.get_by_role("button", name=words)).to_have_count(0)


def plays_to_the_showdown(evening: Evening) -> None:
    """Everybody calls, and then checks; each phone is led to its turn."""
    for name, move in MOVES:
        evening[name].looks()
        moves(evening[name].page, move)
    for cards in ("J 7 9", "2", "10"):
        lays(evening, cards)
        for name in ("Ben", "Cy", "Ann"):
            evening[name].looks()
            moves(evening[name].page)


def holds(page: Page) -> None:
    """Press the cards, and keep the finger there."""
    page.locator("#look").dispatch_event("pointerdown")


def test_cards_are_seen_only_while_they_are_held(evening: Evening) -> None:
    """And are there again after the page was reloaded."""
    begins(evening, "Cy")
    opens_cards(evening, "Cy")
    page = evening["Cy"].page
    expect(faces(page)).to_have_text(["", ""])
    for ends in ("pointerup", "pointercancel", "visibilitychange"):
        holds(page)
        expect(faces(page)).to_have_text(["8", "7"])
        page.locator("body").dispatch_event(ends)
        expect(faces(page)).to_have_text(["", ""])
    page.reload()
    holds(page)
    expect(faces(page)).to_have_text(["8", "7"])


def test_a_key_on_the_keyboard_shows_hole_cards_while_it_is_held(evening: Evening) -> None:
    begins(evening, "Cy")
    opens_cards(evening, "Cy")
    page = evening["Cy"].page
    for key, leaves in product(("Space", "Enter"), (False, True)):
        page.locator("#look").focus()
        page.keyboard.down(key)
        expect(faces(page)).to_have_text(["8", "7"])
        if leaves:
            page.locator("#look").blur()
        else:
            page.keyboard.up(key)
        expect(faces(page)).to_have_text(["", ""])
        page.keyboard.up(key)


def test_nothing_moves_under_the_finger_that_holds_them(evening: Evening) -> None:
    """What has happened meanwhile is shown once they are let go."""
    begins(evening, "Ann", "Cy")
    opens_cards(evening, "Cy")
    opens_cards(evening, "Ann")
    moves(evening["Ann"].page, "Call 2")
    cy = evening["Cy"].page
    expect(cy.locator(".nothing")).to_contain_text("Ben to act")
    holds(cy)
    asked: list[str] = []
    cy.on("request", lambda request: asked.append(request.url))
    cy.evaluate("htmx.trigger(document.querySelector('#record [hx-get]'), 'look')")
    cy.evaluate("fetch('?something-else')")
    assert [url for url in asked if "felt" in url] == []
    cy.locator("body").dispatch_event("pointerup")
    with cy.expect_request(lambda request: "felt" in request.url):
        pass


@pytest.mark.parametrize(("first", "then"), [("Fold", "Call 2"), ("Call 2", "Fold")])
def test_the_last_tap_without_a_network_counts(evening: Evening, first: str, then: str) -> None:
    """Both are buttons of one form."""
    begins(evening, "Ann")
    opens_cards(evening, "Ann")
    ann = evening["Ann"].page
    ann.context.set_offline(True)
    for words in (first, then):
        with ann.expect_event("requestfailed", lambda request: request.method == "POST"):
            ann.get_by_role("button", name=words).tap()
        expect(ann.locator(".unsent")).to_contain_text("It goes by itself")
    ann.context.set_offline(False)
    expect(ann.get_by_role("button", name=then)).to_have_count(0)
    assert [entry["move"] for entry in evening.recorded()] == [then.partition(" ")[0].lower()]


def test_a_muck_takes_the_place_of_cards_that_were_not_sent(evening: Evening) -> None:
    """Tapped while *Show* waits for a network: no cards are sent."""
    begins(evening, *NAMES)
    for name in NAMES:
        opens_cards(evening, name)
    plays_to_the_showdown(evening)
    ann = evening["Ann"].page
    ann.context.set_offline(True)
    for words in ("Show", "Muck"):
        with ann.expect_event("requestfailed", lambda request: request.method == "POST"):
            ann.get_by_role("button", name=words, exact=True).tap()
        expect(ann.locator(".unsent")).to_contain_text("It goes by itself")
    sent: list[str] = []
    ann.on("request", lambda request: sent.append(request.post_data or ""))
    ann.context.set_offline(False)
    expect(evening.host.locator(".shown-hands")).to_contain_text("mucked")
    assert not [one for one in sent if "hands.0=Q" in one]


def test_a_hand_to_its_showdown_and_one_that_others_fold(evening: Evening) -> None:
    """Nothing of a hand is sent before it is shown, and a muck sends none.

    Both hands score as if one phone had kept them.
    """
    begins(evening, *NAMES)
    sent: dict[str, list[str]] = {name: [] for name in NAMES}

    def hears(name: str) -> None:
        def note(request: Request) -> None:
            sent[name].append(f"{request.url} {request.post_data or ''}")

        evening[name].page.on("request", note)

    for name in NAMES:
        hears(name)
        opens_cards(evening, name)
    plays_to_the_showdown(evening)
    ann, ben, cy = (evening[name].page for name in NAMES)
    onlooker = evening.phone("a viewer")
    onlooker.goto(evening.at)
    holds(cy)
    expect(cy.locator(".makes")).to_contain_text("You have six nines")
    expect(cy.locator(".makes")).to_contain_text("10+8")
    assert not [one for name in NAMES for one in sent[name] if "hands." in one]
    assert "Shown so far" not in onlooker.content()
    cy.locator("body").dispatch_event("pointerup")
    ben.get_by_role("button", name="Show").tap()
    for page in (ann, cy, onlooker):
        expect(page.locator(".shown-hands")).to_contain_text("seven nines")
    ann.get_by_role("button", name="Muck").tap()
    expect(cy.locator(".shown-hands")).to_contain_text("mucked")
    assert [one for one in sent["Ann"] if "hands.0=-" in one]
    assert not [one for one in sent["Ann"] if "hands.0=Q" in one]
    assert not [one for one in sent["Cy"] if "hands." in one]
    cy.get_by_role("button", name="Show").tap()
    for page in (ann, ben, cy, onlooker):
        expect(page.locator(".told")).to_contain_text("Ben takes 6")
    assert evening.recorded()[-1] == {
        "action": "show",
        "hands": {"Ben": "K K", "Ann": "-", "Cy": "8 7"},
    }
    cy.locator("[data-next-deal]").tap()
    cy.get_by_role("link", name="Your cards").tap()
    expect(cy.locator(".hole-keys")).to_be_visible()
    assert "8" not in faces(cy).all_inner_texts()
    ben.goto(f"{evening.at}/seat")
    for name, move in (("Ben", "Raise to 4"), ("Cy", "Fold"), ("Ann", "Fold")):
        evening[name].looks()  # whose turn it is, their pad opens by itself
        moves(evening[name].page, move)
    evening.told(2)
    checks = [bet(name, "check") for name in ("Ben", "Cy", "Ann")]
    streets = [{"action": "board", "cards": cards} for cards in ("J 7 9", "2", "10")]
    before_the_flop = [bet("Ann", "call"), bet("Ben", "call"), bet("Cy", "check")]
    show = {"action": "show", "hands.0": "-", "hands.1": "K K", "hands.2": "8 7"}
    second = [bet("Ben", "raise", to="4"), bet("Cy", "fold"), bet("Ann", "fold")]
    played = [*before_the_flop, *(one for street in streets for one in (street, *checks)), show]
    evening.same_by_one_phone(GAME, NAMES, [*played, *second])


def test_without_script_cards_are_typed_at_the_showdown(
    evening: Evening, chromium: Browser
) -> None:
    """Cy's phone has none; the others' have."""
    begins(evening, *NAMES)
    with phones_of(chromium, service_workers="block") as new_phone:
        cy = new_phone(java_script_enabled=False, **TOUCH)
        cy.goto(f"{evening.play}/seat?pick=yes")
        cy.get_by_role("button", name="Cy on another phone").tap()
        cy.get_by_role("button", name="Use this phone").tap()
        for name in ("Ann", "Ben"):
            opens_cards(evening, name)
        ann, ben = evening["Ann"].page, evening["Ben"].page
        for page, move in ((ann, "Call 2"), (ben, "Call 1")):
            moves(page, move)
        for cards in ("J 7 9", "2", "10", ""):
            cy.goto(f"{evening.play}/seat")
            moves(cy)
            if cards != "J 7 9":  # before the flop Ann has called
                moves(ann)
            if cards:
                lays(evening, cards)
                moves(ben)
        cy.goto(f"{evening.play}/seat")
        expect(cy.get_by_text("Hold to peek")).to_be_hidden()
        cy.get_by_label("Your two cards").fill("8 7")
        cy.get_by_role("button", name="Show").tap()
        expect(cy.locator(".shown-hands")).to_contain_text("six nines")
        expect(ann.locator(".shown-hands")).to_contain_text("six nines")


def test_the_own_pad_opens_at_the_own_turn(evening: Evening) -> None:
    """Once: whoever goes back to the sheet reads there that it is their turn."""
    begins(evening, *NAMES)
    ann, ben = evening["Ann"].page, evening["Ben"].page
    for page in (ann, ben):
        expect(page.locator("#dock a[href$='/seat']")).to_be_visible()
    expect(ann.locator("#dock")).to_contain_text("Your turn")
    ann.get_by_role("link", name="Your turn").tap()
    ann.get_by_role("button", name="Call 2").tap()
    evening["Ben"].looks()
    expect(ben.get_by_role("button", name="Call 1")).to_be_visible()
    expect(ben.locator(".stand")).to_contain_text("2 in front")
    ben.get_by_role("link", name="Back").tap()
    expect(ben.locator(".now h2")).to_have_text("Your turn: 1 to call, 5 in the pot")
    expect(ben.get_by_role("link", name="Your turn")).to_be_visible()
    expect(ben.get_by_role("link", name="Record hand 1")).to_be_hidden()
    moves_at = [entry["player"] for entry in evening.recorded()]
    assert moves_at == ["Ann"]


def test_a_drawer_leads_to_the_pads_of_those_with_phones(evening: Evening) -> None:
    """Ben, who keeps score, enters for Ann, who has no phone, and goes on to his own cards."""
    begins(evening, "Ben", "Cy")
    ben = evening.host
    ben.locator(".next a").tap()
    expect(ben.locator("#street-does")).to_have_text("Ann calls 2then it’s Ben’s turn")
    ben.locator("#street-does").tap()
    moves(ben, "Call 1")
    evening["Cy"].looks()
    moves(evening["Cy"].page)
    evening["Ben"].looks()
    ben.get_by_role("link", name="Record the flop").tap()
    keys = ben.locator("dialog.drawer .keys")
    for card in ("J", "7", "9"):
        keys.get_by_role("button", name=card, exact=True).tap()
    ben.get_by_role("button", name="Record the flop").tap()
    moves(ben)
    ben.get_by_role("link", name="Back").tap()
    ben.locator(".next a").tap()
    drawer = ben.locator("dialog.drawer")
    expect(drawer).to_contain_text("Cy acts on their own phone")
    moves(evening["Cy"].page)
    expect(drawer.locator("#street-does")).to_contain_text("Ann checks")
    ben.get_by_role("link", name="Close").tap()
    ben.get_by_role("link", name="Your cards").tap()
    ben.get_by_role("link", name="Enter for Ann").tap()
    ben.get_by_text("Fold", exact=True).tap()
    ben.get_by_role("button", name="Fold anyway").tap()
    expect(ben.get_by_role("link", name="Record the turn card")).to_be_visible()
    expect(ben.locator(".me")).to_have_text("B")


def test_a_turn_taken_back_leads_to_the_sheet(evening: Evening) -> None:
    """Which says what was removed; whose turn it is then opens their pad."""
    begins(evening, *NAMES)
    ann, ben = evening["Ann"].page, evening["Ben"].page
    ann.get_by_role("link", name="Your turn").tap()
    ann.get_by_role("button", name="Call 2").tap()
    evening["Ben"].looks()
    expect(ben.get_by_role("button", name="Call 1")).to_be_visible()
    sheet = fetch(ben, f"{evening.at}/record").text()
    send(ben, f"{evening.at}/undo", with_key(sheet, "undo", {}))
    evening["Ben"].looks()
    expect(ben.locator("#toast")).to_contain_text("Removed: Ann called")
    expect(ben.locator("#dock")).to_contain_text("Ann is to act")


def test_the_next_player_on_this_phone_sees_no_cards_of_the_last(evening: Evening) -> None:
    """Nor a figure that was half filled in; cards of somebody else’s are nobody’s business."""
    begins(evening, "Cy")
    opens_cards(evening, "Cy")
    page = evening["Cy"].page
    page.goto(f"{evening.play}/seat?pick=yes")
    page.get_by_role("button", name="Hand Cy’s seat back").tap()
    page.get_by_role("button", name="I’m Cy").tap()
    page.get_by_role("link", name="Your cards").tap()
    expect(faces(page).first).to_have_class("k ghost")
    kept = page.evaluate("[...Object.keys(sessionStorage), ...Object.keys(localStorage)]")
    assert not [place for place in kept if "/seat/hand " in place]


def comes_to_a_showdown(evening: Evening, *with_phones: str) -> None:
    """Begin a hand that Ben’s phone has recorded up to its showdown."""
    begins(evening, *with_phones)
    streets = [{"action": "board", "cards": cards} for cards in ("J 7 9", "2", "10")]
    checks = [bet(name, "check") for name in ("Ben", "Cy", "Ann")]
    called = [bet("Ann", "call"), bet("Ben", "call"), bet("Cy", "check")]
    played = [*called, *(one for street in streets for one in (street, *checks))]
    for number, entry in enumerate(played):
        evening.records(f"entry {number}", entry)


def shows(evening: Evening, name: str) -> None:
    """Show the hand on somebody’s phone, which opens by itself, and have Ben’s look."""
    evening[name].looks()
    page = evening[name].page
    expect(page.get_by_role("button", name="Muck", exact=True)).to_be_visible()
    for card in HOLE[name]:
        page.locator(".hole-keys").get_by_role("button", name=card, exact=True).tap()
    page.get_by_role("button", name="Show", exact=True).tap()
    expect(page.locator(".shown-hands")).to_contain_text(name)
    evening.guest("Ben").looks()


def hand_of(drawer: Locator, seat: int) -> Locator:
    return drawer.locator(f"[name='hands.{seat}']")


def test_a_hand_shown_on_a_phone_is_filled_in_the_open_drawer(evening: Evening) -> None:
    """What was typed stays; a hand that was mucked there already isn’t anymore."""
    comes_to_a_showdown(evening, "Ann", "Cy")
    ben = evening.host
    ben.goto(f"{evening.at}#record")
    drawer = ben.locator("dialog.drawer")
    drawer.locator(".tab", has_text="Ben").tap()
    for key in ("Q", "6"):
        drawer.get_by_role("button", name=key, exact=True).tap()
    shows(evening, "Ann")
    expect(hand_of(drawer, 0)).to_have_value("Q 5")
    expect(hand_of(drawer, 1)).to_have_value("Q 6")
    expect(drawer.locator(".place", has_text="Ann").locator(".tab")).to_contain_text("nines")
    expect(drawer.locator(".way[open] .will")).to_contain_text("Cy to come")
    drawer.get_by_role("button", name="The rest muck").tap()
    expect(hand_of(drawer, 2)).to_have_value("-")
    shows(evening, "Cy")
    expect(hand_of(drawer, 2)).to_have_value("8 7")
    expect(drawer.locator(".way[open] .will")).to_contain_text("Cy takes 6")
    drawer.get_by_role("button", name="Settle the hand").tap()
    expect(ben.locator(".told")).to_contain_text("Cy takes 6")
    hands = {"Ann": "Q 5", "Ben": "Q 6", "Cy": "8 7"}
    assert evening.recorded()[-1] == {"action": "show", "hands": hands}


def test_a_hand_changed_on_its_phone_changes_in_the_open_drawer(evening: Evening) -> None:
    comes_to_a_showdown(evening, "Ann", "Cy")
    ben, cy = evening.host, evening["Cy"].page
    ben.goto(f"{evening.at}#record")
    drawer = ben.locator("dialog.drawer")
    shows(evening, "Cy")
    expect(hand_of(drawer, 2)).to_have_value("8 7")
    other = {"action": "show", "hands.2": "K K", "seat_of": "Cy", "deal": "0", "key": "other"}
    assert cy.request.post(f"{cy.url.partition('?')[0]}/hand", form={**other}).ok
    evening.guest("Ben").looks()
    expect(hand_of(drawer, 2)).to_have_value("K K")


def test_what_is_shown_begins_no_form_and_can_be_typed_over(evening: Evening) -> None:
    """Ben has touched nothing, so there is no draft; a reload has the hand as well."""
    comes_to_a_showdown(evening, "Cy")
    ben = evening.host
    ben.goto(evening.at)
    drawer = ben.locator("dialog.drawer")
    shows(evening, "Cy")
    expect(hand_of(drawer, 2)).to_have_value("8 7")
    expect(ben.locator("#record:not([data-begun])")).to_be_attached()
    ben.locator(".next a").tap()
    expect(drawer).to_be_visible()
    assert not [one for one in ben.evaluate("Object.keys(localStorage)") if one.startswith("draft")]
    ben.reload()
    expect(hand_of(drawer, 2)).to_have_value("8 7")
    drawer.locator(".tab", has_text="Cy").tap()
    drawer.get_by_role("button", name="Take back").tap()
    evening.guest("Ben").looks()
    drawer.get_by_role("button", name="K", exact=True).tap()
    expect(hand_of(drawer, 2)).to_have_value("8 K")
    ben.reload()
    expect(hand_of(drawer, 2)).to_have_value("8 K")


def test_an_open_drawer_stops_before_a_phone_that_comes(evening: Evening) -> None:
    """Cy sits down while the key says that all three call."""
    begins(evening)
    ben = evening.host
    ben.goto(f"{evening.at}#record")
    key = ben.locator("#street-does")
    expect(key).to_contain_text("6 in the pot, then the flop")
    evening.sits("Cy")
    evening.guest("Ben").looks()
    expect(key).to_have_text("Ann and Ben callthen it’s Cy’s turn")
    expect(ben.locator("dialog.drawer")).to_be_visible()
    key.tap()
    expect(ben.locator("dialog.drawer")).to_contain_text("Cy acts on their own phone")
    assert [entry["player"] for entry in evening.recorded()] == ["Ann", "Ben"]


def test_a_form_newer_than_the_board_is_fetched_once(evening: Evening) -> None:
    """Cy sits down; Ann, too, before the form for that has come."""
    begins(evening)
    ben = evening.host
    ben.goto(evening.at)
    expect(ben.locator("#live")).to_have_attribute("data-apart", "")
    evening.sits("Cy")
    asked: list[Route] = []
    ben.route("**/record", lambda form: asked.append(form))  # noqa: PLW0108 - it is marked
    with ben.expect_request("**/record"):
        evening.guest("Ben").looks()
    ben.route("**/board", lambda poll: poll.fulfill(status=304))
    evening.sits("Ann")
    asked[0].continue_()
    expect(ben.locator("#record")).to_have_attribute("data-apart", "Cy Ann")
    ben.wait_for_timeout(500)
    assert len(asked) == 1
    ben.unroute("**/board")
    evening.guest("Ben").looks()
    expect(ben.locator("#live")).to_have_attribute("data-apart", "Cy Ann")


def test_a_hand_in_progress_is_quieter_than_the_totals(evening: Evening) -> None:
    """Its figures are small print, and not red: they may still change."""
    begins(evening, "Cy")
    ben = evening.host
    evening.records("calls", bet("Ann", "call"))
    ben.goto(evening.at)
    styles = "one => [parseFloat(getComputedStyle(one).fontSize), getComputedStyle(one).color]"
    size, color = ben.locator(".score-pad .so-far td b").first.evaluate(styles)
    of_total = ben.locator(".score-pad .total").first.evaluate(styles)[0]
    assert size < of_total / 2
    assert color == ben.locator(".score-pad .so-far th").evaluate(styles)[1]

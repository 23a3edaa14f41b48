"""An evening at which each phone is its owner’s pad, as those at the table tap it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import TakePhone
from tests.support.browser_steps import begin_sheet, rows, sheet_at
from tests.support.server import Server

NAMES = ["Ann", "Ben", "Cy", "Dot", "Eve"]
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}


class Guest:
    """Somebody with a phone, and how often they have tapped in this deal."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def sit(self, play: str) -> None:
        """Open the link to play along, and take the seat."""
        self.page.goto(f"{play}/seat")
        self.page.get_by_role("button", name=f"I’m {self.name}", exact=True).tap()
        self.told_whose()

    def told_whose(self) -> None:
        expect(self.page.locator(".you-are")).to_contain_text(f"You’re {self.name} on this phone")

    def opens_pad(self) -> None:
        """Open the own pad once the deal is over, as nobody has called it yet."""
        self.tap(self.page.get_by_role("link", name="Deal over? Enter yours"))
        expect(self.page.locator("main.own-pad #record")).to_be_visible()

    def calls(self, words: str, answer: str = "") -> None:
        """Say how the deal ended: `answer` is an option that is chosen."""
        self.opens_pad()
        self.tap(self.page.get_by_role("link", name=words))
        if answer:
            self.answers([answer])

    def answers(self, steps: list[str]) -> None:
        """Fill in the pad that has opened, and send it.

        "No" chooses an option, "1" as well where numbers are options, else it is a docked key.
        """
        pad = self.page.locator("main.own-pad")
        expect(pad.locator("[data-record]")).to_be_visible()
        for step in steps:
            option = pad.locator("label").filter(has_text=re.compile(rf"^\s*{re.escape(step)}\s*$"))
            key = pad.get_by_role("button", name=step, exact=True)
            self.tap(option.or_(key).filter(visible=True).first)
        self.sends()

    def sends(self) -> None:
        self.tap(self.page.get_by_role("button", name="That’s mine"))

    def waits(self) -> None:
        expect(self.page.locator("#seat")).to_contain_text("Yours is in")

    def asked(self) -> None:
        expect(self.page.locator("#seat")).to_contain_text("Count yours again")


class Evening:
    """The phones around a table; Ben’s keeps score, and Eve has none."""

    def __init__(self, server: Server, new_phone: TakePhone) -> None:
        self.server = server
        self.new_phone = new_phone
        self.guests: dict[str, Guest] = {}
        self.at = self.play = ""

    def __getitem__(self, name: str) -> Guest:
        return self.guests[name]

    @property
    def host(self) -> Page:
        return self.guests["Ben"].page

    def begin(self, game: str, names: list[str], without: str = "", **rules: str) -> None:
        host = self.new_phone(**TOUCH)
        begin_sheet(host, self.server.address, game, names, **rules)
        self.at = at = sheet_at(host)
        host.goto(f"{at}/share")
        play = host.get_by_role("textbox").evaluate_all("all => all.map((one) => one.value)")
        self.play = next(link for link in play if "/s/" in link)
        for name in names:
            if name != without:
                page = host if name == "Ben" else self.new_phone(**TOUCH)
                self.guests[name] = Guest(page, name)
                self[name].sit(at if name == "Ben" else self.play)

    def enters_for(self, player: str, steps: list[str]) -> None:
        """Ben opens somebody’s place and fills it in."""
        self["Ben"].tap(self.host.get_by_role("link", name=f"Enter for {player}"))
        expect(self.host.locator(".on-felt")).to_contain_text(f"You’re entering {player}’s.")
        self["Ben"].answers(steps)

    def told(self, deals: int) -> None:
        """Each phone shows the deal by itself."""
        for guest in self.guests.values():
            rows(guest.page, deals)

    def same_by_one_phone(self, game: str, names: list[str], deals: list[dict[str, str]]) -> None:
        """Expect the entries and scores that the drawer of one phone gives."""
        alone = self.new_phone()
        begin_sheet(alone, self.server.address, game, names)
        at = sheet_at(alone)
        for after, deal in enumerate(deals):
            page = alone.request.get(f"{at}/record").text()
            found = re.search(r'name="after" value="([^"]+)"', page)
            assert found
            form = {"after": found[1], "key": f"alone-{after}", **deal}
            answer = alone.request.post(f"{at}/entries", form=form, max_redirects=0)
            assert answer.status == 303, answer.text()
        alone.goto(at)
        rows(alone, len(deals))
        totals = [
            phone.locator(".score-pad .total").all_inner_texts() for phone in (alone, self.host)
        ]
        assert totals[0] == totals[1]
        assert said(alone, at) == self.recorded()

    def recorded(self) -> list[Any]:
        return said(self.host, self.at)


def said(page: Page, at: str) -> list[Any]:
    """The entries in a sheet’s file."""
    found: list[Any] = page.request.get(f"{at}/sheet.json").json()["entries"]
    return found


@pytest.fixture
def evening(server: Server, new_phone: TakePhone) -> Evening:
    return Evening(server, new_phone)


#: By game: what Ann calls and answers, what the others enter, and the same deal on one phone.
Deal = tuple[list[str], dict[str, list[str]], dict[str, str]]
DEALS: dict[str, Deal] = {
    "Red Nines (1881)": (
        ["I went out", "No"],
        {"Ben": ["3", "No"], "Cy": ["2", "Yes, one"], "Dot": ["8", "No"], "Eve": ["4", "No"]},
        {
            "action": "out",
            "player": "Ann",
            "red_nine": "false",
            "hands.1.plain": "3",
            "hands.2.plain": "1 + 9♦",
            "hands.3.plain": "8",
            "hands.4.plain": "4",
        },
    ),
    "Red Nines (20th century)": (
        ["I went out", "Yes"],
        {
            "Ben": ["2", "0", "No"],
            "Cy": ["7", "Yes, one"],
            "Dot": ["3", "No"],
            "Eve": ["1", "2", "No"],
        },
        {
            "action": "out",
            "player": "Ann",
            "red_nine": "true",
            "hands.1.points": "20",
            "hands.2.points": "7 + 9♦",
            "hands.3.points": "3",
            "hands.4.points": "12",
        },
    ),
    "9 of a Kind": (
        ["I called", "9 of a kind!"],
        {"Ben": ["1", "7"], "Cy": ["9"], "Dot": ["2", "1"], "Eve": ["0"]},
        {
            "action": "end",
            "callers": "Ann",
            "by": "nine",
            "hands.1.deadwood": "17",
            "hands.2.deadwood": "9",
            "hands.3.deadwood": "21",
            "hands.4.deadwood": "0",
        },
    ),
    "Colorado Nines": (
        [],
        {
            "Ann": ["2", "9", "K", "2", "9", "3", "5", "9", "A"],
            "Ben": ["Just the points", "1", "1"],
            "Cy": ["Just the points", "7"],
            "Dot": ["Just the points", "2", "0"],
            "Eve": ["4"],
        },
        {
            "action": "grids",
            "grids.0": "2 2 5 | 9 9 9 | K 3 A",
            "grids.1": "11",
            "grids.2": "7",
            "grids.3": "20",
            "grids.4": "4",
        },
    ),
    "Any Other Game": (
        [],
        {"Ann": ["5"], "Ben": ["1", "2"], "Cy": ["Minus", "3"], "Dot": ["0"], "Eve": ["8"]},
        {
            "action": "deal",
            "points.0": "5",
            "points.1": "12",
            "points.2": "-3",
            "points.3": "0",
            "points.4": "8",
        },
    ),
}


@pytest.mark.parametrize("game", DEALS)
def test_everybody_enters_their_own(evening: Evening, game: str) -> None:
    """Pads open by themselves; Ben enters for Eve, who has no phone, and it is told to all."""
    call, hands, alone = DEALS[game]
    evening.begin(game, NAMES, without="Eve")
    if call:
        evening["Ann"].calls(*call)
    else:
        evening["Ann"].opens_pad()
        evening["Ann"].answers(hands["Ann"])
    evening["Ann"].waits()
    for name in ("Cy", "Dot"):
        evening[name].answers(hands[name])
        evening[name].waits()
    assert evening.recorded() == []
    evening["Ben"].answers(hands["Ben"])
    evening["Ben"].waits()
    evening.enters_for("Eve", hands["Eve"])
    evening.told(1)
    evening.same_by_one_phone(game, NAMES, [alone])
    assert evening["Ann"].taps == (4 if call else 1 + len(hands["Ann"]) + 1)
    assert evening["Dot"].taps == len(hands["Dot"]) + 1


def test_one_tap_tells_a_deal_that_asks_nothing_else(evening: Evening) -> None:
    """In games where only the winner counts the others enter nothing."""
    for game, words in [("Multiple 9", "I won"), ("Pink Nines", "I went out first")]:
        evening.begin(game, NAMES, without="Eve")
        evening["Ann"].opens_pad()
        evening["Ann"].tap(evening["Ann"].page.get_by_role("button", name=words))
        evening.told(1)
        assert evening["Ann"].taps == 2
        evening.same_by_one_phone(game, NAMES, [{"action": "out", "player": "Ann"}])


def tricks(evening: Evening, **taken: str) -> None:
    """Enter tricks; the first calls the deal over, the pads of the others open."""
    for place, (name, number) in enumerate(taken.items()):
        if not place:
            evening[name].opens_pad()
        evening[name].answers([number])


def test_who_cannot_all_be_right_counts_again(evening: Evening) -> None:
    """Seventeen tricks: one changes theirs, and next time both stand by it, and Ben decides."""
    evening.begin("Nine Five Two", NAMES[:3])
    ann, ben, cy = (evening[name] for name in NAMES[:3])
    tricks(evening, Ann="9", Cy="3", Ben="5")
    for guest in (ann, ben, cy):
        guest.asked()
    assert evening.recorded() == []
    ben.page.get_by_role("button", name="It’s still right").tap()
    ann.page.get_by_role("button", name="It’s still right").tap()
    cy.page.get_by_role("link", name="Change").tap()
    cy.answers(["2"])
    evening.told(1)
    tricks(evening, Ann="9", Cy="3", Ben="5")
    for guest in (ann, ben, cy):
        guest.asked()
        guest.page.get_by_role("button", name="It’s still right").tap()
    expect(ben.page.locator("#seat")).to_contain_text("Still not all can be right")
    ben.page.get_by_role("link", name="Enter for Cy").tap()
    ben.answers(["2"])
    evening.told(2)
    alone = {"action": "tricks", "tricks.0": "9", "tricks.1": "5", "tricks.2": "2"}
    evening.same_by_one_phone("Nine Five Two", NAMES[:3], [alone, alone])


def test_a_deal_taken_back_keeps_what_was_entered(evening: Evening) -> None:
    """Whoever was wrong takes the deal back and changes theirs: it is told again by itself."""
    evening.begin("Nine Five Two", NAMES[:3])
    tricks(evening, Ann="9", Cy="2", Ben="5")
    evening.told(1)
    cy = evening["Cy"]
    cy.page.get_by_role("button", name="Undo").tap()
    rows(evening["Ann"].page, 0)
    cy.page.goto(f"{evening.play}/seat?change=yes")
    cy.answers(["1"])
    for name in ("Ann", "Ben"):
        evening[name].asked()
    evening["Ann"].page.get_by_role("link", name="Change").tap()
    evening["Ann"].answers(["10"])
    evening.told(1)


def test_a_figure_that_comes_late_is_told_so(evening: Evening) -> None:
    """Cy’s pad is open while Ben records by the drawer: Cy says that it isn’t right."""
    evening.begin("Any Other Game", NAMES[:3])
    cy = evening["Cy"]
    cy.opens_pad()
    page = evening.host.request.get(f"{evening.at}/record").text()
    found = re.search(r'name="after" value="([^"]+)"', page)
    assert found
    deal = {"action": "deal", "points.0": "1", "points.1": "2", "points.2": "3"}
    form = {"after": found[1], "key": "by-ben", **deal}
    assert evening.host.request.post(f"{evening.at}/entries", form=form).ok
    cy.answers(["4"])
    expect(cy.page.locator(".verdict")).to_contain_text("Already recorded")
    expect(cy.page.locator(".verdict")).to_contain_text("It says +3 for Cy")
    cy.page.get_by_role("button", name="Not right").tap()
    expect(evening.host.locator("body")).to_contain_text("Cy says 4")
    evening.told(1)


def test_a_phone_that_dies_and_one_that_is_handed_back_hold_up_nobody(evening: Evening) -> None:
    """Ben enters for both; whoever takes the seat next enters their own."""
    evening.begin("Any Other Game", NAMES[:4])
    evening["Dot"].page.close()
    cy = evening["Cy"]
    cy.page.get_by_role("link", name="Not me").tap()
    cy.page.get_by_role("button", name="Hand Cy’s seat back").tap()
    evening["Ann"].opens_pad()
    evening["Ann"].answers(["5"])
    evening["Ben"].answers(["6"])
    evening.enters_for("Cy", ["7"])
    evening.host.goto(f"{evening.at}/seat?player=Ben")
    evening.enters_for("Dot", ["8"])
    cy.sit(evening.play)
    del evening.guests["Dot"]
    evening.told(1)

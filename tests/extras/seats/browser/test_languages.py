"""An evening of three phones in three languages, as one phone in English would have kept it."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Error, Page, expect

from referee.rules.registry import GAMES
from tests.browser.conftest import TakePhone
from tests.browser.test_install import COPY_HAS, path_of, wait_until
from tests.extras.seats.evening import Evening, Form, Guest, figures, records
from tests.support.browser_steps import begun_sheet, fetch, form, open_drawer, send
from tests.support.campaign import usual_or_nightly
from tests.support.phone import first_in
from tests.support.server import Server
from tests.support.wire import Wire, wire_to

NAMES = ["Ann", "Ben", "Cy"]
#: Ann’s phone keeps copies of its pages, and Cy’s runs no script.
PHONES: Mapping[str, Mapping[str, Any]] = {
    "Ann": {"locale": "he", "service_workers": "allow"},
    "Ben": {"locale": "de"},
    "Cy": {"locale": "pl", "java_script_enabled": False},
}
NAME_OR_NUMBER = re.compile(rf"{'|'.join(NAMES)}|[+−]?\d+")
MARKS = re.compile("[\u200e\u200f\u2066-\u2069]")  # of direction: those of Hebrew have no width


class Deal(NamedTuple):
    """A deal that Ann calls, and answers so, or that nobody has to call.

    Ben taps, Cy fills in fields, and one phone sends it all. Where three are too few, Ben taps for
    `others`, too, who have no phone.
    """

    calls: bool
    ann: Sequence[str]
    ben: Sequence[str]
    cy: Form
    alone: Form
    others: Mapping[str, Sequence[str]] = {}


#: On Ben’s deck a queen is a D, on Cy’s as well, and a jack is a B or a W.
EVENING = {
    "Red Nines (1881)": Deal(
        True,
        ["red_nine=false"],
        ["how=cards", "suit=H", "Q", "suit=S", "J"],
        {"how": "cards", "hands.2": "D♣ WH 8D"},
        {
            "action": "out",
            "player": "Ann",
            "red_nine": "false",
            "hands.1": "QH JS",
            "hands.2": "Q♣ JH 8D",
        },
    ),
    "Multiple 9": Deal(True, [], [], {}, {"action": "out", "player": "Ann"}),
    "Colorado Nines": Deal(
        False,
        ["2", "9", "K", "2", "9", "3", "5", "9", "A"],
        ["J", "Q", "3", "J", "K", "3", "J", "2", "3"],
        {"grids.2": "W 4 4 | D K 4 | A A A"},
        {
            "action": "grids",
            "grids.0": "2 2 5 | 9 9 9 | K 3 A",
            "grids.1": "J J J | Q K 2 | 3 3 3",
            "grids.2": "J 4 4 | Q K 4 | A A A",
        },
    ),
    "Pink Nines": Deal(True, [], [], {}, {"action": "out", "player": "Ann"}),
    "Any Other Game": Deal(
        False,
        ["5"],
        ["-", "1", "2"],
        {"points.2": "0"},
        {"action": "deal", "points.0": "5", "points.1": "-12", "points.2": "0"},
    ),
    "Nine Five Two": Deal(
        False,
        ["10"],
        ["4"],
        {"tricks.2": "2"},
        {"action": "tricks", "tricks.0": "10", "tricks.1": "4", "tricks.2": "2"},
    ),
    "Red Nines (20th century)": Deal(
        True,
        ["red_nine=true"],
        ["Q", "J", "9R"],  # the phone knows that he taps cards
        {"how": "cards", "hands.2": "d w 5"},
        {
            "action": "out",
            "player": "Ann",
            "red_nine": "true",
            "hands.1": "Q J 9R",
            "hands.2": "Q J 5",
            "hands.3": "K",
        },
        {"Dot": ["how=cards", "K"]},
    ),
    "9 of a Kind": Deal(
        True,
        [],
        ["1", "7"],
        {"hands.2.deadwood": "9"},
        {
            "action": "end",
            "callers": "Ann",
            "by": "nine",
            "hands.1.deadwood": "17",
            "hands.2.deadwood": "9",
            "hands.3.deadwood": "21",
            "hands.4.deadwood": "0",
        },
        {"Dot": ["2", "1"], "Eve": ["0"]},
    ),
}


SWITCHED = "Red Nines (1881)"  # at which Ben’s phone changes its language in mid-entry
APART = "Nine Five Two"  # the last of the evening: Ann’s phone has no network for a while
HOLDEM = "Multiple 9 Hold’em"
HOLE = {"Ann": ["Q", "5"], "Ben": ["K", "K"], "Cy": ["8", "W"]}
STREETS = (["J", "7", "9"], ["2"], ["10"])
FIRST_ROUND = [("Ann", "call"), ("Ben", "call"), ("Cy", "check")]
ROUND = [("Ben", "check"), ("Cy", "check"), ("Ann", "check")]
SHOWN = {"hands.0": "Q 5", "hands.1": "K K", "hands.2": "8 J"}

#: What everybody has gained in the deal that is told.
TOLD = """() => Object.fromEntries([...document.querySelectorAll(".told tbody tr")].map((row) => [
  row.querySelector(".name").textContent.trim(), row.querySelector("td b").textContent,
]))"""


def without_marks(words: str) -> str:
    return MARKS.sub("", words)


def number_in(words: str) -> int:
    """A number with or without its sign, 0 where none is written."""
    return int(without_marks(words).replace("−", "-") or 0)


def slug_of(game: str) -> str:
    return next(slug for slug, one in GAMES.items() if str(one.title) == game)


class Unscripted(Guest):
    """Somebody whose phone runs no script: it looks again by loading the page."""

    def looks(self) -> None:
        with suppress(Error):  # it may be loading by itself just now
            self.page.reload()
        self.page.wait_for_load_state()

    def told_whose(self) -> None:
        expect(self.page.locator("main.own-pad, #live")).to_be_visible()

    def fills(self, fields: Form) -> None:
        """Type into these fields of the pad, or choose their options, and send it."""
        pad = self.page.locator("main.own-pad")
        for name, value in fields.items():
            option = pad.locator(f"label:has([type=radio][name='{name}'][value='{value}'])")
            if option.count():
                option.tap()
            else:
                pad.locator(f"input[name='{name}']:not([type])").fill(value)
        with self.page.expect_navigation():
            pad.locator("[data-record]").tap()


class Abroad(Evening):
    """An evening at which Ann’s phone reaches the server by a wire, and Cy’s runs no script."""

    def __init__(self, server: Server, wire: Wire, new_phone: TakePhone) -> None:
        super().__init__(server.address, new_phone, PHONES)
        self.wire = wire
        self._alone = Alone(new_phone(), server.address)
        self._deals = 0

    def link(self, name: str) -> str:
        link = super().link(name)
        return self.wire.address + urlsplit(link).path if name == "Ann" else link

    def guest(self, name: str) -> Guest:
        found = super().guest(name)
        return Unscripted(found.page, name, found.tag) if name == "Cy" else found

    def goes_on_with(self, game: str) -> None:
        """Begin the evening with this game, or the next sheet: Ben does so under *More*.

        With others at the table it is a sheet of its own.
        """
        self._deals = 0
        others = [*EVENING[game].others] if game in EVENING else []
        self._alone.goes_on_with(game, others)
        if not self.at or others:
            self.begin(game, [*NAMES, *others], without=others)
            return
        self.host.goto(f"{self.at}/more")
        again = self.host.locator("details:has(> form[action$='/again'])")
        again.locator("summary").tap()
        again.locator("select").select_option(slug_of(game))
        with self.host.expect_navigation():
            again.locator("button.go").tap()
        self.sit_at(self.host.url, NAMES)

    def same_in_all(self, *sent: Form) -> None:
        """Expect what one phone has that sends these forms, on each of them."""
        self._deals += 1
        self.told(self._deals)
        file, scores = self._alone.sends(*sent)
        row, players = scores[self._deals], file["players"]
        told = dict(zip(players, row))  # noqa: B905  # the totals follow
        for name, guest in self.guests.items():
            found = guest.page.evaluate(TOLD)
            assert {of: number_in(gain) for of, gain in found.items()} == told
            assert file_of(guest.page, self.link(name)) == file
            assert scores_of(guest.page, self.link(name)) == scores
            expect(guest.page.locator("html")).to_have_attribute("lang", guest.tag)

    def same_standings(self) -> None:
        """Expect the standings of the evening to be the same on all phones."""
        standings = self._alone.standings()
        for name, guest in self.guests.items():
            assert standings_of(guest.page, self.link(name)) == standings


class Alone:
    """The same evening, kept by one phone in English, which sends forms."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._address = address
        self._sent = 0
        self._at = ""

    def goes_on_with(self, game: str, others: list[str]) -> None:
        """Begin the evening with this game, or the next sheet."""
        if not self._at or others:
            self._at = begun_sheet(self._page, self._address, game, [*NAMES, *others])
            return
        more = fetch(self._page, f"{self._at}/more").text()
        seen = first_in(more, r'name="seen" value="(\d+)"')
        again = {"seen": seen, "game": slug_of(game)}
        answer = send(self._page, f"{self._at}/again", again)
        self._at = self._address + answer.headers["location"]

    def sends(self, *forms: Form) -> tuple[Any, list[list[int]]]:
        """Record these entries; returns the sheet’s file, and the scores for a spreadsheet."""
        for entry in forms:
            self._sent += 1
            records(self._page, self._at, f"alone-{self._sent}", entry)
        return file_of(self._page, self._at), scores_of(self._page, self._at)

    def standings(self) -> list[str]:
        return standings_of(self._page, self._at)


def file_of(page: Page, at: str) -> Any:
    """A sheet’s file, but for who wrote what when."""
    return {**fetch(page, f"{at}/sheet.json").json(), "history": []}


def scores_of(page: Page, at: str) -> list[list[int]]:
    """The numbers of a sheet for a spreadsheet: what it began with, and then a row a deal."""
    rows = [*csv.reader(figures(page, at).splitlines())]
    return [[*map(number_in, row[1:-1])] for row in rows[1:]]


def standings_of(page: Page, at: str) -> list[str]:
    """Who has won how many games of the evening, and who has what and pays whom."""
    page.goto(f"{at}/evening")
    found = page.locator(".tally tr, .payments b, .payments .sum, .settling tbody tr")
    return [" ".join(NAME_OR_NUMBER.findall(words)) for words in found.all_inner_texts()]


def speaks(guest: Guest, tag: str, lang: str) -> None:
    """Somebody chooses a language, or "" for that of their phone, and goes back."""
    back = guest.page.url
    guest.page.goto(urljoin(back, "/language"))
    guest.page.locator(f"button[name=language][value='{tag}']").tap()
    expect(guest.page.locator("html")).to_have_attribute("lang", lang)
    guest.tag = lang
    guest.page.goto(back)


def answers_in_two_languages(ben: Guest, steps: Sequence[str]) -> None:
    """Tap a queen on a German deck, go on with a Dutch one, and look at it in German again."""
    first = steps.index("Q") + 1
    ben.fills_in(steps[:first])
    line = ben.page.locator("input[name='hands.1']:not([type])")
    expect(line).to_have_value("DH")
    speaks(ben, "nl", "nl")
    expect(line).to_have_value("VH")
    expect(ben.page.locator("[data-hand] .k")).to_contain_text("V")
    ben.answers(steps[first:])
    ben.waits()
    speaks(ben, "", "de")
    ben.waits()


def plays(evening: Abroad, game: str) -> None:
    """Play a deal up to the tap that completes it: Cy’s, or Ben’s for others."""
    deal = EVENING[game]
    ann, ben, cy = (evening[name] for name in NAMES)
    ann.opens_pad()
    if deal.calls:
        ann.calls()
    if not deal.ben:
        return
    ann.fills_in(deal.ann)
    if game == APART:
        evening.wire.cut()
    ann.sends()
    if game == APART:
        waits = "Not sent: no connection. It goes by itself as soon as there is one."
        expect(ann.page.locator(".unsent")).to_have_text(ann.reads(waits))
        evening.wire.mend()
    ann.waits()
    ben.looks()
    if game == SWITCHED:
        answers_in_two_languages(ben, deal.ben)
    else:
        ben.answers(deal.ben)
        ben.waits()
    assert isinstance(cy, Unscripted)
    cy.page.goto(f"{evening.play}/seat")
    cy.fills(deal.cy)
    for name, steps in deal.others.items():
        evening.enters_for(name, steps)


def opens_without_a_network(evening: Abroad, ann: Guest) -> None:
    """Ann’s phone has a copy in her language, and is up to date once it is back."""
    page = ann.page
    wait_until(page, COPY_HAS, path_of(page), f'<html lang="{ann.tag}"')
    wait_until(page, COPY_HAS, path_of(page), "/deals/1")
    evening.wire.cut()
    page.reload()
    expect(page.locator("html[data-cached-at]")).to_have_attribute("lang", ann.tag)
    told = ann.reads("It updates by itself once you’re back online.")
    expect(page.locator(".offline")).to_contain_text(told)
    evening.wire.mend()
    expect(page.locator(".offline")).to_have_count(0)
    ann.told_whose()


def holds(guest: Guest) -> None:
    """Put one’s hole cards down on one’s own phone, which keeps them."""
    for card in HOLE[guest.name]:
        guest.page.locator(f"[data-holds='{card}']").tap()


def plays_holdem(evening: Abroad) -> None:
    """A hand to its showdown: Ben lays the board, in the letters of his deck."""
    ann, ben, cy = (evening[name] for name in NAMES)

    def bets(name: str, move: str) -> None:
        guest = evening[name]
        if guest is cy:  # all others are led there
            guest.page.goto(f"{evening.link(name)}/seat")
        key = guest.page.locator(f"button[name=move][value={move}]")
        key.tap()
        expect(key).to_have_count(0)

    for guest in (ann, ben):
        guest.page.goto(f"{evening.link(guest.name)}/seat")
        holds(guest)
    for name, move in FIRST_ROUND:
        bets(name, move)
    for cards in STREETS:
        ben.page.goto(evening.at)
        open_drawer(ben.page)
        board = form(ben.page, "board")
        for card in cards:
            board.locator(f".key[value$=':{card}']").tap()
        board.locator("[data-record]").tap()
        for name, move in ROUND:
            bets(name, move)
    for guest in (ann, ben):
        guest.looks()
        guest.page.locator("form[data-shows] button").tap()
        expect(guest.page.locator("form[data-shows]")).to_have_count(0)
    cy.looks()
    cy.page.locator("input[name='hands.2']:not([type])").fill(" ".join(HOLE["Cy"]))
    with cy.page.expect_navigation():
        cy.page.locator("form[data-shows] button").tap()


def entries_of_holdem() -> Iterator[Form]:
    """What has been entered of that hand."""
    for cards, moves in (("", FIRST_ROUND), *((" ".join(cards), ROUND) for cards in STREETS)):
        if cards:
            yield {"action": "board", "cards": cards}
        for player, move in moves:
            yield {"action": "bet", "player": player, "move": move}
    yield {"action": "show", **SHOWN}


def test_an_evening_in_three_languages(server: Server, new_phone: TakePhone) -> None:
    """Each deal is told alike on all phones; by day it is a part of the games."""
    with wire_to(server.address) as wire:
        evening = Abroad(server, wire, new_phone)
        for game in usual_or_nightly((SWITCHED, APART), (HOLDEM, *EVENING)):
            evening.goes_on_with(game)
            if game == HOLDEM:
                plays_holdem(evening)
                evening.same_in_all(*entries_of_holdem())
                continue
            plays(evening, game)
            evening.same_in_all(EVENING[game].alone)
            if game == APART:
                opens_without_a_network(evening, evening["Ann"])
                evening.told(1)
                evening.same_standings()

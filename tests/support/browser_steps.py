"""Steps that a person takes in the browser, shared by several tests."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import APIResponse, Locator, Page, expect

from referee.rules.registry import GAMES
from tests.support.server import FORM

Fields = Mapping[str, object] | Sequence[tuple[str, object]]
RETRIES = 2  # of a request: the server may close a kept connection just as it is used again


def fetch(page: Page, address: str) -> APIResponse:
    """What this phone gets at an address, whatever page it shows."""
    return page.request.get(address, max_retries=RETRIES)


def send(page: Page, address: str, form: Fields = ()) -> APIResponse:
    """The answer to a form that this phone sends, whatever page it shows; it may lead on."""
    body, kind = urlencode(form), {"Content-Type": FORM}
    answer = page.request.post(
        address, data=body, headers=kind, max_redirects=0, max_retries=RETRIES
    )
    assert answer.status < 400, answer.text()
    return answer


def begin_sheet(page: Page, address: str, game: str, names: list[str], **rules: str) -> None:
    """Begin a sheet by a request and open it; the first player deals."""
    page.goto(begun_sheet(page, address, game, names, **rules))
    expect(page.locator("#live")).to_be_visible()


def begun_sheet(page: Page, address: str, game: str, names: list[str], **rules: str) -> str:
    """The address of a sheet begun by a request of this phone; the first player deals."""
    slug = next(slug for slug, one in GAMES.items() if str(one.title) == game)
    fields = [*(("name", name) for name in names), ("dealer", "0"), *rules.items()]
    return address + send(page, f"{address}/new/{slug}", fields).headers["location"]


def walk_to_a_new_sheet(
    page: Page, address: str, game: str, names: list[str], **rules: str
) -> None:
    """Begin a sheet page by page from home; the first player deals."""
    page.goto(address)
    follow(page, "New game")
    with page.expect_navigation():
        page.locator(".games a").filter(has=page.get_by_text(game, exact=True)).click()
    rows = page.locator("input[name=name]")
    for place, name in enumerate(names):
        if rows.count() <= place:
            page.get_by_role("button", name="Add a player").click()
            expect(rows).to_have_count(place + 1)
        rows.nth(place).fill(name)
    page.get_by_role("radio", name="Player 1 deals first").check()
    if rules:
        page.get_by_text("House rules").click()
    for name, value in rules.items():
        rule = page.locator(f"input[name={name}]:not([type=hidden])")
        if value == "true":
            rule.check()
        else:
            rule.fill(value)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#live")).to_be_visible()
    page.wait_for_load_state()  # until its scripts have loaded, links lead to pages


def follow(page: Page, name: str) -> None:
    """Tap the link with this name, and wait for the page it leads to, scripts included."""
    with page.expect_navigation():
        page.get_by_role("link", name=name).click()


def sheet_at(page: Page) -> str:
    """The address of the sheet, without that of its drawer."""
    return page.url.partition("#")[0]


def entries(page: Page) -> list[dict[str, Any]]:
    """The sheet’s entries, from its file."""
    found: list[dict[str, Any]] = fetch(page, f"{sheet_at(page)}/sheet.json").json()["entries"]
    return found


def open_drawer(page: Page, words: str = "") -> None:
    """Tap Record once the drawer is closed, and in it the heading of a form with these words.

    Without scripts it is a page of its own.
    """
    closed(page)
    record = page.locator("a.record").first
    record.wait_for()
    page.wait_for_load_state()  # until its scripts have loaded, the link leads to that page
    record.click()
    expect(page.locator("#record")).to_be_visible()
    if words:
        way(page, words)


def closed(page: Page) -> None:
    """Wait until the drawer is closed and the address is the sheet’s."""
    expect(page.locator("dialog.drawer")).to_be_hidden()
    expect(page).to_have_url(re.compile("^[^#]*$"))


def go_on(page: Page) -> None:
    """Tap the button that reopens a form closed by another phone’s entry."""
    page.locator("[data-goes-on]").click()
    expect(page.locator(".ways[inert]")).to_have_count(0)
    expect(page.locator("#record .steady")).to_have_count(0)


def form(page: Page, action: str) -> Locator:
    """The forms for entries with this action; those of the next deal are in the drawer."""
    return page.locator("form.entry").filter(
        has=page.locator(f"input[name=action][value={action}]")
    )


def held(page: Page, *texts: str) -> None:
    """Expect these texts on the players’ tabs of the open form, in seating order."""
    expect(page.locator(".way[open] [data-seat] > .tab [data-held]")).to_have_text(list(texts))


def keys(page: Page, *names: str) -> None:
    """Press docked keys, or buttons of the drawer, one after another."""
    for name in names:
        key(page, name).click()


def key(page: Page, name: str) -> Locator:
    """A docked key, or a button of the drawer."""
    return page.locator("dialog.drawer").get_by_role("button", name=name, exact=True)


def way(page: Page, words: str) -> None:
    """Open the form of the drawer whose heading has these words."""
    page.locator(".way > summary", has_text=words).click()


def behind_more(page: Page, summary: str) -> Locator:
    """Unfold this part of the page behind More; returns it."""
    page.get_by_role("link", name="More").tap()
    part = page.locator("details.cell", has=page.get_by_text(summary, exact=True))
    part.locator("summary").tap()
    return part


def won(page: Page, player: str) -> None:
    """Record the winner by a tap on the name, in games that ask nothing else."""
    open_drawer(page)
    tap_name(page, player)
    closed(page)


def tap_name(page: Page, player: str) -> None:
    page.locator(".taps-record").get_by_role("button", name=player).click()


def raises(page: Page, player: str, to: str = "") -> None:
    """Tap the arrow beside this player in a betting round, and type the total of the raise."""
    page.locator(f"form.street input[name=raises][value={player}]").click()
    if to:
        page.locator("form.street .raise input").filter(visible=True).fill(to)


def choose(entry: Locator, name: str, value: str) -> None:
    """Choose the option with this value in a form."""
    box = entry.locator(f"input[name='{name}'][value='{value}']")
    open_place(box)
    box.locator("xpath=ancestor::label[1]").click()


def fill_in(entry: Locator, name: str, text: str) -> None:
    """Type into a field of the drawer, after opening its tab and choosing its input mode."""
    box = entry.locator(f"input[name='{name}']:not([type])")
    open_place(box)
    said_by = box.locator("xpath=ancestor::*[@class='by-cards' or @class='by-count'][1]")
    if said_by.count():
        value = (said_by.get_attribute("class") or "").removeprefix("by-")
        choice = entry.page.locator(f"input[value={value}]")
        way = entry.locator(".how label").filter(has=choice)
        if way.count() and not way.locator("input").is_checked():
            way.click()
    box.fill(text)


def open_place(field: Locator) -> None:
    """Tap the tab of the form’s part with this field, if it is not open."""
    tab = field.locator("xpath=ancestor::div[contains(@class, 'place')][1]/label")
    if tab.count() and not tab.locator("input").is_checked():
        tab.click()


def record(entry: Locator) -> None:
    entry.locator("button.go").filter(visible=True).last.click()


def rows(page: Page, number: int) -> None:
    """Wait until the score pad has this many rows."""
    expect(page.locator(".score-pad .opens")).to_have_count(number)


def recorded(page: Page, number: int) -> None:
    """Wait until the score pad has this many rows, and the drawer is closed."""
    rows(page, number)
    closed(page)


def score(page: Page, player: str, points: int) -> None:
    """Expect this total for the player on the score pad."""
    heads = page.locator(".score-pad").locator("thead th, tbody tr")
    name = page.locator(".name").filter(has_text=re.compile(rf"^\s*{re.escape(player)}\b"))
    head = heads.filter(has=name)
    expect(head.locator(".total")).to_have_text(str(points).replace("-", "−"))


def sideways(page: Page) -> int:
    """How far the page can be scrolled sideways, in pixels."""
    overflow: int = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return overflow


class Thumb:
    """The only finger on a phone; its taps are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def open(self) -> None:
        """Tap Record once the drawer is closed, which opens it."""
        closed(self.page)
        self.page.wait_for_load_state()
        self.tap(self.page.locator("a.record").first)
        expect(self.page.locator("dialog.drawer")).to_be_visible()

    def key(self, *names: str) -> None:
        """Tap keys of the docked pad."""
        drawer = self.page.locator("dialog.drawer")
        for name in names:
            self.tap(drawer.get_by_role("button", name=name, exact=True).filter(visible=True))

    def numbers(self, *numbers: str) -> None:
        """Tap a number for each player, digit by digit, and Next between them."""
        for place, number in enumerate(numbers):
            if place:
                self.next()
            self.key(*number)

    def follow(self, steps: Iterable[str]) -> None:
        """Carry out steps of a game's cases: "choose Ann", "key 1 7", "next", "tap" a selector."""
        known: dict[str, Callable[..., None]] = {
            "choose": self.choose,
            "key": self.key,
            "numbers": self.numbers,
            "next": self.next,
            "record": self.record,
        }
        for step in steps:
            word, *more = step.split()
            if word == "tap":
                self.tap(self.page.locator(step.removeprefix("tap ")))
            else:
                known[word](*more)

    def choose(self, player: str) -> None:
        names = self.page.locator("dialog.drawer").locator(".by-name label, .by-name .go")
        self.tap(names.filter(has_text=player, visible=True).first)

    def next(self) -> None:
        self.tap(self.page.locator("[data-next]").filter(visible=True))

    def record(self) -> None:
        self.tap(self.page.locator("[data-record]").filter(visible=True))

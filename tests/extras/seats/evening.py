"""An evening at which each phone is its owner’s pad: the taps, and what is recorded.

Nothing is found by its words, as phones with other languages play as well.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, TimeoutError, expect

from referee.rules.language import ENGLISH, language, speaking
from referee.rules.text import say
from tests.browser.conftest import TakePhone
from tests.support.browser_steps import begun_sheet, fetch, rows, send
from tests.support.phone import first_in

NAMES = ["Ann", "Ben", "Cy", "Dot", "Eve"]
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
PLAY_LINK = r'value="(https?://[^"]+/s/[\w-]+)"'
Form = Mapping[str, str]
AFTER = r'name="after" value="([^"]+)"'
GOES_ON_MS = 2000  # in which a key that is there is tapped


class Guest:
    """Somebody with a phone in their language, and how often they have tapped in this deal."""

    def __init__(self, page: Page, name: str, tag: str = ENGLISH) -> None:
        self.page = page
        self.name = name
        self.tag = tag
        self.taps = 0

    def reads(self, template: str) -> str:
        """What this message says on the phone."""
        with speaking(language(self.tag)):
            return str(say(template))

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def looks(self) -> None:
        """Look at the phone: it polls at once instead of every two seconds."""
        self.page.locator("body").dispatch_event("visibilitychange")

    def sit(self, play: str) -> None:
        """Open the link to play along, and take the seat, unless it came from the last game."""
        self.page.goto(f"{play}/seat?pick=yes")
        if self.page.locator(".seat-rows a", has_text=self.name).count():
            self.page.goto(play)
        else:
            self.page.locator(f"button[name=player][value={self.name}]").tap()
        self.told_whose()

    def has_sat_down(self, play: str) -> None:
        """Send the form by which the seat is taken, and open the sheet."""
        send(self.page, f"{play}/seat/take", {"player": self.name})
        self.page.goto(play)
        self.told_whose()

    def told_whose(self) -> None:
        expect(self.page.locator(f".you-are[data-own-is={self.name}]")).to_be_visible()

    def opens_pad(self) -> None:
        """Open the own pad once the deal is over, as nobody has called it yet."""
        goes_on = self.page.locator("[data-next-deal]").filter(visible=True)
        enter = self.page.locator("#dock a.record[href$='/seat']")
        expect(goes_on.or_(enter.filter(visible=True))).to_be_visible()
        # The script that shows the last deal, until this phone goes on, may come after it.
        told = self.page.locator("[data-told]").filter(visible=True)
        nothing_told = self.page.locator("body").filter(has_not=told)
        expect(goes_on.or_(nothing_told)).to_be_visible()
        while goes_on.is_visible():
            with suppress(TimeoutError):  # it goes when something else is recorded at this moment
                goes_on.tap(timeout=GOES_ON_MS)
        enter.tap()
        expect(self.page.locator("main.own-pad #record")).to_be_visible()
        self.page.wait_for_load_state()  # until its scripts have loaded, its keys send the form
        self.taps = 0  # they are counted from here, as for all whose pad opens automatically

    def calls(self) -> None:
        """Say that one has ended the deal; where the game asks nothing else that is all."""
        asked = self.page.locator("main.own-pad").locator(
            "a.calls, form[data-ends-deal] [name=player]:not(.calls)"
        )
        self.tap(asked.filter(visible=True))

    def answers(self, steps: Sequence[str]) -> None:
        """Fill in the pad that has opened, and send it."""
        self.fills_in(steps)
        self.sends()

    def fills_in(self, steps: Sequence[str]) -> None:
        """Fill in the pad that has opened: an option, or a docked key, for each step.

        An option that says no number is named by the end of its field, and its value.
        """
        pad = self.page.locator("main.own-pad")
        expect(pad.locator("[data-record]")).to_be_visible()
        self.page.wait_for_load_state()  # until its scripts have loaded, its keys send the form
        for step in steps:
            field, _, value = step.rpartition("=")
            if field == "how" and pad.locator(f"[name=how][value={value}]").is_checked():
                continue  # as that phone has done it before
            if field:
                place = pad.locator(f"label:has([name$='{field}'][value='{value}'])")
            else:
                number = pad.locator("label").filter(has_text=re.compile(rf"^\s*{step}\s*$"))
                place = number.or_(pad.locator(f"[data-types='{step}'], .key[value$=':{step}']"))
            self.tap(place.filter(visible=True).first)

    def sends(self) -> None:
        """Tap the button that says so, or for whom it is."""
        self.tap(self.page.locator("main.own-pad [data-record]"))

    def changes(self, steps: list[str]) -> None:
        self.page.get_by_role("button", name="Change").tap()
        self.answers(steps)

    def waits(self) -> None:
        expect(self.page.locator("#seat")).to_contain_text(self.reads("Yours is in"))

    def asked(self) -> None:
        self.looks()
        expect(self.page.locator("#seat")).to_contain_text("Count yours again")

    def stands_by_it(self) -> None:
        self.page.get_by_role("button", name=re.compile(r"^(Still \d+|It’s still right)$")).tap()


class Evening:
    """The phones around a table, for one game after another; Ben’s keeps score.

    They have these `traits` by name, such as the "locale" of their language.
    """

    def __init__(
        self,
        address: str,
        new_phone: TakePhone,
        traits: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._address = address
        self._new_phone = new_phone
        self._traits = traits or {}
        self._phones: dict[str, Page] = {}
        self.guests: dict[str, Guest] = {}
        self.at = self.play = ""

    def __getitem__(self, name: str) -> Guest:
        return self.guests[name]

    @property
    def host(self) -> Page:
        return self.phone("Ben")

    def phone(self, name: str) -> Page:
        """The phone of that name, which is kept through the evening."""
        if name not in self._phones:
            self._phones[name] = self._new_phone(**TOUCH, **self._traits.get(name, {}))
        return self._phones[name]

    def begin(
        self, game: str, names: Sequence[str], without: Collection[str] = (), **rules: str
    ) -> None:
        """Begin a sheet with everybody in their seats but those who are `without` a phone.

        They take them by a form. All phones have a new page: an old one may be about to open its
        pad.
        """
        for name, page in self._phones.items():
            self._phones[name] = page.context.new_page()
            page.close()
        self._opens(begun_sheet(self.phone("Ben"), self._address, game, [*names], **rules))
        for name in names:
            if name not in without:
                self.guests[name] = self.guest(name)
                self[name].has_sat_down(self.link(name))

    def sit_at(self, sheet: str, names: Sequence[str]) -> None:
        """Have everybody sit down at this sheet of Ben’s, by a tap each."""
        self._opens(sheet)
        for name in names:
            self.sits(name)

    def _opens(self, sheet: str) -> None:
        self.at = sheet
        code = fetch(self.phone("Ben"), f"{self.at}/share?code=play").text()
        self.play = first_in(code, PLAY_LINK)
        self.guests = {}

    def sits(self, name: str) -> None:
        """Somebody takes their seat on their phone: Ben by the link that keeps score."""
        self.guests[name] = self.guest(name)
        self[name].sit(self.link(name))

    def guest(self, name: str) -> Guest:
        """Somebody with the phone of that name."""
        tag = self._traits.get(name, {}).get("locale", ENGLISH)
        return Guest(self.phone(name), name, tag)

    def link(self, name: str) -> str:
        """The link by which somebody opens the sheet."""
        return self.at if name == "Ben" else self.play

    def enters_for(self, player: str, steps: Sequence[str]) -> None:
        """Ben opens somebody’s place and fills it in, with as many taps as they would need."""
        ben = self["Ben"]
        ben.looks()
        place = f"#seat .go[href*='player={player}&'], [data-gathers] [data-player={player}] a"
        ben.page.locator(place).tap()
        expect(self.host.locator(f"#record[data-form$=' {player}']")).to_be_visible()
        own, ben.taps = ben.taps, 0
        ben.answers(steps)
        ben.taps = max(own, ben.taps)

    def told(self, deals: int) -> None:
        """Each phone shows the deal automatically."""
        for guest in self.guests.values():
            guest.looks()
        for guest in self.guests.values():
            rows(guest.page, deals)

    def plays(self, game: str) -> None:
        """Begin a game and play a deal, up to the tap that completes it; Eve has no phone.

        Pads that open automatically are filled in once they have.
        """
        deal = DEALS[game]
        self.begin(game, deal.names, without=["Eve"])
        ann = self["Ann"]
        ann.opens_pad()
        if deal.call is not None:
            ann.calls()
        if deal.hands:
            ann.answers(deal.hands.get("Ann", deal.call or ()))
            ann.waits()
        for name in ("Cy", "Dot", "Ben"):
            if name in deal.hands:
                assert self.recorded() == []
                self[name].answers(deal.hands[name])
        if "Eve" in deal.hands:
            self["Ben"].waits()
            self.enters_for("Eve", deal.hands["Eve"])

    def same_by_one_phone(self, game: str, names: Sequence[str], sent: Sequence[Form]) -> None:
        """Expect the entries and scores that one phone gives which sends these forms."""
        alone = self.phone("one for all")
        at = begun_sheet(alone, self._address, game, [*names])
        for number, entry in enumerate(sent):
            records(alone, at, f"alone-{number}", entry)
        alone.goto(at)
        expect(alone.locator("#live")).to_be_visible()
        totals = [
            phone.locator(".score-pad .total").all_inner_texts() for phone in (alone, self.host)
        ]
        assert totals[0] == totals[1]
        assert said(alone, at) == self.recorded()
        assert figures(alone, at) == figures(self.host, self.at)

    def records(self, key: str, entry: Form) -> None:
        """Ben’s phone sends an entry, whatever page it shows."""
        records(self.host, self.at, key, entry)

    def recorded(self) -> list[Any]:
        """The entries of the sheet."""
        return said(self.host, self.at)


def with_key(page: str, key: str, form: Form) -> dict[str, Any]:
    """A form as it is sent from this page, with a key."""
    return {"after": first_in(page, AFTER), "key": key, **form}


def records(page: Page, at: str, key: str, entry: Form) -> None:
    """This phone sends an entry to the sheet there, as from a page that has just been opened."""
    form = with_key(fetch(page, f"{at}/record").text(), key, entry)
    send(page, f"{at}/entries", form)


def said(page: Page, at: str) -> list[Any]:
    """The entries in a sheet’s file."""
    found: list[Any] = fetch(page, f"{at}/sheet.json").json()["entries"]
    return found


def figures(page: Page, at: str) -> str:
    """What everybody gained and had in all after each deal, with its details."""
    return fetch(page, f"{at}/standings.csv").text()


class Deal(NamedTuple):
    """A deal: what Ann answers who calls it, what others enter, and how one phone sends it all.

    Where nobody calls it, `call` is None.

    The most `taps` of Ann and of anybody else are those of an open pad, the last one included.
    """

    call: Sequence[str] | None
    hands: Mapping[str, Sequence[str]]
    alone: Form
    taps: tuple[int, int]
    names: Sequence[str] = NAMES


DEALS = {
    "Multiple 9": Deal([], {}, {"action": "out", "player": "Ann"}, (1, 0)),
    "Pink Nines": Deal([], {}, {"action": "out", "player": "Ann"}, (1, 0)),
    "Nine Five Two": Deal(
        None,
        {"Ann": ["9"], "Ben": ["5"], "Cy": ["2"]},
        {"action": "tricks", "tricks.0": "9", "tricks.1": "5", "tricks.2": "2"},
        (2, 2),
        NAMES[:3],
    ),
    "Red Nines (1881)": Deal(
        ["red_nine=false"],
        {
            "Ben": ["3", "red_nines=0"],
            "Cy": ["2", "red_nines=1"],
            "Dot": ["8", "red_nines=0"],
            "Eve": ["4", "red_nines=0"],
        },
        {
            "action": "out",
            "player": "Ann",
            "red_nine": "false",
            "hands.1.plain": "3",
            "hands.2.plain": "1 + 9♦",
            "hands.3.plain": "8",
            "hands.4.plain": "4",
        },
        (3, 3),
    ),
    "Red Nines (20th century)": Deal(
        ["red_nine=true"],
        {
            "Ben": ["2", "0", "red_nines=0"],
            "Cy": ["7", "red_nines=1"],
            "Dot": ["3", "red_nines=0"],
            "Eve": ["1", "2", "red_nines=0"],
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
        (3, 4),
    ),
    "9 of a Kind": Deal(
        [],
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
        (2, 3),
    ),
    "Colorado Nines": Deal(
        None,
        {
            "Ann": ["2", "9", "K", "2", "9", "3", "5", "9", "A"],
            "Ben": ["how=count", "1", "1"],
            "Cy": ["how=count", "7"],
            "Dot": ["how=count", "2", "0"],
            "Eve": ["how=count", "4"],
        },
        {
            "action": "grids",
            "grids.0": "2 2 5 | 9 9 9 | K 3 A",
            "grids.1": "11",
            "grids.2": "7",
            "grids.3": "20",
            "grids.4": "4",
        },
        (10, 4),
    ),
    "Any Other Game": Deal(
        None,
        {"Ann": ["5"], "Ben": ["1", "2"], "Cy": ["-", "3"], "Dot": ["0"], "Eve": ["8"]},
        {
            "action": "deal",
            "points.0": "5",
            "points.1": "12",
            "points.2": "-3",
            "points.3": "0",
            "points.4": "8",
        },
        (2, 3),
    ),
}

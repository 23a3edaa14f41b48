"""Every screen of the program: a book with sheets of all games, and the address of each screen.

`python -m tests.browser.screens FOLDER [WIDTH …] [--text 200] [--language de]` takes a picture of
every screen at four sizes in both themes, for people to look at; with the text as large as that, in
per cent, and in that language.
"""

import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from msgspec import Struct
from playwright.sync_api import sync_playwright

from referee.ledger.store import Ledger, Link
from referee.rules.registry import GAMES
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.sheets.files import sheet_from
from tests.support.cases import EXAMPLES
from tests.support.chromium import CHROMIUM, QUIET, TELEVISION
from tests.support.server import Server

SIZES = ((360, 740), (390, 844), (844, 390), (1024, 768))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
#: The screens of extras: `screens(house)`, and the style sheets of their `PARTS`.
OF_EXTRAS = [
    import_module(f"tests.extras.{path.parents[1].name}.browser.screens")
    for path in sorted(Path(__file__).parents[1].glob("extras/*/browser/screens.py"))
]
FIVE = ["Ann", "Ben", "Cat", "Dan", "Eve"]
HANDS = ("7", "K 5", "3 2 2 8", "Q", "J 10 6", "A A", "4 9 2 K 5")

#: Questions to the judges: a ruling of each kind and drawing.
QUESTIONS = {
    "nothing-asked": "multiple-9/discard",
    "legal": "multiple-9/discard?cards=8+4+4+A+A",
    "not-legal": "multiple-9/discard?cards=8+4+4+2",
    "unreadable": "multiple-9/discard?cards=8+Z+17",
    "best-discard": "multiple-9/hand?hand=8+4+4+A+A+K",
    "hand-of-nine-nines": "multiple-9-holdem/hand?hole=Q+J&board=Q+Q+J+J+Q",
    "showdown": "multiple-9-holdem/showdown?who.0=Ann&hands.0=Q+5"
                "&who.1=Ben&hands.1=K+A&who.2=Cat&hands.2=9+9&board=Q+Q+J+J+4",
    "odds": "multiple-9-holdem/odds?who.0=Ann&hands.0=Q+5&who.1=Ben&hands.1=K+A&board=Q+Q+J",
    "hands-not-tapped": "multiple-9-holdem/showdown",
    "pots": "multiple-9-holdem/pots?who.0=Ann&paid.0=60"
            "&who.1=Ben&paid.1=200&who.2=Cat&paid.2=200&folded.2=on",
    "claim": "9-of-a-kind/claim?cards=9S+9H+9D+9C+9R+9P+9X+9W+9L",
    "collection": "9-of-a-kind/collection?cards=9D+9C+9R+8D+8C+7D+2D+AD+AC",
    "payment": "red-nines-1881/payment?plain=7&red_nines=2",
    "penalty": "red-nines/penalty?cards=9R+9R+2",
    "run": "red-nines/run?cards=7+8+9R%3D9+10+Q",
    "trick": "nine-five-two/trick?cards=KS+9H+AS&trump=H",
    "sequence": "red-nines-1881/sequence?who.0=Ann&turns.0=AH+10S+JS+QS"
                "&who.1=Ben&turns.1=KS+QD&who.2=Ann&turns.2=KD+AD"
                "&seating=Ann,Ben,Cat,Dan&dealer=Dan",
    "exchange": "nine-five-two/exchange?who.0=Ann&scores.0=2"
                "&who.1=Ben&scores.1=-1&who.2=Cat&scores.2=-1&dealer.row=1",
    "follow": "nine-five-two/follow?hand=KS+9H+4C+2C&led=7C&played=KS&trump=S",
    "discards": "nine-five-two/discard?hand=AS+KS+9S+4S+AH+QH+7H+3H+KD+JD+8D+2D+QC+10C+6C+5C"
                "&kitty=AC+KC+2S+2H&away=2S+2H+2D+5C",
    "grid": "colorado-nines/grid?columns=2+2+5+%7C+9+9+9+%7C+*+K+A",
    "opening": "colorado-nines/opening?places=1+4",
    "turn": "colorado-nines/turn?way=A&flip=3&up=1+5+9",
}  # fmt: skip


class Screen(Struct, frozen=True):
    """A page: a name for it, and its address on the server; `far`: it is for a television."""

    name: str
    place: str
    far: bool = False


class House:
    """A book with sheets of every game: begun, in progress and over; and one of twenty deals."""

    def __init__(self, database: Path) -> None:
        """Write the sheets into this database, which a server may have open."""
        ledger = Ledger(database)
        self.book = Book(ledger)
        self.sheets: dict[str, Link] = {}
        for slug in GAMES:
            sheet, entries = EXAMPLES[slug], EXAMPLES[slug]["entries"]
            for when, count in (("begun", 0), ("middle", len(entries) // 2), ("over", None)):
                self.take_in(f"{slug}-{when}", sheet | {"entries": entries[:count]})
        self.take_in("twenty-deals", twenty_deals())
        self.take_in("trashed", twenty_deals())
        self.book.trash.put(self.sheets["trashed"])
        EveningBook(self.book).play_again(self.sheets["red-nines-over"], 0, "evening")
        self.view = self.book.hosting.links(self.sheets["twenty-deals"])["view"]
        self.of_extras = [screen for extra in OF_EXTRAS for screen in extra.screens(self)]

    def take_in(self, name: str, sheet: dict[str, Any]) -> None:
        """Keep this sheet of the file format under a name."""
        self.sheets[name] = self.book.import_sheet(sheet_from(sheet))

    def at(self, name: str, place: str = "") -> str:
        return f"/s/{self.sheets[name].token}{place}"

    def screens(self) -> Iterator[Screen]:
        """Every screen; the home page of a phone that has opened some sheets comes last."""
        yield Screen("home-first", "/")
        yield Screen("games", "/new")
        yield Screen("referee", "/referee")
        for slug in GAMES:
            query = "&".join(f"name={name}" for name in FIVE[: 3 if "five" in slug else 5])
            yield Screen(f"new-{slug}", f"/new/{slug}?{query}")
            yield Screen(f"questions-{slug}", f"/referee/{slug}")
            yield Screen(f"rules-{slug}", f"/rules/{slug}")
            for when in ("begun", "middle", "over"):
                yield Screen(f"sheet-{slug}-{when}", self.at(f"{slug}-{when}"))
        for name, question in QUESTIONS.items():
            yield Screen(f"ruling-{name}", f"/referee/{quote(question, safe='/?=&+%:;*')}")
        yield from self._of_one_sheet()
        yield from self.of_extras
        yield Screen("lost", "/s/nothing-here")
        yield Screen("home", "/")

    def _of_one_sheet(self) -> Iterator[Screen]:
        yield Screen("twenty-deals", self.at("twenty-deals"))
        yield Screen("viewer", f"/s/{self.view}")
        for place in ("more", "share", "share?code=score", "referee", "settings", "print"):
            yield Screen(
                "sheet-" + place.replace("?code=", "-"), self.at("twenty-deals", f"/{place}")
            )
        yield Screen("correct", self.at("twenty-deals", "/entries/3"))
        yield Screen("more-betting", self.at("multiple-9-holdem-middle", "/more"))
        yield Screen("settle", self.at("red-nines-1881-over", "/settle"))
        yield Screen("evening", self.at("red-nines-over", "/evening"))
        yield Screen("trash", self.at("trashed", "/trash"))


def twenty_deals() -> dict[str, Any]:
    """A sheet of five players and twenty deals."""
    entries = [
        {
            "action": "out",
            "player": FIVE[deal * 2 % 5],
            "left": {
                name: HANDS[(deal + place) % 7]
                for place, name in enumerate(FIVE)
                if place != deal * 2 % 5
            },
        }
        for deal in range(20)
    ]
    options = {"scoring": "cards", "target": 400}
    return {"referee": 1, "game": "multiple-9", "players": FIVE, "dealer": "Ann",
            "options": options, "entries": entries}  # fmt: skip


#: The usual text size of phones, in per cent of the browser's default.
ORDINARY_TEXT = 106.25


def at_text_size(percent: int) -> str:
    """A script that sets a page's text size, in per cent of its own."""
    return f"document.documentElement.style.fontSize = '{ORDINARY_TEXT * percent / 100}%';"


if __name__ == "__main__":
    arguments = ArgumentParser(prog="python -m tests.browser.screens")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("widths", type=int, nargs="*", default=[width for width, _ in SIZES])
    arguments.add_argument("--text", type=int, default=100, metavar="PER_CENT")
    arguments.add_argument("--language", default="en", metavar="TAG")
    wanted = arguments.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        serving = Server(Path(instance))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        house = House(Path(instance) / "referee.sqlite")
        try:
            for width, height in (size for size in SIZES if size[0] in wanted.widths):
                for theme in THEMES:
                    phone = browser.new_page(color_scheme=theme, locale=wanted.language)
                    for screen in house.screens():
                        phone.goto(serving.address + screen.place)
                        size = TELEVISION if screen.far else {"width": width, "height": height}
                        phone.set_viewport_size(size)
                        phone.evaluate(at_text_size(wanted.text))
                        name = f"{screen.name}-{width}-{theme}.png"
                        phone.screenshot(full_page=True, path=wanted.folder / name)
                    phone.close()
        finally:
            browser.close()
            serving.stop()

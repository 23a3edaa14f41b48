"""Take the README's pictures from the running program: `python -m tests.browser.readme_pictures`.

A score pad after five deals, a deal being recorded at night, and a ruling.
"""

import io
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.browser_steps import choose, form, key, open_drawer
from tests.support.chromium import CHROMIUM, PHONE, QUIET
from tests.support.server import Server

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
COLORS = 255
TRICKS = ((11, 4, 1), (3, 8, 5), (4, 2, 10), (4, 7, 5), (4, 8, 4))
SCORED = {
    "referee": 1,
    "game": "nine-five-two",
    "players": ["Ann", "Ben", "Cy"],
    "options": {"target": 12},
    "entries": [
        {"action": "tricks", "tricks": dict(zip(("Ann", "Ben", "Cy"), tricks, strict=True))}
        for tricks in TRICKS
    ],
}
RECORDED = {
    "referee": 1,
    "game": "red-nines-1881",
    "players": ["Ann", "Ben", "Cy", "Dot"],
    "entries": [
        {
            "action": "out",
            "player": "Cy",
            "hands": {name: {"plain": 2, "red_nines": 0} for name in ("Ann", "Ben", "Dot")},
        }
    ],
}


def take(page: Page, name: str) -> None:
    """Save a screenshot of the phone under this name, in few colors."""
    picture = (
        Image.open(io.BytesIO(page.screenshot()))
        .convert("RGB")
        .quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    picture.save(FOLDER / f"{name}.png", optimize=True)


def record_half(page: Page) -> None:
    """Fill in half a deal: who went out, one hand counted, and one being tapped."""
    open_drawer(page)
    out = form(page, "out")
    choose(out, "player", "Ben")
    key(page, "4").click()
    key(page, "Next: Cy ›").click()
    out.locator(".how label", has_text="Tap the cards").click()
    for name in ("K", "Q"):
        key(page, name).click()
    expect(page.locator(".way[open] .will")).to_contain_text("Ben −3 (6 − 9 staked)")


class Picture(NamedTuple):
    """A picture of a sheet or a page, and what is done there `before`."""

    name: str
    of: Mapping[str, Any] | str
    theme: Literal["light", "dark"] = "light"
    before: Callable[[Page], None] = lambda page: None


PICTURES = (
    Picture("sheet", SCORED),
    Picture("recording", RECORDED, "dark", record_half),
    Picture("ruling", "/referee/multiple-9/discard?cards=8+4+4+A+A"),
)


def main(pictures: Iterable[Picture] = PICTURES) -> None:
    """Start the program and take these pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        server = Server(Path(instance))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            book = Book(Ledger(Path(instance) / "referee.sqlite"))
            for one in pictures:
                context = browser.new_context(viewport=PHONE, color_scheme=one.theme)
                page = context.new_page()
                is_page = isinstance(one.of, str)
                place = one.of if is_page else f"/s/{book.import_sheet(sheet_from(one.of)).token}"
                page.goto(f"{server.address}{place}")
                one.before(page)
                take(page, one.name)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()

"""Take the README's pictures from the running program: `python -m tests.browser.readme_pictures`.

A score pad after five deals, a deal being recorded at night, cards on a photo, and a ruling.
"""

import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.browser_steps import choose, form, key, open_drawer
from tests.support.chromium import CHROMIUM, QUIET
from tests.support.server import Server

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
#: Whose it is stands in the notice beside it.
PHOTO = Path(__file__).parents[1] / "vision" / "photos" / "four-indices.jpg"
PHONE = {"width": 390, "height": 844}
COLOURS = 255
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
    """Keep what the phone shows, in few colours."""
    picture = (
        Image.open(io.BytesIO(page.screenshot()))
        .convert("RGB")
        .quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    picture.save(FOLDER / f"{name}.png", optimize=True)


def record_half(page: Page) -> None:
    """Somebody went out, one hand is counted, and one is being tapped."""
    open_drawer(page)
    out = form(page, "out")
    choose(out, "player", "Ben")
    key(page, "4").click()
    key(page, "Next: Cy ›").click()
    out.locator(".how label", has_text="Tap the cards").click()
    for name in ("K", "Q"):
        key(page, name).click()
    expect(page.locator(".way[open] .will")).to_contain_text("Ben −3 (6 − 9 staked)")


def photograph(page: Page) -> None:
    """Somebody went out, and the hand that one of the others still holds is photographed."""
    open_drawer(page)
    out = form(page, "out")
    choose(out, "player", "Cy")
    with page.expect_file_chooser() as taken:
        out.locator("button.camera:visible").click()
    taken.value.set_files(PHOTO)
    expect(page.locator(".mend .outline")).to_have_count(5, timeout=30_000)


#: What is done on a page before its picture is taken, by the name of the picture.
BEFORE: dict[str, Callable[[Page], None]] = {"recording": record_half, "photo": photograph}


def main() -> None:
    """Start the program, play seven deals, take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        server = Server(Path(instance))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            book = Book(Ledger(Path(instance) / "referee.sqlite"))
            for name, place, theme in (
                ("sheet", f"/s/{book.take_in(sheet_from(SCORED)).token}", "light"),
                ("recording", f"/s/{book.take_in(sheet_from(RECORDED)).token}", "dark"),
                ("photo", f"/s/{book.take_in(sheet_from(RECORDED)).token}", "light"),
                ("ruling", "/referee/multiple-9/discard?cards=8+4+4+A+A", "light"),
            ):
                context = browser.new_context(
                    viewport=PHONE,  # type: ignore[arg-type]
                    color_scheme=theme,  # type: ignore[arg-type]
                )
                page = context.new_page()
                page.goto(server.address + place)
                if name in BEFORE:
                    BEFORE[name](page)
                take(page, name)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()

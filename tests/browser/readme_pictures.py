"""Take the README's pictures from the running program: `python -m tests.browser.readme_pictures`.

Two phones at one table, one that keeps score and one that follows, and a ruling.
"""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.support.chromium import CHROMIUM, QUIET
from tests.support.server import Server

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
PHONE = {"width": 390, "height": 844}
COLOURS = 96
WINNERS = ("Ben", "Ann", "Ann", "Dan", "Cat", "Ben", "Ann", "Cat", "Ben")
SHEET = {
    "referee": 1,
    "game": "multiple-9",
    "players": ["Ann", "Ben", "Cat", "Dan"],
    "entries": [{"action": "out", "player": winner} for winner in WINNERS],
}


def take(page: Page, name: str) -> None:
    """Keep what the phone shows, in few colours."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    picture.save(FOLDER / f"{name}.png", optimize=True)


def main() -> None:
    """Start the program, play nine deals, take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        server = Server(Path(instance))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            book = Book(Ledger(Path(instance) / "referee.sqlite"))
            host = book.take_in(sheet_from(SHEET))
            view = book.links(host)["view"]
            for name, place, theme in (
                ("sheet", f"/s/{host.token}", "light"),
                ("looking-on", f"/s/{view}", "dark"),
                ("ruling", "/referee/multiple-9/discard?cards=8+4+4+A+A", "light"),
            ):
                context = browser.new_context(
                    viewport=PHONE,  # type: ignore[arg-type]
                    color_scheme=theme,  # type: ignore[arg-type]
                    device_scale_factor=2,
                )
                page = context.new_page()
                page.goto(server.address + place)
                if name == "looking-on":
                    page.locator("#chart").scroll_into_view_if_needed()
                take(page, name)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()

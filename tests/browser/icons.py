"""Draw the icons of the installed app from `static/img/icon.svg`: `python -m tests.browser.icons`.

Run it after changing the picture, and commit the result.
"""

import io
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.support.chromium import CHROMIUM, QUIET

FOLDER = Path(__file__).parents[2] / "static" / "img"
COLORS = 22  # flat colors and the steps at their edges; more only weighs more

# Name, size, and how large the card is on a ground that fills the square; None keeps the round
# corners. A phone may cut a maskable icon down to the circle in its middle.
ICONS = (
    ("icon-192.png", 192, None),
    ("icon-512.png", 512, None),
    ("icon-maskable.png", 512, 0.74),
    ("apple-touch-icon.png", 180, 0.9),
)


def full_bleed(svg: str, scale: float) -> str:
    """The picture with square corners, its card drawn smaller."""
    parts = re.fullmatch(r"(<svg.*?<rect.*?/>)(.*)</svg>\s*", svg, re.DOTALL)
    assert parts is not None
    ground, card = parts[1].replace(' rx="14"', ""), parts[2]
    shift = 32 * (1 - scale)
    return f'{ground}<g transform="translate({shift} {shift}) scale({scale})">{card}</g></svg>'


def drawn(page: Page, svg: str, size: int) -> bytes:
    """The picture as a small PNG."""
    page.set_viewport_size({"width": size, "height": size})
    sized = svg.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
    page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{sized}")
    picture = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    few = picture.quantize(COLORS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Draw all of them."""
    svg = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page()
        for name, size, scale in ICONS:
            png = drawn(page, svg if scale is None else full_bleed(svg, scale), size)
            (FOLDER / name).write_bytes(png)
            print(f"{name}: {len(png)} bytes")
        browser.close()


if __name__ == "__main__":
    main()

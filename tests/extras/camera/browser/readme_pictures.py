"""Take the picture for the README: `python -m tests.extras.camera.browser.readme_pictures`."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.readme_pictures import RECORDED, Picture, main
from tests.support.browser_steps import choose, form, open_drawer

#: The notice beside it says whose it is.
PHOTO = Path(__file__).parents[1] / "photos" / "four-indices.jpg"


def photograph(page: Page) -> None:
    """Fill in who went out, and photograph the hand of another player."""
    open_drawer(page)
    out = form(page, "out")
    choose(out, "player", "Cy")
    with page.expect_file_chooser() as taken:
        out.locator("button.camera:visible").click()
    taken.value.set_files(PHOTO)
    expect(page.locator(".mend .outline")).to_have_count(5, timeout=30_000)


if __name__ == "__main__":
    main([Picture("photo", RECORDED, before=photograph)])

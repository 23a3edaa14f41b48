"""Somebody who taps, and how often."""

from playwright.sync_api import Locator, Page


class Thumb:
    """Taps on one phone, and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        """Touch this."""
        target.tap()
        self.taps += 1

    def keys(self, digits: str) -> None:
        """Type on the phone's number keys, into whatever has its turn."""
        for digit in digits:
            self.page.keyboard.press(digit)
            self.taps += 1

    def open(self) -> None:
        """Touch Record: the drawer comes up."""
        self.tap(self.page.locator("a.record").first)

    def key(self, *names: str) -> None:
        """Touch keys of the docked pad."""
        drawer = self.page.locator("dialog.drawer")
        for name in names:
            self.tap(drawer.get_by_role("button", name=name, exact=True).filter(visible=True))

    def choose(self, player: str) -> None:
        """Touch a player's name."""
        names = self.page.locator("dialog.drawer").locator(".by-name label, .by-name .go")
        self.tap(names.filter(has_text=player, visible=True).first)

    def next(self) -> None:
        """Touch the button that leads on."""
        self.tap(self.page.locator("[data-next]").filter(visible=True))

    def record(self) -> None:
        """Touch the button that records."""
        self.tap(self.page.locator("[data-record]").filter(visible=True))

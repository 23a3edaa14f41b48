"""The installed Chromium, and how it is started."""

import shutil

from playwright.sync_api import ViewportSize

# In order of preference: the headless shell halves the time of a test.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
# In a closed network, keep Chromium from requesting outside addresses.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
#: Screens, in CSS pixels: of a usual phone, of a small one, and of a television.
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 740}
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}

"""The installed Chromium, and how it is started."""

import shutil

from playwright.sync_api import ViewportSize

# The first is the same without windows, menus and extensions: a test takes half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
# Without these a Chromium in a closed network keeps asking for addresses outside.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PHONE: ViewportSize = {"width": 390, "height": 844}  # its screen, in CSS pixels

"""Taps on a phone whose processor is four times slower: when the card shows, when the ruling."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.house import book_in, referee, serving
from benchmarks.load import within
from benchmarks.rows import Aim, Row
from tests.support.chromium import CHROMIUM, PHONE, QUIET

SLOWED = 4

# From the tap on a key to the end of the frame that shows what it did, in milliseconds.
_TAP = """async ([pad, keys]) => {
  const key = [...document.querySelectorAll(`${pad} .key`)].find((one) => keys.includes(one.value));
  const begun = performance.now();
  key.click();
  await new Promise(requestAnimationFrame);
  await new Promise((shown) => setTimeout(shown)); // after the frame
  return performance.now() - begun;
}"""
# From the tap that makes a discard legal to the frame that shows its ruling.
_RULING = """async () => {
  const keys = [...document.querySelectorAll(".pad .key")];
  const key = (card) => keys.find((one) => one.value === `@:${card}`);
  const ruling = document.getElementById("ruling");
  const next = (wanted) => new Promise((done) => {
    const watch = new MutationObserver(() => {
      if (ruling.querySelector("h2")?.textContent.includes("Yes") !== wanted) return;
      watch.disconnect();
      done();
    });
    watch.observe(ruling, { childList: true, subtree: true, characterData: true });
  });
  const withdrawn = next(false);
  key("back").click();
  await withdrawn;
  const ruled = next(true);
  const begun = performance.now();
  key("A").click();
  await ruled;
  await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""


def rows(short: bool) -> Iterator[Row]:
    """The 99th percentile of taps in a real browser."""
    taps = 30 if short else 300
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        book = book_in(Path(folder))
        grid = book.begin("colorado-nines", ["Ann", "Ben"], "Ann", {})
        count = book.begin("red-nines-1881", ["Ann", "Ben", "Cy", "Dot"], "Ann", {})
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with serving(*referee(Path(folder))) as server:
            page = browser.new_page(viewport=PHONE)
            page.goto(f"{server.address}/s/{grid.token}#record")
            yield _row("the grid of the drawer", _taps(page, taps, "dialog", "@:8", "@:back"), 50)
            page.goto(f"{server.address}/s/{count.token}#record")
            page.locator(".by-name label").first.click()
            page.locator(".how label").last.click()
            yield _row("a hand in the drawer", _taps(page, taps, "dialog", "@:8", "@:back"), 50)
            page.goto(f"{server.address}/referee/multiple-9/discard?cards=8+4+4+A+A")
            taken = [page.evaluate(_RULING) for _ in _slowed(page, taps)]
            yield _row("the ruling on five cards", taken, 150)
        browser.close()


def _taps(page: Page, taps: int, pad: str, *keys: str) -> list[float]:
    """The milliseconds of this many taps on these keys in turn."""
    page.locator(f"{pad} .key[value='{keys[0]}']").wait_for()
    return [page.evaluate(_TAP, [pad, [keys[tap % len(keys)]]]) for tap in _slowed(page, taps)]


def _slowed(page: Page, taps: int) -> Iterator[int]:
    """Count to `taps` while the processor is slowed."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    yield from range(taps)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def _row(what: str, taken: list[float], limit: int) -> Row:
    slowest = within(taken, 0.99)
    return Row(
        f"{what}: 99 % of the taps show within, processor slowed {SLOWED} times",
        f"{slowest:.0f} ms",
        aim=Aim(limit, "ms", timed=True),
        value=slowest,
    )

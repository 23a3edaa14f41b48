"""How far the parts of a page move while it loads, so that taps would miss what they aim at."""

from playwright.sync_api import Page

#: The most cumulative layout shift of a page; Lighthouse takes points off from 0.1.
MOST = 0.01

#: Added to a page before it is opened.
WATCH = """
globalThis.moved = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.moved += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""

#: Whether all scripts have loaded and nothing is being fetched.
AT_REST = """() => document.readyState === "complete"
  && !document.querySelector(".htmx-request, form[data-question]:not([data-asked])")"""
DRAWN = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(globalThis.moved)));
})"""


def moves(page: Page, address: str) -> bool:
    """Open the page at this address; returns whether anything moves until it is loaded.

    A busy machine may draw a page before all of it has arrived, so one that moves is opened again.
    Chromium reports nothing for a page that is opened as `is_mobile`.
    """
    return all(_moved(page, address) > MOST for _ in range(3))


def _moved(page: Page, address: str) -> float:
    """The cumulative layout shift of the page at this address once it is loaded."""
    page.goto(address)
    page.wait_for_function(AT_REST)
    return float(page.evaluate(DRAWN))

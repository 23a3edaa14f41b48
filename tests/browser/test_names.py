"""Names of any length in narrow columns: none is cut, or broken without a hyphen."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from playwright.sync_api import Page

from referee.rules.registry import GAMES
from tests.browser.screens import at_text_size
from tests.support.browser_steps import open_drawer, sideways
from tests.support.campaign import usual_or_nightly
from tests.support.cases import EXAMPLES
from tests.support.served_book import ServedBook

NAMES = ("Dorothy", "Grandma Jo", "Maximilian", "Wilhelmina", "Christopher-Jo",
         "Al", "Bob", "Fitzgerald", "Jacqueline")  # fmt: skip
WHERE = ".score-pad .name, .tab > span, .podium span, .stacks span, .seat b > span, " \
        ".of-pot strong, .season th a > :last-child, .matrix th"  # fmt: skip

#: The names that are broken within a word without a soft hyphen, are cut, or stick out.
WRONG = """(all) => all.filter((one) => one.offsetParent).flatMap((one) => {
  const wrong = [], tell = (what) => wrong.push(`${one.textContent.trim()} ${what}`);
  const around = one.closest("th, label, li, .seat .who, .of-pot, section").getBoundingClientRect();
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, range = document.createRange();
    if (text.parentElement.closest(".hidden, .d, i:not(.dot)")) continue;
    let before = null;
    for (let at = 0; at < text.length; at++) {
      const letter = text.data[at];
      range.setStart(text, at); range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      // The letter after a soft hyphen is measured with that hyphen, on the line before.
      const begins = text.data[at - 1] === "\u00ad" || !/[\\p{L}]/u.test(letter);
      if (begins) { before = null; continue; }
      if (before !== null && box.top > before + 4) tell("is broken");
      before = box.top;
      const inside = box.left > around.left - 1 && box.right < around.right + 1;
      if (!inside) tell("sticks out");
    }
  }
  const hides = getComputedStyle(one).overflow !== "visible";
  if (hides && one.scrollWidth > one.clientWidth + 1) tell("is cut");
  return [...new Set(wrong)];
})"""  # fmt: skip

#: Of screens, and of their text in per cent.
SIZES = usual_or_nightly(
    [(390, 844, 100), (360, 740, 200)],
    [(390, 844, 100), (360, 740, 100), (390, 844, 200), (360, 740, 200)],
)


def renamed(sheet: Any) -> Any:
    """The sheet with its players renamed."""
    return _renamed(sheet, dict(zip(sheet["players"], NAMES, strict=False)))


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def begun(served: ServedBook) -> Iterator[str]:
    """Sheets of every game, with three and nine players if it seats that many.

    In a nightly run also with five and six.
    """
    for slug, game in GAMES.items():
        seats = game.seats(game.house_rules())
        for count in usual_or_nightly({3, 9}, {3, 5, 6, 9}).intersection(seats):
            yield served.address(served.book.begin(slug, list(NAMES[:count]), None, {}))


def wrong(page: Page) -> list[str]:
    """What is wrong on the page in any of the sizes."""
    found = []
    for width, height, text in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(at_text_size(text))
        seen: list[str] = page.locator(WHERE).evaluate_all(WRONG)
        seen += ["it scrolls sideways"] * (sideways(page) > 0)
        found += [f"{fault}, {width} × {height} at {text} %" for fault in seen]
    return found


def test_a_name_is_never_cut_or_broken_in_a_sheet(served: ServedBook, page: Page) -> None:
    """In the heads of the pad and in the drawer, with three to nine players."""
    faults = {}
    for address in begun(served):
        page.goto(address)
        told = page.locator(".head").inner_text()
        seen = wrong(page)
        open_drawer(page)
        if seen := seen + wrong(page):
            players = page.locator(".score-pad .name").count()
            faults[f"{' '.join(told.split())}, {players} players"] = seen
    assert not faults, json.dumps(faults, ensure_ascii=False, indent=1)


def test_a_name_is_never_cut_or_broken_when_it_is_over(served: ServedBook, page: Page) -> None:
    """In the account of the game."""
    over = [served.put(renamed(sheet)) for sheet in EXAMPLES.values()]
    assert_whole(page, map(served.address, over))


def assert_whole(page: Page, addresses: Iterable[str]) -> None:
    """Check that no name is cut or broken on these pages, in any of the sizes."""
    faults = {}
    for address in addresses:
        page.goto(address)
        if seen := wrong(page):
            faults[page.title() + address[-20:]] = seen
    assert not faults, json.dumps(faults, ensure_ascii=False, indent=1)

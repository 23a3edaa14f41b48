"""A style sheet affects only the pages of its own part, even once others are opened after them."""

import re
from functools import cache
from pathlib import Path

from playwright.sync_api import Page, expect

from referee.rules.registry import GAMES
from tests.browser.conftest import TakePhone
from tests.browser.screens import OF_EXTRAS, House

ROOT = Path(__file__).parents[2]
#: The addresses of a part’s pages. htmx keeps their style sheet when another page is opened.
PARTS = {
    "home": r"^/$|/evening",
    "rulings": r"/referee",
    "rules": r"^/rules|^/referee|/print",
    "settling": r"/settle|/evening",
    "paper": r"/print",
}
for extra in OF_EXTRAS:
    for name, pages in extra.PARTS.items():
        PARTS[name] = "|".join(filter(None, (PARTS.get(name), pages)))
#: The selectors of these sheets that match something, without pseudo-classes and elements.
MATCHING = """
(sheets) => {
  const states = "before|after|hover|active|focus-visible|focus|target|placeholder|marker";
  const passing = new RegExp(`::?(${states}|-webkit-[\\w-]+)`, "g");
  const matches = (selector) => document.querySelector(selector.replace(passing, ""));
  return Object.fromEntries(Object.entries(sheets).map(([name, text]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const inner = (rule) => (rule.cssRules?.length ? [...rule.cssRules] : [rule]);
    const rules = [...sheet.cssRules].flatMap(inner).filter((rule) => rule.selectorText);
    return [name, rules.map((rule) => rule.selectorText).filter(matches)];
  }));
}
"""

#: What an element looks like, and how a style sheet is added to the page.
LOOK = """(one) => {
  const { boxShadow, background } = getComputedStyle(one);
  return [boxShadow, background];
}"""
ADD = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}"""


@cache
def style_sheets() -> dict[str, str]:
    """The style sheets of the parts, and that of lists, by their names."""
    bundled = ROOT.glob("referee/extras/*/static/bundled/more/*.css")
    styles = {path.stem: path for path in (*(ROOT / "static/css").glob("*.css"), *bundled)}
    return {name: styles[name].read_text(encoding="utf-8") for name in (*PARTS, "lists")}


def reaching(page: Page, place: str) -> list[str]:
    """The rules of other parts’ style sheets that match something on the page at this address."""
    is_score_sheet = page.locator("main.sheet").count() > 0
    return [
        f"{name}.css: {selector}"
        for name, selectors in page.evaluate(MATCHING, style_sheets()).items()
        if is_score_sheet or (name in PARTS and not re.search(PARTS[name], place))
        for selector in selectors
    ]


def test_no_style_sheet_of_another_part_reaches_a_form(
    house: tuple[str, House], new_phone: TakePhone
) -> None:
    """The forms of every game, as a page of their own; `test_screens` looks at all other pages."""
    (address, sheets), phone = house, new_phone()
    reached = {}
    for slug in GAMES:
        place = sheets.at(f"{slug}-middle", "/record")
        phone.goto(address + place)
        if rules := reaching(phone, place):
            reached[slug] = rules
    assert reached == {}


def test_no_style_sheet_of_another_part_reaches_what_a_correction_changes(
    house: tuple[str, House], touch: Page
) -> None:
    """It is listed above the button, once something has been changed."""
    address, sheets = house
    touch.goto(address + sheets.at("plain-score-middle"))
    touch.locator(".score-pad .opens").first.tap()
    touch.get_by_role("link", name="Correct").first.tap()
    drawer = touch.locator("dialog.drawer")
    drawer.get_by_role("button", name="7", exact=True).tap()
    expect(drawer.locator(".will .changes li").first).to_be_visible()
    assert reaching(touch, "") == []


def test_how_a_deal_ended_leaves_the_score_pad_alone(house: tuple[str, House], touch: Page) -> None:
    """A phone may have one column as its own, and the style sheet stays when the pad is back."""
    address, sheets = house
    touch.goto(address + sheets.at("nine-five-two-middle"))
    cell = touch.locator(".score-pad td").nth(1)
    cell.evaluate("cell => cell.classList.add('own')")
    own = cell.evaluate(LOOK)
    told = (ROOT / "static/css/told.css").read_text(encoding="utf-8")
    touch.evaluate(ADD, told)
    assert cell.evaluate(LOOK) == own

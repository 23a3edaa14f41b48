"""A style sheet affects only the pages of its own part, even once others are opened after them."""

import re
from pathlib import Path

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


def test_no_style_sheet_reaches_another_part(
    house: tuple[str, House], new_phone: TakePhone
) -> None:
    """No rule of it matches there."""
    (address, sheets), phone = house, new_phone()
    bundled = ROOT.glob("referee/extras/*/static/bundled/more/*.css")
    styles = {path.stem: path for path in (*(ROOT / "static/css").glob("*.css"), *bundled)}
    everything = {name: styles[name].read_text(encoding="utf-8") for name in (*PARTS, "lists")}
    reached: dict[str, str] = {}
    places = [screen.place for screen in sheets.screens() if not screen.far]
    places += [sheets.at(f"{slug}-middle", "/record") for slug in GAMES]
    for place in places:
        phone.goto(address + place)
        is_score_sheet = phone.locator("main.sheet").count() > 0
        for name, selectors in phone.evaluate(MATCHING, everything).items():
            if is_score_sheet or (name in PARTS and not re.search(PARTS[name], place)):
                reached |= {f"{name}.css: {selector}": place for selector in selectors}
    assert not reached, "\n".join(f"{rule}  on {place}" for rule, place in reached.items())

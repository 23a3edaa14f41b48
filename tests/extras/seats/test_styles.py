"""The style sheets of seats leave all other pages as they are."""

import re

from tests.test_styles import ROOT, read


def test_no_class_styled_by_itself_is_on_another_page() -> None:
    """A page keeps the style sheets of those that were open before it."""
    rules = read("referee/extras/seats/static/bundled/more/*.css")
    plain = re.sub(r"/\*.*?\*/|\([^)]*\)", "", rules, flags=re.DOTALL)
    selectors = ",".join(re.findall(r"([^{};]+)\{", plain))
    alone = set(re.findall(r"(?:^|,)\s*\.([\w-]+)\s*(?=,|$)", selectors))
    folders = [
        path for path in ROOT.glob("referee/extras/*/templates") if "seats" not in path.parts
    ]
    pages = read(
        "templates/**/*.html", *(f"{path.relative_to(ROOT)}/**/*.html" for path in folders)
    )
    worn = re.findall(r'(?<![\w-])class="([^"]*)"', re.sub(r"\{[{%].*?[%}]\}", " ", pages))
    assert "on-felt" in alone
    assert not alone & {name for names in worn for name in names.split()}

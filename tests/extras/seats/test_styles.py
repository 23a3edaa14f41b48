"""The style sheets of seats leave all other pages as they are."""

import re

from tests.test_styles import ROOT, read


def test_no_class_styled_by_itself_is_on_another_page() -> None:
    """Nor are elements within one: a page keeps the style sheets of those that were open before."""
    rules = read("referee/extras/seats/static/bundled/more/*.css")
    plain = re.sub(r"/\*.*?\*/|\([^)]*\)", "", rules, flags=re.DOTALL)
    selectors = ",".join(re.findall(r"([^{};]+)\{", plain))
    alone = set(re.findall(r"(?:^|,)\s*\.([\w-]+)(?:\s+[a-z0-9]+)*\s*(?=,|$)", selectors))
    folders = [
        path for path in ROOT.glob("referee/extras/*/templates") if "seats" not in path.parts
    ]
    pages = read(
        "templates/**/*.html", *(f"{path.relative_to(ROOT)}/**/*.html" for path in folders)
    )
    worn = re.findall(r'(?<![\w-])class="([^"]*)"', re.sub(r"\{[{%].*?[%}]\}", " ", pages))
    chosen = " ".join(re.findall(r"set class = (.*)", pages))
    worn += re.findall(r'"([\w -]+)"', chosen)
    assert "on-felt" in alone
    assert "so-far" in " ".join(worn).split()
    assert not alone & {name for names in worn for name in names.split()}

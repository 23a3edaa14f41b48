"""The style sheets have no rules for unused classes."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = "referee/extras/*"
LINE_LENGTH = 200

#: Set by htmx itself on elements that wait for an answer.
BY_HTMX = {"htmx-request"}


def read(*patterns: str) -> str:
    paths = (path for pattern in patterns for path in sorted(ROOT.glob(pattern)))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def with_a_style() -> set[str]:
    """The classes that selectors name."""
    rules = re.sub(
        r"/\*.*?\*/", "", read("static/css/*.css", f"{EXTRAS}/static/**/*.css"), flags=re.DOTALL
    )
    selectors = re.findall(r"([^{};]+)\{", rules)
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", "\n".join(selectors)))


def used() -> set[str]:
    """The words in class attributes and in strings of expressions and scripts, but no sentences."""
    templates = read("templates/**/*.html", f"{EXTRAS}/templates/**/*.html")
    expressions = "".join(re.findall(r"\{[{%].*?[%}]\}", templates, flags=re.DOTALL))
    plain = re.sub(r"\{[{%].*?[%}]\}", " ", templates, flags=re.DOTALL)
    found = re.findall(r'(?<![\w-])class="([^"]*)"', plain)
    found += re.findall(r"""["']([a-z -]+)["']""", re.sub(r'\b_\("[^"]*"', "", expressions))
    found += re.findall(r'"([a-z -]+)"', read("static/js/**/*.js", f"{EXTRAS}/static/*.js"))
    return {word for text in found for word in text.split()}


def test_every_class_with_a_style_is_used() -> None:
    """By a template, a script or htmx."""
    assert {"cards-field", "glow", "dragged"} <= with_a_style()
    assert "never" not in used(), "a word of a sentence is no class"
    assert with_a_style() - used() - BY_HTMX == set()


def test_lines_of_style_sheets_are_short() -> None:
    """None has more than 200 characters."""
    sheets = [*ROOT.glob("static/css/*.css"), *ROOT.glob(f"{EXTRAS}/static/**/*.css")]
    long = [
        f"{path.name}:{number}"
        for path in sheets
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LINE_LENGTH
    ]
    assert sheets
    assert not long


def test_style_sheets_know_no_left_and_right() -> None:
    """They say start and end, which change places in a right-to-left language."""
    sheets = [*ROOT.glob("static/css/*.css"), *ROOT.glob(f"{EXTRAS}/static/**/*.css")]
    sided = re.compile(
        r"(margin|padding|border|scroll-margin|top|bottom)-(left|right)\b|text-align: (left|right)"
        r"|(?<=[\s{;])(left|right): "
    )
    found = [
        f"{path.name}: {hit[0]}"
        for path in sheets
        for hit in sided.finditer(path.read_text(encoding="utf-8"))
    ]
    assert sheets
    assert not found

"""The style sheets have no rules for unused classes."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))

#: Set by htmx itself on elements that wait for an answer.
BY_HTMX = {"htmx-request"}


def styled() -> set[str]:
    """The classes that selectors name."""
    css = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    rules = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = re.findall(r"([^{};]+)\{", rules)
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", "\n".join(selectors)))


def worn_on_pages() -> set[str]:
    """The words in class attributes, and in strings of expressions that could become classes."""
    worn: set[str] = set()
    for path in TEMPLATES:
        template = path.read_text(encoding="utf-8")
        expressions = re.findall(r"\{[{%].*?[%}]\}", template, flags=re.DOTALL)
        plain = re.sub(r"\{[{%].*?[%}]\}", " ", template, flags=re.DOTALL)
        worn.update(*map(str.split, re.findall(r'(?<![\w-])class="([^"]*)"', plain)))
        for expression in expressions:
            no_sentences = re.sub(r'\b_\("[^"]*"', "", expression)
            texts = re.findall(r"""["']([a-z -]+)["']""", no_sentences)
            worn.update(*map(str.split, texts))
    return worn


def worn_by_script() -> set[str]:
    """The words of plain strings in scripts, such as `made.className = "offline"`."""
    texts = [text for path in SCRIPTS for text in re.findall(r'"([a-z -]+)"', path.read_text())]
    return {word for text in texts for word in text.split()}


def test_every_class_with_a_style_is_worn() -> None:
    """Every class in a style sheet is used by a template, a script or htmx."""
    assert styled() - worn_on_pages() - worn_by_script() - BY_HTMX == set()


def test_a_class_is_found_where_it_is_worn() -> None:
    """Classes are found in attributes, macro arguments and scripts, but not in sentences."""
    assert {"cards-field", "glow"} <= worn_on_pages()
    assert "dragged" in worn_by_script() - worn_on_pages()
    assert "never" not in worn_on_pages() | worn_by_script()

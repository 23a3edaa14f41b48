"""The sentences of the program as a translator gets them: all found, all whole, none of old."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir

ROOT = Path(__file__).parent.parent
MAPPINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]
METHODS = [(mapping["pattern"], mapping["method"]) for mapping in MAPPINGS]
KEYWORDS = {"say": None, "say_many": (1, 2), "_": None, "gettext": None, "ngettext": (1, 2)}
OPTIONS = {mapping["pattern"]: mapping for mapping in MAPPINGS}

#: What people used to read, and what makes a sentence sound translated.
NO_LONGER_SAID = (
    r"\bthe source\b",
    r"\bif you like\b",
    r"(?<!there) is no (?!longer)",
    r"\bof ours\b",
    r"\bto look\b",
    r"\bbe it\b",
    r"\bpool pool\b",
    r"\boff you go\b",
    r"\bcarries\b",
    r"\bdresses\b",
    r"\bpips\b",
    r"'(?!s\b)",  # a straight apostrophe
    r"  ",
)


def messages() -> list[tuple[str, tuple[str, ...]]]:
    """Every message with its forms, and where it stands."""
    found = extract_from_dir(ROOT, METHODS, OPTIONS, KEYWORDS)  # type: ignore[arg-type]
    return [
        (f"{file}:{line}", message if isinstance(message, tuple) else (message,))
        for file, line, message, _, _ in found
        if not file.startswith((".venv", "tests", "benchmarks"))
    ]


def test_messages_are_found_in_rules_and_on_pages() -> None:
    """`pybabel extract` sees what the program says, in Python and in templates."""
    found = {form for _, forms in messages() for form in forms}
    assert "{player}’s cards are missing." in found
    assert "Keeps score and settles arguments while you play." in found
    assert "{n} card each, none left. {deck} in all." in found


@pytest.mark.parametrize("pattern", NO_LONGER_SAID)
def test_what_sounded_translated_is_gone(pattern: str) -> None:
    """No message uses a phrase that a friend at the table would not."""
    said = [
        (where, form)
        for where, forms in messages()
        for form in forms
        if re.search(pattern, form, re.IGNORECASE)
    ]
    assert said == []


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the program that makes a text."""
    for path in sorted((ROOT / "referee").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            named = node.func if isinstance(node, ast.Call) else None
            if isinstance(named, ast.Name) and named.id in ("say", "say_many"):
                assert isinstance(node, ast.Call)
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_every_text_is_a_literal_with_its_values() -> None:
    """A template is written out where it is said, and names just the values it is given."""
    wrong = []
    for where, call in calls():
        forms = [one.value for one in call.args if isinstance(one, ast.Constant)]
        if len(forms) != len(call.args) or not all(isinstance(form, str) for form in forms):
            wrong.append(f"{where}: the template is not a literal")
            continue
        if any(keyword.arg is None for keyword in call.keywords):  # shared by several: `**values`
            continue
        given = {keyword.arg for keyword in call.keywords}
        named = {name for form in forms for _, name, _, _ in Formatter().parse(str(form)) if name}
        if given - {"n"} != named - {"n"} or not named <= given:
            wrong.append(f"{where}: names {sorted(named)}, is given {sorted(map(str, given))}")
    assert wrong == []

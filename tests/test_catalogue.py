"""The sentences of the program as a translator gets them: all of them, none as it used to be."""

import re
import tomllib
from functools import cache
from pathlib import Path

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


@cache
def messages() -> list[tuple[str, tuple[str, ...]]]:
    """Every message with its forms, and where it stands."""
    found = extract_from_dir(ROOT, METHODS, OPTIONS, KEYWORDS)
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

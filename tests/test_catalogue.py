"""The sentences of the program as a translator gets them: all of them, none as it used to be."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir
from msgspec import Struct

import referee

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
    *(r"'(?!s\b)", r'(?<!=)"(?!>)', r" - ", r"\.\.\.", r"  "),  # what is not set as in print
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


def test_the_same_singular_has_the_same_plural() -> None:
    """A catalogue finds a plural by its singular: two plurals of one would be mixed up."""
    plurals = defaultdict(set)
    for _, (singular, *plural) in messages():
        plurals[singular].add(tuple(plural))
    assert {one: many for one, many in plurals.items() if len(many - {()}) > 1} == {}


# --- how they are made

PACKAGE = Path(referee.__file__).parent
MAKERS = {"say": 1, "say_many": 2}  # how many templates stand first
TABLE = "rules/core/terms.py"  # its values come later; `test_terms` says each


class Call(Struct, frozen=True):
    """Where a text is made, of which templates, with values of which names (None: not told)."""

    where: str
    templates: tuple[str | None, ...]
    values: frozenset[str] | None


def calls() -> Iterator[Call]:
    """Every text that the program makes."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        makers = _imported(tree) & MAKERS.keys()
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(maker)) if maker in makers:
                    yield _call(node, maker, path)


def _imported(tree: ast.Module) -> set[str]:
    """What a module takes from the room of words: others may have a `say` of their own."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "referee.rules.text"
        for alias in node.names
    }


def _call(node: ast.Call, maker: str, path: Path) -> Call:
    where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
    first = node.args[: MAKERS[maker]]
    templates = tuple(
        one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else None
        for one in first
    )
    given = [word.arg for word in node.keywords]
    told = None if None in given else frozenset(filter(None, given))
    return Call(where, templates, told)


CALLS = tuple(calls())


def fields(template: str) -> set[str]:
    """The names in the braces of a template."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_templates_are_literal() -> None:
    """A template that is put together while the program runs is in no catalogue."""
    assert [call.where for call in CALLS if None in call.templates] == []


def test_templates_name_the_values_they_are_given() -> None:
    """No value is missing, and none is given for nothing; a plural need not say its number."""
    wrong = []
    for call in (call for call in CALLS if not call.where.startswith(TABLE)):
        named = set().union(*(fields(template or "") for template in call.templates))
        given = named if call.values is None else set(call.values)
        if named - given or given - named - ({"n"} if len(call.templates) > 1 else set()):
            wrong.append((call.where, sorted(named ^ given)))
    assert wrong == []

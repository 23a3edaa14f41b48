"""The templates of all sentences, read off the source: that a catalogue can hold each of them."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from msgspec import Struct

import referee

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


def test_there_are_sentences() -> None:
    """What follows looks at something."""
    assert len(CALLS) > 300


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


def test_the_same_singular_has_the_same_plural() -> None:
    """A catalogue finds a plural by its singular: two plurals of one would be mixed up."""
    plurals = defaultdict(set)
    for call in CALLS:
        plurals[call.templates[0]].add(call.templates[1:])
    assert {one: many for one, many in plurals.items() if len(many - {()}) > 1} == {}


@pytest.mark.parametrize("mark", ["'", '"', " - ", "...", "  "])
def test_sentences_are_set_as_in_print(mark: str) -> None:
    """Curly quotes and apostrophes, real dashes, single blanks."""
    found = [
        (call.where, template)
        for call in CALLS
        for template in call.templates
        if template and mark in template
    ]
    assert found == []

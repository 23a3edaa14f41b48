"""The messages that translators get are complete, literal and in plain English."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import referee
from tests.catalogs import FILE, messages, read, templates, up_to_date, written

#: Phrases that make a sentence sound translated.
NO_LONGER_SAID = (
    r"\b(the source|if you like|of ours|to look|be it|pool pool|off you go|carries|dresses|pips)\b",
    r"(?<!there) is no (?!longer)",
    r"""'(?!s\b)|(?<!=)"(?!>)| - |\.\.\.|  """,  # typewriter punctuation
)


def test_messages_are_found_in_rules_and_on_pages() -> None:
    """What gathers messages finds them in Python and in templates."""
    found = {form for message in messages() for form in message.forms}
    assert "{player}’s cards are missing." in found
    assert "Keeps score and settles arguments while you play." in found
    assert "{n} card each, none left. {deck} in all." in found


@pytest.mark.parametrize("pattern", NO_LONGER_SAID)
def test_no_message_sounds_translated(pattern: str) -> None:
    """It has no phrase that a friend at the table would not use."""
    said = [
        (message.file, message.line, form)
        for message in messages()
        for form in message.forms
        if re.search(pattern, form, re.IGNORECASE)
    ]
    assert said == []


def test_the_same_singular_has_the_same_plural() -> None:
    """Catalogs look plurals up by the singular, so each singular has one plural."""
    plurals = defaultdict(set)
    for message in messages():
        singular, *plural = message.forms
        plurals[singular].add(tuple(plural))
    assert {one: many for one, many in plurals.items() if len(many - {()}) > 1} == {}


# --- the catalogs of the base and of extras


def test_each_message_is_in_the_catalog_of_the_base_or_of_an_extra() -> None:
    """Not in both; and none of the base is in an extra's."""
    base, *extras = templates().values()
    for one in base:
        assert all(
            file.startswith("templates/") or "/extras/" not in file for file, _ in one.locations
        )
    for extra in extras:
        assert [one.id for one in extra if one.id and one.id in base] == []
    found = {one.id for catalog in templates().values() for one in catalog if one.id}
    assert {one if isinstance(one, str) else one[0] for one in found} == {
        message.forms[0] for message in messages()
    }


def test_gathering_keeps_what_is_translated(tmp_path: Path) -> None:
    """What is no longer said is left out, and no date or number of a line changes for nothing."""
    file = tmp_path / FILE.format(tag="fr")
    file.parent.mkdir(parents=True)
    before = read(file)
    before.add("Scores. Rulings. Records.", "Des points.", locations=[("a.py", 3)])
    before.add("Never said", "Jamais dit")
    file.write_text(written(before), encoding="utf-8")
    content = written(up_to_date(file, next(iter(templates().values()))))
    assert 'msgid "Scores. Rulings. Records."\nmsgstr "Des points."\n' in content
    assert "Jamais" not in content
    assert re.findall(r"#, fuzzy|\d{4}-|\.(?:py|html):\d", content) == []
    assert "nplurals=2; plural=(n > 1);" in content


# --- calls that make texts

PACKAGE = Path(referee.__file__).parent
MAKERS = {"say": 1, "say_many": 2}  # how many leading arguments are templates
TABLE = "rules/core/terms.py"  # its values are added later; `test_terms` checks them


class Call(NamedTuple):
    """A call that makes a text: place, templates, names of values (None: `**some`)."""

    where: str
    templates: list[str | None]
    values: set[str | None]


def calls() -> Iterator[Call]:
    """Every call in the program that makes a text."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        makers = _imported(tree) & MAKERS.keys()
        # `asked(…, of=say("{player}’s hand"))` gets its player when the field is named.
        keywords = (node for node in ast.walk(tree) if isinstance(node, ast.keyword))
        of_a_player = {one.value for one in keywords if one.arg == "of"}
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(maker), args=args, keywords=words) if maker in makers:
                    yield Call(
                        f"{path.relative_to(PACKAGE)}:{node.lineno}",
                        [_literal(one) for one in args[: MAKERS[maker]]],
                        {word.arg for word in words}
                        | ({"player"} if node in of_a_player else set()),
                    )


def _imported(tree: ast.Module) -> set[str]:
    """The names a module imports from `referee.rules.text`; others may define their own `say`."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "referee.rules.text"
        for alias in node.names
    }


def _literal(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


@cache
def all_calls() -> tuple[Call, ...]:
    """Those that `calls` yields, found once, by the worker that runs these tests."""
    return tuple(calls())


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_templates_are_literal() -> None:
    """One built at run time would be in no catalog."""
    assert [call.where for call in all_calls() if None in call.templates] == []


def test_every_text_is_a_message() -> None:
    """`pybabel extract` misses some calls that have others among their arguments."""
    found = {message.forms for message in messages()}
    made = [(call.where, tuple(filter(None, call.templates))) for call in all_calls()]
    assert [(where, forms) for where, forms in made if forms and forms not in found] == []


def test_templates_name_the_values_they_are_given() -> None:
    """Every named value is given and every given value is named, except `n` of a plural."""
    wrong = []
    for call in (call for call in all_calls() if not call.where.startswith(TABLE)):
        named = set().union(*(fields(template or "") for template in call.templates))
        unnamed = call.values - named - ({"n"} if len(call.templates) > 1 else set())
        if None not in call.values and (named - call.values or unnamed):
            wrong.append((call.where, named, call.values))
    assert wrong == []

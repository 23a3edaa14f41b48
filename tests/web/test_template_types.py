"""Every name that a template uses is passed to it, and every attribute exists on its type."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask, render_template_string
from jinja2 import DictLoader, Environment, UndefinedError
from msgspec import Struct

import referee
from referee.rules.core.entries import Entry
from referee.rules.core.game import AnyGame
from referee.web.answers.pages import Shown
from tests.support.template_types import Env, TemplateReader, names_of

REFEREE = Path(referee.__file__).parent
LINE_LENGTH = 140


def every_page(kind: type[Shown] = Shown) -> Iterator[type[Shown]]:
    """The structs of all pages."""
    yield from [kind] if kind.templates else []
    for derived in kind.__subclasses__():
        yield from every_page(derived)


def beside(app: Flask) -> Env:
    """The names that every template has, from the app."""
    with app.test_request_context("/"):
        names: dict[str, Any] = {}
        app.update_template_context(names)
    return {name: type(value) for name, value in names.items()} | {"themes": tuple[Any, ...]}


def test_pages_have_what_their_templates_name(app: Flask) -> None:
    """All pages, with included templates and macros, of games and extras too."""
    reader = TemplateReader(app.jinja_env, beside(app))
    for page in every_page():
        for template in page.templates:
            reader.read(template, names_of(page))
    assert not reader.faults, "\n".join(reader.faults)


def test_every_page_is_rendered_from_a_struct() -> None:
    """Nothing but `render` calls Flask's `render_template`."""
    by_names = {
        path.relative_to(REFEREE).as_posix()
        for path in REFEREE.rglob("*.py")
        if "render_template(" in path.read_text(encoding="utf-8")
    }
    assert by_names == {"web/answers/pages.py"}


def test_lines_of_templates_fit_beside_each_other() -> None:
    """None has more than 140 characters."""
    templates = [*REFEREE.parent.glob("templates/**/*.html"), *REFEREE.glob("extras/**/*.html")]
    long = [
        f"{path.relative_to(REFEREE.parent)}:{number}"
        for path in templates
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LINE_LENGTH
    ]
    assert templates
    assert not long


def test_templates_get_the_longest_text_of_a_field_from_python() -> None:
    """By a name such as `NAME_LENGTH`, not as a number: each limit is written in one place."""
    number = re.compile(r'maxlength="\d|_hash\[:\d')
    templates = [*REFEREE.parent.glob("templates/**/*.html"), *REFEREE.glob("extras/**/*.html")]
    assert not [path.name for path in templates if number.search(path.read_text(encoding="utf-8"))]


def test_an_undefined_name_is_an_error(app: Flask) -> None:
    """The page fails instead of showing nothing."""
    with app.test_request_context("/"), pytest.raises(UndefinedError, match="bikes"):
        render_template_string("{{ bikes }}")


# --- what the reader finds, and what it accepts


class Wheel(Struct, frozen=True):
    """A part of a part."""

    spokes: int


class Bike(Struct, frozen=True):
    """A part with parts of its own."""

    wheels: tuple[Wheel, ...]
    front: Wheel | None
    by_name: dict[str, Wheel]

    def spare(self) -> Wheel:
        """One more."""
        return Wheel(1)


class Sounding(Protocol):
    """What a page knows of a part that somebody adds."""

    @property
    def volume(self) -> int: ...


class Horn(Struct, frozen=True):
    """Such a part, which has more."""

    volume: int
    rubber: Wheel


class Owner(Shown, frozen=True):
    """A value beside it."""

    owner: str


class Ride(Shown, frozen=True):
    """A page with a part whose names are available beside its own."""

    bike: Bike
    whose: Owner
    length: float
    game: AnyGame
    entry: Entry
    form: dict[str, str]
    sounding: Sounding | None


def found(template: str, **pieces: str) -> list[str]:
    """What is wrong with a template of the page `Ride`."""
    environment = Environment(
        loader=DictLoader({"page": template, **pieces}), extensions=["jinja2.ext.i18n"]
    )
    environment.install_null_translations()  # type: ignore[attr-defined]  # the extension's
    environment.globals["places"] = lambda _place: list(pieces)
    reader = TemplateReader(environment)
    reader.read("page", names_of(Ride))
    return list(reader.faults)


@pytest.mark.parametrize(
    "template",
    [
        "{{ bike.wheels[0].spokes }} {{ bike.front.spokes }} {{ owner.upper() }}",
        "{% for one in bike.wheels %}{{ loop.index }}{{ one.spokes }}{% endfor %}",
        "{% for name, one in bike.by_name.items() %}{{ name.upper() }}{{ one.spokes }}{% endfor %}",
        "{{ bike.wheels | map(attribute='spokes') | sum }} {{ (bike.wheels | first).spokes }}",
        "{{ tone | default('') }}{% if tone is defined %}{% endif %}",
        "{% macro m(one, more='') %}{{ one.spokes }}{{ caller() }}{% endmacro %}"
        "{% call m(bike.front) %}{{ owner }}{% endcall %}",
        "{{ length | round | string }}",
        "{{ bike.wheels and bike.wheels[0] }}{% if owner.partition(' ')[0] %}{% endif %}",
        "{{ form.anything.upper() }} {{ form.get('it').upper() }}",
    ],
)
def test_a_correct_template_has_no_faults(template: str) -> None:
    """Fields, methods, loops, filters, macros, and names tested before they are used."""
    assert not found(template)


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{{ bikes }}", "nothing is called bikes"),
        ("{{ bike.bell }}", "Bike has no bell"),
        ("{{ bike.front.spoke }}", "Wheel has no spoke"),
        ("{{ bike.wheels[0].spoke }}", "Wheel has no spoke"),
        ("{{ bike.spare().spoke }}", "Wheel has no spoke"),
        ("{{ bike.by_name.anything.spoke }}", "Wheel has no spoke"),
        ("{% for one in bike.wheels[1:] %}{{ one.spoke }}{% endfor %}", "Wheel has no spoke"),
        (
            "{% for _, one in bike.by_name.items() %}{{ one.spoke }}{% endfor %}",
            "Wheel has no spoke",
        ),
        ("{% set one = bike.front or bike.spare() %}{{ one.spoke }}", "Wheel has no spoke"),
        ("{{ bike.wheels | map(attribute='spoke') | list }}", "Wheel has no spoke"),
        ("{{ bike.wheels | selectattr('spoke') | list }}", "Wheel has no spoke"),
        ("{{ (bike.wheels | sort(attribute='spokes') | last).spoke }}", "Wheel has no spoke"),
        ("{{ {bike.front.spoke: owner} }}", "Wheel has no spoke"),
        ("{{ owner.uper() }}", "str has no uper"),
        ("{% trans n=bike.front.spoke %}{{ n }}{% endtrans %}", "Wheel has no spoke"),
        (
            "{% macro m(one) %}{{ one.spoke }}{% endmacro %}{{ m(bike.front) }}",
            "Wheel has no spoke",
        ),
        ("{% macro m(one='') %}{% endmacro %}{{ m(ones=owner) }}", "m has no ones"),
        ("{% macro m(one) %}{% endmacro %}{{ m() }}", "m is not given one"),
        (
            "{% macro m() %}{{ caller(bike.front) }}{% endmacro %}"
            "{% call(one) m() %}{{ one.spoke }}{% endcall %}",
            "Wheel has no spoke",
        ),
        ("{% for one in bike.wheels %}{{ loop.indx }}{% endfor %}", "LoopContext has no indx"),
        ("{{ game.sluq }}", "Game has no sluq"),
        (
            "{% if bike.wheels | first %}{% endif %}",
            "the first of an empty list is an error: test the list",
        ),
        (
            "{{ (bike.wheels | last) or owner }}",
            "the last of an empty list is an error: test the list",
        ),
        (
            "{{ owner if not bike.wheels[0] }}",
            "an index beyond the list is an error: test the list",
        ),
        ("{{ length }}", "a number needs a filter to be written as the language does"),
    ],
)
def test_a_missing_name_or_attribute_is_found(template: str, says: str) -> None:
    """With its line, the attribute and the type."""
    assert found(template) == [f"page:1: {says}"]


def test_included_templates_are_read_with_the_names_around_them() -> None:
    """Also imported and extended ones; those of a game with its own types."""
    assert found(
        "{% include 'piece' %}{% import 'macros' as m %}{{ m.round(bike) }}{{ m.square(bike) }}",
        piece="\n{{ bike.bell }}",
        macros="{% macro round(of) %}{{ of.front.spoke }}{% endmacro %}",
    ) == [
        "piece:2: Bike has no bell",
        "macros:1: Wheel has no spoke",
        "page:1: the template has no square",
    ]
    line = "{{ entry.player }} {{ entry.red_nine }} {{ entry.playr }}"
    of_games = {f"games/{slug}/line.html": line for slug in ("pink-nines", "plain-score")}
    wrong = found("{% include 'games/' ~ game.slug ~ '/line.html' %}", **of_games)
    assert [(one.partition("/line")[0], one.rpartition(" ")[2]) for one in wrong] == [
        ("games/pink-nines", "playr"),
        ("games/plain-score", "red_nine"),
        ("games/plain-score", "playr"),
    ]


def test_templates_of_extras_are_read_with_their_own_types() -> None:
    """The page itself knows only a protocol."""
    says = "{{ sounding.volume }}{{ sounding.rubber.spokes }}{{ sounding.rubber.spoke }}"
    places = "{% for name in places('below') %}{% include name %}{% endfor %}"
    assert found(places, piece=says) == ["piece:1: Wheel has no spoke"]
    assert found(places, piece="{{ sounding.ruber }}") == ["piece:1: Horn has no ruber"]
    assert found("{{ sounding.volume }}{{ sounding.rubber }}") == ["page:1: Sounding has no rubber"]

"""Sentences in English, and in a language whose catalog is made for it."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

from referee.rules.language import Language, language, speaking, spoken
from referee.rules.text import (
    NOTHING,
    Percent,
    Signed,
    Sum,
    Text,
    Value,
    listed,
    number,
    say,
    say_many,
    say_number,
    signed,
    typed,
    without_marks,
)
from tests.support.small_catalogs import GERMAN, HEADER, POLISH, catalog

CARD = say_many("{n} card", "{n} cards", n=1)


@pytest.fixture
def german(tmp_path: Path) -> Language:
    """German, with the messages of `GERMAN`."""
    catalog(tmp_path, "de", GERMAN)
    return language("de", tmp_path)


@pytest.fixture
def in_german(german: Language) -> Iterator[None]:
    """German is spoken."""
    with speaking(german):
        yield


# --- templates and values


def test_values_are_where_the_template_names_them() -> None:
    """Names, numbers and other texts, in whatever order they were given."""
    text = say(
        "{player} holds {cards}.", cards=say_many("{n} card", "{n} cards", n=3), player="Ann"
    )
    assert str(text) == f"{text}" == "Ann holds 3 cards."


@pytest.mark.parametrize("name", ["{0}", "{player.__class__}", "{", "}}", "%s", "%(n)s"])
def test_braces_in_a_value_are_only_braces(name: str) -> None:
    """A player’s name is never read as a template."""
    assert str(say("{player} begins.", player=name)) == f"{name} begins."
    assert str(typed(name)) == name
    assert str(say("{text} again", text=typed(name))) == f"{name} again"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (say("the {rank} of {suit}", rank=say("king"), suit="clubs"), "The king of clubs"),
        ("a king", "A king"),
        (listed(["ann", "ben"]), "Ann and ben"),
        ("9", "9"),
        ("♠", "♠"),
        ("", ""),
    ],
)
def test_a_value_can_be_capitalized(value: Text | str, said: str) -> None:
    """Only its first letter changes; one without capitals stays as it is."""
    assert str(say("{card:C} wins.", card=value)) == f"{said} wins."


# --- plurals, lists, numbers


@pytest.mark.parametrize(
    ("n", "said"),
    [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (-1, "−1 cards"), (1250, "1,250 cards")],
)
def test_plurals(n: int, said: str) -> None:
    """One is singular; zero, negative and larger numbers are plural."""
    assert str(say_many("{n} card", "{n} cards", n=n)) == said


@pytest.mark.parametrize(
    ("names", "all_of_them", "any_of_them"),
    [
        ([], "", ""),
        (["Ann"], "Ann", "Ann"),
        (["Ann", "Ben"], "Ann and Ben", "Ann or Ben"),
        (["Ann", CARD, -3], "Ann, 1 card, and −3", "Ann, 1 card, or −3"),
    ],
)
def test_lists(names: list[Value], all_of_them: str, any_of_them: str) -> None:
    """With a comma before the last, and "and" or "or"."""
    assert str(listed(names)) == all_of_them
    assert str(say("{names}", names=listed(names, "or"))) == any_of_them


@pytest.mark.parametrize(
    ("value", "said", "change"),
    [
        (0, "0", "0"),
        (999, "999", "+999"),
        (-999, "−999", "−999"),
        (1000, "1,000", "+1,000"),
        (-1250, "−1,250", "−1,250"),
        (1234567, "1,234,567", "+1,234,567"),
        (-(10**30), f"−1{'0' * 30}", f"−1{'0' * 30}"),
    ],
)
def test_numbers(value: int, said: str, change: str) -> None:
    """A real minus sign, and commas from a thousand on; no number is too large."""
    assert number(value) == str(say_number(value)) == str(say("{n}", n=value)) == said
    assert signed(value) == change


# --- another language


@pytest.mark.usefixtures("in_german")
def test_a_translation_may_reorder_values() -> None:
    """Values that are texts are translated, too."""
    cards = say_many("{n} card", "{n} cards", n=3)
    assert str(say("{player} holds {cards}.", player="Ann", cards=cards)) == "3 Karten hat Ann."
    assert str(say("{card:C} wins.", card=say("the king"))) == "Es gewinnt der König."


@pytest.mark.usefixtures("in_german")
def test_missing_messages_are_shown_in_english() -> None:
    """A half-translated program still makes sense."""
    assert str(say("{player} begins.", player="Ann")) == "Ann begins."
    assert str(say_many("{n} trick", "{n} tricks", n=1)) == "1 trick"
    assert str(say_many("{n} trick", "{n} tricks", n=2)) == "2 tricks"
    mixed = say(
        "{player} gives {cards}.", player="Ann", cards=say_many("{n} card", "{n} cards", n=2)
    )
    assert str(mixed) == "Ann gives 2 Karten."


@pytest.mark.usefixtures("in_german")
def test_an_empty_text_never_shows_the_header_of_a_catalog() -> None:
    """A catalog keeps its own metadata under the empty message."""
    assert HEADER in spoken().catalog.gettext("")
    assert str(NOTHING) == str(say("")) == str(typed("")) == ""
    assert str(say("{a}{b}", a=NOTHING, b="b")) == "b"


@pytest.mark.usefixtures("in_german")
def test_user_input_is_never_translated() -> None:
    """A player may be called like a template."""
    assert str(typed("the king")) == "the king"
    assert str(say("{player} begins.", player="the king")) == "the king begins."


@pytest.mark.parametrize(("n", "said"), [(1, "1 karta"), (3, "3 karty"), (5, "5 kart")])
def test_a_language_has_the_plurals_it_needs(tmp_path: Path, n: int, said: str) -> None:
    """As many forms as its catalog says, not two as in English."""
    catalog(tmp_path, "pl", POLISH)
    with speaking(language("pl", tmp_path)):
        assert str(say_many("{n} card", "{n} cards", n=n)) == said


@pytest.mark.parametrize(
    ("tag", "said"),
    [("en", "84.1%"), ("de", "84,1\u00a0%"), ("es", "84,1\u00a0%"), ("pl", "84,1%")],
)
def test_a_percentage_is_written_as_in_its_language(tag: str, said: str) -> None:
    """With a space before its sign where that is the custom, and with one decimal."""
    with speaking(language(tag)):
        assert str(Percent(Fraction(37, 44))) == said


def test_a_text_is_put_into_words_when_shown(german: Language) -> None:
    """The same text is German inside the block, and English after it."""
    text = say_many("{n} card", "{n} cards", n=2)
    assert str(text) == "2 cards"
    with speaking(german):
        assert str(text) == "2 Karten"
        with speaking(language()):
            assert str(text) == "2 cards"
        assert str(text) == "2 Karten"
    assert str(text) == "2 cards"
    assert spoken() is language()


# --- languages that are written to the left


@pytest.fixture
def in_hebrew(tmp_path: Path) -> Iterator[None]:
    """Hebrew is spoken, in which a sentence begins with what is seen at its right."""
    catalog(tmp_path, "he", {"{player} pays {n}.": "{player}: {n}.", "three": "שלוש"})
    with speaking(language("he", tmp_path)):
        yield


@pytest.mark.usefixtures("in_hebrew")
def test_a_name_keeps_its_own_direction() -> None:
    """So the figure after it does not change its side."""
    assert str(say("{player} pays {n}.", player="Ann", n=8)) == "\u2068Ann\u2069: 8."
    assert str(listed(["Ann", "Ben"])).count("\u2068") == 2


@pytest.mark.usefixtures("in_hebrew")
def test_a_sign_stays_at_the_left_of_its_number() -> None:
    """Elsewhere it would be behind it, or turn round what stands between two such numbers."""
    assert (number(-3), signed(3), signed(-3)) == (
        "\u2068−3\u2069",
        "\u2068+3\u2069",
        "\u2068−3\u2069",
    )
    assert (number(3), number(-1250), signed(0)) == ("3", "\u2068−1,250\u2069", "0")
    assert str(Sum((25, 9), 2)) == "\u2068(25 + 9) × 2\u2069"


@pytest.mark.usefixtures("in_hebrew")
def test_a_change_is_a_value_with_its_sign() -> None:
    """Its mark of direction is no invisible character that somebody typed."""
    assert str(say("{player}: {change}", player="Ann", change=Signed(11))) == (
        "\u2068Ann\u2069: \u2068+11\u2069"
    )


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (say("×{n}", n=2), "\u2068×2\u2069"),
        (say("{sum} = {points}", sum="8 + 1", points=9), "\u2068\u20688 + 1\u2069 = 9\u2069"),
        (say("{first} − {second}", first=12, second=say("three")), "12 − שלוש"),
        (say("{words}: {sum}", words=say("three"), sum=8), "שלוש: 8"),
    ],
)
@pytest.mark.usefixtures("in_hebrew")
def test_a_formula_is_read_from_the_left_unless_it_has_words(formula: Text, said: str) -> None:
    """With words in it, it is a part of the sentence."""
    assert str(formula) == said


def test_languages_written_to_the_right_need_no_marks(german: Language) -> None:
    """Nor does a terminal show any."""
    with speaking(german):
        assert (number(-3), str(say("{player}.", player="Ann"))) == ("−3", "Ann.")


@pytest.mark.usefixtures("in_hebrew")
def test_a_terminal_shows_no_marks() -> None:
    """It would show them as signs; translations may have one more."""
    assert without_marks("\u200e+2\u200f, \u200e−1") == "+2, −1"
    assert without_marks(str(say("{player} pays {n}.", player="Ann", n=-8))) == "Ann: −8."


@pytest.mark.parametrize(
    ("tag", "items", "style", "says"),
    [
        ("es", ["Ann", "Ben"], "standard", "Ann y Ben"),
        ("es", ["Ann", "Ilse"], "standard", "Ann e Ilse"),
        ("es", ["Ann", "Ben", "Hilda"], "standard", "Ann, Ben e Hilda"),
        ("es", ["Ann", "hielo"], "standard", "Ann y hielo"),
        ("es", ["Ilse", "Ann"], "standard", "Ilse y Ann"),
        ("es", ["Ida y Iván"], "standard", "Ida y Iván"),
        ("es", [], "standard", ""),
        ("es", ["Ann", "Oto"], "or", "Ann u Oto"),
        ("es", ["Oto", "Ann"], "or", "Oto o Ann"),
        ("es", ["Ana", "Íñigo"], "standard", "Ana e Íñigo"),
        ("es", ["7", "8"], "or", "7 u 8"),
        ("es", ["10", "11"], "or", "10 u 11"),
        ("he", ["Ann", "Ilse"], "standard", "Ann ו־Ilse"),
        ("he", ["Ann", "דנה"], "standard", "Ann ודנה"),
        ("he", [180, 280], "standard", "180 ו־280"),
        ("he", [180, -3], "standard", "180 ו־−3"),
        ("he", [typed("Ann"), typed("דנה")], "standard", "Ann ודנה"),
    ],
)
def test_a_list_ends_as_its_language_says_it(
    tmp_path: Path, tag: str, items: list[Value], style: Literal["standard", "or"], says: str
) -> None:
    """Spanish has "e" before an i and "u" before an o; Hebrew a hyphen before other letters."""
    with speaking(language(tag, tmp_path)):
        assert without_marks(str(listed(items, style))) == says

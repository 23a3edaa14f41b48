"""Which languages there are, and how their catalogs are found and read."""

from pathlib import Path

import pytest
from babel import UnknownLocaleError

from referee.rules.language import has_catalog, language, languages, speaking
from referee.rules.text import say, say_many
from tests.support.small_catalogs import GERMAN, POLISH, catalog


def test_languages_with_and_without_a_catalog(tmp_path: Path) -> None:
    """English needs none, as it is written in the program."""
    catalog(tmp_path, "de", GERMAN)
    assert has_catalog(language("de", tmp_path))
    assert has_catalog(language("en-GB", tmp_path))
    assert not has_catalog(language("fr", tmp_path))


def test_a_catalog_is_read_as_translators_write_it(tmp_path: Path) -> None:
    """So their changes are shown at once, in a checkout."""
    catalog(tmp_path, "pl", POLISH, compiled=False)
    assert languages(tmp_path) == ("en", "pl")
    with speaking(language("pl", tmp_path)):
        assert str(say_many("{n} card", "{n} cards", n=5)) == "5 kart"
        assert str(say_many("{n} trick", "{n} tricks", n=5)) == "5 tricks"


def test_catalogs_complete_one_another(tmp_path: Path) -> None:
    """The first says which languages there are."""
    base, extra = tmp_path / "base", tmp_path / "extra"
    catalog(base, "de", {"the king": "der König", "the ace": "das Ass"})
    catalog(extra, "de", {"the ace": "die Eins", "the knave": "der Bube"})
    catalog(extra, "fr", {"the king": "le roi"})
    assert languages(base, extra) == ("en", "de")
    with speaking(language("de", base, extra)):
        said = [str(say("the king")), str(say("the ace")), str(say("the knave")), str(say("no"))]
    assert said == ["der König", "das Ass", "der Bube", "no"]


def test_a_region_falls_back_to_its_language(tmp_path: Path) -> None:
    """Austrian German is German unless it has its own catalog."""
    catalog(tmp_path, "de", GERMAN)
    with speaking(language("de_AT", tmp_path)):
        assert str(say_many("{n} card", "{n} cards", n=2)) == "2 Karten"


def test_numbers_that_stand_for_their_plural_forms() -> None:
    """The least of each, by the name that browsers have for the form."""
    assert language("en").plural_examples == {"other": 0, "one": 1}
    assert language("pl").plural_examples == {"many": 0, "one": 1, "few": 2}
    assert language("fr").plural_examples == {"one": 0, "other": 2}


def test_unknown_language_tags() -> None:
    """Well-formed or not, they raise an error."""
    with pytest.raises(UnknownLocaleError):
        language("xx")
    with pytest.raises(ValueError, match="expected only letters"):
        language("../de")


def test_languages_are_those_with_a_catalog(tmp_path: Path) -> None:
    """And English, which comes first."""
    catalog(tmp_path, "de", GERMAN)
    catalog(tmp_path, "pt_BR", {})
    assert languages(tmp_path) == ("en", "de", "pt-BR")
    assert [language(tag, tmp_path).name for tag in languages(tmp_path)] == [
        "English",
        "Deutsch",
        "Português (Brasil)",
    ]
    assert [language(tag, tmp_path).tag for tag in languages(tmp_path)] == ["en", "de", "pt-BR"]

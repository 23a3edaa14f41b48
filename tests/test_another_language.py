"""A house that speaks German: one setting, and all that people read is said in it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask import Flask

from referee.rules import text
from referee.rules.text import say
from referee.settings import Settings, SettingsError, load
from referee.web.app import create_app
from tests.support.command_line import SHEET, as_line, one_error, run

GERMAN = {
    "Keeps score and settles arguments while you play.": "Zählt mit und schlichtet.",
    "Nothing here": "Hier ist nichts",
    "There’s no such game here.": "Dieses Spiel gibt es hier nicht.",
    "No": "Nein",
    "{answer}.": "{answer}.",
    "Name the sheet to export. `referee export` lists them.": "Welches Blatt?",
}


@pytest.fixture(autouse=True)
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program comes with a German catalogue, as far as `GERMAN` goes."""
    folder = tmp_path / "locale"
    compile_catalogue(folder, "de", GERMAN)
    monkeypatch.setattr(text, "CATALOGUES", folder)


def compile_catalogue(folder: Path, tag: str, messages: Mapping[str, str]) -> None:
    """Write what `pybabel compile` would."""
    made = Catalog(tag)
    for template, translated in messages.items():
        made.add(template, translated)
    place = folder / tag / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "referee.mo").open("wb") as file:
        write_mo(file, made)


@pytest.fixture
def german_app(tmp_path: Path) -> Flask:
    """An app whose settings name German."""
    return create_app(load({"instance": tmp_path}, {"REFEREE_LANGUAGE": "de"}))


def test_pages_speak_it(german_app: Flask) -> None:
    """Templates, sentences of the program and pages for what went wrong; the rest is English."""
    client = german_app.test_client()
    home = client.get("/").text
    assert '<html lang="de"' in home
    assert "Zählt mit und schlichtet." in home
    assert "New game" in home
    lost = client.get("/rules/poker").text
    assert "Hier ist nichts" in lost
    assert "Dieses Spiel gibt es hier nicht." in lost


def test_another_app_speaks_its_own(german_app: Flask, tmp_path: Path) -> None:
    """A language lasts as long as an answer, and English is spoken around it."""
    english = create_app(Settings(instance=tmp_path)).test_client()
    assert "Hier ist nichts" in german_app.test_client().get("/nowhere").text
    assert "Nothing here" in english.get("/nowhere").text
    assert str(say("No")) == "No"


def test_a_region_is_named_as_html_names_it(tmp_path: Path) -> None:
    """Austria has no catalogue of its own, and speaks that of Germany."""
    client = create_app(Settings(instance=tmp_path, language="de_AT")).test_client()
    assert '<html lang="de-AT"' in client.get("/").text


def test_a_ruling_on_the_command_line_speaks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the environment; the exit code says the same in every language."""
    asked = "check", "red-nines", "run", "cards=7 9"
    assert run(*asked).stdout.startswith("No.")
    monkeypatch.setenv("REFEREE_LANGUAGE", "de")
    answer = run(*asked)
    assert (answer.exit_code, answer.stdout.splitlines()[0]) == (1, "Nein.")


def test_a_command_with_a_score_book_speaks_what_is_set_beside_it(tmp_path: Path) -> None:
    """By the settings file in the instance folder."""
    (tmp_path / "referee.toml").write_text('language = "de"\n', encoding="utf-8")
    assert one_error(run("export", "--csv", "--instance", str(tmp_path))) == "Welches Blatt?"


@pytest.mark.parametrize(
    ("tag", "says"),
    [
        ("xx", "There’s no language “xx”. Name one as in “en” or “pt-BR”."),
        ("../de", "There’s no language “../de”. Name one as in “en” or “pt-BR”."),
        ("fr", "Referee doesn’t speak “fr”: it has no catalog."),
    ],
)
def test_what_cannot_be_spoken_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tag: str, says: str
) -> None:
    """Nothing is served or ruled on half in another language."""
    with pytest.raises(SettingsError) as refused:
        load({"instance": tmp_path}, {"REFEREE_LANGUAGE": tag})
    assert str(refused.value) == says
    monkeypatch.setenv("REFEREE_LANGUAGE", tag)
    for command in (("check", "multiple-9"), ("score", "-")):
        answer = run(*command, given=as_line(SHEET))
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert answer.stderr == f"Error: {says}\n"


@pytest.mark.parametrize("content", [b"no catalogue", b"\xde\x12\x04\x95"], ids=["other", "cut"])
def test_a_broken_catalogue_is_told(tmp_path: Path, content: bytes) -> None:
    """A file that is no catalogue, or only the beginning of one."""
    place = text.CATALOGUES / "nl" / "LC_MESSAGES" / "referee.mo"
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    with pytest.raises(SettingsError, match=r"^The catalog for “nl” can’t be read: "):
        load({"instance": tmp_path}, {"REFEREE_LANGUAGE": "nl"})


def test_english_needs_no_catalogue(tmp_path: Path) -> None:
    """Nor does the English of another country, with its own dates."""
    assert load({"instance": tmp_path, "language": "en-GB"}, {}).language == "en-GB"

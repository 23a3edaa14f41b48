"""One setting translates all text that people read; here to German."""

from pathlib import Path

import pytest
from flask import Flask

from referee.rules import language
from referee.rules.text import say
from referee.settings import Settings, SettingsError, load
from referee.web.app import create_app
from tests.support.command_line import SHEET, as_line, one_error, run
from tests.support.small_catalogs import Messages, catalog

GERMAN: Messages = {
    "Scores. Rulings. Records.": "Zählt mit und schlichtet.",
    "Nothing here": "Hier ist nichts",
    "There’s no such game here.": "Dieses Spiel gibt es hier nicht.",
    "No": "Nein",
    "{answer}.": "{answer}.",
    (
        "{game}: deal {deal}, {dealer} deals, {n} entry so far",
        "{game}: deal {deal}, {dealer} deals, {n} entries so far",
    ): ("{game}: Spiel {deal}", "{game}: Spiel {deal}"),
    "Name the sheet to export. `referee export` lists them.": "Welches Blatt?",
}


@pytest.fixture(autouse=True)
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A German catalog with the messages of `GERMAN`."""
    catalog(tmp_path / "locale", "de", GERMAN)
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "locale",))


@pytest.fixture
def german_app(tmp_path: Path) -> Flask:
    return create_app(load({"instance": tmp_path}, {"REFEREE_LANGUAGE": "de"}))


def test_pages_are_translated(german_app: Flask) -> None:
    """Templates, sentences and error pages; messages without a translation stay English."""
    client = german_app.test_client()
    home = client.get("/").text
    assert '<html lang="de"' in home
    assert "Zählt mit und schlichtet." in home
    assert "New game" in home
    lost = client.get("/rules/poker").text
    assert "Hier ist nichts" in lost
    assert "Dieses Spiel gibt es hier nicht." in lost


def test_each_app_has_its_own_language(german_app: Flask, tmp_path: Path) -> None:
    """It applies only while that app answers; elsewhere text is English."""
    english = create_app(Settings(instance=tmp_path)).test_client()
    assert "Hier ist nichts" in german_app.test_client().get("/nowhere").text
    assert "Nothing here" in english.get("/nowhere").text
    assert str(say("No")) == "No"


def test_a_region_uses_the_catalog_of_its_language(tmp_path: Path) -> None:
    """`de_AT` uses `de`, and the page's `lang` is “de-AT”."""
    client = create_app(Settings(instance=tmp_path, language="de_AT")).test_client()
    assert '<html lang="de-AT"' in client.get("/").text


def test_a_ruling_on_the_command_line_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """`REFEREE_LANGUAGE` translates the output; the exit code stays the same."""
    asked = "check", "red-nines", "run", "cards=7 9"
    assert run(*asked).stdout.startswith("No.")
    monkeypatch.setenv("REFEREE_LANGUAGE", "de")
    answer = run(*asked)
    assert (answer.exit_code, answer.stdout.splitlines()[0]) == (1, "Nein.")


def test_the_settings_beside_a_book_set_a_commands_language(tmp_path: Path) -> None:
    """The settings file in the instance folder sets the language of a command."""
    (tmp_path / "referee.toml").write_text('language = "de"\n', encoding="utf-8")
    assert one_error(run("export", "--csv", "--instance", str(tmp_path))) == "Welches Blatt?"


@pytest.mark.parametrize("asked", [("check", "red-nines", "run", "cards=7 9"), ("score", "-")])
def test_each_command_takes_a_language(
    asked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which goes before that of the environment, as that does before the terminal’s."""
    german, english = (
        run(*asked, "--language", tag, given=as_line(SHEET)).stdout for tag in ("de", "en")
    )
    assert german != english
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")  # as Python sets it where the system lacks German
    assert run(*asked, given=as_line(SHEET)).stdout == german
    monkeypatch.setenv("REFEREE_LANGUAGE", "en")
    assert run(*asked, given=as_line(SHEET)).stdout == english


@pytest.mark.parametrize("variable", ["LC_ALL", "LC_MESSAGES", "LANG"])
@pytest.mark.parametrize("terminals", ["C", "en_US.UTF-8", "sv_SE", "POSIX", "%%%", ""])
def test_a_terminal_without_a_language_we_have_gets_english(
    variable: str, terminals: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is set there."""
    monkeypatch.setenv(variable, terminals)
    assert run("check", "red-nines", "run", "cards=7 9").stdout.startswith("No.")


@pytest.mark.parametrize(
    ("environment", "answer"),
    [
        ({"LANG": "pt_PT.UTF-8"}, "Não."),  # there is Brazilian Portuguese
        ({"LANG": "de_AT", "LANGUAGE": "sv:pt_PT:de"}, "Não."),
        ({"LANG": "de_AT", "LANGUAGE": "en:de"}, "No."),
        ({"LANG": "de_AT", "LANGUAGE": "sv"}, "No."),
        ({"LANG": "de_AT", "LANGUAGE": "C:de"}, "No."),
        ({"LANG": "de_AT", "LANGUAGE": ""}, "Nein."),
        ({"LANG": "de_AT", "LC_ALL": "C"}, "No."),
        ({"LANG": "de_AT", "LC_ALL": "C.UTF-8", "LANGUAGE": "de"}, "No."),
        ({"LANG": "de_AT", "LC_ALL": "POSIX", "LANGUAGE": "de"}, "No."),
        ({"LANGUAGE": "de"}, "No."),
    ],
)
def test_a_terminal_asks_for_languages_as_gettext_has_it(
    environment: dict[str, str], answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a list before its locale, which may name another region, or say that it wants none."""
    catalog(tmp_path / "locale", "pt_BR", {"No": "Não", "{answer}.": "{answer}."})
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(variable, environment.get(variable, ""))
    asked = run("check", "red-nines", "run", "cards=7 9")
    assert asked.stdout.splitlines()[0] == answer


@pytest.mark.parametrize("asked", [("check", "red-nines", "run", "cards=7 9"), ("score", "-")])
def test_what_programs_read_is_the_same_in_every_language(asked: tuple[str, ...]) -> None:
    """JSON, with its sentences in English."""
    german, english = (
        run(*asked, "--json", "--language", tag, given=as_line(SHEET)).stdout
        for tag in ("de", "en")
    )
    assert german == english


@pytest.mark.parametrize(
    ("tag", "says"),
    [
        ("xx", "There’s no language “xx”. Name one as in “en” or “pt-BR”."),
        ("../de", "There’s no language “../de”. Name one as in “en” or “pt-BR”."),
        ("fr", "Referee doesn’t speak “fr”: it has no catalog."),
    ],
)
def test_an_unknown_language_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tag: str, says: str
) -> None:
    """By settings and commands."""
    with pytest.raises(SettingsError) as refused:
        load({"instance": tmp_path}, {"REFEREE_LANGUAGE": tag})
    assert str(refused.value) == says
    monkeypatch.setenv("REFEREE_LANGUAGE", tag)
    for command in (("check", "multiple-9"), ("score", "-")):
        answer = run(*command, given=as_line(SHEET))
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert answer.stderr == f"Error: {says}\n"


@pytest.mark.parametrize("content", [b"no catalog", b"\xde\x12\x04\x95"], ids=["other", "cut"])
def test_a_broken_catalog_is_refused(tmp_path: Path, content: bytes) -> None:
    """One that is no catalog, or is truncated."""
    place = language.CATALOGS[0] / "nl" / "LC_MESSAGES" / "referee.mo"
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    with pytest.raises(SettingsError, match=r"^The catalog for “nl” can’t be read: "):
        load({"instance": tmp_path}, {"REFEREE_LANGUAGE": "nl"})

"""Each phone has its own language: the one its browser asks for, or the one chosen on it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from referee.rules import language
from referee.settings import Settings
from referee.sheets import book
from referee.web.app import create_app
from tests.support.phone import PARTIAL, Phone, begin
from tests.support.small_catalogs import Messages, catalog

GERMAN: Messages = {
    "Scores. Rulings. Records.": "Zählt mit und schlichtet.",
    "Record deal {number}": "Spiel {number} eintragen",
    "Details": "Einzelheiten",
    "Language": "Sprache",
    "Translated with care by machine. Tell us what sounds wrong.": "Von einer Maschine.",
}
HEBREW: Messages = {"Scores. Rulings. Records.": "ניקוד והכרעות."}
IN_GERMAN, IN_HEBREW = "Zählt mit und schlichtet.", "ניקוד והכרעות."
IN_ENGLISH = "Scores. Rulings. Records."
SPEAKS = "Accept-Language"
MOMENT = datetime(2020, 2, 29, 20, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def catalogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """German and Hebrew, with a few messages each."""
    catalog(tmp_path / "locale", "de", GERMAN)
    catalog(tmp_path / "locale", "he", HEBREW)
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "locale",))


@pytest.mark.parametrize(
    ("asks", "says"),
    [
        ("", IN_ENGLISH),
        ("de", IN_GERMAN),
        ("de-AT,de;q=0.9,en;q=0.5", IN_GERMAN),
        ("en-US,en;q=0.9,de;q=0.8", IN_ENGLISH),
        ("en-GB,de;q=0.9", IN_ENGLISH),
        ("de-AT,en;q=0.5", IN_GERMAN),
        ("de;q=0.4,en-US;q=0.5", IN_ENGLISH),
        ("de;q=0,he", IN_HEBREW),
        ("DE-at", IN_GERMAN),
        ("sv,he;q=0.5", IN_HEBREW),
        ("iw-IL,en;q=0.5", IN_HEBREW),
        ("sv,fi;q=0.5", IN_ENGLISH),
        ("*", IN_ENGLISH),
        ("de;q=zero,%%%", IN_ENGLISH),
    ],
)
def test_a_phone_gets_the_first_language_it_asks_for_that_there_is(
    client: FlaskClient, asks: str, says: str
) -> None:
    """A region of it will do; without any it gets English."""
    assert says in client.get("/", headers={SPEAKS: asks}).text


def test_a_phone_with_no_supported_language_gets_the_configured_one(
    tmp_path: Path,
) -> None:
    """Also if it asks for none at all; a phone that asks for English gets English."""
    client = create_app(Settings(instance=tmp_path, language="de")).test_client()
    assert IN_GERMAN in client.get("/", headers={SPEAKS: "sv"}).text
    assert IN_GERMAN in client.get("/").text
    assert IN_ENGLISH in client.get("/", headers={SPEAKS: "en-GB"}).text


def test_a_language_is_chosen_and_kept(client: FlaskClient) -> None:
    """What was chosen on the phone goes before what its browser asks for."""
    asks = {SPEAKS: "en"}
    page = client.get("/language", headers=asks).text
    assert all(name in page for name in ("English", "Deutsch", "עברית"))
    assert client.post("/language", data={"language": "de"}, headers=asks).status_code == 303
    assert IN_GERMAN in client.get("/", headers=asks).text
    client.post("/language", data={"language": ""}, headers=asks)
    assert IN_ENGLISH in client.get("/", headers=asks).text


def test_the_language_page_marks_unreviewed_catalogs(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who has read a catalog is named in it."""
    assert "Von einer Maschine." in client.get("/language", headers={SPEAKS: "de"}).text
    assert "by machine" in client.get("/language").text
    catalog(tmp_path / "read", "de", GERMAN, read_by="Ute <ute@example.org>")
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "read",))
    assert "Maschine" not in client.get("/language", headers={SPEAKS: "de"}).text


@pytest.mark.parametrize("tag", ["tlh", "../../de", "de_DE.UTF-8", "x" * 500])
def test_only_a_language_with_a_catalog_is_chosen(client: FlaskClient, tag: str) -> None:
    """Nor is anything else taken from a cookie, such as a catalog that was removed."""
    for chosen in ({"language": tag}, {"letters": tag}):
        assert client.post("/language", data=chosen).status_code == 422
    client.set_cookie("language", tag)
    assert IN_ENGLISH in client.get("/").text


def test_the_page_says_which_language_it_is_in(client: FlaskClient) -> None:
    """And how that is written."""
    assert '<html lang="de" dir="ltr"' in client.get("/", headers={SPEAKS: "de-CH"}).text
    assert '<html lang="he" dir="rtl"' in client.get("/", headers={SPEAKS: "he-IL"}).text


def test_a_part_of_a_page_says_which_language_and_letters_it_has(host: Phone) -> None:
    """The page around it may have been loaded in others."""
    host.client.set_cookie("language", "he")
    host.client.set_cookie("letters", "BVH")
    for place in ("/board", "/record"):
        assert host.get(place, **PARTIAL, **{SPEAKS: "de"}).headers["Spoken"] == "he BVH"
        assert "Spoken" not in host.get(place).headers


def test_two_phones_have_one_sheet_in_two_languages(host: Phone) -> None:
    """Neither gets the other's copy of a page, and both polls answer that nothing has changed."""
    in_english, in_german = host.get(), host.get(**{SPEAKS: "de"})
    assert "Record deal 1" in in_english.text
    assert "Spiel 1 eintragen" in in_german.text
    assert host.get().text == in_english.text
    assert host.get(**{SPEAKS: "de"}).text == in_german.text
    tags = [host.get("/board", **{SPEAKS: tag}).headers["HX-PTag"] for tag in ("en", "de")]
    assert tags[0] == tags[1]
    assert "Record deal 1" in host.get().text, "no phone speaks the language of the one before it"


def test_a_catalog_is_read_when_a_phone_first_asks_for_it(tmp_path: Path) -> None:
    """One that can't be read is in nobody's way who speaks another language."""
    place = tmp_path / "locale" / "fr" / "LC_MESSAGES" / "referee.mo"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"no catalog")
    client = create_app(Settings(instance=tmp_path)).test_client()
    assert IN_ENGLISH in client.get("/").text
    assert IN_GERMAN in client.get("/", headers={SPEAKS: "de"}).text


def test_a_fault_is_shown_in_the_language_of_the_phone(client: FlaskClient) -> None:
    """Pages of errors, too; the next phone has its own again."""
    wrong = client.get("/nowhere", headers={SPEAKS: "de"})
    assert (wrong.status_code, '<html lang="de"' in wrong.text) == (404, True)
    assert '<html lang="en"' in client.get("/nowhere").text


def test_what_is_stored_is_the_same_in_every_language(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet that was kept in German, deal by deal, equals one that was kept in English."""
    monkeypatch.setattr(book, "datetime", SimpleNamespace(now=lambda tz: MOMENT))
    sheets = []
    for tag in ("en", "de"):
        host = begin(client, "multiple-9", ["Ann", "Ben", "Cat"])
        form = {"action": "out", "player": "Ben"}
        for after in range(2):
            answer = host.post(
                "/entries", {**form, "after": after, "key": f"key{after}"}, **{SPEAKS: tag}
            )
            assert answer.status_code == 303
        host.post("/entries/1/void", {"after": 2, "key": "void", "sure": "yes"}, **{SPEAKS: tag})
        sheets.append(json.loads(host.get("/sheet.json", **{SPEAKS: tag}).text))
    assert sheets[0] == sheets[1]


def test_a_spreadsheet_has_its_words_in_the_language_of_the_phone(host: Phone) -> None:
    """Its figures stay numbers that any spreadsheet reads."""
    host.record({"action": "out", "player": "Ben"}, 0)
    english, german = (
        host.get("/standings.csv", **{SPEAKS: tag}).text.splitlines() for tag in ("en", "de")
    )
    assert (english[0].endswith("Details"), german[0].endswith("Einzelheiten")) == (True, True)
    assert [row.split(",")[1:7] for row in english[1:]] == [
        row.split(",")[1:7] for row in german[1:]
    ]


def test_a_language_is_offered_only_where_there_is_another(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without catalogs no page speaks of languages."""
    assert 'href="/language"' in client.get("/").text
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "none",))
    assert 'href="/language"' not in client.get("/").text

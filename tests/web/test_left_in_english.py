"""Pages in a language whose catalog is half empty: what is left in English says so.

A screen reader then reads it as English, and on a right-to-left page it runs from left to right.
"""

from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from referee.rules import language
from referee.rules.registry import GAMES
from referee.rules.text import NOTHING, say, say_many
from referee.sheets.files import sheet_from
from referee.web.context import state
from tests.catalogs import BASE, FILE, ROOT, read
from tests.support.cases import EXAMPLES
from tests.support.small_catalogs import Messages, catalog
from tests.web.test_language import SHEET_PAGES
from tests.web.test_routes import OF_A_GAME, PAGES

HEBREW = {"Accept-Language": "he"}
MARKED = '<bdi lang="en" dir="ltr">{}</bdi>'
PLAIN = ("title", "option", "text")  # which can have no element inside
WHOLE = ROOT / BASE / "locale" / FILE.format(tag="he")


class Spoken(HTMLParser):
    """The texts of a page, where they can have a mark: those in English, and others."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.english, self.others = set[str](), set[str]()
        self.languages, self.tag = [""], ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        if tag == "bdi":
            self.languages.append(dict(attrs).get("lang") or self.languages[-1])

    def handle_endtag(self, tag: str) -> None:
        if tag == "bdi":
            self.languages.pop()

    def handle_data(self, data: str) -> None:
        if self.tag not in PLAIN:
            (self.english if self.languages[-1] == "en" else self.others).add(data.strip())


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Half of a Hebrew catalog, no plural and no extra’s; returns which of ours it lacks."""
    whole = {str(one.id): str(one.string) for one in read(WHOLE) if one.id and not one.pluralizable}
    kept: Messages = {id: whole[id] for id in Random(33).sample(list(whole), len(whole) // 2)}
    catalog(tmp_path / "locale", "he", kept)
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "locale",))
    others = {*kept.values(), "Referee"}  # names are the same, and so is the program’s
    return whole.keys() - kept.keys() - others


def check(page: str, left: set[str]) -> int:
    """Check that a page marks all that is left in English; returns in how many places."""
    found = Spoken(page)
    assert not {"\x02", "\x03"} & set(page)
    assert found.others & left == set()
    assert page.count("<bdi") == page.count("</bdi>")
    return len(found.english & left)


def test_every_page_marks_what_is_left_in_english(client: FlaskClient, left: set[str]) -> None:
    pages = ["/nowhere", *PAGES, *(path.format(slug) for path in OF_A_GAME for slug in GAMES)]
    pages += [f"/referee/{slug}/{judge}" for slug, game in GAMES.items() for judge in game.judges]
    found = [check(client.get(path, headers=HEBREW).text, left) for path in pages]
    assert sum(found) > 500


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
def test_every_page_of_a_sheet_marks_what_is_left_in_english(
    app: Flask, left: set[str], sheet: dict[str, Any]
) -> None:
    link, phone = state(app).book.import_sheet(sheet_from(sheet)), app.test_client()
    for page in (*SHEET_PAGES, "/print", "/board"):
        answer = phone.get(f"/s/{link.token}{page}", headers=HEBREW, follow_redirects=True)
        check(answer.text, left)


def test_only_what_has_no_translation_is_marked(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words in an attribute, which can’t be, are shown as they are; so is a page in English."""
    catalog(tmp_path / "locale", "he", {"Scores. Rulings. Records.": "ניקוד והכרעות."})
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "locale",))
    page = client.get("/", headers=HEBREW).text
    assert "ניקוד והכרעות.<" in page
    assert f">{MARKED.format('Skip to content')}<" in page
    assert 'data-copied="Copied"' in page
    assert 'lang="en" dir="ltr">' not in client.get("/").text.partition("<head>")[2]


def test_a_plural_with_an_empty_form_is_left_in_english(
    tmp_path: Path,
) -> None:
    """As `python -m tests.catalogs` begins a catalog: no form is shown without the others."""
    one, many = "{n} sheet is in the trash.", "{n} sheets are in the trash."
    catalog(tmp_path, "he", {(one, many): ("", "{n} דפים"), "D": "מ"}, compiled=False)
    with language.speaking(replace(language.language("he", tmp_path), marks=True)):
        assert str(say_many(one, many, n=5)) == "\x025 sheets are in the trash.\x03"
        assert str(say("D")) == "מ"


def test_a_sentence_that_begins_with_a_card_has_its_capital(tmp_path: Path) -> None:
    """Also if the card's name is left in English."""
    catalog(tmp_path, "sv", {"{card:C} wins.": "{card:C} vinner."})
    with language.speaking(replace(language.language("sv", tmp_path), marks=True)):
        wins = say("{card:C} wins.", card=say("the king"))
        assert str(wins) == "\x02The king\x03 vinner."
        assert f"{NOTHING:C}" == ""


def test_what_is_recorded_has_no_marks(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only pages are marked: a player who isn’t named is called so in English."""
    catalog(tmp_path / "locale", "he", {"D": "מ"})
    monkeypatch.setattr(language, "CATALOGS", (tmp_path / "locale",))
    phone = app.test_client()
    begun = phone.post("/new/multiple-9", data={"name": ["", ""], "key": "k"}, headers=HEBREW)
    sheet = phone.get(f"{begun.location}/sheet.json", headers=HEBREW).get_json()
    assert sheet["players"] == ["Player 1", "Player 2"]

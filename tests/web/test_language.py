"""Every word on the pages comes from a template that a catalog can translate.

The pages are read in a language that puts brackets around every message: what is outside of
brackets was not made by `say`, `trans` or `_`, and no translator would ever see it.
"""

import gettext
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from babel import Locale
from flask import Flask
from flask.testing import FlaskClient

from referee.rules import language
from referee.rules.language import Language
from referee.rules.registry import GAMES
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from referee.web import context
from referee.web.context import state
from tests.support.cases import EXAMPLES
from tests.web.test_routes import OF_A_GAME, PAGES

OPENS, CLOSES = "⟦", "⟧"
SHOWN = ("alt", "aria-label", "content", "placeholder", "title")
#: Names, signs, and Babel's own words: they need no message.
NOT_WORDS = re.compile(
    r"Referee|(?<![a-zA-Z])[AJQK]+(?![a-zA-Z])|Ann|Ben|Cat|Dan|Eve|\bkr\b|, and |\band\b|http\S*"
    r"|[A-Z][a-z]{2} \d+, \d{4}"
)


#: Elements that may be inside a message.
INSIDE = ("a", "b", "i", "small", "span", "svg", "use")


class Brackets(gettext.NullTranslations):
    """A catalog of everything: each message in brackets."""

    def gettext(self, message: str) -> str:
        return f"{OPENS}{message}{CLOSES}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class Page(HTMLParser):
    """The texts of a page that people read or hear."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = [""]
        self.hidden = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("style", "script"):
            self.hidden += 1
        self.texts[-1:-1] = [given[name] or "" for name in SHOWN if name in given and tag != "meta"]
        if tag == "meta" and given.get("name") == "description":
            self.texts.append(given.get("content") or "")
        if tag not in INSIDE:
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script"):
            self.hidden -= 1
        if tag not in INSIDE:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.texts[-1] += data


@pytest.fixture(autouse=True)
def english_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No phone has a language of its own."""
    monkeypatch.setattr(language, "CATALOGS", (tmp_path,))
    brackets = Language(Locale("en"), Brackets())
    monkeypatch.setattr(context, "language", lambda tag: brackets)


def outside(words: str) -> str:
    """The part of a text that is in no brackets."""
    depth, found = 0, ""
    for letter in words:
        depth += (letter == OPENS) - (letter == CLOSES)
        found += letter if depth == 0 and letter != CLOSES else ""
    return found


def untranslated(page: str) -> list[str]:
    """The texts of a page with words that are not in brackets."""
    texts = (" ".join(outside(text).split()) for text in Page(page).texts)
    return [text for text in texts if re.search(r"[a-zA-Z]{2,}", NOT_WORDS.sub("", text))]


def test_every_page_speaks_another_language(client: FlaskClient) -> None:
    """Home, new sheets, the referee, the rules, and pages for what went wrong."""
    pages = ["/nowhere", *PAGES, *(path.format(slug) for path in OF_A_GAME for slug in GAMES)]
    pages += [f"/referee/{slug}/{judge}" for slug, game in GAMES.items() for judge in game.judges]
    found = {path: untranslated(client.get(path).text) for path in pages}
    assert {path: texts for path, texts in found.items() if texts} == {}


SHEET_PAGES = (
    "",
    "/more",
    "/share",
    "/share?code=host",
    "/log",
    "/settings",
    "/trash",
    "/entries/1",
)


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
def test_every_page_of_a_sheet_speaks_another_language(app: Flask, sheet: dict[str, Any]) -> None:
    """A sheet in its course: its board, its log, its forms, a correction, a form with faults."""
    book: Book = state(app).book
    recorded = sheet["entries"][:-1] or sheet["entries"]  # so that there is more to record
    link = book.import_sheet(sheet_from(sheet | {"entries": recorded}))
    host = f"/s/{link.token}"
    client = app.test_client()
    answers = [client.get(host + page, follow_redirects=True) for page in SHEET_PAGES]
    answers.append(client.get(host + "/print", follow_redirects=True))
    if book.open(link).game.has_counters:
        answers.append(client.get(host + "/settle"))
    for action in book.open(link).game.entries:
        form = {"action": action, "after": "99", "key": "k", "player": "Nobody"}
        answers.append(client.post(f"{host}/entries", data=form))
    found = {answer.request.path: untranslated(answer.text) for answer in answers}
    assert all(answer.status_code in (200, 409, 422) for answer in answers)
    assert {path: texts for path, texts in found.items() if texts} == {}

"""Pages in a right-to-left language."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from referee.web.context import state
from tests.support.cases import EXAMPLES
from tests.support.phone import begin
from tests.web.test_language import SHEET_PAGES, Page

HEBREW = {"Accept-Language": "he"}


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
def test_marks_of_direction_are_not_written_out(app: Flask, sheet: dict[str, Any]) -> None:
    """Unlike an invisible character that somebody typed."""
    link, phone = state(app).book.import_sheet(sheet_from(sheet)), app.test_client()
    pages = [phone.get(f"/s/{link.token}{page}", headers=HEBREW) for page in SHEET_PAGES]
    assert 'dir="rtl"' in pages[0].text
    assert [page.request.path for page in pages if "\\u20" in page.text] == []


@pytest.mark.parametrize("slug", GAMES)
def test_figures_in_rules_are_read_from_the_left(client: FlaskClient, slug: str) -> None:
    """A single sign or sum is marked: else Hebrew would reverse it."""
    page = Page(client.get(f"/rules/{slug}", headers=HEBREW).text)
    alone = [text.strip() for text in page.texts if not re.search(r"[^\W\d_]", text)]
    assert [text for text in alone if re.match(r"[+−]\d|\d+ [+−]", text)] == []


def test_an_address_is_shown_from_its_beginning(client: FlaskClient) -> None:
    """A right-to-left field would show the end of it."""
    page = begin(client, "multiple-9", ["Ann", "Ben"]).get("/share", **HEBREW).text
    assert re.search(r'<input id="link" dir="ltr" readonly value="http', page)

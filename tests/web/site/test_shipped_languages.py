"""Pages in the languages that ship: none keeps words of another that was spoken before."""

import re
from typing import Any

import pytest
from flask import Flask

from referee.ledger.store import Link
from referee.sheets.files import sheet_from
from referee.web.context import state
from tests.support.cases import EXAMPLES

PAGES = ("", "/board", "/record", "/more", "/log", "/settings", "/share", "/print", "/entries/1")
FILES = ("/standings.csv", "/sheet.json")
#: What differs between two sheets that are alike: addresses, keys, codes and times.
OWN = re.compile(
    r'/s/[\w-]*|name="(key|after)" value="[^"]*"|(data-|hx-ptag)[\w-]*="[^"]*"|<svg.*?</svg>'
    r'|"hash": "\w+"|\d+:\d\d[\d:.]*',
    re.DOTALL,
)


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
def test_no_page_keeps_words_of_another_language(app: Flask, sheet: dict[str, Any]) -> None:
    """Of two sheets alike, one is seen in English first, the other in Hebrew."""
    shown: dict[str, list[dict[str, str]]] = {"en": [], "he": []}
    entries = sheet["entries"][:-1] or sheet["entries"]
    for order in (("en", "he"), ("he", "en")):
        link: Link = state(app).book.import_sheet(sheet_from(sheet | {"entries": entries}))
        phone = app.test_client()
        for tag in order:
            pages = {
                at: phone.get(
                    f"/s/{link.token}{at}", headers={"Accept-Language": tag}, follow_redirects=True
                ).text
                for at in PAGES + FILES
            }
            shown[tag].append(
                {at: OWN.sub("", text.replace(link.token, "")) for at, text in pages.items()}
            )
    assert shown["en"][0] == shown["en"][1]
    assert shown["he"][0] == shown["he"][1]
    unspoken = [at for at in PAGES if '<html lang="he" dir="rtl"' not in shown["he"][0][at]]
    assert unspoken == ["/board"]
    assert shown["he"][0]["/sheet.json"] == shown["en"][0]["/sheet.json"]

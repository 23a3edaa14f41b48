"""What a game's own templates say, in golden files to be read aloud: its rules, and each entry."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient
from syrupy.assertion import SnapshotAssertion

from referee.rules.core.ruling import RefereeError
from referee.rules.registry import GAMES
from referee.sheets.files import Step, play_through, sheet_from
from tests.support.cases import cases_of, sheet_file
from tests.support.golden import GoldenText

LINE = '{% import "_macros.html" as m %}{% include "games/" ~ game.slug ~ "/line.html" %}'


@pytest.mark.parametrize("slug", GAMES)
def test_an_entry_in_a_sentence(slug: str, app: Flask, snapshot: SnapshotAssertion) -> None:
    """Each kind of sentence once, for the first entry in the game's cases that has it."""
    said: dict[str, str] = {}
    with app.test_request_context():
        for step in _steps(slug):
            line, removed = _line(slug, step, step), _line(slug, step, None)
            line += f" / {removed}" if removed != line else ""
            said.setdefault(_kind(line, step), line)
    assert "\n".join(said.values()) + "\n" == snapshot(
        name=f"{slug}-entries", extension_class=GoldenText
    )


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_page(slug: str, client: FlaskClient, snapshot: SnapshotAssertion) -> None:
    """Every sentence, table and example of it, a line each."""
    page = client.get(f"/rules/{slug}").text
    main = page[page.index('<main id="main"') : page.index('<section id="house-rules">')]
    assert _plain(main) + "\n" == snapshot(name=f"{slug}-rules", extension_class=GoldenText)


def _steps(slug: str) -> Iterator[Step]:
    """Every entry of the game's cases, as far as they are legal."""
    for case in cases_of(slug, "sheet"):
        try:
            sheet = sheet_from(sheet_file(slug, case))
            yield from play_through(sheet.game, sheet.table, sheet.entries).steps
        except RefereeError:
            continue


def _line(slug: str, entry: Step, step: Step | None) -> str:
    return _plain(render_template_string(LINE, game=GAMES[slug], entry=entry.entry, step=step))


def _kind(line: str, step: Step) -> str:
    """A sentence without its names, numbers and cards, and without what people wrote."""
    names = "|".join(map(re.escape, step.after.everybody))
    return re.sub(rf"\b(?:{names})\b|\([^)]*\)|[0-9AJQK★]+[♠♥♦♣\ufe0e]*|[\s,]|\band\b", "", line)


def _plain(html: str) -> str:
    """The words of a page: each paragraph, item and row in a line, cells separated by bars."""
    html = re.sub(r'<svg[^>]*><use href="[^#]*#(\w)"/></svg>', r"\1", html)  # a Janken suit
    html = re.sub(r"<nav.*?</nav>", "", html, flags=re.DOTALL).replace("<small>", " ")
    html = re.sub(r"\s+", " ", html)
    html = re.sub(r'</span></span> ?(?=<span class="hand">)', " | ", html)  # from hand to hand
    html = re.sub(r'</span>(?=<span class="k[ "])', " ", html)  # from card to card
    html = re.sub(r"</(?:td|th|dt)> ?(?=<(?:td|th|dd))", " | ", html)
    html = re.sub(r"</(?:p|li|tr|h2|h3|div|section|summary)>", "\n", html)
    html = re.sub(r"(?<=</span>)<span>", ": ", html)
    lines = (" ".join(line.split()) for line in unescape(re.sub("<[^>]+>", "", html)).splitlines())
    return "\n".join(filter(None, lines)).replace("\ufe0e", "")

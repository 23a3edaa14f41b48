"""Every rule that the sources state has its place in the program, and the place is still there."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.support.cases import cases_of
from tests.support.phone import words

CHECKLIST: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("checklist.toml").read_text(encoding="utf-8")
)
RULES: list[dict[str, Any]] = CHECKLIST["rule"]
PLACES = ("page", "case", "deal")
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]

#: Games with rules of a source, not those that only their players know.
SLUGS = [slug for slug, game in GAMES.items() if not game.named_by_players]


def of(slug: str) -> list[dict[str, Any]]:
    return [rule for rule in RULES if rule["game"] == slug]


def sections(client: FlaskClient, slug: str) -> dict[str, str]:
    """The words of each section of a rules page."""
    page = client.get(f"/rules/{slug}").text
    found = re.findall(r'<section[^>]* id="([^"]+)"[^>]*>(.*?)</section>', page, re.DOTALL)
    return {anchor: words(section) for anchor, section in found}


def deal_card(slug: str) -> str:
    """What the deal card says of the first deal of four players, or of as few as can play."""
    game = GAMES[slug]
    seats = game.seats(game.house_rules())
    players = NAMES[: 4 if 4 in seats else seats[0]]
    sheet = sheet_from({"referee": 1, "game": slug, "players": players, "entries": []})
    return "\n".join(map(str, game.board(game.start(sheet.table)).says))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_is_where_the_checklist_says(client: FlaskClient, slug: str) -> None:
    """On the page, among the rulings, on the deal card: wherever it names a place."""
    page, card = sections(client, slug), deal_card(slug)
    cases = {case["from"] for kind in ("check", "sheet") for case in cases_of(slug, kind)}
    gone = []
    for rule in of(slug):
        section, stated = rule.get("page", ("", ""))
        if stated and stated not in page.get(section, ""):
            gone.append(f"{rule['says']}: the rules page, {section}, lacks “{stated}”")
        if rule.get("case", "") not in {"", *cases}:
            gone.append(f"{rule['says']}: no case “{rule['case']}”")
        if rule.get("deal", "") not in card:
            gone.append(f"{rule['says']}: the deal card lacks “{rule['deal']}”")
    assert not gone, "\n".join(gone)


def test_every_rule_has_a_place_and_a_page() -> None:
    """A rule nobody can read is no rule; what a ruling can check, a ruling checks."""
    for rule in RULES:
        assert set(rule) <= {"game", "says", *PLACES}, rule
        assert "page" in rule, rule["says"]
    told = [(rule["game"], rule["says"]) for rule in RULES]
    assert len(told) == len(set(told))
    assert {rule["game"] for rule in RULES} == set(SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_only_what_no_source_says_is_beyond_them(slug: str) -> None:
    """That all of it is in the checklist or beyond is in the contract of a game."""
    beyond = CHECKLIST["beyond"].get(slug, {})
    rules = {rule.get("case") for rule in of(slug)}
    asked = {case["judge"] for case in cases_of(slug, "check") if case["from"] in rules}
    assert not {rule["page"][0] for rule in of(slug)} & set(beyond.get("sections", ()))
    assert set(beyond.get("judges", ())) <= set(GAMES[slug].judges) - asked
    assert set(beyond.get("sections", ())) <= set(GAMES[slug].sections)

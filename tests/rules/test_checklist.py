"""Every rule that the sources state has its place in the program, and that place still exists."""

import re

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.sheets.files import sheet_from
from tests.support.cases import cases_of, tables_of
from tests.support.phone import words

PLACES = ("page", "case", "deal")
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]

#: Games with rules of a source, not those that only their players know.
SLUGS = [slug for slug, game in GAMES.items() if not game.named_by_players]


def sections(client: FlaskClient, slug: str) -> dict[str, str]:
    """The words of each section of a rules page."""
    page = client.get(f"/rules/{slug}").text
    found = re.findall(r'<section[^>]* id="([^"]+)"[^>]*>(.*?)</section>', page, re.DOTALL)
    return {anchor: words(section) for anchor, section in found}


def deal_card(slug: str) -> str:
    """The deal card of the first deal of four players, or of the fewest who can play."""
    game = GAMES[slug]
    seats = game.seats(game.house_rules())
    players = NAMES[: 4 if 4 in seats else seats[0]]
    sheet = sheet_from({"referee": 1, "game": slug, "players": players, "entries": []})
    return "\n".join(map(str, game.board(game.start(sheet.table)).says))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_is_where_its_cases_say(client: FlaskClient, slug: str) -> None:
    """On the rules page, among the cases, or on the deal card: in each place that it names."""
    page, card = sections(client, slug), deal_card(slug)
    cases = {case["from"] for kind in ("check", "sheet") for case in cases_of(slug, kind)}
    gone = []
    for rule in cases_of(slug, "rule"):
        section, stated = rule.get("page", ("", ""))
        if stated and stated not in page.get(section, ""):
            gone.append(f"{rule['says']}: the rules page, {section}, lacks “{stated}”")
        if rule.get("case", "") not in {"", *cases}:
            gone.append(f"{rule['says']}: no case “{rule['case']}”")
        if rule.get("deal", "") not in card:
            gone.append(f"{rule['says']}: the deal card lacks “{rule['deal']}”")
    assert not gone, "\n".join(gone)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_is_on_its_rules_page(slug: str) -> None:
    """It names that place, no unknown kind of place, and is listed once."""
    rules = cases_of(slug, "rule")
    for rule in rules:
        assert set(rule) <= {"says", *PLACES}, rule
        assert "page" in rule, rule["says"]
    assert rules
    assert len(rules) == len({rule["says"] for rule in rules})


@pytest.mark.parametrize("slug", SLUGS)
def test_beyond_lists_only_what_no_source_covers(slug: str) -> None:
    """A section or judge that a rule names is not listed as `beyond` the sources."""
    beyond, rules = tables_of(slug).get("beyond", {}), cases_of(slug, "rule")
    ruled = {rule.get("case") for rule in rules}
    asked = {case["judge"] for case in cases_of(slug, "check") if case["from"] in ruled}
    assert not {rule["page"][0] for rule in rules} & set(beyond.get("sections", ()))
    assert set(beyond.get("judges", ())) <= set(GAMES[slug].judges) - asked
    assert set(beyond.get("sections", ())) <= set(GAMES[slug].sections)

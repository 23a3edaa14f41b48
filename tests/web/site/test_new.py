"""Beginning a sheet: the lot for the first dealer."""

import html
import re

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.web.forms.fields import fields_of


def test_the_lot_is_drawn_in_sight(client: FlaskClient) -> None:
    """Drawn before the sheet begins, among those who have a name; and it stands in the form."""
    names = ["Ann", "Ben", "", "Cat"]
    for _ in range(12):
        page = client.post("/new/plain-score", data={"name": names, "do": "lot"}).text
        fallen_on = re.search(r"Luck picked <b>(\w+)</b>", page)
        assert fallen_on is not None
        row = str(names.index(fallen_on[1]))
        assert re.search(rf'name="dealer" value="{row}" checked', page)
        assert "Draw again" in page
    begun = client.post("/new/plain-score", data={"name": ["Ann", "Ben"], "dealer": row})
    assert begun.status_code == 303


def test_no_lot_falls_where_nobody_has_a_name(client: FlaskClient) -> None:
    """The form comes back as it was."""
    page = client.post("/new/plain-score", data={"name": ["", ""], "do": "lot"}).text
    assert "Luck picked" not in page
    assert "Draw lots" in page


@pytest.mark.parametrize("slug", GAMES)
def test_why_a_house_rule_can_differ_is_a_tap_away(client: FlaskClient, slug: str) -> None:
    """Each has its control, and a disclosure of its own, which needs no script."""
    page = html.unescape(client.get(f"/new/{slug}").text)
    offered = [rule for rule in fields_of(GAMES[slug].house_rules) if not rule.moot]
    for rule in offered:
        about = f'<summary aria-label="About “{rule.label}”">'
        assert page.count(about) == 1
        assert f"<p>{rule.description}</p>\n  </details>" in page.partition(about)[2]
        assert str(rule.description).count(". ") == 0, f"{rule.name}: one sentence"


def test_a_house_rule_that_is_wrong_is_in_sight(client: FlaskClient) -> None:
    """The fold that holds it comes back open, with what was typed."""
    sent = {"name": ["Ann", "Ben"], "target": "two"}
    page = client.post("/new/multiple-9", data=sent).text
    fold, _, _ = page[: page.index("House rules")].rpartition(">")
    assert fold[fold.rindex("<details") :].startswith('<details class="section" open>')
    assert 'value="two"' in page
    assert '<details class="section">' in client.get("/new/multiple-9").text

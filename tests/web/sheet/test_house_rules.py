"""House rules that ask the drawer for something more: only then, and it counts."""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from tests.support.cases import cases_of
from tests.support.phone import begin

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]

ASKS = [(slug, case) for slug in GAMES for case in cases_of(slug, "asks")]


@pytest.mark.parametrize(("slug", "case"), ASKS)
def test_the_drawer_asks_for_it_only_by_the_house_rule(
    client: FlaskClient, slug: str, case: dict[str, Any]
) -> None:
    """Without the house rule nobody is bothered with it."""
    players = NAMES[: case["players"]]
    plain, phone = begin(client, slug, players), begin(client, slug, players, **case["options"])
    assert case["control"] not in plain.get("/record").text
    assert case["control"] in phone.get("/record").text
    answer = phone.record(dict(parse_qsl(case["form"])), after=0)
    assert answer.status_code == 303, answer.text
    field = case["control"].split('"')[1].partition(".")[0]
    assert phone.file()["entries"][0][field] is not None
    assert case["control"] in phone.get("/entries/1").text
    assert phone.totals() == case["scores"].split()


def test_what_changes_no_result_is_not_asked(client: FlaskClient) -> None:
    """Four queens and three jacks can be the best hand in a file; no page offers a dead switch.

    A sheet that has agreed on it says so, and keeps it when its settings are changed.
    """
    says = "beats other hands of nine nines"
    phone = begin(client, "multiple-9-holdem", NAMES[:3])
    for page in ("/settings", "/more", "/referee/showdown", "/referee/odds"):
        assert says not in phone.get(page).text, page
    for page in ("/new/multiple-9-holdem", "/rules/multiple-9-holdem"):
        assert says not in client.get(page).text, page
    assert "House rules" not in phone.get("/referee/showdown").text
    agreed = begin(client, "multiple-9-holdem", NAMES[:3], royal="true")
    assert says in agreed.get("/settings").text
    assert says in agreed.get("/more").text
